package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/widget"
)

// TestTheFootTellsNoMomentThatIsPast says when the API is asked again as long
// as that is to come, and that it is being asked once it is not.
func TestTheFootTellsNoMomentThatIsPast(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 10, 18, 40, 0, time.Local)
	began := now.Add(-10 * time.Second)
	for want, until := range map[string]time.Time{
		" (since 10:18:30)":                 {},
		" (since 10:18:30, retry 10:18:44)": now.Add(4 * time.Second),
		" (since 10:18:30, retrying now)":   now.Add(-4 * time.Second),
	} {
		if got := since(nil, kernel.Health{Since: began, Until: until}, now); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := since(nil, kernel.Health{Since: began, Until: now}, now); got != " (since 10:18:30, retrying now)" {
		t.Errorf("due this moment: %q", got)
	}
}

// TestTheKeysOfTheFootFollow holds that what is kept of the keys does not show.
func TestTheKeysOfTheFootFollow(t *testing.T) {
	t.Parallel()
	a := crowded(t, 10)
	ask := func(in kernel.Intent) func() {
		return func() {
			if _, _, err := a.store.Dispatch(in); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, do := range []func(){func() {}, func() { a.w = 80 }, ask(kernel.LockScreen{}), func() { a.w = 120 }, ask(kernel.UnlockScreen{}), func() { a.w = 160 }} {
		do()
		for range 2 {
			if got, want := a.keysBeside(nil, a.w), widget.FitLine(a.hints(a.w), a.w); got != want {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}
}

// TestAHintHidesNoTrouble: what is wrong is said in its place.
func TestAHintHidesNoTrouble(t *testing.T) {
	t.Parallel()
	store := state.New(settings.Config{Screen: &settings.Screen{}, Rand: func() float64 { return 0.5 }})
	a := crowded(t, 10, func(c *Config) { c.Store = store })
	_, effects := store.Tick(start())
	store.Notices.AddHint("how to go on", time.Minute)
	if text := strings.Join(a.foot(160), "\n"); !strings.Contains(text, "how to go on") {
		t.Errorf("no hint:\n%s", text)
	}
	for _, e := range effects {
		store.Apply(state.FetchFailed{Meta: kernel.Meta{Sent: start(), At: start()}, Effect: e, Err: api.ErrUnreachable})
	}
	if text := strings.Join(a.foot(160), "\n"); strings.Contains(text, "how to go on") || !strings.Contains(text, store.Poll.Health().Text) || store.Poll.Health().Text == "" {
		t.Errorf("%q is hidden:\n%s", store.Poll.Health().Text, text)
	}
}

// TestTheFootNamesTheScreensOfMoney where it has the room, and none that is open.
func TestTheFootNamesTheScreensOfMoney(t *testing.T) {
	t.Parallel()
	a := crowded(t, 10)
	seen := func(w int) string { return widget.Strip(a.hints(w)) }
	for _, key := range []string{"A alerts", "$ spending", "? help"} {
		if foot := seen(160); !strings.Contains(foot, key) {
			t.Errorf("%s is missing in %q", key, foot)
		}
	}
	if foot := seen(250); !strings.Contains(foot, "X declines") {
		t.Errorf("the declines are missing in %q", foot)
	}
	a.Update(pressed(t, "A"))
	if foot := seen(160); strings.Contains(foot, "A alerts") || !strings.Contains(foot, "$ spending") {
		t.Errorf("on the alerts: %q", foot)
	}
}

// TestTheFootSaysWhatEnterDoesToARowThatItFolds in the list of cards and in the feed.
func TestTheFootSaysWhatEnterDoesToARowThatItFolds(t *testing.T) {
	t.Parallel()
	a := crowded(t, 10)
	for context, opens := range map[keymap.Context]string{keymap.Cards: "inspect", keymap.Feed: "open"} {
		for fold, want := range map[string]string{"": opens, "unfold": "unfold"} {
			if foot := widget.Strip(a.hintsFor(hintsOf{keys: a.cfg.Keys, context: context, fold: fold, w: 160})); !strings.Contains(foot, "enter "+want) {
				t.Errorf("%s: enter does %q in %q", context, want, foot)
			}
		}
	}
}
