package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/ui"
)

// challenge raises a code for a card.
func (d *driver) challenge(card, merchant, otp string, amount float64) map[string]any {
	d.t.Helper()
	return d.control(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": card, "merchant": merchant, "amount": amount, "otp": otp})
}

func TestAnArmedCheckoutShowsAndCopiesTheNextCode(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Earlier", "111111", 5)
		d.wait(1500 * time.Millisecond)
		d.press("a")
		d.see("ARMED", "armed "+c.name)
		if n := d.board.Copies(); n != 0 {
			t.Fatalf("%d copies before the code is here", n)
		}
		d.challenge(c.id, "Acme Store", "482913", 25)
		d.wait(700 * time.Millisecond)
		d.see("Checkout", "Acme Store", "$25.00", "✓ copied", "esc close")
		d.seeNot("ARMED")
		d.onClipboard("482913")
		d.press("esc")
		d.seeNot("esc close")
		// Disarmed: the next one is not copied.
		d.challenge(c.id, "Acme Store", "593024", 25)
		d.wait(1500 * time.Millisecond)
		d.see("593 024")
		if n := d.board.Copies(); n != 1 {
			t.Errorf("%d copies", n)
		}
	})
}

func TestWithoutTheSettingAnArmedCheckoutOnlyShows(t *testing.T) {
	t.Parallel()
	story(t, options{byHand: true}, func(d *driver) {
		c := d.pick()
		d.press("a")
		d.challenge(c.id, "Acme Store", "482913", 25)
		d.wait(700 * time.Millisecond)
		d.see("Checkout", "o copies")
		if n := d.board.Copies(); n != 0 {
			t.Errorf("%d copies", n)
		}
		d.press("o")
		d.see("✓ copied")
	})
}

func TestACodeThatEndedTellsItsOutcomeAndNotItsDigits(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("a")
		made := d.challenge(c.id, "Acme Store", "482913", 25)
		d.wait(time.Second)
		d.see("482 913", "Checkout")
		d.control(http.MethodPost, "/sandbox/challenges/"+text(t, made["id"])+"/complete", nil)
		d.wait(4 * time.Second)
		d.seeNot("482 913", "Checkout")
		d.see("✓ used", "likely hold $25.00")
	})
}

func TestAReplacedCodeIsCopiedByASecondKeyOnly(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme Store", "111222", 25)
		d.wait(1500 * time.Millisecond)
		d.challenge(c.id, "Acme Store", "333444", 25)
		d.wait(1500 * time.Millisecond)
		d.press("2", "j")
		d.see("replaced")
		d.press("y")
		if n := d.board.Copies(); n != 0 {
			t.Fatal("copied by the first key")
		}
		d.press("y")
		d.onClipboard("111222")
		d.press("o")
		d.onClipboard("333444")
	})
}

func TestACodeIsCopiedOverADialog(t *testing.T) {
	t.Parallel()
	for _, open := range [][]string{{"?"}, {"B"}, {"+"}, {"+", "5", "0", "enter"}} {
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.challenge(c.id, "Acme Store", "482913", 25)
			d.wait(1500 * time.Millisecond)
			d.press(open...)
			d.press("o")
			d.onClipboard("482913")
		})
	}
}

// TestACodeIsCopiedOutOfEveryForm: where letters are typed the code has a key all
// the same, which the foot names.
func TestACodeIsCopiedOutOfEveryForm(t *testing.T) {
	t.Parallel()
	for name, open := range sampled(map[string][]string{
		"a filter": {"/", "f", "b"}, "an edit": {"e"}, "the commands": {"ctrl+p", "f", "r"}, "the BINs": {"n", "4"}, "a new card": {"n", "enter"},
		"a termination": {"ctrl+x"}, "an amount": {"+", "5"}, "a name of a tab": {"/", "f", "enter", "t"}, "a file of cards": {"N"}, "a webhook": {"w", "n"},
		"the help's filter": {"?", "/", "f"}, "the columns": {","}, "several": {"space", "+"}, "a choice": {"Y"}, "nothing": nil,
	}) {
		for _, size := range [][2]int{{160, 45}, {40, 12}} {
			story(t, options{w: size[0], h: size[1]}, func(d *driver) {
				c := d.pick()
				d.challenge(c.id, "Acme Store", "482913", 25)
				d.wait(1500 * time.Millisecond)
				d.press(open...)
				if name != "nothing" {
					d.see("ctrl+o copy code")
				}
				d.press("ctrl+o")
				d.onClipboard("482913")
				d.see("copied")
			})
		}
	}
}

func TestNoCodeIsCopiedFromALockedScreen(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme Store", "482913", 25)
		d.wait(1500 * time.Millisecond)
		d.press("L", "ctrl+o")
		d.see("locked: enter unlocks")
		if n := d.board.Copies(); n != 0 {
			t.Errorf("%d copies", n)
		}
	})
}

func TestTheRequestsAreShown(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.wait(time.Minute)
		d.press("B")
		d.see("API requests", "last hour", "of 10,000", "last minute", "of 1,000", "codes", "1.0s", "transactions", "3.0s", "deposits", "60s", "2,000 per hour")
		d.press("B")
		d.seeNot("2,000 per hour")
	})
}

func TestTheSummaryOfTheCardUnderTheCursorIsReadOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.wait(time.Second)
		before := d.calls.count("GET /v1/cards/")
		d.send("jjjjj")
		d.wait(time.Second)
		if n := d.calls.count("GET /v1/cards/") - before; n != 1 {
			t.Errorf("%d summaries for five rows passed and one rested on", n)
		}
		d.see(" total")
		d.press("k", "j")
		d.wait(time.Second)
		if n := d.calls.count("GET /v1/cards/") - before; n != 1 {
			t.Errorf("%d summaries after going away and back", n)
		}
	})
}

func TestCheckoutScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, sized, func(d *driver) {
		c := d.pick()
		d.press("a", "enter")
		d.wait(150 * time.Millisecond)
		d.drawn("armed")
		d.challenge(c.id, "Acme Store", "482913", 25)
		d.wait(1200 * time.Millisecond)
		d.drawn("checkout")
	})
}

// TestTheNewestCodeWinsAtTheCheckout: who asks again ends the code before, so the
// large panel and the clipboard have the newer one, and the older is marked
// wherever it stands.
func TestTheNewestCodeWinsAtTheCheckout(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("a")
		d.challenge(c.id, "Acme Store", "575757", 1)
		d.wait(1500 * time.Millisecond)
		d.onClipboard("575757")
		d.challenge(c.id, "Acme Store", "686868", 1)
		d.wait(2 * time.Second)
		d.onClipboard("686868")
		d.see("replaced: copying the new code of Acme Store", "4 pending · 1 replaced", "✓ copied")
		if row := d.line("575 757"); !strings.Contains(row, "replaced") {
			t.Errorf("the code before is not marked: %s", row)
		}
		// The card's own screen marks it twice: above and in the timeline.
		d.press("1", "enter")
		d.wait(time.Second)
		if row := d.line("code     575 757"); !strings.Contains(row, "replaced") {
			t.Errorf("not marked on the card: %s", row)
		}
		d.see("◌ replaced")
		// Of the two that have room above, a replaced one is the last.
		d.challenge(c.id, "Google Ads", "797979", 1)
		d.wait(1500 * time.Millisecond)
		d.challenge(c.id, "Acme Store", "808080", 1)
		d.wait(1500 * time.Millisecond)
		d.see("code     808 080", "code     797 979")
		// It stays replaced when the newer one has been used.
		d.press("esc")
		d.inside(func(s *state.Store) {
			if codes := s.Codes.All(); len(codes) < 4 || codes[0].Replaced || codes[1].Replaced || !codes[2].Replaced || codes[0].Replaces != codes[2].ID {
				t.Errorf("codes %+v", codes)
			}
		})
	})
}

func TestAReplacedCodeIsNotOfferedAgainWhenTheNewerOneIsUsed(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme Store", "575757", 1)
		d.wait(1500 * time.Millisecond)
		made := d.challenge(c.id, "Acme Store", "686868", 1)
		d.wait(1500 * time.Millisecond)
		d.control(http.MethodPost, "/sandbox/challenges/"+text(t, made["id"])+"/complete", nil)
		d.wait(3 * time.Second)
		d.seeNot("686 868")
		if row := d.line("575 757"); !strings.Contains(row, "replaced") {
			t.Errorf("the code before is not marked any more: %s", row)
		}
		d.press("o")
		if got := d.board.Text(); got == "575757" {
			t.Error("o copied a code that was replaced")
		}
	})
}

func TestOnlyAnArmedCheckoutCopiesTheNewerCodeByItself(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]struct {
		options options
		do      func(d *driver, card string)
		want    string
	}{
		"copied by hand": {options{}, func(d *driver, card string) {
			d.challenge(card, "Acme Store", "575757", 1)
			d.wait(1500 * time.Millisecond)
			d.press("o")
		}, "575757"},
		"large, and copied by hand": {options{byHand: true}, func(d *driver, card string) {
			d.press("a")
			d.challenge(card, "Acme Store", "575757", 1)
			d.wait(1500 * time.Millisecond)
			d.press("o")
		}, "575757"},
		"armed, and put away": {options{}, func(d *driver, card string) {
			d.press("a")
			d.challenge(card, "Acme Store", "575757", 1)
			d.wait(1500 * time.Millisecond)
			d.press("esc")
		}, "575757"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, prepare.options, func(d *driver) {
				c := d.pick()
				prepare.do(d, c.id)
				d.challenge(c.id, "Acme Store", "686868", 1)
				d.wait(2 * time.Second)
				if got := d.board.Text(); got != prepare.want {
					t.Errorf("on the clipboard: %q", got)
				}
				d.see("replaced: the clipboard still holds the old code of Acme Store", " replaced, clears in ")
				d.press("o")
				d.see("✓ code for Acme Store")
				d.onClipboard("686868")
			})
		})
	}
	// What the person copied since is theirs.
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("a")
		d.challenge(c.id, "Acme Store", "575757", 1)
		d.wait(1500 * time.Millisecond)
		d.press("y")
		d.wait(time.Second)
		number := d.board.Text()
		d.challenge(c.id, "Acme Store", "686868", 1)
		d.wait(2 * time.Second)
		if got := d.board.Text(); got != number || len(got) < 12 {
			t.Errorf("on the clipboard: %q", got)
		}
		d.see("replaced: Acme Store asked again, this is the new code", "o copies")
	})
}

// TestACartIsComparedWithTheCardBeforeItIsPaid and what is short is funded on one key,
// through the confirmation.
func TestACartIsComparedWithTheCardBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick() // It has 400.00, of which 30.00 are held.
		d.press("a")
		d.see("ARMED", "Armed: "+c.name, "cart    $", "enter skip", "a disarm")
		d.press("3", "7", "0")
		d.see("covered: balance $400.00, of which ~$30.00 held", "enter done")
		d.press("backspace", "5")
		d.see("$5.00 short of $375.00", "+ fund $5.00")
		d.press("enter")
		d.see("ARMED", "armed "+c.name, "$5.00 short of $375.00")
		d.seeNot("enter done")
		d.press("+")
		d.see("Fund "+c.name, "the cart of $375.00 needs this much more", "5.00", "enter review")
		d.press("esc", "a", "a", "3", "8", "0", "+")
		d.see("Fund "+c.name, "the cart of $380.00 needs this much more", "10.00")
		d.requests(0, "/fund")
		d.press("enter")
		d.wait(time.Second)
		d.see("Fund $10.00")
		d.press("+")
		d.wait(3 * time.Second)
		d.requests(1, "/fund")
		d.seeNot("short of")
		d.see("armed " + c.name)
	})
}

// TestACartIsComparedWithTheMonthlyLimit once it was read what the month came to.
func TestACartIsComparedWithTheMonthlyLimit(t *testing.T) {
	t.Parallel()
	limits := func(c *ui.Config) {
		c.Alerts = alert.Rules{Limit: []int{100}}
		c.Store.Reload(c.Reloadable)
	}
	story(t, options{change: limits}, func(d *driver) {
		d.pick()
		d.wait(4 * time.Minute)
		d.press("a", "1", "2", "0", "0")
		d.see("monthly limit: $1,100.00 left of $1,100.00")
	})
}

// TestTheCartGoesWhenTheCodeComes so that nothing hides the code, and is not asked for on
// a private screen.
func TestTheCartGoesWhenTheCodeComes(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("a", "5")
		d.see("cart    $")
		d.challenge(c.id, "Acme Store", "482913", 5)
		d.wait(700 * time.Millisecond)
		d.see("Checkout", "Acme Store", "esc close")
		d.seeNot("cart    $", "ARMED")
		d.press("esc", "f")
		d.wait(2 * time.Second)
		d.press("a")
		d.see("FROZEN: declines until unfrozen")
		d.press("a", "P", "a")
		d.see("ARMED")
		d.seeNot("cart    $")
	})
}

func TestCartScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, sized, func(d *driver) {
		d.pick()
		d.press("a", "2", "5", "0", "0", "0")
		d.wait(1150 * time.Millisecond)
		d.drawn("cart")
		d.press("enter")
		d.wait(time.Second)
		d.drawn("cart-armed")
	})
}
