package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/input"
)

// TestAKeyTypedDuringATurnActsOnNoCard: it was meant for the account before.
func TestAKeyTypedDuringATurnActsOnNoCard(t *testing.T) {
	now := start()
	a := crowded(t, 10, func(c *Config) {
		c.Turned = true
		c.Now = func() time.Time { return now }
	})
	if !a.rowJustChanged(keymap.Freeze) {
		t.Error("a key acts at once")
	}
	cmd := a.onKey(pressed(t, "f"))
	held, ok := cmd().(input.HeldMsg)
	if !ok {
		t.Fatal("the key is not held back")
	}
	a.onHeldBack(held)
	if text := a.store.Notice().Text; !strings.Contains(text, "came under the cursor") {
		t.Errorf("told %q", text)
	}
	now = now.Add(time.Second)
	if a.rowJustChanged(keymap.Freeze) {
		t.Error("it never acts again")
	}
}

// TestAPasteOfKeysIsCalledOne holds that the notice names the paste also where
// it is the same key several times.
func TestAPasteOfKeysIsCalledOne(t *testing.T) {
	now := start()
	a := crowded(t, 10, func(c *Config) { c.Now = func() time.Time { return now } })
	for range 4 {
		a.onKey(pressed(t, "q"))
		now = now.Add(time.Millisecond)
	}
	if text := a.store.Notice().Text; text != fastKeys(nil) {
		t.Errorf("the notice is %q", text)
	}
}
