package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/widget"
)

// pressed makes the message of a key by its name.
func pressed(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	}
	var k tea.Key
	rest := name
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift, "alt+": tea.ModAlt} {
		if after, ok := strings.CutPrefix(rest, prefix); ok && after != "" {
			k.Mod |= mod
			rest = after
		}
	}
	code, ok := named[rest]
	if !ok {
		code = []rune(rest)[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	}
	k.Code = code
	msg := tea.KeyPressMsg(k)
	if got := msg.String(); got != name {
		t.Fatalf("%s is made as %s", name, got)
	}
	return msg
}

// furnished is a program with something of everything.
func furnished(t *testing.T, changes ...func(*settings.Config)) *App {
	t.Helper()
	a, tick := begun(t, changes...)
	now := start()
	a.cfg.Now = func() time.Time { return now }
	held := &vault.Vault{}
	a.cfg.Vault, a.cfg.Effects = held, alone(held)
	a.store.Reload(settings.Reloadable{Alerts: alert.Rules{Cards: 1000 * api.Dollar}})
	for _, e := range tick() {
		if f, ok := e.(state.FetchCards); ok {
			a.apply(state.CardsLoaded{FetchCards: f, Meta: kernel.Meta{Sent: now, At: now}, TotalPages: 1, Total: 3, Items: []api.CardItem{
				{ID: "card_1", Label: "aaa/first", Last4: "0001", Status: api.CardActive, Balance: 10 * api.Dollar},
				{ID: "card_2", Label: "bbb/second", Last4: "0002", Status: api.CardActive, Balance: 222 * api.Dollar},
				{ID: "card_3", Label: "zzz/third", Last4: "0003", Status: api.CardTerminated},
			}})
		}
		if f, ok := e.(txns.Fetch); ok {
			short, odd := newTransaction("txn_9", "Acme", now), newTransaction("txn_8", "Initech", now)
			short.Type, odd.Type, short.BalanceAfter = api.TransactionDecline, api.TransactionDecline, new(api.Dollar)
			a.apply(txns.Loaded{Fetch: f, Meta: kernel.Meta{Sent: now, At: now}, Items: []api.Transaction{short, odd}})
		}
		if f, ok := e.(codes.Fetch); ok {
			var items []api.Challenge
			for i := range 4 {
				items = append(items, api.Challenge{
					ID: api.ChallengeID(fmt.Sprintf("3ds_%d", i)), CardID: "card_1", Merchant: "Acme", Status: api.ChallengePending,
					OTP: api.NewOTP("482913"), CreatedAt: now, ExpiresAt: now.Add(4 * time.Minute),
				})
			}
			a.apply(codes.Loaded{Fetch: f, Meta: kernel.Meta{Sent: now, At: now}, Items: items})
		}
	}
	var past []state.Record
	for i := range 4 {
		past = append(past, state.Record{At: now.Add(-time.Duration(i) * time.Minute), Action: "freeze", Card: "card_1", Outcome: state.OpStatusDone, Key: api.IdempotencyKey(fmt.Sprint(i))})
	}
	a.apply(state.HistoryLoaded{Records: past})
	a.apply(state.UseShared{Meta: kernel.Meta{Sent: now, At: now, Requests: []requestlog.Request{{At: now, Method: "GET", Route: "/cards", Status: 200}}}})
	return a
}

// at goes to where a context's keys count.
func (a *App) at(c keymap.Context) {
	switch c {
	case keymap.Codes:
		a.focusOn(layout.Codes)
	case keymap.Feed, keymap.Global, keymap.Always, keymap.Lists:
		a.focusOn(layout.Feed)
	case keymap.Wallet:
		a.focusOn(layout.Wallet)
	case keymap.Summary:
		a.w, a.h = 220, 50
		a.relayout()
		a.store.Insight.Ledger().Add(a.cfg.Now(), []api.Transaction{newTransaction("txn_1", "Acme", a.cfg.Now())})
		a.focusOn(layout.Summary)
	case keymap.Inspector:
		a.asked(state.InspectCard{Card: "card_1"})
		a.followScreen(state.InspectCard{Card: "card_1"})
	case keymap.Charge:
		look := txns.Inspect{Transaction: "txn_2", Among: []api.TransactionID{"txn_3", "txn_2", "txn_1"}}
		a.asked(look)
		a.followScreen(look)
	default:
		if c == keymap.Spending { // The feed of the others is empty.
			now := a.cfg.Now()
			a.store.Insight.Ledger().Add(now, []api.Transaction{newTransaction("txn_1", "Acme", now), {ID: "txn_2", CardID: "card_2", CreatedAt: now}})
		}
		if c == keymap.Settings {
			a.cfg.Listed = []Setting{{Name: "mouse"}, {Name: "theme"}, {Name: "motion"}}
			a.cfg.File = anyFile{}
		}
		if c == keymap.Rules {
			r := a.store.Reloadable()
			r.Rules = []rule.Rule{{Name: "stop", When: "status=active", Action: rule.Freeze}}
			a.store.Reload(r)
		}
		if c == keymap.Team {
			a.apply(state.HubJoined{You: team.You{Name: "lea", Role: team.Lead}})
			a.apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: team.Requests}, Requests: []team.Request{
				{ID: "apr_1", By: "ann", Operation: "fund", Card: "card_1", Amount: 5 * api.Dollar, State: team.Waiting},
				{ID: "apr_2", By: "bob", Operation: "fund", Amount: 5 * api.Dollar, State: team.Waiting},
			}})
		}
		for i, sc := range a.screens.all {
			if sc.pane.Context() == c {
				a.screens.raise(i, layout.Main)
				a.relayout()
				if sc.load != nil {
					a.asked(sc.load)
				}
			}
		}
	}
	a.sync(kernel.TopicAll)
	a.draw()
}

// anyFile accepts every setting.
type anyFile struct{}

func (anyFile) Set(string, string) error { return nil }
func (anyFile) Reset(string) error       { return nil }

// asked asks for something of the API and gives what it tells.
func (a *App) asked(in kernel.Intent) {
	now := a.cfg.Now()
	meta := kernel.Meta{Sent: now, At: now}
	_, effects, _ := a.store.Dispatch(in)
	for _, e := range effects {
		switch e := e.(type) {
		case bins.Fetch:
			a.apply(bins.Loaded{Meta: meta, Items: []api.BIN{{ID: "424242"}, {ID: "555555"}}})
		case webhooks.Fetch:
			a.apply(webhooks.Loaded{Fetch: e, Meta: meta, Items: []api.Webhook{{ID: "wh_1", URL: "https://example.com"}, {ID: "wh_2"}}})
		case state.FetchTeam:
			a.apply(state.TeamLoaded{FetchTeam: e, Meta: meta, People: []team.Person{{Name: "ann"}}})
		case state.FetchCardTransactions:
			items := []api.Transaction{newTransaction("txn_2", "Newest", now), newTransaction("txn_1", "Acme", now)}
			a.apply(state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: meta, Items: items})
		default:
		}
	}
}

// TestNoKeyIsDead presses every key that is documented where it counts:
// something has to be seen, or to begin.
func TestNoKeyIsDead(t *testing.T) {
	// What a key needs first.
	before := map[keymap.Action][]string{
		keymap.Up: {"j"}, keymap.PageUp: {"j"}, keymap.First: {"j"}, keymap.Back: {"/", "x", "enter"},
	}
	for _, b := range keymap.Defaults() {
		if b.Context.Inside() {
			continue
		}
		for _, key := range b.Keys {
			a := furnished(t)
			a.at(b.Context)
			if b.Action == keymap.PaneThree {
				a.focusOn(layout.Main)
			}
			for _, k := range before[b.Action] {
				if _, filters := a.cfg.Keys.Resolve("/", b.Context); b.Action == keymap.Back && !filters && b.Context != keymap.Global {
					break // There is nothing to clear before.
				}
				a.onKey(pressed(t, k))
			}
			a.frame.invalidate()
			was := content(a)
			cmd := a.onKey(pressed(t, key))
			draws := a.frame.stale && b.Action == keymap.Redraw // What it draws is the same.
			a.frame.invalidate()
			if cmd == nil && content(a) == was && !draws {
				t.Errorf("%s does nothing in %s: %s", key, b.Context, b.Help)
			}
		}
	}
}

func TestThePaletteListsEveryKey(t *testing.T) {
	a := furnished(t)
	listed := make(map[string]bool)
	for _, c := range a.commands()() {
		listed[string(c.Context)+"/"+string(c.Action)] = true
		if c.Place == "" || len(c.Keys) == 0 {
			t.Errorf("%s has no place or key", c.Action)
		}
	}
	for _, b := range keymap.Defaults() {
		if name := string(b.Context) + "/" + string(b.Action); !listed[name] && !b.Context.Inside() && b.Action != keymap.Palette {
			t.Errorf("the palette lacks %s", name)
		}
	}
}

func TestThePaletteSaysWhyNot(t *testing.T) {
	reason := func(a *App, act keymap.Action, c keymap.Context) string {
		for _, cmd := range a.commands()() {
			if cmd.Action == act && cmd.Context == c {
				return cmd.Reason
			}
		}
		return "not listed"
	}
	a := furnished(t)
	for _, c := range []struct {
		act  keymap.Action
		in   keymap.Context
		want string
	}{
		{keymap.Freeze, keymap.Card, ""},
		{keymap.Undo, keymap.Global, "nothing to undo"},
		{keymap.Export, keymap.History, "not open: H opens it"},
		{keymap.Pause, keymap.Feed, ""},
		{keymap.ResolveOp, keymap.Card, "nothing is unconfirmed here"},
		{keymap.ResumeBulk, keymap.Global, "nothing was interrupted"},
	} {
		if got := reason(a, c.act, c.in); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q", c.act, got)
		}
	}
	a.focusOn(layout.Wallet)
	if got := reason(a, keymap.Freeze, keymap.Card); got != keymap.NoCard {
		t.Errorf("freeze in the wallet: %q", got)
	}
	if got := reason(crowded(t, 0), keymap.Fund, keymap.Card); got != keymap.NoCard {
		t.Errorf("fund in an account without cards: %q", got)
	}
	a.at(keymap.History)
	if got := reason(a, keymap.Sort, keymap.Cards); !strings.Contains(got, "covers the cards") {
		t.Errorf("sort behind the history: %q", got)
	}
}

// TestThePaletteSaysAllOfACommand goes through the list: what a row cuts is
// told below it, also of what cannot be done now.
func TestThePaletteSaysAllOfACommand(t *testing.T) {
	a := furnished(t)
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 45}} {
		p := a.palette()
		for _, c := range a.commands()() {
			lines := p.View(size[0]-4, size[1]-4)
			rows := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(widget.Strip(l), "enter run") })
			said := ""
			for _, l := range lines[max(0, rows-3):rows] {
				said += strings.Trim(widget.Strip(l), "│┃ ") + " "
			}
			said = strings.Join(strings.Fields(said), " ")
			if want := strings.TrimSpace(c.Reason + " " + c.Help + " (" + c.Place + ")"); !strings.Contains(said, want) {
				t.Errorf("%d x %d: %q is not whole in %q", size[0], size[1], want, said)
			}
			p.Act(keymap.NextField)
		}
	}
}

// TestListKeysScrollDialogs moves in a list of commands' help by the keys of
// lists as they are bound, on any layout, and types the letters of a filter.
func TestListKeysScrollDialogs(t *testing.T) {
	a := furnished(t)
	a.w, a.h = 80, 12
	a.relayout()
	for _, b := range []struct{ key, back string }{{"down", "up"}, {"j", "k"}, {"о", "л"}, {"G", "g"}, {"end", "home"}, {"pgdown", "pgup"}} {
		a.onKey(pressed(t, "?"))
		a.draw()
		top := content(a)
		a.onKey(pressed(t, b.key))
		moved := content(a)
		a.onKey(pressed(t, b.back))
		if back := content(a); moved == top || back != top {
			t.Errorf("%s does not scroll, or %s not back", b.key, b.back)
		}
		a.onKey(pressed(t, "/"))
		a.onKey(pressed(t, "j"))
		if !strings.Contains(widget.Strip(content(a)), "/ j") {
			t.Errorf("a letter of a filter scrolls:\n%s", content(a))
		}
		a.onKey(pressed(t, "esc"))
		a.onKey(pressed(t, "esc"))
	}
}

// TestThePaletteSearchesInSlices of a few milliseconds, and draws what it found
// when it is through; enter does not act on the rows of before.
func TestThePaletteSearchesInSlices(t *testing.T) {
	now := start()
	a := crowded(t, 20_000)
	a.cfg.Now = func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
	a.onKey(pressed(t, ":"))
	for _, k := range strings.Split("019987", "") {
		a.Update(pressed(t, k))
	}
	row := "▸fb/spring/camp-019987"
	slices := 0
	for ; !strings.Contains(widget.Strip(strings.Join(a.Frame().Lines, "\n")), row); slices++ {
		if a.work() == nil && slices > 0 {
			break
		}
	}
	if frame := widget.Strip(strings.Join(a.Frame().Lines, "\n")); slices < 8 || !strings.Contains(frame, row) {
		t.Errorf("after %d slices:\n%s", slices, frame)
	}
	a.onDialogKey(a.dialogOnTop(t), "enter", "", true)
	a.onKey(pressed(t, ":"))
	for _, k := range strings.Split("013131", "") {
		a.onKey(pressed(t, k))
	}
	a.onDialogKey(a.dialogOnTop(t), "enter", "", true)
	if got := a.panes.cards.Card(); got != "card_013131" {
		t.Errorf("the cursor is on %s", got)
	}
}

func (a *App) dialogOnTop(t *testing.T) dialog.Dialog {
	t.Helper()
	d, ok := a.dialogs.Top()
	if !ok {
		t.Fatal("no dialog is open")
	}
	return d
}

// TestAKeyOfNoRowSaysWhy: an empty screen answers each of its keys.
func TestAKeyOfNoRowSaysWhy(t *testing.T) {
	t.Parallel()
	a := furnished(t)
	for _, c := range []struct{ open, key, want string }{
		{"U", "s", "no rules yet: add [[rules]] to the configuration first"},
		{"U", "enter", "no rules yet: add [[rules]] to the configuration first"},
		{"U", "n", "add [[rules]] to the configuration; cardtop doctor shows the file, docs/CONFIG.md every setting"},
	} {
		a.at(keymap.Cards)
		a.onKey(pressed(t, c.open))
		a.store.Notices.Dismiss()
		a.onKey(pressed(t, c.key))
		if got := a.store.Notice().Text; got != c.want {
			t.Errorf("%s %s says %q", c.open, c.key, got)
		}
	}
}
