package e2e

import (
	"strings"
	"testing"
	"time"
)

func TestTheBINsAreComparedAndACardIsIssuedFromOne(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("b")
		d.see("1 BINs   24 h  7 d  14 d  30 d   6", "accepts▼", "declined", "best for", "yours: ")
		if row := d.cursor(); !strings.Contains(row, "99.1 %") {
			t.Errorf("the most accepted is not on top: %s", row)
		}
		// The cursor stays on its BIN when the order turns.
		d.press("S")
		d.see("accepts▲")
		if row := d.cursor(); !strings.Contains(row, "99.1 %") {
			t.Errorf("the cursor is elsewhere: %s", row)
		}
		d.press("s")
		d.see("decl. 24h▲")
		d.press("/")
		d.write("google_ads visa")
		d.press("enter", "g")
		d.see("of 6")
		row := d.cursor()
		bin := strings.Fields(strings.TrimPrefix(row, "│▸"))[0]
		d.wait(700 * time.Millisecond)
		d.press("enter")
		d.see("Issue a card", bin+"  visa")
		d.seeNot("Choose a BIN")
		d.write("25")
		d.press("enter")
		d.see("Issue with $25.00")
		d.confirmed()
		d.see("is issued with $25.00", "1 BINs")
		// esc clears the filter first, then leads back.
		d.press("esc")
		d.see("1 BINs ", "30 d   6")
		d.press("esc")
		d.see("1 Cards")
	})
}

// TestBINsAreThereWithoutAsking also while the API does not answer: they are read at the start.
func TestBINsAreThereWithoutAsking(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.wait(5 * time.Second)
		d.calls.setDown(true)
		d.press("b")
		d.see("1 BINs ", "30 d   6", "yours: ")
		d.press("right")
		d.see("decl. 7d")
	})
}
