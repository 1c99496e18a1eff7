package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAGroupIsActedOnByItsHead presses on it what acts on cards, and what acts
// on one alone.
func TestAGroupIsActedOnByItsHead(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("z", "3", "g")
		for _, x := range []struct{ key, plan string }{
			{"f", "Freeze 15 cards"}, {"F", "Unfreeze 15 cards"}, {"+", "Fund 15 cards"}, {"=", "Fund 15 cards"}, {"-", "Withdraw 15 cards"}, {"e", "Edit 15 cards"},
		} {
			d.press(x.key)
			d.see(x.plan)
			d.press("esc")
			d.seeNot(x.plan)
		}
		d.press("f")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.press("esc")
		if left := objects(t, d.api(http.MethodGet, "/cards?per_page=100&status=active&label=fb/", nil)["data"]); len(left) != 0 {
			t.Errorf("%d cards of the group are active", len(left))
		}
		for _, key := range []string{"r", "ctrl+x", "v"} {
			d.press(key)
			d.see("Group fb: space selects 15 cards, enter folds")
		}
	})
}

// TestTheHeadOfAGroupShowsWhatIsSelected holds whether it is folded or not.
func TestTheHeadOfAGroupShowsWhatIsSelected(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("z", "3", "g", "enter", "space")
		d.see("selected 15 cards in group fb", "15 selected")
		if row := d.line(" fb  15"); !strings.HasPrefix(row, "│◆+") {
			t.Errorf("the folded head has no mark: %s", row)
		}
		d.press("g", "enter", "j", "space")
		d.see("14 selected")
		if row := d.line(" fb  15"); !strings.HasPrefix(row, "│ -") || !strings.Contains(row, "fb  15 · 14 selected") {
			t.Errorf("the head: %s", row)
		}
		d.press("g", "space", "g", "space")
		d.see("deselected 15 cards in group fb")
		d.seeNot("15 selected")
	})
}

// TestCardsAreFilledUpToABalance asks for it by one key, of one card and of
// several.
func TestCardsAreFilledUpToABalance(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("space", "space", "space", "=")
		d.see("Fund 3 cards", "▸Top up to")
		d.write("450")
		d.press("enter")
		d.see("Fund 3 cards up to $450.00")
		d.press("esc", "=")
		d.see("▸Add each")
		d.press("=", "esc", "esc")
		c := d.pick()
		d.press("=")
		d.see("up to   $", "= amount")
		d.write("600")
		d.press("enter")
		d.wait(time.Second)
		d.press("=")
		d.wait(time.Second)
		if got := d.balance(c.id); got != "$600.00" {
			t.Errorf("it holds %s", got)
		}
	})
}

// TestOneLabelForManyCardsIsWarnedOf issues and renames without a number.
func TestOneLabelForManyCardsIsWarnedOf(t *testing.T) {
	t.Parallel()
	const warning = "10 cards get the same label: add {n} to number them"
	story(t, options{}, func(d *driver) {
		d.wait(time.Second)
		d.press("N", "enter", "enter", "5", "tab", "1", "0", "tab")
		d.write("fb/x/")
		d.see(warning)
		d.press("enter")
		d.see("Issue 10 cards", warning)
		d.press("esc")
		d.write("{n}")
		d.seeNot(warning)
		d.press("enter")
		d.see("Issue 10 cards")
		d.seeNot(warning)
		d.press("esc", "esc")
		d.choose(10)
		d.press("e", "tab")
		d.write("fb/y")
		d.press("enter")
		d.see("fb/y", warning)
	})
}
