package e2e

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/ui"
)

// surface is somewhere text can be pasted.
type surface struct {
	name string
	// contexts are the parts of the key table that hold here, dialog the type in
	// ui/dialog that is on top; empty for a pane.
	contexts []keymap.Context
	dialog   string
	open     func(d *driver)
	change   func(*ui.Config) // what it needs; nil for nothing
	others   bool             // likewise, see options
	hub      bool             // likewise: a hub that lea leads is in front of the service
	// golden is what its screens are called that another test draws, drawn those
	// that TestSurfaceScreens does; neither where another surface's tell as much.
	golden, drawn string
}

// through is what stands in front of the service; nil for nothing.
func (s surface) through() func(http.RoundTripper) http.RoundTripper {
	if !s.hub {
		return nil
	}
	return (&office{card: "card_1", wallet: 4000}).through
}

// surfaces are the panes, the screens and the dialogs. A new one that is not
// among them fails TestEverySurfaceIsPastedAt.
func surfaces() []surface {
	key := func(keys ...string) func(d *driver) { return func(d *driver) { d.press(keys...) } }
	then := func(steps ...func(d *driver)) func(d *driver) {
		return func(d *driver) {
			for _, step := range steps {
				step(d)
				d.wait(time.Second)
			}
		}
	}
	several := func(keys ...string) func(d *driver) {
		return key(append([]string{"space", "space", "space"}, keys...)...)
	}
	unconfirmed := func(d *driver) {
		d.pick()
		d.fault(fundRoute, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
	}
	running := func(d *driver) {
		d.trouble(fundRoute, "latency", 1000, 100)
		d.press("space", "space", "space", "space", "+", "5", "enter", "tab", "enter", "p")
		d.wait(5 * time.Second)
	}
	return []surface{
		{name: "cards", golden: "cards", contexts: []keymap.Context{keymap.Cards, keymap.Card, keymap.Lists, keymap.Global, keymap.Always}, open: key("1")},
		{name: "selected", golden: "selected", open: several()},
		{name: "codes", golden: "codes", contexts: []keymap.Context{keymap.Codes}, open: key("2")},
		{name: "feed", golden: "transactions", contexts: []keymap.Context{keymap.Feed}, open: key("3")},
		{name: "wallet", golden: "wallet", contexts: []keymap.Context{keymap.Wallet}, open: key("4")},
		{name: "card", golden: "inspector", contexts: []keymap.Context{keymap.Inspector}, open: key("1", "enter")},
		{name: "history", golden: "history", contexts: []keymap.Context{keymap.History}, open: key("H")},
		{name: "alerts", golden: "alerts", contexts: []keymap.Context{keymap.Alerts}, open: key("A")},
		{name: "declines", golden: "declines", contexts: []keymap.Context{keymap.Declines}, open: key("X")},
		{name: "code times", golden: "code-times", contexts: []keymap.Context{keymap.CodeTimes}, open: key("O")},
		{name: "spending", golden: "spending", contexts: []keymap.Context{keymap.Spending}, open: key("$")},
		{name: "rules", golden: "rules", contexts: []keymap.Context{keymap.Rules}, open: key("U")},
		{name: "spending", contexts: []keymap.Context{keymap.Summary}, open: func(d *driver) {
			d.resize(200, 50)
			d.press("5")
		}},
		{name: "transaction", golden: "transaction", contexts: []keymap.Context{keymap.Charge}, open: key("3", "enter")},
		{name: "deposits", golden: "deposits", contexts: []keymap.Context{keymap.Deposits}, open: key("d")},
		{name: "BIN list", golden: "catalogue", contexts: []keymap.Context{keymap.BINs}, open: key("b")},
		{name: "request log", golden: "request-log", contexts: []keymap.Context{keymap.Calls}, open: key("ctrl+r")},
		{name: "webhooks", golden: "webhooks", contexts: []keymap.Context{keymap.Webhooks}, open: func(d *driver) {
			d.press("w")
			d.register("https://hooks.example.com/")
			d.press("esc")
			d.wait(time.Second)
			d.press("esc")
		}},
		{name: "filter", golden: "filter", contexts: []keymap.Context{keymap.Filter}, open: key("1", "/")},
		{name: "armed", golden: "armed", open: key("a", "enter", "r")},
		{name: "locked", golden: "locked", contexts: []keymap.Context{keymap.Locked}, open: key("L")},

		{name: "field", golden: "choose", dialog: "ChooseField", open: key("Y")},
		{name: "address", golden: "address", dialog: "Address", open: key("d", "enter")},
		{name: "export", golden: "export", dialog: "Export", open: key("1", "E")},
		{name: "rest of a list", drawn: "read-rest", dialog: "ReadRest", open: func(d *driver) {
			d.press("3", "/")
			d.write("age<90d")
			d.trouble("GET /transactions", "latency", 1000, 4000)
			d.press("enter", "E", "1")
		}},
		{name: "webhook", golden: "webhook-form", dialog: "Webhook", open: func(d *driver) {
			d.press("w", "n")
			d.write("https://hooks.example.com/")
		}},
		{name: "signing secret", drawn: "signing", dialog: "Signing", open: func(d *driver) {
			d.press("w")
			d.register("https://hooks.example.com/")
		}},
		{name: "help", golden: "help", dialog: "Help", open: key("?")},
		{name: "configuration", drawn: "configuration", dialog: "Mistakes", open: then(func(d *driver) {
			d.reload(ui.ReloadMsg{Err: errors.New("config.toml: 2 mistakes, the first at line 3"), Mistakes: []string{
				`config.toml:3:1: unknown setting "colour"`, `config.toml:14:9: columns.cards: no column "sum"; there are status, label, card, balance`,
			}})
		}, key("C"))},
		{name: "requests", drawn: "requests", dialog: "Requests", open: then(key("B"))}, // By then one lane alone was asked for last.
		{name: "palette", golden: "palette", dialog: "Palette", open: then(key("\x10"), func(d *driver) { d.write("freeze the card") })},
		{name: "columns", golden: "columns", dialog: "Columns", open: key(",")},
		{name: "groups", drawn: "groups", dialog: "Groups", open: key("z", "z")},
		{name: "cart", golden: "cart", dialog: "Cart", open: key("a")},
		{name: "alert lines", golden: "alert-lines", dialog: "AlertLines", open: key("i")},
		{name: "tab", drawn: "tab-name", dialog: "Tab", open: func(d *driver) {
			d.press("/")
			d.write("active")
			d.press("enter", "t")
		}},
		{name: "amount", golden: "amount", dialog: "Amount", contexts: []keymap.Context{keymap.Dialog}, open: key("+", "5")},
		{name: "withdraw", golden: "withdraw", dialog: "Amount", open: key("-", "5")},
		{name: "confirm", golden: "confirm", dialog: "Confirm", open: then(key("+", "5", "enter"))},
		{name: "confirm ready", dialog: "Confirm", open: then(key("+", "5", "enter"), key("tab"))},
		{name: "typed twice", golden: "again", dialog: "Confirm", open: then(key("+", "6", "0", "0", "enter"), key("+"), key("6", "0", "0"))},
		{name: "bins", golden: "bins", dialog: "BINs", open: key("n")},
		{name: "issue", golden: "issue", dialog: "Issue", contexts: []keymap.Context{keymap.Form}, open: func(d *driver) { d.newForm("50") }},
		{name: "issue review", golden: "review", dialog: "Confirm", open: then(func(d *driver) { d.newForm("50") }, key("enter"), key("tab"))},
		{name: "edit", golden: "edit", dialog: "Edit", open: key("e", "x")},
		{name: "edit review", golden: "change", dialog: "Confirm", open: then(key("e", "x", "enter"))},
		{name: "terminate", golden: "terminate", dialog: "Confirm", open: func(d *driver) {
			c := d.pick()
			d.press("ctrl+x")
			d.wait(time.Second)
			d.write(c.last4)
			d.press("tab")
		}},
		{name: "many", golden: "many", dialog: "Many", open: several("+", "5")},
		{name: "plan", golden: "plan", dialog: "Plan", open: then(several("+", "5", "enter"), key("tab"))},
		{name: "plan to freeze", dialog: "Plan", open: then(several("f"))},
		{name: "plan to terminate", golden: "terminate-many", dialog: "Plan", open: then(several("ctrl+x"), key("3", "tab"))},
		{name: "several", golden: "several", dialog: "Several", open: key("N")},
		{name: "sheet", drawn: "sheet", dialog: "sheetProblems", open: func(d *driver) {
			d.press("N", "up")
			d.write("/bad.csv")
			d.press("enter")
			d.wait(time.Second)
			d.press("enter")
			d.see("rows are valid")
		}},
		{name: "bulk", golden: "bulk", dialog: "Batch", open: then(running)},
		{name: "dry run", golden: "dry-run", dialog: "DryRun", open: then(key("D", "f"))},
		{name: "evidence", golden: "evidence", dialog: "Resolve", open: func(d *driver) {
			unconfirmed(d)
			d.giveUp()
			d.press("x")
			d.wait(time.Second)
			d.press("tab")
			d.see("Did it happen?")
		}},
		{name: "profiles", drawn: "profiles", dialog: "Accounts", change: withAccounts, open: key("W")},
		{name: "account", drawn: "account", dialog: "AccountForm", change: withProfiles, open: key("W", "n")},
		{name: "remove account", drawn: "remove-account", dialog: "removeAccount", change: withProfiles, open: key("W", "x")},
		{name: "all accounts", drawn: "all-accounts", contexts: []keymap.Context{keymap.AllAccounts}, others: true, open: func(d *driver) {
			card, _ := d.others["team"].card()
			d.others["team"].challenge(card, "Meta Platforms", "482913", 25)
			d.others["agency"].locked = "no key: the keyring is locked"
			d.press("@")
			d.wait(4 * time.Second)
		}},
		{name: "team", golden: "team", contexts: []keymap.Context{keymap.Team}, hub: true, open: func(d *driver) {
			d.joinAsLead()
			d.press("Q")
		}},
		{name: "settle", golden: "team-settle", dialog: "Settle", hub: true, open: func(d *driver) {
			d.joinAsLead()
			d.press("Q")
			d.wait(time.Second)
			d.press("j", "s")
			d.wait(time.Second)
			d.see("Did it happen?")
		}},
		{name: "settings", drawn: "settings", contexts: []keymap.Context{keymap.Settings}, change: withSettings, open: key("ctrl+e")},
		{name: "setting", drawn: "setting", dialog: "Edit", change: withSettings, open: key("ctrl+e", "j", "enter")},
		{name: "leave", drawn: "leave", dialog: "Leave", open: func(d *driver) {
			unconfirmed(d)
			d.giveUp()
			d.press("q")
			d.wait(time.Second)
			d.see("Quit")
		}},
	}
}

// TestEverySurfaceIsPastedAt fails when a pane or a dialog is missing among
// the surfaces.
func TestEverySurfaceIsPastedAt(t *testing.T) {
	t.Parallel()
	contexts, dialogs := make(map[keymap.Context]bool), make(map[string]bool)
	for _, s := range surfaces() {
		dialogs[s.dialog] = true
		for _, c := range s.contexts {
			contexts[c] = true
		}
	}
	for _, b := range keymap.Defaults() {
		if !contexts[b.Context] {
			t.Errorf("nothing is pasted where the keys of %q hold", b.Context)
		}
	}
	found := 0
	err := filepath.WalkDir("../ui", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name != "Traits" || f.Recv == nil {
				continue
			}
			name := f.Recv.List[0].Type
			if star, ok := name.(*ast.StarExpr); ok {
				name = star.X
			}
			found++
			if !dialogs[fmt.Sprint(name)] {
				t.Errorf("nothing is pasted at the dialog %s of %s", name, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("%d dialogs", found)
	}
}

// rawKeys are what a terminal sends for every key of the table, but those that
// end or suspend the program at once, wherever they come from.
func rawKeys(t *testing.T) []string {
	t.Helper()
	named := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
		"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F", "backspace": "\x7f", "delete": "\x1b[3~", "space": " ",
	}
	var out []string
	for _, b := range keymap.Defaults() {
		for _, k := range b.Keys {
			raw := named[k]
			switch {
			case b.Context == keymap.Always:
				continue
			case strings.HasPrefix(k, "ctrl+"):
				raw = string(k[len(k)-1] & 0x1f)
			case raw == "" && len(k) == 1:
				raw = k
			case raw == "":
				t.Fatalf("how does a terminal send %q?", k)
			}
			if !slices.Contains(out, raw) {
				out = append(out, raw)
			}
		}
	}
	return append(out, "0", "5") // Amounts and answers are digits.
}

// TestWhateverIsPastedWritesNothing pastes all hotkeys mixed at every surface:
// 10 kB marked as pasted text, then as a burst of keys. With PROOF_KEYS set
// that is 10 kB as well, at every size, and each key makes a burst of its own;
// without it each surface has one size, 1 kB and a short burst, and one in twelve of
// them are pasted at unless the tests are the long ones.
func TestWhateverIsPastedWritesNothing(t *testing.T) { //nolint:tparallel // the group is waited for
	t.Parallel()
	full := os.Getenv("PROOF_KEYS") != ""
	every := 1
	if raced || !nighttest.On && !full {
		every = 12
	}
	keys := rawKeys(t)
	marked := 250
	switch {
	case full:
		marked = 10_000
	case nighttest.On:
		marked = 1_000
	}
	screens := [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}}
	var pastes, clean atomic.Int64
	t.Run("all", func(t *testing.T) {
		for i, s := range surfaces() {
			for at, size := range screens {
				if !full && at != i/every%len(screens) || i%every > 0 {
					continue
				}
				for how, text := range bursts(keys, full, at == 0, uint64(i)) {
					t.Run(fmt.Sprintf("%s at %dx%d/%d", s.name, size[0], size[1], how), func(t *testing.T) {
						t.Parallel()
						pasteOf := "\x1b[200~" + strings.ReplaceAll(mixed(keys, marked, uint64(how)), "\x1b", "") + "\x1b[201~"
						pastes.Add(1)
						if n := pasted(t, s, size, pasteOf, text); n > 0 {
							t.Errorf("%d writes by %.40q…", n, text)
							return
						}
						clean.Add(1)
					})
				}
			}
		}
	})
	t.Logf("%d of %d times, marked and as a burst, at %d surfaces: nothing was written", clean.Load(), pastes.Load(), len(surfaces()))
}

// bursts are what comes as keys: all of them mixed, what answers a question,
// and where it is asked for each by itself.
func bursts(keys []string, full, each bool, seed uint64) []string {
	if !full {
		// The first key of a burst is the one that looks pressed. An escape behind it is
		// waited on by the terminal's reader for longer than the key is held back, and no
		// terminal sends one within a text.
		return []string{[]string{"f", "\r", "\t\r", "+", "q"}[seed%5] + strings.TrimLeft(mixed(keys, 150, seed), "\x1b")}
	}
	out := []string{mixed(keys, 10_000, seed), strings.Repeat("\t\r", 500)}
	for _, k := range keys {
		if each {
			out = append(out, strings.Repeat(k, 40))
		}
	}
	return out
}

// mixed is some bytes of keys. Escape, bracket, 3 and u in a row are ctrl+c, as a terminal that tells keys apart sends
// it; 26 are ctrl+z. These act wherever they come from.
func mixed(keys []string, size int, seed uint64) string {
	rng := rand.New(rand.NewPCG(11, seed))
	var text strings.Builder
	for text.Len() < size {
		text.WriteString(keys[rng.IntN(len(keys))])
	}
	return strings.NewReplacer("\x1b[3u", "", "\x1b[26u", "").Replace(text.String())
}

// pasted counts the writes that pastes make.
func pasted(t *testing.T, s surface, size [2]int, texts ...string) (writes int) {
	t.Helper()
	g := guard.Guard{Live: true, TypeTwice: 500 * api.Dollar}
	bad := func(string) ([]byte, error) { return []byte("bin_id,amount\n424242,five\n"), nil }
	story(t, options{w: size[0], h: size[1], guard: g, read: bad, change: s.change, others: s.others, through: s.through()}, func(d *driver) {
		s.open(d)
		d.wait(time.Second)
		count := func() int { return d.calls.count("POST ") + d.calls.count("PATCH ") + d.calls.count("DELETE ") }
		before := count()
		for _, text := range texts {
			d.send(text)
			d.wait(2 * time.Second)
		}
		select {
		case err := <-d.done:
			t.Errorf("the program ended: %v", err)
			d.done <- err
		default:
		}
		writes = count() - before
	})
	return writes
}

func TestACoveredDialogTakesNoPaste(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("+", "5", "P")
		d.see("this dialog shows what is hidden")
		d.paste("77")
		d.press("P")
		d.see("$400.00 → $405.00")
		d.paste("1")
		d.see("$400.00 → $451.00")
	})
}

// TestABurstBehindAQuestionShowsNothing: it is a paste, of which no key writes, and none shows a number or copies a code.
func TestABurstBehindAQuestionShowsNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme", "482913", 5)
		d.wait(2 * time.Second)
		for _, keys := range []string{"qr", "fy", "qo"} {
			d.send(keys)
			d.wait(time.Second)
			d.seeNot(d.number(c.id))
			d.onClipboard("")
		}
		d.press("r")
		d.see(d.number(c.id))
	})
}
