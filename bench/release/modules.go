package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// A module is what is linked into the program, and where its source lies.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// goTool runs the go command for a system.
func goTool(ctx context.Context, system string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the callers are in this package
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if system != "" {
		cmd.Env = append(cmd.Env, "GOOS="+system)
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return out, nil
}

// build is one of a release. A module may be linked in one of them only.
type build struct{ system, tags string }

// builds are those of .goreleaser.yaml.
func builds() []build {
	return []build{{"linux", ""}, {"darwin", ""}, {"windows", ""}, {"freebsd", ""}, {"linux", "nats"}}
}

// linked lists the modules of the program over all builds, without its own.
func linked(ctx context.Context, program string) ([]module, error) {
	var all []module
	for _, b := range builds() {
		out, err := goTool(ctx, b.system, "list", "-tags="+b.tags, "-deps", "-json=Module", program)
		if err != nil {
			return nil, err
		}
		for in := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct{ Module *module }
			err := in.Decode(&p)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("read the list of packages: %w", err)
			}
			if p.Module != nil && !p.Module.Main {
				all = append(all, *p.Module)
			}
		}
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return slices.Compact(all), nil
}

// graph reads which module requires which, by path: the versions that were
// asked for do not matter, since one of each is linked.
func graph(ctx context.Context) (map[string][]string, error) {
	out, err := goTool(ctx, "", "mod", "graph")
	if err != nil {
		return nil, err
	}
	return parseGraph(out), nil
}

func parseGraph(text []byte) map[string][]string {
	needs := make(map[string][]string)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		from, to, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			continue
		}
		from, _, _ = strings.Cut(from, "@")
		to, _, _ = strings.Cut(to, "@")
		if !slices.Contains(needs[from], to) {
			needs[from] = append(needs[from], to)
		}
	}
	return needs
}
