package ui

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/help"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/plans"
	"github.com/cardtop/cardtop/ui/requests"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/wallets"
	"github.com/cardtop/cardtop/ui/webhooks"
	"github.com/cardtop/cardtop/ui/widget"
)

// spoken calls with a theme in each language.
func spoken(t *testing.T, in func(language string, th *theme.Theme)) {
	t.Helper()
	for _, language := range lang.Names() {
		th := *panetest.Theme(t)
		th.Words = lang.Of(language)
		in(language, &th)
	}
}

// TestDialogsAreWholeInEveryLanguage, at every size of the screen.
func TestDialogsAreWholeInEveryLanguage(t *testing.T) {
	t.Parallel()
	spoken(t, func(language string, th *theme.Theme) {
		s, keys := dialogtest.Store(t), keymap.New(keymap.Defaults())
		for name, d := range map[string]dialog.Dialog{
			"help": help.NewHelp(th, keys), "requests": requests.NewRequests(th, s, keys), "issue": cards.NewIssue(th, s), "several": plans.NewSeveral(th, s),
			"edit": cards.NewEdit(th, s, "card_1"), "terminate": dialog.NewTerminate(th, s, "card_1"), "field": cards.NewChooseField(th, s, keys, "card_1"),
			"fund":     cards.NewAmount(th, s, cards.Transfer{Title: "fb", Verb: th.Words.T("Fund"), Card: "card_1"}),
			"withdraw": cards.NewAmount(th, s, cards.Transfer{Title: "fb", Verb: th.Words.T("Withdraw"), Card: "card_1", Withdraw: true, TopUp: true}),
			"many":     plans.NewMany(th, s, state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}}, 0),
			"webhook":  webhooks.NewWebhook(th, s), "account": accounts.NewAccountForm(th, s, keys, nil, nil, nil, false), "address": wallets.NewAddress(th, s, ""),
		} {
			for _, size := range [][2]int{{156, 40}, {96, 26}, {76, 20}, {36, 9}} {
				lines := d.View(size[0], size[1])
				for _, l := range lines {
					if widget.LineWidth(l) != widget.LineWidth(lines[0]) || widget.LineWidth(l) > size[0] {
						t.Errorf("%s: %s in %d cells: %q", language, name, size[0], l)
					}
				}
				if len(lines) > size[1] {
					t.Errorf("%s: %s has %d of %d lines:\n%s", language, name, len(lines), size[1], strings.Join(lines, "\n"))
				}
			}
		}
	})
}
