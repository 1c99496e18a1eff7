package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/cardtop/cardtop/"

// TestImportsPointOneWay holds the direction that docs/ARCHITECTURE.md draws.
// For each package the most specific rule counts; a package without a rule
// fails, so that a new one is thought about.
func TestImportsPointOneWay(t *testing.T) {
	leaf := []string{}
	rules := map[string][]string{
		"sim":       {"internal/hub/cluster", "internal/hub/cluster/bustest", "api", "api/sandbox", "internal/app", "internal/clipboard", "internal/cmd", "internal/cmd/cli", "internal/config", "sim/judge", "ui/tty"},
		"sim/lives": leaf,
		"sim/judge": leaf, // It judges the program, and knows nothing of it.
		"":          {"internal/cmd"},
		"internal/cmd": {
			"internal/app", "internal/app/footprint", "internal/cmd/*", "internal/clipboard", "internal/config", "internal/config/harden", "internal/desktop", "internal/engine", "internal/engine/*",
			"internal/query", "internal/storage/accounts", "internal/storage/addresses", "internal/storage/fsafe", "internal/storage/history", "internal/storage/views", "ui", "ui/picker", "ui/tty", "state", "state/*", "internal/lang", "api", "api/client", "api/sandbox", "keymap",
		},
		"internal/cmd/cli": {"internal/app", "internal/clipboard", "internal/config", "internal/query", "api", "state/errtext", "ui/tty"},
		"internal/cmd/hub": {
			"internal/app", "internal/cmd/cli", "internal/cmd/output", "internal/config", "internal/engine", "internal/engine/ruling", "internal/hub", "internal/hub/*", "internal/hub/cluster/*", "internal/storage/history", "ui/tty", "api", "api/client", "state", "state/*", "internal/lang",
		},
		"internal/hub":          {"api", "api/client", "internal/engine", "internal/engine/loop", "internal/engine/ruling", "internal/hub/*", "state", "state/*", "internal/lang"},
		"internal/hub/approval": {"api"},
		"internal/hub/identity": {"internal/storage/fsafe"},
		"internal/hub/kept":     {"internal/storage/format", "internal/storage/fsafe"},
		"internal/hub/lease":    {"api"},
		"internal/hub/limit":    leaf,
		"internal/hub/once":     {"api"},
		"internal/hub/sshd":     {"internal/hub/team", "internal/storage/fsafe"},
		"internal/hub/stream":   leaf,
		"internal/hub/team":     {"api", "internal/storage/format", "internal/storage/fsafe"},
		"internal/cmd/complete": {"internal/cmd/cli", "internal/config", "internal/query", "internal/storage/cache", "api", "state"},
		"internal/cmd/mcp":      {"internal/config/redact", "internal/app", "internal/cmd/cli", "internal/config", "api", "internal/storage/history", "state"},
		"internal/cmd/man":      {"internal/app", "internal/cmd/cli"},
		"internal/cmd/output":   {"internal/app", "internal/cmd/cli", "internal/config", "internal/lang", "internal/storage/export", "state", "state/copytext", "state/rows"},
		"internal/cmd/write": {
			"internal/app", "internal/cardcsv", "internal/cmd/cli", "internal/cmd/output", "internal/config", "internal/engine", "internal/engine/act", "api", "api/client", "state", "state/*", "internal/lang",
		},
		// Commands by what they are about.
		"internal/cmd/{bins,cards,operations,raw,read,report,txns,wallets,webhooks}": {
			"internal/cmd/read",
			"internal/app", "internal/cardcsv", "internal/cmd/cli", "internal/cmd/output", "internal/cmd/write", "internal/config", "internal/engine", "internal/engine/*",
			"internal/query", "state", "state/*", "internal/lang", "api", "api/client",
		},
		"internal/cmd/codes":   {"api", "api/client", "internal/cmd/read", "state/rows", "internal/app", "internal/clipboard", "internal/cmd/cli", "internal/config", "internal/engine", "internal/engine/await", "state", "state/codes", "state/errtext"},
		"internal/cmd/cmdtest": {"api", "api/client", "api/sandbox", "internal/app", "internal/clipboard", "internal/cmd/cli", "internal/engine", "internal/storage/journal"}, // For tests.
		"internal/app": {
			"internal/app/*", "internal/clipboard", "internal/hub/cluster", "internal/config", "internal/config/*", "internal/desktop", "internal/engine", "internal/push/endpoint", "internal/shell", "internal/storage/*", "internal/vault",
			"ui", "ui/dialog", "ui/picker", "ui/settings", "ui/tty", "state", "state/*", "internal/lang", "api", "api/client", "api/sandbox", "keymap",
		},
		"internal/app/overview":      {"state", "state/kernel", "state/settings", "ui/accounts", "ui/dialog"},
		"internal/app/footprint":     leaf,
		"internal/app/profiles":      {"api", "api/client", "internal/config", "internal/config/edit", "internal/storage/fsafe", "state", "state/*", "internal/lang", "ui/accounts", "ui/dialog"},
		"api":                        leaf,
		"api/client":                 {"api"},
		"api/budget":                 leaf,
		"api/sandbox":                {"api/sandbox/*"},
		"api/apitest":                leaf,
		"bench/docs":                 {"keymap", "internal/config"},
		"bench/pages":                leaf,
		"bench/release":              leaf,
		"bench/targets":              leaf,
		"bench/soak":                 leaf,
		"bench/ssh":                  leaf,
		"bench/sync":                 leaf,
		"bench/terminals":            leaf,
		"bench/words":                {"internal/lang"},
		"keymap":                     leaf,
		"ui/theme":                   {"internal/lang"},
		"ui/widget":                  leaf,
		"ui/screen":                  leaf,
		"ui/input":                   leaf,
		"ui/layout":                  leaf,
		"ui/tty":                     {"ui/screen", "ui/widget"},
		"ui/picker":                  {"keymap", "internal/lang", "ui/accounts", "ui/dialog", "ui/input", "ui/screen", "ui/tty", "ui/theme", "ui/widget"},
		"internal/clipboard":         {"internal/clipboard/*"},
		"internal/clipboard/claim":   {"internal/storage/fsafe"},
		"state":                      {"api", "api/budget", "internal/cardcsv", "state/*", "internal/lang"},
		"state/copytext":             leaf,
		"state/kernel":               {"api", "api/budget", "internal/lang", "state/errtext", "state/display", "state/guard", "state/news", "state/poll", "state/requestlog", "state/settings", "state/team"},
		"state/alerts":               {"api", "internal/lang", "state/alert", "state/burn", "state/cardlist", "state/decline", "state/errtext", "state/kernel", "state/ledger", "state/news", "state/poll", "state/rows", "state/settings"},
		"state/txns":                 {"api", "api/budget", "internal/lang", "state/errtext", "state/kernel", "state/poll", "state/txlink", "state/txnlist"},
		"state/commands":             {"api", "state/cardlist", "state/kernel", "state/settings"},
		"state/secrets":              {"api", "api/budget", "internal/lang", "state/cardlist", "state/codes", "state/copytext", "state/errtext", "state/kernel", "state/poll", "state/team", "state/wallets", "state/webhooks"},
		"state/insight":              {"api", "api/budget", "internal/lang", "state/bins", "state/burn", "state/campaign", "state/cardlist", "state/cart", "state/decline", "state/guard", "state/kernel", "state/ledger", "state/poll", "state/rows", "state/txns", "state/wallets"},
		"state/wallets":              {"api", "api/budget", "internal/lang", "state/kernel", "state/news", "state/poll", "state/rows", "state/team"},
		"state/webhooks":             {"api", "api/budget", "internal/lang", "state/kernel", "state/poll", "state/rows", "state/team"},
		"state/bins":                 {"api", "api/budget", "internal/lang", "state/kernel", "state/ledger", "state/poll", "state/rows"},
		"state/views":                {"internal/lang", "state/kernel", "state/poll", "state/settings"},
		"state/codes":                {"api", "api/budget", "internal/lang", "state/cardlist", "state/cart", "state/decline", "state/display", "state/errtext", "state/kernel", "state/news", "state/poll", "state/rows", "state/team"},
		"state/settings":             {"api", "state/alert", "state/campaign", "state/guard", "state/label", "internal/lang", "state/poll", "state/rule"},
		"state/display":              {"api", "state/cardlist", "internal/lang"},
		"internal/lang":              {"api"},
		"state/errtext":              {"api", "internal/lang"},
		"state/guard":                {"api", "internal/lang"},
		"state/label":                {"api", "internal/cardcsv"},
		"state/cardlist":             {"api", "state/poll"},
		"state/txnlist":              {"api", "state/poll"},
		"state/rows":                 {"api", "internal/lang"},
		"state/txlink":               {"api"},
		"state/alert":                {"api", "state/burn", "state/cardlist", "state/decline", "state/guard", "internal/lang", "state/ledger"},
		"state/cart":                 {"api", "internal/lang", "state/txlink"},
		"state/ledger":               {"api", "state/burn", "state/decline", "state/txlink"},
		"state/campaign":             {"api"},
		"state/burn":                 {"api", "internal/lang"},
		"state/decline":              {"api", "internal/lang", "state/cart", "state/txlink"},
		"state/news":                 {"api", "state/display", "internal/lang"},
		"state/push":                 {"state/poll"},
		"state/requestlog":           {"api", "state/errtext", "internal/lang", "state/rows"},
		"state/team":                 {"api", "internal/lang", "state/poll"},
		"state/rule":                 {"api", "internal/query", "state/burn", "state/cardlist", "internal/lang", "state/ledger"},
		"internal/cardcsv":           {"api", "internal/lang"},
		"state/poll":                 {"api", "api/budget", "internal/lang"},
		"internal/engine/act":        {"api", "state", "state/*", "internal/lang", "internal/engine/loop"},
		"internal/engine/ruling":     {"api", "state", "state/*", "internal/lang"},
		"internal/engine/await":      {"api", "state", "state/*", "internal/lang", "internal/engine/loop"},
		"internal/storage/cache":     {"api", "state", "state/*", "internal/lang", "internal/storage/format", "internal/storage/fsafe"},
		"internal/engine":            {"internal/cardcsv", "internal/clipboard", "api", "api/client", "api/budget", "state", "state/*", "internal/lang"},
		"internal/storage/journal":   {"api", "state", "state/*", "internal/lang", "internal/storage/accounts", "internal/storage/format", "internal/storage/fsafe"},
		"internal/storage/history":   {"api", "state", "state/*", "internal/lang", "internal/storage/format", "internal/storage/fsafe", "internal/config/redact", "internal/storage/export"},
		"internal/storage/export":    {"state", "state/*", "internal/cardcsv", "internal/lang"},
		"internal/engine/loop":       {"state", "state/*", "internal/lang"},
		"internal/storage/accounts":  {"api", "internal/storage/format", "internal/storage/fsafe"},
		"internal/storage/addresses": {"api", "state", "state/*", "internal/lang", "internal/storage/format", "internal/storage/fsafe"},
		"internal/storage/plans":     {"api", "state", "state/*", "internal/lang", "internal/storage/accounts", "internal/storage/format", "internal/storage/fsafe"},
		"internal/query":             {"api", "internal/lang"},
		"internal/vault":             {"api", "state", "state/*", "internal/lang"},
		"internal/storage/views":     {"api", "state", "state/*", "internal/lang", "internal/storage/format", "internal/storage/fsafe"},
		"internal/storage/usage":     {"api", "api/budget", "internal/storage/format", "internal/storage/fsafe"},
		"internal/config":            {"api", "state", "state/*", "internal/lang", "internal/query", "internal/config/*", "internal/shell", "internal/storage/fsafe"},
		"internal/shell":             leaf,
		"internal/config/logfile":    {"internal/config/*", "internal/storage/fsafe"},
		"internal/storage/fsafe":     leaf,
		"internal/storage/format":    leaf,
		"internal/storage/releases":  leaf,
		"ui":                         {"api", "keymap", "state", "state/*", "internal/lang", "ui/*"},
		"ui/dialog":                  {"api", "internal/cardcsv", "keymap", "state", "state/*", "internal/lang", "ui/pane", "ui/theme", "ui/widget"},
		"ui/dialog/dialogtest":       {"api", "internal/lang", "keymap", "state", "state/*", "ui/dialog", "ui/pane/panetest", "ui/theme", "ui/widget"}, // For tests.
		"ui/find":                    {"api", "state", "state/*", "internal/lang", "ui/pane"},
		"ui/pane":                    {"api", "internal/cardcsv", "keymap", "state", "state/*", "internal/lang", "internal/query", "ui/theme", "ui/widget"},
		"ui/pane/panetest":           {"api", "keymap", "state", "state/*", "internal/lang", "ui/pane", "ui/theme", "ui/widget"}, // For tests.
		"internal/desktop":           leaf,
		"internal/push":              leaf,
		// Several hubs: the parts know the lease and the operations, and nothing else of
		// one another.
		"internal/hub/cluster":         {"api", "api/client", "internal/hub/cluster/lease", "internal/hub/cluster/oplog", "internal/hub/cluster/pass", "internal/hub/cluster/replica"},
		"internal/hub/cluster/lease":   leaf,
		"internal/hub/cluster/oplog":   {"api", "internal/hub/cluster/lease", "internal/hub/cluster/seal"},
		"internal/hub/cluster/journal": {"api", "internal/hub/cluster/oplog", "state", "state/*", "internal/lang"},
		"internal/hub/cluster/seal":    {"internal/storage/fsafe"},
		"internal/hub/cluster/replica": {"api", "internal/hub/cluster/seal"},
		"internal/hub/cluster/pass":    {"internal/hub/cluster/seal"},
		"internal/hub/node": {
			"api", "api/client", "internal/engine", "internal/hub", "internal/hub/cluster", "internal/hub/cluster/*", "internal/hub/limit", "internal/hub/team", "internal/push/endpoint", "state", "state/*", "internal/lang",
		},
		"internal/hub/cluster/bus":      {"internal/hub/cluster/*"},
		"internal/hub/cluster/bustest":  {"internal/hub/cluster", "internal/hub/cluster/lease", "internal/hub/cluster/pass"}, // For tests.
		"internal/hub/cluster/natstest": leaf,                                                                                // For tests.
		"bench/cluster":                 leaf,
		"internal/push/pushtest":        leaf, // For tests.
		"internal/leaktest":             leaf, // For tests.
		"internal/goldentest":           leaf, // Likewise.
		"internal/nighttest":            leaf, // Likewise.
		"internal/rapidtest":            leaf, // Likewise.
		"internal/push/endpoint":        {"api", "internal/config", "internal/push", "internal/storage/format", "internal/storage/fsafe", "state", "state/*", "internal/lang"},
		"ui/notify":                     {"ui/widget"},
		"e2e":                           leaf,
		// A pane or a screen, whichever it is.
		"ui/*":            {"ui/dialog", "api", "keymap", "state", "state/*", "internal/lang", "ui/pane", "ui/theme", "ui/widget"},
		"ui/palette":      {"api", "keymap", "state", "state/*", "internal/lang", "ui/accounts", "ui/dialog", "ui/find", "ui/pane", "ui/theme", "ui/widget"},
		"ui/plans":        {"api", "internal/cardcsv", "keymap", "state", "state/*", "internal/lang", "ui/cards", "ui/dialog", "ui/pane", "ui/theme", "ui/widget"},
		"ui/{cards,txns}": {"ui/dialog", "internal/cardcsv", "api", "keymap", "state", "state/*", "internal/lang", "internal/query", "ui/pane", "ui/theme", "ui/widget"},
	}
	for path, imports := range packages(t) {
		allowed, ok := ruleFor(rules, path)
		if !ok {
			t.Errorf("%s has no rule", path)
			continue
		}
		for _, in := range imports {
			if !matchesAny(allowed, in) {
				t.Errorf("%q imports %q", path, in)
			}
		}
	}
}

// TestTheProgramUsesEveryPackage holds that nothing lies below internal that only tests
// import, but for what is made for tests.
func TestTheProgramUsesEveryPackage(t *testing.T) {
	used, testsOnly := make(map[string]bool), make(map[string]bool)
	for _, p := range list(t, "./...") {
		testsOnly[p.ImportPath] = len(p.GoFiles) == 1 && p.GoFiles[0] == "doc.go"
	}
	for _, tags := range []string{"", "nats"} {
		for _, p := range list(t, "-deps", "-tags", tags, ".", "./bench/...", "./api/apitest/...") {
			used[p.ImportPath] = true
		}
	}
	for path := range packages(t) {
		if strings.HasPrefix(path, "internal/") && !used[module+path] && !strings.HasSuffix(path, "test") && !testsOnly[module+path] {
			t.Errorf("nothing but tests imports %s", path)
		}
	}
}

// TestTheStoreIsPure holds what makes the store replayable.
func TestTheStoreIsPure(t *testing.T) {
	for _, forbidden := range []string{"os", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand", "sync"} {
		for _, in := range standard(t, module+"state") {
			if in == forbidden {
				t.Errorf("state imports %s", in)
			}
		}
	}
}

// TestChildrenGetAnEnvironmentOfTheirOwn holds that whoever starts a process
// says what it may know. What the clipboard's guard starts inherits the guard's
// environment, which was chosen for it.
func TestChildrenGetAnEnvironmentOfTheirOwn(t *testing.T) {
	starts, sets := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		dir := filepath.ToSlash(filepath.Dir(path))
		starts[dir] = starts[dir] || strings.Contains(string(text), "exec.Command")
		sets[dir] = sets[dir] || strings.Contains(string(text), "cmd.Env = ")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, does := range starts {
		if does && !sets[dir] && !strings.HasPrefix(dir, "internal/clipboard/") {
			t.Errorf("%s starts processes with the whole environment", dir)
		}
	}
	if !starts["internal/clipboard"] || !starts["internal/shell"] {
		t.Error("the search does not find who starts processes")
	}
}

func ruleFor(rules map[string][]string, path string) ([]string, bool) {
	if r, ok := rules[path]; ok {
		return r, true
	}
	for key, r := range rules {
		prefix, names, ok := strings.Cut(key, "{")
		if !ok || !strings.HasPrefix(path, prefix) {
			continue
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(names, "}"), ",") {
			if prefix+name == path {
				return r, true
			}
		}
	}
	if strings.HasPrefix(path, "ui/") && strings.Count(path, "/") == 1 {
		return rules["ui/*"], true
	}
	// What lies below a world of its own stays within it.
	for _, world := range []string{"api/sandbox", "internal/config", "internal/clipboard"} {
		if strings.HasPrefix(path, world+"/") {
			return []string{world + "/*"}, true
		}
	}
	return nil, false
}

func matchesAny(patterns []string, path string) bool {
	for _, p := range patterns {
		if p == path || strings.HasSuffix(p, "/*") && strings.HasPrefix(path, strings.TrimSuffix(p, "*")) {
			return true
		}
	}
	return false
}

// packages gives our packages and which of ours each imports, tests aside.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out := make(map[string][]string)
	for _, p := range list(t, "./...") {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, strings.TrimSuffix(module, "/")), "/")
		out[path] = []string{}
		for _, in := range p.Imports {
			if rest, ok := strings.CutPrefix(in, module); ok {
				out[path] = append(out[path], rest)
			}
		}
	}
	if len(out) < 15 {
		t.Fatalf("only %d packages were listed", len(out))
	}
	return out
}

func standard(t *testing.T, path string) []string {
	t.Helper()
	return list(t, path)[0].Imports
}

type goPackage struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
}

func list(t *testing.T, patterns ...string) []goPackage {
	t.Helper()
	args := append([]string{"list", "-json=ImportPath,Imports,GoFiles"}, patterns...)
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}
