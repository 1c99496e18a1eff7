package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const module = "github.com/cardtop/cardtop"

// A group is a box of the picture of the architecture. It stands from column
// x0 to x1, in the rows from top to bottom. A pattern is the path of a package,
// or "path/*" for what lies below it; the longest one that matches counts.
type group struct {
	title, role string
	patterns    []string
	x0, x1      float64
	top, bottom int
}

// groups are the boxes, users above what they import.
func groups() []group {
	return []group{
		{"main.go", "entry", []string{"."}, 20, 1080, 0, 0},
		{"internal/cmd", "one file a command: flags, exit codes", []string{"internal/cmd", "internal/cmd/*"}, 20, 1080, 1, 1},
		{"internal/app", "wiring: account, dashboard, reload", []string{"internal/app", "internal/app/*"}, 20, 1080, 2, 2},
		{"ui", "root model, input, layout, terminal", []string{"ui", "ui/input", "ui/layout", "ui/notify", "ui/picker", "ui/screen", "ui/tty"}, 20, 525, 3, 3},
		{"internal/clipboard desktop push", "clipboard, its guard process, notifications, webhook deliveries", []string{"internal/clipboard", "internal/clipboard/*", "internal/desktop", "internal/push", "internal/push/*"}, 20, 165, 4, 5},
		{"ui/*", "panes and screens with their dialogs: one package each", []string{"ui/*"}, 180, 525, 4, 4},
		{"ui/pane ui/dialog ui/widget ui/theme", "panes, boxes, forms, confirmations; drawing", []string{"ui/pane", "ui/pane/*", "ui/dialog", "ui/dialog/*", "ui/widget", "ui/theme"}, 180, 525, 5, 5},
		{"internal/hub", "the API for a team: people, scopes, approvals", []string{"internal/hub", "internal/hub/*"}, 545, 680, 3, 3},
		{"internal/engine internal/vault", "the only executor of effects: effect → call → event; secrets", []string{"internal/engine", "internal/engine/*", "internal/vault"}, 545, 680, 4, 5},
		{"internal/storage", "everything on disk", []string{"internal/storage/*"}, 696, 830, 3, 5},
		{"internal/config", "file, environment, API keys, log", []string{"internal/config", "internal/config/*", "internal/shell"}, 846, 970, 3, 5},
		{"api/sandbox", "the same API from memory, and a file that keeps it; shares no code with the client", []string{"api/sandbox", "api/sandbox/*"}, 984, 1080, 3, 5},
		{"keymap", "actions and keys", []string{"keymap"}, 180, 255, 6, 6},
		{"internal/query, lang", "filters, languages", []string{"internal/query", "internal/lang"}, 270, 390, 6, 6},
		{"state", "the store: intents and events in, effects out. Pure: no I/O, no clock", []string{"state", "state/*", "internal/cardcsv"}, 405, 775, 6, 6},
		{"internal/hub/cluster", "several hubs over NATS: lease, log, replica", []string{"internal/hub/cluster", "internal/hub/cluster/*"}, 790, 970, 6, 6},
		{"api", "the contract in types, its client; money, secrets, sanitised text", []string{"api", "api/budget", "api/client"}, 270, 775, 7, 7},
		{"internal/storage/fsafe internal/config/redact", "private files; redaction", []string{"internal/storage/format", "internal/storage/fsafe", "internal/config/redact"}, 20, 970, 8, 8},
	}
}

// apart are the tests and tools, which nothing imports.
func apart() []string {
	return []string{"e2e", "bench/*", "api/apitest", "internal/clipboard/prove", "internal/clipboard/prove/*", "internal/goldentest", "internal/leaktest", "internal/nighttest", "internal/rapidtest", "sim", "sim/*"}
}

// A tree is the packages of every group by the place of the group, and which
// groups import which.
type tree struct {
	packages map[int][]string
	arrows   [][2]int
}

// grouped sorts packages, each with what it imports, into groups. Left out are
// the arrows that a longer way implies.
func grouped(all []group, imports map[string][]string) (tree, error) {
	t := tree{packages: make(map[int][]string)}
	uses := make(map[int]map[int]bool)
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		from, shown := groupOf(all, path)
		if from < 0 && shown {
			return tree{}, fmt.Errorf("package %s is in no group of the picture: add it to groups in bench/docs/layers.go", path)
		}
		if !shown {
			continue
		}
		t.packages[from] = append(t.packages[from], path)
		for _, in := range imports[path] {
			to, shown := groupOf(all, in)
			if !shown || to == from || to < 0 {
				continue
			}
			if uses[from] == nil {
				uses[from] = make(map[int]bool)
			}
			uses[from][to] = true
		}
	}
	for from := range all {
		for to := range all {
			if !uses[from][to] {
				continue
			}
			if reaches(uses, to, from, len(all)) {
				return tree{}, fmt.Errorf("%s and %s import each other", all[from].title, all[to].title)
			}
			direct := true
			for over := range uses[from] {
				direct = direct && (over == to || !reaches(uses, over, to, len(all)))
			}
			if direct {
				t.arrows = append(t.arrows, [2]int{from, to})
			}
		}
	}
	return t, nil
}

// reaches reports whether to is imported by from, in at most so many steps.
func reaches(uses map[int]map[int]bool, from, to, steps int) bool {
	if uses[from][to] || from == to {
		return true
	}
	for over := range uses[from] {
		if steps > 0 && reaches(uses, over, to, steps-1) {
			return true
		}
	}
	return false
}

// groupOf is the place of a package's group, -1 for none, and whether the
// package is shown at all.
func groupOf(all []group, path string) (place int, shown bool) {
	if slices.ContainsFunc(apart(), func(p string) bool { return matches(p, path) }) {
		return -1, false
	}
	place, best := -1, ""
	for i, g := range all {
		for _, p := range g.patterns {
			if matches(p, path) && len(strings.TrimSuffix(p, "*")) > len(best) {
				place, best = i, strings.TrimSuffix(p, "*")
			}
		}
	}
	return place, true
}

func matches(pattern, path string) bool {
	below, ok := strings.CutSuffix(pattern, "*")
	return pattern == path || ok && strings.HasPrefix(path, below)
}

// imported lists the packages below dir and what each imports of the module,
// tests aside, for one system so that the list is the same on all.
func imported(ctx context.Context, dir string) (map[string][]string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	list.Dir, list.Env = dir, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	found := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		found[within(paths[0])] = []string{}
		for _, in := range paths[1:] {
			if strings.HasPrefix(in, module+"/") {
				found[within(paths[0])] = append(found[within(paths[0])], within(in))
			}
		}
	}
	return found, nil
}

// within is a package's path within the module.
func within(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}
