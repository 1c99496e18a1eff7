package pane_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

func TestTheOldestRowAsksForMoreAndALongListSooner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, at int
		key      keymap.Action
		asks     bool
	}{
		{5, 0, keymap.Down, false},
		{5, 3, keymap.Down, true},
		{5, 4, keymap.Down, true},
		{5, 4, keymap.Up, false},
		{5, 0, keymap.Last, true},
		{0, 0, keymap.Down, true},
		{20, 17, keymap.Down, false},
		{20, 18, keymap.Down, true},
		{100, 10, keymap.Down, false},
		{100, 79, keymap.Down, true},
		{100, 69, keymap.PageDown, false},
		{100, 70, keymap.PageDown, true},
	} {
		table := widget.NewTable(widget.TableConfig{Columns: []widget.Column{{Min: 4}}})
		table.SetSize(20, 10)
		table.SetRows(c.rows)
		table.SetCursor(c.at)
		intents, moved := pane.MoveBack(table, "", c.key)
		if asks := len(intents) > 0; !moved || asks != c.asks {
			t.Errorf("%v on row %d of %d: asks %v", c.key, c.at, c.rows, asks)
		}
	}
}

func TestTheTailSaysWhoAsksAgain(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]txns.Older{
		"loading older activity…":     {Loading: true},
		"older: no answer, ↓ retries": {Why: "no answer"},
		"older: no answer, retrying":  {Why: "no answer", ByItself: true},
		"no older activity":           {End: true},
	} {
		if got := pane.Tail(nil, o, "loading older activity…", "no older activity", time.Time{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
