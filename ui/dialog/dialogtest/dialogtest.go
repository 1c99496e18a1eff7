// Package dialogtest has what tests of dialogs share: a store, and typing and reading as a person does.
package dialogtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Store knows one active card, card_1, of $100 and a wallet of $1,000.
func Store(tb testing.TB) *state.Store {
	tb.Helper()
	return StoreOf(tb, guard.Guard{}, api.CardActive)
}

// StoreOf is a Store behind guardrails, with a card for each status.
func StoreOf(tb testing.TB, g guard.Guard, statuses ...api.CardStatus) *state.Store {
	tb.Helper()
	s := state.New(settings.Config{Screen: &settings.Screen{}, Reloadable: settings.Reloadable{Guard: g}, Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key-1" }})
	_, effects := s.Tick(panetest.At(0))
	m := kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchCards:
			ev := state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1, Total: len(statuses)}
			for i, status := range statuses {
				id, last4 := api.CardID(fmt.Sprintf("card_%d", i+1)), api.Text(fmt.Sprintf("%04d", i+1))
				ev.Items = append(ev.Items, api.CardItem{ID: id, BIN: "bin_1", Last4: last4, Label: "fb", Status: status, Balance: 100 * api.Dollar})
			}
			s.Apply(ev)
		case wallets.Fetch:
			s.Apply(wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: 1000 * api.Dollar}})
		default:
		}
	}
	return s
}

// Type types a text.
func Type(d dialog.Dialog, text string) {
	for _, r := range text {
		d.Type(string(r), string(r))
	}
}

// Text is a dialog without its styles, at most w cells wide and h lines high.
func Text(d dialog.Dialog, w, h int) string { return panetest.Text(d.View(w, h)) }

// ReadForm checks that all of each field is in sight on the smallest screen, and the keys.
func ReadForm(tb testing.TB, d dialog.Dialog, form *dialog.Form) {
	tb.Helper()
	for range form.Fields {
		text := strings.Join(strings.FieldsFunc(Text(d, 36, 9), func(r rune) bool { return strings.ContainsRune(" │┃\n", r) }), " ")
		if fd := form.Focused(); !strings.Contains(text, fd.Hint) || !strings.Contains(text, "▸"+fd.Label) || !strings.Contains(text, "esc back") {
			tb.Errorf("%s: %q is not all in sight:\n%s", fd.Label, fd.Hint, Text(d, 36, 9))
		}
		d.Act(keymap.NextField)
	}
}

// FitLabels checks that the labels of a form have room on the narrowest screen, in every language.
func FitLabels(tb testing.TB, form func(*theme.Theme) *dialog.Form) {
	tb.Helper()
	for _, language := range lang.Names() {
		th := *panetest.Theme(tb)
		th.Words = lang.Of(language)
		for _, fd := range form(&th).Fields {
			if n := widget.Width(fd.Label); n > dialog.LabelCells(38)-2 {
				tb.Errorf("%s: the label %q takes %d cells", language, fd.Label, n)
			}
		}
	}
}
