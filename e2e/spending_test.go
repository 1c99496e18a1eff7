package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// spender is an account whose campaigns have been spending for a month.
func spender(w, h int) options {
	lines := func(c *settings.Config) { c.Alerts.Rate, c.Alerts.RateFrom = []int{15, 25}, 20 }
	return options{w: w, h: h, cards: 60, txns: 1500, history: sandbox.DefaultHistory, store: lines}
}

// TestTheHeaderDropsTheRangeFirst of how long the wallet lasts: the figure stays where it
// has room.
func TestTheHeaderDropsTheRangeFirst(t *testing.T) {
	t.Parallel()
	o := spender(160, 45)
	o.store = func(c *settings.Config) { c.SpendHourly = 1000 }
	story(t, o, func(d *driver) {
		d.wait(time.Minute) // The past is read.
		header := func() string { return strings.SplitN(d.screen(), "\n", 2)[0] }
		_, after, ok := strings.Cut(header(), "  lasts ")
		figure, spread, ranged := strings.Cut(after, " (")
		if !ok || !ranged {
			t.Fatalf("no range in %q", header())
		}
		spread, _, _ = strings.Cut(spread, ")")
		for w := 160; strings.Contains(header(), "  lasts "); w-- {
			d.resize(w, 45)
			d.wait(time.Second)
			if h := header(); strings.Contains(h, "  lasts ") && !strings.Contains(h, spread) {
				if !strings.Contains(h, "  lasts "+figure) {
					t.Errorf("at %d %q", w, h)
				}
				return
			}
		}
		t.Errorf("it goes with its range: %q", header())
	})
}

// TestOneFigureOf24Hours is on the header, on the spending screen and under the list of cards.
func TestOneFigureOf24Hours(t *testing.T) {
	t.Parallel()
	story(t, spender(160, 45), func(d *driver) {
		d.wait(2 * time.Minute) // Past the full hour.
		_, after, _ := strings.Cut(strings.SplitN(d.screen(), "\n", 2)[0], "spent 24h ")
		want, _, _ := strings.Cut(after, " ")
		d.press("$")
		got := strings.Fields(d.line("since "))
		if len(want) < 4 || len(got) < 3 || !strings.Contains(strings.Join(got, " "), "spent "+want+" ") {
			t.Errorf("the header has %q, the screen %q", want, got)
		}
	})
}

func TestSpendingScreens(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{
		{"spending", []string{"$"}},
		{"spending-week", []string{"3", "G", "G", "G", "G", "$", "right", "j"}},
		{"spending-merchants", []string{"$", "z", "z"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			atEachSize(t, spender, func(d *driver) {
				for _, key := range s.keys {
					d.press(key)
					d.wait(time.Second)
				}
				d.wait(150 * time.Millisecond)
				d.drawn(s.name)
			})
		})
	}
}

func TestSpendingLeadsToTheCards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := spender(160, 45)
	o.exports = dir
	story(t, o, func(d *driver) {
		d.press("$")
		d.see("1 Spending", " campaigns", "spent▼")
		d.seeNot("spent    ≥", "· since")
		row := strings.Fields(strings.TrimPrefix(d.cursor(), "│▸"))
		campaign, spent := row[0], strings.ReplaceAll(row[1], ",", "")
		d.press("enter")
		d.see("1 Cards  / campaign="+campaign, " of 60")
		d.press("esc", "$")
		d.wait(time.Second)
		if text := d.exported(dir, "campaigns"); !strings.HasPrefix(text, "campaign,spent,share,") || !strings.Contains(text, "\n"+campaign+","+spent+",") {
			t.Errorf("%s, which spent %s, is not exported:\n%s", campaign, spent, text)
		}
		d.press("z")
		d.see(" BINs")
		bin := strings.Fields(strings.TrimPrefix(d.cursor(), "│▸"))[0]
		d.press("enter")
		d.see("1 Cards  / bin="+bin, " of 60")
		d.press("esc", "$", "z")
		d.see(" merchants")
		d.press("enter")
		d.see("3 Transactions", "/ merchant=")
		d.press("esc", "$", "z")
		d.see(" cards ", "spent▼")
		card := strings.Fields(strings.TrimPrefix(d.cursor(), "│▸"))[0]
		d.press("enter")
		d.see("1 Card  " + card)
	})
}

func TestAWideScreenHasTheSpendingBesideTheCards(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{200, 50}, {240, 60}, {400, 100}} {
		story(t, spender(size[0], size[1]), func(d *driver) {
			d.wait(2 * time.Second)
			d.press("5")
			d.fits(size[0], size[1])
			d.golden(fmt.Sprintf("summary-%dx%d", size[0], size[1]))
		})
	}
}

// summaryAt is the column of the summary on a screen of 200.
const summaryAt = 148

// TestTheSummaryLeadsToTheSpending of the campaign under its cursor, and esc back to
// it.
func TestTheSummaryLeadsToTheSpending(t *testing.T) {
	t.Parallel()
	story(t, spender(200, 50), func(d *driver) {
		d.wait(2 * time.Second)
		d.see("5 Spending", "1 Cards", "3 Transactions")
		d.press("shift+tab", "j", "j")
		campaign := ""
		for line := range strings.SplitSeq(d.screen(), "\n") {
			if cells := []rune(line); len(cells) > summaryAt && strings.HasPrefix(string(cells[summaryAt:]), "│▸") {
				campaign = strings.Fields(string(cells[summaryAt+2:]))[0]
			}
		}
		d.press("enter")
		d.see("1 Spending", " 30 d ")
		if on := strings.Fields(strings.TrimPrefix(d.cursor(), "│▸"))[0]; on != campaign {
			t.Errorf("the cursor is on %s, not on %s", on, campaign)
		}
		d.press("esc", "left", "left", "enter")
		d.see("7 d before")
		d.press("esc", "$")
		d.resize(80, 24)
		d.press("esc") // The summary that it was opened from is gone.
		d.see(" 1 Cards  2 Codes")
		d.seeNot("5 Spending")
		d.resize(160, 45)
		d.wait(time.Second)
		d.seeNot("5 Spending")
		d.press("j", "5")
		d.see("1 Spending")
	})
}

// TestThatRulesSuggestGoesBeforeHowLongTheMoneyLasts: the screen of the rules says it as well.
func TestThatRulesSuggestGoesBeforeHowLongTheMoneyLasts(t *testing.T) {
	t.Parallel()
	o := spender(200, 45)
	o.store = func(c *settings.Config) { c.SpendHourly = 1000 }
	o.rules = []rule.Rule{{Name: "stop", When: "label~nothing", Action: rule.Freeze, Cooldown: time.Hour}}
	story(t, o, func(d *driver) {
		d.wait(time.Minute) // The past is read.
		d.press("U", "s")
		d.wait(time.Second)
		header := func() string { return strings.SplitN(d.screen(), "\n", 2)[0] }
		if h := header(); !strings.Contains(h, "rules suggest 1") || !strings.Contains(h, "  lasts ") {
			t.Fatalf("%q", h)
		}
		for w := 200; strings.Contains(header(), "rules suggest"); w-- {
			d.resize(w, 45)
			d.wait(time.Second)
		}
		if h := header(); !strings.Contains(h, "  lasts ") {
			t.Errorf("it went first: %q", h)
		}
	})
}
