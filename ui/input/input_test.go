package input

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// stroke is a key, and how long after the one before it.
type stroke struct {
	key      string
	after    time.Duration
	repeated bool
}

func TestWhatWasPressedOnPurpose(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		keys      []stroke
		onPurpose bool
		pasted    bool
		fast      bool
	}{
		"the first key":                     {[]stroke{{key: "f"}}, true, false, false},
		"another key":                       {[]stroke{{key: "f"}, {key: "j", after: 100 * ms}}, true, false, false},
		"the same key later":                {[]stroke{{key: "f"}, {key: "f", after: heldFor}}, true, false, false},
		"the same key soon":                 {[]stroke{{key: "f"}, {key: "f", after: heldFor - ms}}, false, false, false},
		"a key the terminal marks repeated": {[]stroke{{key: "f"}, {key: "f", after: time.Hour, repeated: true}}, false, false, false},
		"a key right after another":         {[]stroke{{key: "f"}, {key: "j", after: burst - ms}}, true, false, true},
		"the third as fast":                 {[]stroke{{key: "a"}, {key: "b", after: ms}, {key: "c", after: ms}}, false, true, true},
		"a key after a paste":               {[]stroke{{key: "a"}, {key: "b", after: ms}, {key: "c", after: ms}, {key: "d", after: burst}}, true, false, false},
	} {
		var g KeyGuard
		now, got := noon(), false
		for _, k := range c.keys {
			now = now.Add(k.after)
			got = g.Press(k.key, k.repeated, now)
		}
		if got != c.onPurpose || g.Pasted() != c.pasted || g.Fast() != c.fast {
			t.Errorf("%s: on purpose %t, pasted %t, fast %t", name, got, g.Pasted(), g.Fast())
		}
	}
}

func TestAHeldBackKeyIsReleasedOnceAndOnlyWhenNoneFollowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g KeyGuard
		key := tea.KeyPressMsg{Code: 'f', Text: "f"}
		g.Press("f", false, noon())
		msg, ok := g.Hold(key)().(HeldMsg)
		if !ok || !g.Holding() {
			t.Fatal("nothing is held back")
		}
		if back, ok := g.Release(msg); !ok || back.String() != "f" {
			t.Errorf("released %q, %t", back, ok)
		}
		if _, ok := g.Release(msg); ok {
			t.Error("released twice")
		}
		g.Hold(key)
		if _, ok := g.Release(msg); ok {
			t.Error("released by the message of an earlier key")
		}
		// A second key makes a paste of both.
		g.Press("g", false, noon().Add(time.Millisecond))
		if g.Holding() || !g.Pasted() {
			t.Errorf("holding %t, pasted %t after a second key", g.Holding(), g.Pasted())
		}
	})
}

func TestAKeyWhoseMessageIsLateIsReleasedBeforeTheNext(t *testing.T) {
	t.Parallel()
	var g KeyGuard
	g.Press("f", false, noon())
	g.Hold(tea.KeyPressMsg{Code: 'f', Text: "f"})
	if _, ok := g.ReleaseOverdue(noon().Add(burst - time.Millisecond)); ok {
		t.Error("released before its time")
	}
	if back, ok := g.ReleaseOverdue(noon().Add(burst)); !ok || back.String() != "f" || g.Holding() {
		t.Errorf("released %q, %t", back, ok)
	}
}

func TestWhatJustChangedUnderTheCursor(t *testing.T) {
	t.Parallel()
	var g CursorGuard
	if g.RowJustChanged(noon()) {
		t.Error("at first")
	}
	g.RowChanged(noon())
	if !g.RowJustChanged(noon().Add(settle-1)) || g.RowJustChanged(noon().Add(settle)) {
		t.Error("the row counts as new for a wrong time")
	}
	if g.RowJustChanged(noon().Add(-time.Hour)) {
		t.Error("the row counts as new after the clock was set back")
	}
	for name, c := range map[string]struct {
		at, now time.Time
		want    bool
	}{
		"never":                  {time.Time{}, noon(), false},
		"now":                    {noon(), noon(), true},
		"long ago":               {noon(), noon().Add(settle), false},
		"the clock was set back": {noon().Add(time.Hour), noon(), false},
	} {
		if got := StatusJustChanged(c.at, c.now); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestWhatTheUserDid(t *testing.T) {
	t.Parallel()
	for _, msg := range []tea.Msg{tea.KeyPressMsg{}, HeldMsg{}, tea.PasteMsg{}, tea.MouseClickMsg{}, tea.MouseWheelMsg{}} {
		if !ByUser(msg) {
			t.Errorf("%T was done by the user", msg)
		}
	}
	if ByUser(tea.WindowSizeMsg{}) || ByUser(nil) {
		t.Error("a size is not done by the user")
	}
}
