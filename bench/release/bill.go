package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// A bill of materials in the form of CycloneDX 1.6, as far as it is used here.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Time      string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Ref        string       `json:"bom-ref"`
	Type       string       `json:"type"`
	Name       string       `json:"name"`
	Version    string       `json:"version,omitempty"`
	PURL       string       `json:"purl"`
	Hashes     []hash       `json:"hashes,omitempty"`
	Licences   []licenceRef `json:"licenses,omitempty"`
	Properties []property   `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licenceRef struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Need []string `json:"dependsOn,omitempty"`
}

// writeBill reads what the linker noted in a built program, so that the bill is
// of this file and not of the tree that happens to be here.
func writeBill(ctx context.Context, out io.Writer, path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	content, err := os.ReadFile(path) //nolint:gosec // the maintainer names the program
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	needs, err := graph(ctx)
	if err != nil {
		return err
	}
	modules, err := linked(ctx, info.Path)
	if err != nil {
		return err
	}
	b, err := newBill(info, sha256.Sum256(content), needs, modules)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(b)
}

func newBill(info *buildinfo.BuildInfo, sum [sha256.Size]byte, needs map[string][]string, modules []module) (bill, error) {
	program := component{
		Ref: purl(info.Main.Path, info.Main.Version), Type: "application", Name: info.Main.Path, Version: info.Main.Version,
		PURL: purl(info.Main.Path, info.Main.Version), Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Serial: serial(sum), Version: 1}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			b.Metadata.Time = s.Value
		}
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	b.Metadata.Component = program
	release := strings.TrimPrefix(info.GoVersion, "go")
	standard := component{Ref: purl("std", release), Type: "library", Name: "std", Version: release, PURL: purl("std", release), Licences: []licenceRef{ref("BSD-3-Clause")}}
	b.Components = append(b.Components, standard)
	refs := make(map[string]string)
	for _, m := range info.Deps {
		refs[m.Path] = purl(m.Path, m.Version)
		c := component{Ref: refs[m.Path], Type: "library", Name: m.Path, Version: m.Version, PURL: refs[m.Path], Properties: []property{{"go:sum", m.Sum}}}
		i := slices.IndexFunc(modules, func(have module) bool { return have.Path == m.Path && have.Version == m.Version })
		if i < 0 {
			return bill{}, fmt.Errorf("the program has %s %s, and go.mod here has another: check out the commit that it was built from", m.Path, m.Version)
		}
		files, err := licencesIn(modules[i].Dir)
		if err != nil {
			return bill{}, err
		}
		if len(files) > 0 && files[0].name != "" {
			c.Licences = []licenceRef{ref(files[0].name)}
		}
		b.Components = append(b.Components, c)
	}
	b.Dependencies = append(b.Dependencies, edges(program.Ref, needs[info.Main.Path], refs, standard.Ref))
	for _, m := range info.Deps {
		b.Dependencies = append(b.Dependencies, edges(refs[m.Path], needs[m.Path], refs, standard.Ref))
	}
	return b, nil
}

// edges keeps of what a module requires the modules that were linked.
func edges(of string, needs []string, refs map[string]string, standard string) dependency {
	d := dependency{Ref: of, Need: []string{standard}}
	for _, path := range needs {
		if to, ok := refs[path]; ok {
			d.Need = append(d.Need, to)
		}
	}
	slices.Sort(d.Need)
	return d
}

func ref(id string) (r licenceRef) {
	r.Licence.ID = id
	return r
}

// purl writes the package URL of a module.
func purl(path, version string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	text := "pkg:golang/" + strings.Join(parts, "/")
	if version != "" {
		text += "@" + strings.ReplaceAll(url.PathEscape(version), "+", "%2B")
	}
	return text
}

// serial makes the number of the bill from the program's sum (a UUID of version
// 8), so that two builds that are equal have equal bills.
func serial(sum [sha256.Size]byte) string {
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	text := hex.EncodeToString(id)
	return "urn:uuid:" + text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

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
