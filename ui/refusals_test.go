package ui

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/input"
)

// TestWhatThePaletteOffersIsNotRefused does every command that the palette
// gives no reason against, in many states: none may answer with a refusal.
func TestWhatThePaletteOffersIsNotRefused(t *testing.T) {
	t.Parallel()
	readOnly := func(c *settings.Config) { c.ReadOnly = true }
	tabbed := func(c *settings.Config) {
		v := settings.View{Tabs: []settings.Tab{{Name: "first", Filter: "aaa"}}}
		c.Views = map[settings.ListName]settings.View{settings.CardList: v, settings.FeedList: v}
	}
	keys := func(names ...string) func(t *testing.T, a *App) {
		return func(t *testing.T, a *App) {
			t.Helper()
			for _, k := range names {
				a.onKey(pressed(t, k))
			}
		}
	}
	none := keys("/", "q", "q", "q", "enter")
	at := func(c keymap.Context) func(t *testing.T, a *App) { return func(_ *testing.T, a *App) { a.at(c) } }
	states := []struct {
		name    string
		changes []func(*settings.Config)
		begin   func(t *testing.T, a *App)
	}{
		{name: "cards", begin: keys("1")},
		{name: "selected", begin: keys("space", "space")},
		{name: "ranging", begin: keys("v", "j")},
		{name: "read-only", changes: []func(*settings.Config){readOnly}, begin: keys("1")},
		{name: "no reveal", changes: []func(*settings.Config){func(c *settings.Config) { c.NoReveal = true }}, begin: keys("1")},
		{name: "read-only, selected", changes: []func(*settings.Config){readOnly}, begin: keys("space")},
		{name: "head", begin: keys("z")},
		{name: "folded head", begin: keys("z", "enter")},
		{name: "ranging to a head", begin: keys("z", "j", "v", "k")},
		{name: "read-only head", changes: []func(*settings.Config){readOnly}, begin: keys("z")},
		{name: "no card matches", begin: none},
		{name: "tabs", changes: []func(*settings.Config){tabbed}, begin: keys("1")},
		{name: "on a tab", changes: []func(*settings.Config){tabbed}, begin: keys("]")},
		{name: "filter", begin: keys("/", "b", "enter")},
		{name: "terminated", begin: keys("G")},
		{name: "frozen view of the feed", begin: keys("3", "p")},
		{name: "codes", begin: at(keymap.Codes)},
		{name: "feed", begin: at(keymap.Feed)},
		{name: "empty feed", begin: keys("3", "/", "q", "q", "enter")},
		{name: "wallet", begin: at(keymap.Wallet)},
		{name: "read-only wallet", changes: []func(*settings.Config){readOnly}, begin: at(keymap.Wallet)},
		{name: "card", begin: at(keymap.Inspector)},
		{name: "transaction", begin: at(keymap.Charge)},
		{name: "history", begin: at(keymap.History)},
		{name: "empty history", begin: keys("H", "/", "q", "q", "enter")},
		{name: "alerts", begin: at(keymap.Alerts)},
		{name: "deposits", begin: at(keymap.Deposits)},
		{name: "BINs", begin: at(keymap.BINs)},
		{name: "no BIN", begin: keys("b", "/", "q", "q", "enter")},
		{name: "read-only BINs", changes: []func(*settings.Config){readOnly}, begin: at(keymap.BINs)},
		{name: "webhooks", begin: at(keymap.Webhooks)},
		{name: "no webhook", begin: keys("w")},
		{name: "read-only webhooks", changes: []func(*settings.Config){readOnly}, begin: at(keymap.Webhooks)},
		{name: "settings", begin: at(keymap.Settings)},
		{name: "request log", begin: at(keymap.Calls)},
		{name: "no request", begin: keys("ctrl+r", "/", "q", "q", "enter")},
	}
	for i, s := range states {
		if i%3 > 0 && !nighttest.On {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			begin := func() *App {
				a := furnished(t, s.changes...)
				s.begin(t, a)
				a.cursor.guard = input.CursorGuard{}
				a.store.Notices.Dismiss()
				return a
			}
			offered := 0
			for i, c := range begin().commands()() {
				if c.Reason != "" {
					continue
				}
				offered++
				a := begin()
				a.frame.invalidate()
				was := body(a)
				a.perform(a.commands()()[i].Binding)
				a.frame.invalidate()
				n := a.store.Notice()
				if n.Level >= kernel.Warn || n.Text != "" && body(a) == was && !saysWhatItDid(c.Action) {
					t.Errorf("%s (%s) is offered, and answers %q", c.Action, c.Context, n.Text)
				}
			}
			if offered < 20 {
				t.Errorf("%d commands are offered", offered)
			}
		})
	}
}

// saysWhatItDid tells whether an action changes what is not seen, and says so.
func saysWhatItDid(act keymap.Action) bool { return act == keymap.Mouse || act == keymap.Theme }

// body is the screen without its foot, which tells what just happened.
func body(a *App) string {
	lines := strings.Split(content(a), "\n")
	return strings.Join(lines[:len(lines)-mostFooter], "\n")
}

// TestADialogSpeaksALanguage, which the store words its texts in as well.
func TestADialogSpeaksALanguage(t *testing.T) {
	t.Parallel()
	a := furnished(t, func(c *settings.Config) { c.Locale = "en" })
	for _, c := range []struct{ language, footer string }{{"uk", "довідка"}, {"en", "help"}} {
		a.settle(dialog.Result{Language: c.language})
		if a.store.Words().Name() != c.language || a.theme.Words.Name() != c.language || !strings.Contains(content(a), c.footer) {
			t.Errorf("%s: the store speaks %s, the screen %s", c.language, a.store.Words().Name(), a.theme.Words.Name())
		}
	}
}

// TestADialogDrawsWithAThemeThatThereIs and with the one before otherwise.
func TestADialogDrawsWithAThemeThatThereIs(t *testing.T) {
	t.Parallel()
	a := furnished(t)
	a.settle(dialog.Result{Theme: "light"})
	if a.cfg.Theme != "light" {
		t.Errorf("the theme is %q", a.cfg.Theme)
	}
	a.settle(dialog.Result{Theme: "pink"})
	if a.cfg.Theme != "light" {
		t.Errorf("the theme is %q", a.cfg.Theme)
	}
	a.settle(dialog.Result{})
	if a.cfg.Theme != "light" {
		t.Errorf("the theme is %q", a.cfg.Theme)
	}
}
