//go:build long

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/settings"
)

// TestEveryActionUnderEachSwitch presses every key of the table in every pane,
// goes on where something is asked, and counts what the server was asked for.
// The client of these stories refuses nothing: the store does.
func TestEveryActionUnderEachSwitch(t *testing.T) {
	t.Parallel()
	for _, off := range []struct{ writes, reveal bool }{{true, false}, {false, true}, {true, true}} {
		t.Run(fmt.Sprintf("%+v", off), func(t *testing.T) {
			t.Parallel()
			o := options{w: 80, h: 24, readOnly: off.writes, store: func(c *settings.Config) { c.NoReveal = off.reveal }, execute: func(commands.Execute) (string, error) { return "", nil }}
			story(t, o, func(d *driver) {
				d.pressEverything()
				writes := d.calls.count("POST ") + d.calls.count("PATCH ") + d.calls.count("DELETE ")
				if details := d.calls.count("/details"); (details == 0) != off.reveal {
					t.Errorf("details were asked for %d times", details)
				}
				if (writes == 0) != off.writes {
					t.Errorf("%d writes", writes)
				}
				if copies := d.board.Copies(); copies == 0 {
					t.Error("no code was copied, though codes are no details")
				}
			})
		})
	}
}

// pressEverything presses every key of the table in every pane, and says yes to
// what is asked.
func (d *driver) pressEverything() {
	d.t.Helper()
	escape := func() {
		for range 3 {
			d.wait(700 * time.Millisecond)
			d.press("esc")
		}
	}
	d.challenge(d.active(), "Acme", "111222", 5)
	for _, place := range []struct {
		context keymap.Context
		keys    []string
	}{
		{keymap.Cards, []string{"1"}},
		{keymap.Card, []string{"1", "space", "space"}}, // a selection
		{keymap.Inspector, []string{"1", "enter"}},
		{keymap.Codes, []string{"2"}},
		{keymap.Feed, []string{"3"}},
		{keymap.Card, []string{"3", "enter"}}, // a transaction
		{keymap.Wallet, []string{"4"}},
	} {
		for _, b := range keymap.Defaults() {
			here := b.Context == place.context || b.Context == keymap.Card && place.context != keymap.Wallet || b.Context == keymap.Global && place.context == keymap.Cards
			switch b.Action {
			case keymap.Quit, keymap.Lock, keymap.Privacy, keymap.DryRun: // They hide, show and end.
				continue
			default:
			}
			if !here || len(b.Keys) == 0 {
				continue
			}
			escape()
			d.press(place.keys...)
			d.wait(700 * time.Millisecond)
			d.press(b.Keys[0])
			for _, yes := range []string{"5", "enter", "tab", "enter"} {
				d.wait(700 * time.Millisecond)
				d.press(yes)
			}
		}
	}
}
