// Command planted proves the judge: it plants faults in a copy of the program's sources, one after the other, and has
// the simulation find each. A fault that is not found is a hole in the judge.
//
//	go run ./sim/planted [-seeds 50] [NAME...]
//
// The faults are overlays of the compiler: the program holds no switch for them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fault is a change that breaks a promise.
type fault struct {
	name  string
	edits []edit
}

// edit replaces the first place of a text in a file.
type edit struct{ file, old, new string }

func main() {
	seeds := flag.Int("seeds", 50, "within how many seeds each has to be found")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	found, all, err := run(ctx, os.Stdout, *seeds, flag.Args())
	stop()
	_, _ = fmt.Fprintf(os.Stdout, "%d of %d planted faults are found within %d seeds each\n", found, all, *seeds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
	}
	if err != nil || found < all {
		os.Exit(1)
	}
}

func run(ctx context.Context, to io.Writer, seeds int, names []string) (found, all int, err error) {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, f := range faults() {
		if len(names) > 0 && !slices.Contains(names, f.name) {
			continue
		}
		all++
		overlay, err := f.plant(dir)
		if err != nil {
			return found, all, err
		}
		text, ok := live(ctx, overlay, seeds)
		if ctx.Err() != nil {
			return found, all, ctx.Err()
		}
		if ok {
			found++
		}
		if _, err := fmt.Fprintf(to, "%-42s %s\n", f.name, text); err != nil {
			return found, all, err
		}
	}
	return found, all, nil
}

// plant writes the changed files and returns the overlay's.
func (f *fault) plant(dir string) (path string, err error) {
	texts := make(map[string]string)
	for _, e := range f.edits {
		text, ok := texts[e.file]
		if !ok {
			data, err := os.ReadFile(e.file)
			if err != nil {
				return "", err
			}
			text = string(data)
		}
		if !strings.Contains(text, e.old) {
			return "", fmt.Errorf("%s: %s has no %q any more", f.name, e.file, e.old)
		}
		texts[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	replace := make(map[string]string)
	for file, text := range texts {
		from, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		to := filepath.Join(dir, f.name+"-"+strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[from] = to
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, f.name+".json")
	return path, os.WriteFile(path, data, 0o600)
}

// live runs the seeds and returns what was found.
func live(ctx context.Context, overlay string, seeds int) (text string, found bool) {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-overlay", overlay, "-count=1", "-failfast", "-timeout", "30m", "./sim", "-seeds", fmt.Sprint(seeds)) //nolint:gosec // our own
	cmd.Env = os.Environ()                                                                                                                                           // The compiler's, with its caches.
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "NOT FOUND", false
	}
	judged := regexp.MustCompile(`(?m)^ +sim_test\.go:\d+: judged (\d+: .*)$`).FindSubmatch(out)
	if judged == nil {
		return "NOT JUDGED: " + lastLine(string(out)), false
	}
	return "seed " + string(judged[1]), true
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[0]
}
