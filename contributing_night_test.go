//go:build night

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// edit inserts text behind an anchor of a file that others share.
type edit struct{ file, anchor, insert string }

// TestAChangeIsMadeInFewFiles makes a made-up change of each kind that
// docs/CONTRIBUTING.md describes, in an overlay of the tree, builds the program
// with it, and counts the shared files that it took. Tests and documents aside.
func TestAChangeIsMadeInFewFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		most   int
		shared []edit
		added  map[string]string
		run    []string // a package and a test that has to pass with it
	}{
		{"a key", 2, []edit{
			{"keymap/lists.go", "// The actions that filter, arrange and export a list.\nconst (\n", "\tMadeUp Action = \"made-up\"\n"},
			{"keymap/lists.go", "\treturn append(rows,\n", "\t\tBinding{Action: MadeUp, Context: Feed, Keys: []string{\"alt+m\"}, Short: \"made up\", Help: \"Do what is made up\", Asks: true},\n"},
			{"ui/txns/pane.go", "\t\treturn append(intents, p.leave()...)\n\t}\n\tswitch a {\n", "\tcase keymap.MadeUp:\n\t\treturn []state.Intent{state.Say{Level: state.Info, Text: \"made up\"}}\n"},
		}, nil, []string{"./keymap", "TestDefaultsHaveNoConflictAndNoGap|TestARowKnowsItsNeeds"}},
		{"a pane", 3, []edit{
			{"keymap/screens.go", "const (\n", "\tMadeUp Context = \"made-up\"\n"},
			{"keymap/screens.go", "\treturn map[Context]place{\n", "\t\tMadeUp: {title: \"Made up\"},\n"},
			{"keymap/screens.go", "// The actions of the screens over the list of cards.\nconst (\n", "\tOpenMadeUp Action = \"made-up\"\n"},
			{"keymap/screens.go", "func screens() []Binding {\n\treturn append([]Binding{\n", "\t\t{Action: OpenMadeUp, Context: Global, Keys: []string{\"alt+m\"}, Help: \"Show what is made up\"},\n\t\t{Action: Back, Context: MadeUp, Keys: []string{\"esc\"}, Short: \"back\", Help: \"Back\"},\n"},
			{"ui/screens.go", "import (\n", "\t\"github.com/cardtop/cardtop/ui/madeup\"\n"},
			{"ui/screens.go", "\treturn []view{\n", "\t\t{pane: madeup.New(t), tab: \"Made up\", open: keymap.OpenMadeUp},\n"},
		}, map[string]string{"ui/madeup/pane.go": madeUpPane}, []string{".", "TestImportsPointOneWay"}},
		{"an endpoint", 4, []edit{
			{"api/sandbox/route.go", "func contractRoutes() []route {\n\tconst ok, created = http.StatusOK, http.StatusCreated\n\treturn []route{\n", "\t\t{method: \"GET\", template: \"/fees\", status: ok, read: listFees},\n"},
			{"state/store.go", "type Store struct {\n", "\tFees *FeesTable\n"},
			{"state/store.go", "\ts := &Store{core: c}\n", "\ts.Fees = &FeesTable{core: c}\n"},
			{"internal/engine/fetch.go", "\tswitch f := effect.(type) {\n", "\tcase state.FetchFees:\n\t\tpage, err := e.cfg.Client.ListFees(ctx)\n\t\te.finish(m)\n\t\treturn state.FeesLoaded{FetchFees: f, Meta: *m, Items: page.Data}, err\n"},
		}, map[string]string{"api/fee.go": madeUpClient, "api/sandbox/fee.go": madeUpRoute, "state/fee.go": madeUpTable}, []string{"./state", "TestTheFirstTick"}},
		{"a setting", 2, []edit{
			{"state/config/config.go", "type Reloadable struct {\n", "\t// MadeUp is made up.\n\tMadeUp bool\n"},
			{"internal/config/schema.go", "func personal() []Setting {\n\treturn []Setting{\n", "\t\t{\"made.up\", \"false\", \"true\", \"what is made up\", flag(func(t *target) *bool { return &t.MadeUp })},\n"},
		}, nil, []string{"./internal/config", "TestParseNothing|TestReferenceIsTheTruth"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := make(map[string]string)
			for _, e := range c.shared {
				if changed[e.file] == "" {
					changed[e.file] = read(t, e.file)
				}
				before, after, ok := strings.Cut(changed[e.file], e.anchor)
				if !ok {
					t.Fatalf("%s has no %q any more: describe the change anew", e.file, e.anchor)
				}
				changed[e.file] = before + e.anchor + e.insert + after
			}
			if len(changed) > c.most {
				t.Errorf("it takes %d shared files, at most %d", len(changed), c.most)
			}
			for file, text := range c.added {
				changed[file] = text
			}
			overlay := overlayOf(t, changed)
			for _, args := range [][]string{{"build", "-overlay", overlay, "-o", os.DevNull, "."}, {"test", "-overlay", overlay, "-vet=off", "-count=1", "-run", c.run[1], c.run[0]}} {
				if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
					t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
		})
	}
}

// overlayOf writes files to a folder of their own and a list of whose place
// they take.
func overlayOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, replace := t.TempDir(), make(map[string]string)
	for file, text := range files {
		at := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		place, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		replace[place] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const madeUpPane = `// Package madeup is made up.
package madeup

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists BINs, the made-up way.
type Pane struct {
	pane.List[state.BIN, state.BINID]
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[state.BIN, state.BINID]{
		Name: "Made up", Columns: []widget.Column{{Title: "id", Min: 8}}, Key: func(b state.BIN) state.BINID { return b.ID },
		List:  func() []state.BIN { all, _, _ := p.Store.BINs.All(); return all },
		Empty: func() string { return "nothing" }, Row: func(b state.BIN, w *widget.RowWriter) { w.Cell(p.Theme.Text, string(b.ID)) },
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.MadeUp }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() state.Topic { return state.TopicBINs }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) { p.Update(s) }

// Act moves the cursor.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.Moves(a)
	return nil
}
`

const madeUpClient = `package api

import "context"

// Fee is made up.
type Fee struct {
	Name Text ` + "`json:\"name\"`" + `
	USD  USD  ` + "`json:\"usd\"`" + `
}

// ListFees returns them.
func (c *Client) ListFees(ctx context.Context) (Page[Fee], error) {
	return list[Fee](ctx, c, request{route: "/fees", path: "/fees"})
}
`

const madeUpRoute = `package sandbox

import "context"

func listFees(context.Context, *Server, *request) (any, error) {
	return map[string]any{"data": []any{}}, nil
}
`

const madeUpTable = `package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

// FeesTable holds the fees.
type FeesTable struct {
	*core
	fees []api.Fee
}

// All lists the fees. The slice is the store's own.
func (t *FeesTable) All() []api.Fee { return t.fees }

// LoadFees asks for the fees.
type LoadFees struct{}

func (LoadFees) start(s *Store) (Topic, []Effect) { return 0, []Effect{FetchFees{Seq: s.nextSeq()}} }

// FetchFees reads the fees.
type FetchFees struct{ Seq Seq }

func (FetchFees) effect() {}

// Cost is a lane of its own.
func (FetchFees) Cost() Cost { return Cost{Priority: budget.User, Lane: "fees"} }

// Label is what the user waits for.
func (FetchFees) Label(bool) string { return "reading the fees" }

// FeesLoaded are the fees.
type FeesLoaded struct {
	FetchFees
	Meta
	Items []api.Fee
}

func (ev FeesLoaded) apply(s *Store) (Topic, []Effect) {
	s.Fees.fees = ev.Items
	return TopicBINs, nil
}
`
