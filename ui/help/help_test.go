package help

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/requests"
	"github.com/cardtop/cardtop/ui/settings"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

func newHelp(t *testing.T) *Help {
	t.Helper()
	return NewHelp(panetest.Theme(t), keymap.New(keymap.Defaults()))
}

// helpOf returns what the key table says of an action.
func helpOf(t *testing.T, a keymap.Action) string {
	t.Helper()
	for _, b := range keymap.Defaults() {
		if b.Action == a {
			return b.Help
		}
	}
	t.Fatalf("no action %s", a)
	return ""
}

func TestTheHelpUsesTheRoomAndCutsNothing(t *testing.T) {
	for _, w := range []int{36, 76, 96, 156, 236} {
		lines := newHelp(t).View(w, 1000)
		for _, line := range lines {
			if widget.LineWidth(line) != w || strings.Contains(strings.ReplaceAll(line, "freezing…", ""), "…") {
				t.Errorf("at %d: %q", w, line)
			}
		}
		if text := strings.Join(lines, "\n"); !strings.Contains(text, helpOf(t, keymap.Freeze)) || !strings.Contains(text, "DRY RUN") {
			t.Errorf("at %d something is missing:\n%s", w, text)
		}
	}
}

// TestTheHelpIsTheKeyTable finds every row of the table in the help, with all of
// its keys and words, however they are broken into lines.
func TestTheHelpIsTheKeyTable(t *testing.T) {
	h := newHelp(t)
	for _, w := range []int{34, 74, 94} {
		got := strings.Join(h.View(w, 1000), "\n")
		at := 0
		for _, g := range keymap.New(keymap.Defaults()).Groups() {
			for _, b := range g.Rows {
				rows := h.row(explained{keys: b.Keys, text: b.Help}, w-2)
				words := ""
				for _, row := range rows {
					next := strings.Index(got[at:], strings.TrimRight(widget.Strip(row), " "))
					if next < 0 {
						t.Fatalf("at %d: %s (%s) is missing: %q", w, b.Action, b.Context, row)
					}
					at += next
					words += " " + widget.Strip(row)
				}
				for _, word := range append(strings.Fields(b.Help), b.Keys...) {
					if !slices.Contains(strings.Fields(words), word) {
						t.Errorf("at %d: %s (%s) lacks %q: %q", w, b.Action, b.Context, word, words)
					}
				}
			}
		}
	}
}

func TestTheHelpIsFilteredByKeyOrWords(t *testing.T) {
	h := newHelp(t)
	view := func() string { return strings.Join(h.View(100, 30), "\n") }
	if text := view(); !strings.Contains(text, " 1-27 of ") {
		t.Error(text)
	}
	fold, freeze, unfreeze := helpOf(t, keymap.FoldAll), helpOf(t, keymap.Freeze), helpOf(t, keymap.Unfreeze)
	h.Type("/", "/")
	dialogtest.Type(h, string(keymap.FoldAll))
	if text := view(); !strings.Contains(text, fold) || strings.Contains(text, freeze) {
		t.Error(text)
	}
	h.Act(keymap.Cancel)
	h.Type("/", "/")
	dialogtest.Type(h, "F")
	if text := view(); !strings.Contains(text, unfreeze) || strings.Contains(text, freeze) {
		t.Error(text)
	}
	dialogtest.Type(h, "?") // Typed, and closes nothing.
	if text := view(); !strings.Contains(text, "no match") {
		t.Error(text)
	}
	h.Act(keymap.Confirm)
	if r := h.Act(keymap.Cancel); r.Close || h.filter.Value() != "" {
		t.Error("esc has to clear the filter first")
	}
	if r := h.Act(keymap.Cancel); !r.Close {
		t.Error("the help stays open")
	}
}

func TestMistakesAreAllReadable(t *testing.T) {
	var all []string
	for i := range 9 {
		all = append(all, fmt.Sprintf("config.toml:%d:1: ", i+1)+strings.Repeat("long ", 30)+"end")
	}
	m := settings.NewMistakes(panetest.Theme(t), keymap.New(keymap.Defaults()), all)
	first := dialogtest.Text(m, 60, 12)
	m.Move(keymap.Last)
	last := dialogtest.Text(m, 60, 12)
	if !strings.Contains(first, "config.toml:1:1") || !strings.Contains(last, "config.toml:9:1") || !strings.Contains(last, "end") || !strings.Contains(last, "9 errors") {
		t.Errorf("%s\n%s", first, last)
	}
}

func TestTheRequestsSayWhoSharesTheHour(t *testing.T) {
	s := dialogtest.Store(t)
	d := requests.NewRequests(panetest.Theme(t), s, keymap.New(keymap.Defaults()))
	if text := dialogtest.Text(d, 80, 40); strings.Contains(text, "windows share") {
		t.Errorf("nobody shares it:\n%s", text)
	}
	s.Apply(state.UseShared{Meta: kernel.Meta{At: panetest.At(time.Second), Budget: poll.Budget{Hour: 100, Pace: 8000, Programs: 1}}})
	all := func() string {
		return strings.Join(strings.Fields(strings.ReplaceAll(dialogtest.Text(d, 80, 40), "│", " ")), " ")
	}
	if text := all(); !strings.Contains(text, "2 windows share this key's limit") || !strings.Contains(text, "no lane is slower for it") || strings.Contains(text, "until another is closed") {
		t.Errorf("each lane has its pace:\n%s", text)
	}
	s.Apply(state.UseShared{Meta: kernel.Meta{At: panetest.At(2 * time.Second), Budget: poll.Budget{Hour: 100, Pace: 5000, Programs: 1}}})
	if text := all(); !strings.Contains(text, "lanes are slower until another is closed") {
		t.Errorf("the pace is short:\n%s", text)
	}
}

// TestTheWayOutIsSeenInASmallBox looks at boxes that say more than they have
// room for.
func TestTheWayOutIsSeenInASmallBox(t *testing.T) {
	s := dialogtest.Store(t)
	if _, _, err := s.Dispatch(state.Fund("card_1", 5*api.Dollar)); err != nil {
		t.Fatal(err)
	}
	leave := accounts.NewLeave(panetest.Theme(t), s, []string{"q"}, false)
	text := dialogtest.Text(leave, 34, 7)
	if !strings.Contains(text, "esc stay") || !strings.Contains(text, "q quit") || !strings.Contains(text, "1 operation has no response") || strings.Contains(text, "…") || strings.Count(text, "\n") > 6 {
		t.Error(text)
	}
	leave.Move(keymap.Last)
	if text := dialogtest.Text(leave, 34, 7); !strings.Contains(text, "transactions") || !strings.Contains(text, "esc stay") {
		t.Error(text)
	}
	all := []string{strings.Repeat("long ", 60)}
	if text := dialogtest.Text(settings.NewMistakes(panetest.Theme(t), keymap.New(keymap.Defaults()), all), 34, 8); !strings.Contains(text, "esc close") || strings.Contains(text, "…") {
		t.Error(text)
	}
}

// TestTheSignsAreThoseOfThePanes finds what the feet of panes say among the signs.
func TestTheSignsAreThoseOfThePanes(t *testing.T) {
	h := newHelp(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, src := range []poll.Source{
		{Every: 3 * time.Second, OKAt: now},
		{Every: 3 * time.Second, OKAt: now.Add(-7 * time.Second)},
		{Every: 30 * time.Second, OKAt: now, Pushed: true},
		{Every: 3 * time.Second, OKAt: now.Add(-4 * time.Minute), Cached: true},
	} {
		drawn := pane.Source(h.theme, src, now)[0].Text
		if !slices.ContainsFunc(h.signs(), func(e explained) bool { return slices.Contains(e.keys, drawn) }) {
			t.Errorf("%q is drawn and not explained", drawn)
		}
	}
}

// TestTheHelpExplainsFiguresAndTheirTerms, also the sign of an expired card.
func TestTheHelpExplainsFiguresAndTheirTerms(t *testing.T) {
	text := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(newHelp(t).View(80, 1000), " "), "│", " ")), " ")
	for _, want := range []string{
		"lasts wallet plus the money on all cards, frozen ones too, minus holds", "left how long one active card lasts",
		"status=expired card: active, frozen, expired or terminated", "left<1d burn>5 card: how long its balance lasts", "idle>7d card: active",
		"decl7>15 card: percent", theme.UnicodeGlyphs().Stale + " card: expired",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the help:\n%s", want, text)
		}
	}
}
