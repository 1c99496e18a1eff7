package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/reveal"
	"github.com/cardtop/cardtop/ui/widget"
)

// cursorAt gives the label in the row that the cursor is drawn on.
func cursorAt(a *App) string {
	for _, line := range strings.Split(widget.Strip(content(a)), "\n") {
		if _, row, ok := strings.Cut(line, "│▸"); ok && strings.Contains(row, "/") {
			return strings.Fields(row)[1]
		}
	}
	return ""
}

// TestKeysOfABurstAreDrawnTogether: the first at once, the others when the rest
// after it is over, or with the next that comes later or by itself.
func TestKeysOfABurstAreDrawnTogether(t *testing.T) {
	a := crowded(t, 100)
	now := start()
	a.cfg.Now = func() time.Time { return now }
	press := func() {
		a.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	see := func(when string, row int) {
		t.Helper()
		if got, want := cursorAt(a), []string{"camp-000000", "camp-000001", "camp-000002", "camp-000003", "camp-000004", "camp-000005"}[row]; !strings.HasSuffix(got, want) {
			t.Errorf("%s the cursor is drawn on %q, not on %q", when, got, want)
		}
	}
	see("at first", 0)
	press()
	see("after the first key", 1)
	press()
	press()
	see("in the burst", 1)
	now = now.Add(drawRest)
	a.Update(drawMsg{})
	see("after the rest", 3)
	press()
	see("right after that frame", 3)
	a.Update(tea.FocusMsg{})
	see("after something else", 4)
	now = now.Add(drawRest)
	press()
	see("after a key by itself", 5)
}

// TestAFrameThatIsTheLastAgainIsNotShown, and one with anything else in it is.
func TestAFrameThatIsTheLastAgainIsNotShown(t *testing.T) {
	a := crowded(t, 100)
	shown := func(when string, want bool) {
		t.Helper()
		if _, ok := a.next(); ok != want {
			t.Errorf("%s a frame is shown: %t, want %t", when, ok, want)
		}
	}
	a.next()
	shown("when nothing happened", false)
	a.frame.invalidate()
	if !a.frame.due() {
		t.Fatal("no frame is due")
	}
	shown("of the same lines", false)
	a.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	shown("after a key", true)
	a.Update(tea.WindowSizeMsg{Width: a.w, Height: a.h - 1})
	shown("on a lower terminal", true)
	a.mouse.ours = !a.mouse.ours
	shown("with another mouse", true)
}

// TestNoNumberStaysForABurst: a key that hides details is drawn at once.
func TestNoNumberStaysForABurst(t *testing.T) {
	a := furnished(t)
	a.panels.reveal = reveal.New(&a.theme, a.cfg.Vault)
	now := a.cfg.Now()
	_, effects, err := a.store.Dispatch(secrets.RevealCard{Card: "card_1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects {
		if f, ok := e.(secrets.FetchDetails); ok {
			a.Update(eventMsg{Event: secrets.DetailsLoaded{FetchDetails: f, Meta: kernel.Meta{Sent: now, At: now}, Details: &api.CardDetails{
				ID: f.Card, PAN: api.NewPAN("4242424242424242"), CVV: api.NewCVV("123"), ExpMonth: 12, ExpYear: 2030,
			}}})
		}
	}
	if !strings.Contains(widget.Strip(content(a)), "4242 4242 4242 4242") {
		t.Fatalf("nothing is revealed:\n%s", widget.Strip(content(a)))
	}
	a.frame.pacing.drawn = now // As if a key had just been drawn.
	a.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	if a.store.Secrets.Reveal().Card != "" {
		t.Fatal("the key hides nothing")
	}
	if strings.Contains(widget.Strip(content(a)), "4242") {
		t.Error("the number stays on the screen")
	}
}
