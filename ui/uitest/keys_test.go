package uitest

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
)

// remapped gives a person's own keys.
func remapped(t *testing.T, lines ...keymap.Line) *keymap.Map {
	t.Helper()
	rows, faults := keymap.Remap(keymap.Defaults(), lines)
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	return keymap.New(rows)
}

func TestFooterAndHelpFollowAPersonsOwnKeys(t *testing.T) {
	t.Parallel()
	own := func(c *ui.Config) {
		c.Keys = remapped(t, keymap.Line{Name: "freeze", Keys: []string{"z"}}, keymap.Line{Name: "reveal"}, keymap.Line{Name: "dry-run", Keys: []string{"ctrl+d"}})
	}
	story(t, options{change: own}, func(d *driver) {
		c := d.pick()
		if foot := d.line("? help"); !strings.Contains(foot, "z freeze") || strings.Contains(foot, "reveal") {
			t.Errorf("footer: %s", foot)
		}
		d.press("f", "r")
		if got := d.status(c.id); got != "active" {
			t.Errorf("the old key made it %s", got)
		}
		d.press("z")
		d.see(c.name + " is frozen")
		d.press("?")
		if row := strings.Join(strings.Fields(d.line("Freeze the card, or unfreeze it")), " "); !strings.Contains(row, "│ z Freeze the card, or unfreeze it") {
			t.Errorf("help: %s", row)
		}
		d.seeNot("Show number and expiry")
		d.press("G")
		d.see("and not sent: ctrl+d ends")
		d.press("esc")
		d.seeNot("Freeze the card, or unfreeze it")
	})
}
