package keymap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDefaultsHaveNoConflictAndNoGap(t *testing.T) {
	m := New(Defaults())
	if c := m.Conflicts(); len(c) > 0 {
		t.Fatalf("conflicts: %+v", c)
	}
	for _, b := range Defaults() {
		if b.Help == "" || len(b.Keys) == 0 {
			t.Errorf("%s/%s lacks help or key", b.Context, b.Action)
		}
		if !strings.HasPrefix(b.Help, strings.ToUpper(b.Help[:1])) || strings.HasSuffix(b.Help, ".") {
			t.Errorf("help of %s is not a capitalised phrase without a period: %q", b.Action, b.Help)
		}
		if b.Footer > 0 && b.Short == "" {
			t.Errorf("%s/%s is in the footer without a word", b.Context, b.Action)
		}
		for _, k := range b.Keys {
			if got, ok := m.Resolve(k, b.Context); !ok || got != b.Action {
				t.Errorf("%s in %s resolves to %q", k, b.Context, got)
			}
		}
	}
}

func TestResolveTakesTheFirstContextThatBinds(t *testing.T) {
	m := New(Defaults())
	if a, _ := m.Resolve("esc", Dialog, Global); a != Cancel {
		t.Errorf("esc in a dialog: %s", a)
	}
	if a, _ := m.Resolve("esc", Cards, Global); a != Back {
		t.Errorf("esc in the cards: %s", a)
	}
	if _, ok := m.Resolve("f", Dialog); ok {
		t.Error("a global key acts in a dialog")
	}
}

func TestConflictsAreReportedAndTheFirstKeepsTheKey(t *testing.T) {
	m := New([]Binding{
		{Action: "a", Context: Global, Keys: []string{"x"}},
		{Action: "b", Context: Global, Keys: []string{"x"}},
		{Action: "c", Context: Cards, Keys: []string{"x"}},
	})
	c := m.Conflicts()
	if len(c) != 1 || c[0] != (Conflict{Global, "x", "a", "b"}) {
		t.Fatalf("conflicts: %+v", c)
	}
	if a, _ := m.Resolve("x", Global); a != "a" {
		t.Errorf("x resolves to %s", a)
	}
}

func TestFooterAndGroupsFollowTheTable(t *testing.T) {
	m := New(Defaults())
	foot := m.Footer(Chain(Cards)...)
	for i := 1; i < len(foot); i++ {
		if foot[i-1].Footer > foot[i].Footer {
			t.Fatalf("footer out of order at %d", i)
		}
	}
	if foot[0].Action != Inspect {
		t.Errorf("the cards' footer starts with %s", foot[0].Action)
	}
	rows := 0
	for _, g := range m.Groups() {
		rows += len(g.Rows)
	}
	if rows != len(Defaults()) {
		t.Errorf("help shows %d rows of %d", rows, len(Defaults()))
	}
}

func TestTheFooterNamesNoKeyThatMeansSomethingNearer(t *testing.T) {
	for _, b := range New(Defaults()).Footer(Chain(Codes)...) {
		if b.Action == CopyNext {
			t.Error("y copies the code here, and the footer also promises the number")
		}
	}
	for _, b := range New(Defaults()).Footer(Chain(Wallet)...) {
		if b.Context == Card {
			t.Errorf("the wallet's footer promises %s, which needs a card", b.Action)
		}
	}
}

func TestByPosition(t *testing.T) {
	for in, want := range map[string]string{
		"а": "f", "А": "F", "щ": "o", "н": "y", "к": "r", "ц": "w", "ctrl+з": "ctrl+p", "і": "s", "І": "S", "ю": ".",
		"f": "f", "+": "+", "ctrl+l": "ctrl+l", "enter": "enter", "é": "2", "&": "1", "ö": "ö", "": "", "shift+space": "space", "shift+tab": "shift+tab",
	} {
		if got := ByPosition(in); got != want {
			t.Errorf("ByPosition(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestNoActionLacksAKey reads the package: each action that is named is in
// the table.
func TestNoActionLacksAKey(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	bound := make(map[Action]bool)
	for _, b := range Defaults() {
		bound[b.Action] = true
	}
	named := 0
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if kind, ok := value.Type.(*ast.Ident); !ok || kind.Name != "Action" {
					continue
				}
				named++
				text, ok := value.Values[0].(*ast.BasicLit)
				if !ok || !bound[Action(strings.Trim(text.Value, `"`))] {
					t.Errorf("%s has no key", value.Names[0].Name)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d actions were found", named)
	}
}

// TestARowKnowsItsNeeds holds what the footer and the list of commands ask.
func TestARowKnowsItsNeeds(t *testing.T) {
	for _, b := range Defaults() {
		switch {
		case b.Context == Card && (!b.Has(NeedCard) || !b.Pure()):
			t.Errorf("%s acts on a card and does not say so", b.Action)
		case b.Has(NeedRow) && !slices.Contains(Chain(b.Context), Lists):
			t.Errorf("%s needs a row where there is no list", b.Action)
		case b.Danger && !b.Has(NeedWrite):
			t.Errorf("%s is dangerous and writes nothing", b.Action)
		case b.AtOnce && !b.Lasts():
			t.Errorf("%s acts at once and leaves nothing", b.Action)
		case b.Has(NeedDetails) && !b.Has(NeedCard):
			t.Errorf("%s needs details of no card", b.Action)
		}
	}
	m := New(Defaults())
	for _, a := range []Action{Freeze, Fund, Withdraw, Edit, Terminate, Issue, Undo, NewWebhook, DeleteWebhook} {
		if !m.Any(a, func(b Binding) bool { return b.Has(NeedWrite) }) {
			t.Errorf("%s needs no write access", a)
		}
	}
}
