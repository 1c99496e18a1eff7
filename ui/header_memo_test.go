package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state/kernel"
)

// TestTheHeaderIsKeptOnlyWhileItIsRight presses every key of the list and what opens from it: the header that
// is kept is what would be drawn.
func TestTheHeaderIsKeptOnlyWhileItIsRight(t *testing.T) {
	a := crowded(t, 50)
	now := start()
	a.cfg.Now = func() time.Time { return now }
	check := func(after string) {
		t.Helper()
		a.View()
		if drawn := a.drawHeader(a.w); a.frame.header != "" && a.frame.header != drawn {
			t.Errorf("after %s the header is\n%q, not\n%q", after, a.frame.header, drawn)
		}
	}
	press := func(k tea.KeyPressMsg) {
		now = now.Add(time.Second)
		a.Update(k)
		check(k.String())
	}
	for _, r := range "jkgGxXfuFBphz?:/!@#*&WDPILHORSTwcdeaoitbyns,.;1234 " {
		press(tea.KeyPressMsg{Code: r, Text: string(r)})
		for _, code := range []rune{tea.KeyDown, tea.KeyTab, tea.KeyEscape, tea.KeyEscape} {
			press(tea.KeyPressMsg{Code: code})
		}
	}
	changed, _ := a.store.Tick(now.Add(time.Minute))
	a.sync(changed | kernel.TopicClock)
	check("a tick")
}
