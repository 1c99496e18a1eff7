package palette

import (
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/find"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// paletteOf lists commands and nothing else.
func paletteOf(t *testing.T, all []Command) *Palette {
	t.Helper()
	return NewPalette(Config{Theme: panetest.Theme(t), Store: state.New(settings.Config{Screen: &settings.Screen{}}), Commands: func() []Command { return all }, Recent: &find.Recent{}})
}

// under is the command under the cursor, once all were looked through.
func under(p *Palette) (Command, bool) {
	p.finish()
	r, _ := p.picked()
	return p.command(r)
}

// TestACommandIsFoundByItsOwnName: typing the name of an action, or the first
// word of what it does, puts one first that is called so.
func TestACommandIsFoundByItsOwnName(t *testing.T) {
	called := func(c Command, typed string) bool {
		first, _, _ := strings.Cut(strings.ToLower(c.Help), " ")
		name := strings.ToLower(string(c.Action))
		return strings.Trim(first, ",:;") == typed || name == typed || strings.HasPrefix(name, typed+"-")
	}
	var all []Command
	for _, b := range keymap.Defaults() {
		if !b.Context.Inside() {
			all = append(all, Command{Binding: b, Place: b.Context.Title()})
		}
	}
	for _, b := range all {
		first, _, _ := strings.Cut(strings.ToLower(b.Help), " ")
		name, _, _ := strings.Cut(string(b.Action), "-")
		for _, typed := range []string{string(b.Action), name, strings.Trim(first, ",:;")} {
			p := paletteOf(t, all)
			p.Paste(typed)
			c, ok := under(p)
			if !ok || !called(c, typed) {
				t.Errorf("%q finds %q (%s) before %q (%s)", typed, c.Help, c.Action, b.Help, b.Action)
			}
			if typed == string(b.Action) && c.Action != b.Action {
				t.Errorf("%q finds %s", typed, c.Action)
			}
		}
	}
}

// TestThemesAreFoundByTheirName, and not what has the letters somewhere.
func TestThemesAreFoundByTheirName(t *testing.T) {
	for _, typed := range []string{"theme", "them", "THEME"} {
		var all []Command
		for _, b := range keymap.Defaults() {
			all = append(all, Command{Binding: b, Place: b.Context.Title()})
		}
		p := paletteOf(t, all)
		p.Paste(typed)
		if c, ok := under(p); !ok || c.Action != keymap.Theme {
			t.Errorf("%q finds %q", typed, c.Help)
		}
	}
}

// TestWhatWasChosenComesFirstWhenNothingIsTyped, also from one list to the next.
func TestWhatWasChosenComesFirstWhenNothingIsTyped(t *testing.T) {
	all := []Command{
		{Binding: keymap.Binding{Action: keymap.Help, Help: "Show keys"}},
		{Binding: keymap.Binding{Action: keymap.Theme, Help: "Next theme"}},
		{Binding: keymap.Binding{Action: keymap.Quit, Help: "Quit"}, Reason: "not now"},
	}
	p := paletteOf(t, all)
	recent := p.cfg.Recent
	accounts := []dialog.Account{{ID: "2", Name: "agency"}, {ID: "1", Name: "team", Here: true}}
	open := func() *Palette {
		return NewPalette(Config{Theme: panetest.Theme(t), Store: state.New(settings.Config{Screen: &settings.Screen{}}), Commands: p.cfg.Commands, Accounts: accounts, Recent: recent})
	}
	enter := func(typed string) dialog.Result {
		p = open()
		p.Paste(typed)
		return p.Act(keymap.Confirm) // At once: nothing was looked through so far.
	}
	if r := enter("theme"); r.Run == nil || r.Run.Action != keymap.Theme {
		t.Errorf("%+v", r)
	}
	if r := enter("quit"); r.Close || r.Run != nil {
		t.Errorf("%+v", r)
	}
	if r := enter("team"); !r.Close || r.SwitchTo != nil {
		t.Errorf("%+v", r)
	}
	if r := enter("agency"); r.SwitchTo == nil || r.SwitchTo.ID != "2" {
		t.Errorf("%+v", r)
	}
	var got []string
	for _, r := range open().rows {
		got = append(got, r.Kind.String()+" "+r.ID)
	}
	if want := "profile 2,profile 1,command /theme,command /help,command /quit"; strings.Join(got, ",") != want {
		t.Errorf("%s", got)
	}
}

// TestWhatIsTypedGoesWithTheNames: it may be one.
func TestWhatIsTypedGoesWithTheNames(t *testing.T) {
	p := paletteOf(t, []Command{{Binding: keymap.Binding{Action: keymap.Theme, Help: "Next theme"}}})
	p.Paste("theme of a label")
	p.Sync(state.New(settings.Config{Screen: &settings.Screen{}}), kernel.TopicAll)
	if p.filter.Value() == "" {
		t.Error("gone before")
	}
	p.Sync(state.New(settings.Config{Screen: &settings.Screen{Private: true}}), kernel.TopicAll)
	if text := strings.Join(p.View(80, 24), "\n"); p.filter.Value() != "" || strings.Contains(text, "label") || !strings.Contains(text, "Next theme") {
		t.Errorf("%q:\n%s", p.filter.Value(), text)
	}
}

// TestWordsOfMoneyFindItsScreens that are called otherwise, in the words of each language.
func TestWordsOfMoneyFindItsScreens(t *testing.T) {
	var all []Command
	for _, b := range keymap.Defaults() {
		if !b.Context.Inside() {
			all = append(all, Command{Binding: b, Place: b.Context.Title()})
		}
	}
	for language, words := range map[string]map[string]keymap.Action{
		lang.English: {
			"empty": keymap.OpenAlerts, "idle": keymap.OpenAlerts, "lasts": keymap.OpenSpending, "money": keymap.OpenSpending,
			"spend": keymap.OpenSpending, "declined": keymap.OpenDeclines, "refused": keymap.OpenDeclines, "top up": keymap.OpenRules,
		},
		lang.Russian:   {"пусто": keymap.OpenAlerts, "простаивают": keymap.OpenAlerts, "хватит": keymap.OpenSpending, "деньги": keymap.OpenSpending, "отклонено": keymap.OpenDeclines},
		lang.Ukrainian: {"порожні": keymap.OpenAlerts, "простоюють": keymap.OpenAlerts, "вистачить": keymap.OpenSpending, "гроші": keymap.OpenSpending, "відхилено": keymap.OpenDeclines},
	} {
		th := *panetest.Theme(t)
		th.Words = lang.Of(language)
		for typed, want := range words {
			p := NewPalette(Config{Theme: &th, Store: state.New(settings.Config{Screen: &settings.Screen{}}), Commands: func() []Command { return all }, Recent: &find.Recent{}})
			p.Paste(typed)
			p.finish()
			listed := slices.ContainsFunc(p.rows[:min(8, len(p.rows))], func(r found) bool {
				c, ok := p.command(r)
				return ok && c.Action == want
			})
			if !listed {
				t.Errorf("%s: %q does not find %s", language, typed, want)
			}
		}
	}
}
