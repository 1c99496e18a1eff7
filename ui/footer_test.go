package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/team"
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

// TestTheFootNamesNoKeyThatARoleMayNotUse: who joined a hub sees the keys of the own role alone.
func TestTheFootNamesNoKeyThatARoleMayNotUse(t *testing.T) {
	t.Parallel()
	for role, want := range map[team.Role]string{team.Viewer: "", team.Buyer: "freeze fund", team.Lead: "freeze fund withdraw edit new", team.Unknown: "freeze fund withdraw edit new"} {
		a := crowded(t, 10)
		a.apply(state.HubJoined{You: team.You{Name: "ann", Role: role}})
		var named []string
		foot := widget.Strip(a.hints(160))
		for _, does := range []string{"freeze", "fund", "withdraw", "edit", "new"} {
			if strings.Contains(foot, " "+does+" ") {
				named = append(named, does)
			}
		}
		if got := strings.Join(named, " "); got != want {
			t.Errorf("%s: %q, not %q:\n%s", role, got, want, foot)
		}
	}
}
