package dialog

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// spoken calls with a theme in each language.
func spoken(t *testing.T, in func(language string, th *theme.Theme)) {
	t.Helper()
	for _, language := range lang.Names() {
		th := *plainTheme(t)
		th.Words = lang.Of(language)
		in(language, &th)
	}
}

// TestNamesHaveRoomInEveryLanguage: one that fills its column would run into the value.
func TestNamesHaveRoomInEveryLanguage(t *testing.T) {
	t.Parallel()
	const narrow = 38
	spoken(t, func(language string, th *theme.Theme) {
		s, w := loaded(t), th.Words
		for _, f := range []*form{
			NewIssue(th, s).form, NewSeveral(th, s).form, NewEdit(th, s, "card_1").form, NewWebhook(th, s).form,
			NewAccountForm(th, s, keymap.New(keymap.Defaults()), nil, nil, nil, false).form, NewAlertLines(th, s, pane.EditAlerts{}).form,
		} {
			for _, fd := range f.fields {
				if widget.Width(fd.label) > labelCells(narrow)-2 {
					t.Errorf("%s: the label %q takes %d cells", language, fd.label, widget.Width(fd.label))
				}
			}
		}
		for most, names := range map[int][]string{
			nameCells + 1: {w.T("card"), w.T("wallet"), w.Tc("termination", "refund"), w.T("to send")}, readCells + 1: {w.T("read back to"), w.T("requested")},
			12: {w.T("amount  $"), w.T("up to   $"), w.T("down to $"), w.T("cart    $")},
			factCells(narrow): {
				w.T("label"), w.T("limit"), w.T("categories"), w.T("auto-freeze"), w.T("metadata"), w.Tc("short", "unconfirmed"), w.T("sent"), w.T("key"),
				w.T("since then"), w.T("webhooks"), w.T("in the list"), w.T("asked by"), w.T("before"), w.T("now"), w.T("events"), w.T("amount"),
			},
		} {
			for _, name := range names {
				if widget.Width(name) >= most-1 {
					t.Errorf("%s: %q takes %d of %d cells", language, name, widget.Width(name), most)
				}
			}
		}
	})
}

// TestDialogsAreWholeInEveryLanguage, at every size of the screen.
func TestDialogsAreWholeInEveryLanguage(t *testing.T) {
	t.Parallel()
	spoken(t, func(language string, th *theme.Theme) {
		s, keys := loaded(t), keymap.New(keymap.Defaults())
		for name, d := range map[string]Dialog{
			"help": NewHelp(th, keys), "requests": NewRequests(th, s, keys), "issue": NewIssue(th, s), "several": NewSeveral(th, s),
			"edit": NewEdit(th, s, "card_1"), "terminate": NewTerminate(th, s, "card_1"), "field": NewChooseField(th, s, keys, "card_1"),
			"fund":     NewAmount(th, s, Transfer{Title: "fb", Verb: th.Words.T("Fund"), Card: "card_1"}),
			"withdraw": NewAmount(th, s, Transfer{Title: "fb", Verb: th.Words.T("Withdraw"), Card: "card_1", Withdraw: true, TopUp: true}),
			"many":     NewMany(th, s, state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}}, 0),
			"webhook":  NewWebhook(th, s), "account": NewAccountForm(th, s, keys, nil, nil, nil, false), "address": NewAddress(th, s, ""),
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
