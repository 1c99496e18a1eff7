package e2e

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/ui"
)

// withAll has settings and accounts.
func withAll(c *ui.Config) {
	withSettings(c)
	withAccounts(c)
}

// foundAs sees a row of the palette by how it begins and what stands at its right.
func (d *driver) foundAs(name, right string) {
	d.t.Helper()
	row := regexp.MustCompile("│" + regexp.QuoteMeta(name) + ".* " + regexp.QuoteMeta(right) + "[│┃]")
	if !row.MatchString(d.screen()) {
		d.t.Errorf("%s is not found as %s:\n%s", name, right, d.screen())
	}
}

// TestThePaletteFindsEachKind in a few keys, and enter goes to it.
func TestThePaletteFindsEachKind(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAll, w: 160, h: 45}, func(d *driver) {
		find := func(typed, name, right string, more ...string) {
			t.Helper()
			if len(typed) > 12 {
				t.Errorf("%q is long", typed)
			}
			d.press(":")
			d.write(typed)
			d.foundAs("▸"+name, right)
			d.see(more...)
			d.press("enter")
			d.seeNot("▸Find")
		}
		// A command.
		find("hist", "Show the history of operations", "H")
		d.see("1 History")
		// A card, from a screen over the list and behind a filter that hides it.
		d.press("esc", "1", "/")
		d.write("li/")
		d.press("enter", "H")
		find("gg/brand/", "gg/brand/07 ••", "card")
		d.see("▸1 Cards  50")
		if row := d.cursor(); !strings.Contains(row, "gg/brand/07") {
			t.Errorf("the cursor is on %s", row)
		}
		// A filter that shows it stays.
		d.press("/")
		d.write("gg/")
		d.press("enter", "3")
		find("gg/geo-us/11", "gg/geo-us/11 ••", "card")
		d.see("▸1 Cards  / gg/")
		if row := d.cursor(); !strings.Contains(row, "gg/geo-us/11") {
			t.Errorf("the cursor is on %s", row)
		}
		// A campaign.
		find("fb/spring", "fb/spring", "campaign", "2 cards", "filter the cards by the campaign")
		d.see("▸1 Cards  / campaign=fb/spring  2 of 50")
		// A merchant, and a transaction by its merchant, its card and its amount.
		find("google a", "Google Ads", "merchant")
		d.see(`▸3 Transactions  / merchant="Google Ads"`, "Google Ads")
		d.seeNot("✓ settled   Meta")
		find("goog launch", "Google", "txn", "gg/launch/05 ••2543", "open the transaction")
		d.see("▸1 Transaction", "Google")
		// A setting, behind a filter that hides it too.
		d.press("ctrl+e", "/")
		d.write("theme")
		d.press("enter")
		find("reveal.s", "reveal.seconds", "setting", "how long a revealed card stays on screen")
		d.see("Settings  3 · 2 set")
		if row := d.cursor(); !strings.Contains(row, "reveal.seconds") {
			t.Errorf("the cursor is on %s", row)
		}
		// What was chosen is first the next time.
		d.press(":")
		d.foundAs("▸reveal.seconds", "setting")
		d.foundAs(" Google Ads", "merchant")
		d.foundAs(" fb/spring", "campaign")
		d.foundAs(" Show the history", "H")
		d.press("esc")
		// A profile.
		d.press(":")
		d.write("agency")
		d.foundAs("▸agency", "profile")
		d.press("enter")
		if to := d.ends(); to == nil || to.Name != "agency" {
			t.Errorf("%+v", to)
		}
	})
}

// TestThePaletteUnfoldsTheGroupOfACard, and keeps the selection.
func TestThePaletteUnfoldsTheGroupOfACard(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("space", "z", "3", "Z", ":")
		d.write("gg/brand/")
		d.press("enter")
		d.see("-  gg", "+  fb", "1 selected")
		if row := d.cursor(); !strings.Contains(row, "gg/brand/07") {
			t.Errorf("the cursor is on %s", row)
		}
	})
}

// TestThePaletteInPrivateFindsCommandsOnly: no name is shown, and none is answered
// for.
func TestThePaletteInPrivateFindsCommandsOnly(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		secrets := d.secrets()
		d.press(":")
		d.write("gg/b 07")
		d.foundAs("▸gg/brand/07", "card")
		d.press("enter", "P", ":")
		d.hidden(secrets, "what was chosen lately")
		for _, typed := range []string{"gg/bra", "met", "0"} {
			d.write(typed)
			if typed == "gg/bra" {
				d.see("no match: names are hidden")
			}
			d.hidden(secrets, typed)
			for range typed {
				d.press("backspace")
			}
		}
		d.write("freeze")
		d.see("Freeze or unfreeze the card")
		d.seeNot("▸card ", "│ card ", "│ merchant ", "│ txn ")
	})
}
