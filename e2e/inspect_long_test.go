//go:build long

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// busy gives a card's life one of each: a code that is used, one that waits, a
// freeze from here and one from elsewhere.
func (d *driver) busy() picked {
	d.t.Helper()
	c := d.pick()
	d.fund("50")
	d.api(http.MethodPatch, "/cards/"+c.id, map[string]any{"metadata": map[string]string{"team": "growth", "buyer": "ann"}})
	used := text(d.t, d.challenge(c.id, "Acme Books", "482913", 12.5)["id"])
	d.wait(2 * time.Second)
	d.control(http.MethodPost, "/sandbox/challenges/"+used+"/complete", nil)
	d.wait(8 * time.Second)
	d.api(http.MethodPost, "/cards/"+c.id+"/freeze", nil)
	d.wait(16 * time.Second)
	d.press("f")
	d.wait(3 * time.Second)
	d.challenge(c.id, "Nimbus Cloud", "771020", 90)
	d.wait(2 * time.Second)
	d.press("enter")
	d.wait(2 * time.Second)
	return c
}

func TestTheCardScreen(t *testing.T) {
	t.Parallel()
	atEachSize(t, sized, func(d *driver) {
		d.busy()
		d.press("j")
		d.wait(1150 * time.Millisecond)
		d.drawn("card")
	})
}

func TestACardsLifeIsOneList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{exports: dir}, func(d *driver) {
		c := d.busy()
		d.see("1 Card  "+c.name, "code     771 020", "Nimbus Cloud", "metadata buyer=ann  team=growth", "month")
		order := []string{"◌ 3DS code", "✓ unfreeze", "❄ frozen", "✓ 3DS used", "✓ fund"}
		screen := d.screen()
		at := -1
		for _, row := range order {
			next := strings.Index(screen, "  "+row)
			if next <= at {
				t.Fatalf("%q is not below the one before:\n%s", row, screen)
			}
			at = next
		}
		// Only a transaction is opened; a code that is over opens the one it led to.
		d.press("j", "enter")
		d.see("this is no transaction")
		for !strings.Contains(d.cursor(), "3DS used") {
			d.press("j")
		}
		d.see("likely ", "enter opens")
		d.press("enter")
		d.see("1 Transaction", "Acme Books")
		d.press("esc")
		if !strings.Contains(d.cursor(), "3DS used") {
			t.Errorf("the cursor is on %s", d.cursor())
		}
		// What comes in pushes the row down and leaves the cursor on it.
		d.challenge(c.id, "Late Shop", "111222", 5)
		d.wait(2 * time.Second)
		d.see("Late Shop")
		if !strings.Contains(d.cursor(), "3DS used") {
			t.Errorf("the cursor is on %s", d.cursor())
		}
		d.press("P")
		d.seeNot("771 020", "111 222", "buyer=ann", c.last4)
		d.press("P", "E")
		d.see("of the timeline")
		d.press("1")
		d.wait(time.Second)
		paths, err := filepath.Glob(filepath.Join(dir, "cardtop-timeline-*.csv"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		data, err := os.ReadFile(paths[0])
		must(t, err)
		for _, part := range []string{"time,kind,what,who,", ",operation,unfreeze,ann,", ",status,frozen,", ",code,completed,Acme Books,12.50,", ",code,pending,Nimbus Cloud,90.00,"} {
			if !strings.Contains(string(data), part) {
				t.Errorf("the export lacks %q: %s", part, data)
			}
		}
		if strings.Contains(string(data), "771020") || strings.Contains(string(data), "111222") {
			t.Errorf("a code is exported: %s", data)
		}
	})
}

func TestTheCardScreenGoesThroughTheList(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("/")
		d.write("fb status=active")
		d.press("enter")
		names := make([]string, 0, 3)
		for range 3 {
			names = append(names, strings.Fields(d.cursor())[1])
			d.press("j")
		}
		for range 3 {
			d.press("k")
		}
		d.press("enter")
		for _, name := range names[1:] {
			d.press("]")
			d.see("1 Card  " + name)
			d.wait(2 * time.Second)
			d.see("month    ")
			d.seeNot("loading")
		}
		d.press("r")
		d.wait(time.Second)
		if d.revealed().Card == "" {
			t.Fatal("nothing is revealed")
		}
		d.press("left")
		if d.revealed().Card != "" {
			t.Error("what is revealed is another card's")
		}
		d.see("1 Card  " + names[1])
		d.press("[", "[")
		d.see("1 Card  "+names[0], "no further card")
		d.press("]", "esc")
		if row := d.cursor(); !strings.Contains(row, names[1]) {
			t.Errorf("the list is at %s", row)
		}
	})
}

// TestTheCardScreenLeadsBack goes to another card on the way.
func TestTheCardScreenLeadsBack(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme Books", "482913", 12.5)
		d.wait(2 * time.Second)
		d.press("esc", "2", "enter")
		d.see("▸1 Card  " + c.name)
		d.press("[")
		d.seeNot("1 Card  " + c.name)
		d.press("esc")
		d.see("▸2 Codes")
	})
}

func TestTheCardScreenSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.calls.setDown(true)
		d.press("enter")
		d.wait(2 * time.Second)
		d.see("month    not loaded: the API does not answer")
		d.calls.setDown(false)
		d.wait(20 * time.Second)
		d.see("month    ", "limit $")
		d.seeNot("not loaded: ")
	})
}

// TestTheFeedIsOnItsRowWhenADetailIsClosed, whatever came in meanwhile; on its first row it follows what comes in.
func TestTheFeedIsOnItsRowWhenADetailIsClosed(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`│▸(\S.{6,11})  ([◌✓✗↩] \S+) +(\S.*?)  `)
	for down, same := range map[int]bool{3: true, 0: false} {
		story(t, options{w: 100, h: 30}, func(d *driver) {
			card := d.active()
			d.press("3")
			for range down {
				d.press("j")
			}
			under := func() []string {
				d.wait(time.Second)
				return row.FindStringSubmatch(d.screen())
			}
			before := under()
			d.press("enter")
			for i := range 3 {
				d.charge(card, i, i+1)
				d.wait(12 * time.Second)
			}
			d.press("esc")
			if after := under(); before == nil || slices.Equal(before, after) != same {
				d.t.Errorf("%d down: from %q to %q\n%s", down, before, after, d.screen())
			}
		})
	}
}
