package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
)

// TestAKeyTypedDuringATurnActsOnNoCard: it was meant for the account before.
func TestAKeyTypedDuringATurnActsOnNoCard(t *testing.T) {
	now := start()
	a := crowded(t, 10, func(c *Config) {
		c.Turned = true
		c.Now = func() time.Time { return now }
	})
	if !a.slipped(keymap.Freeze) {
		t.Error("a key acts at once")
	}
	a.onKey(pressed(t, "f"))
	a.onRipe(ripeMsg{a.fingers.n})
	if text := a.store.Notice().Text; !strings.Contains(text, "look at it") {
		t.Errorf("told %q", text)
	}
	now = now.Add(slipFor)
	if a.slipped(keymap.Freeze) {
		t.Error("it never acts again")
	}
	if crowded(t, 10).slipped(keymap.Freeze) {
		t.Error("a start is a turn")
	}
}
