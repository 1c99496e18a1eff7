//go:build long

package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
)

func TestIssueACard(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("n")
		d.see("Choose a BIN", "424242", "mastercard", "$50,000", "facebook_ads", "apple pay, google pay")
		d.write("mast euro")
		d.see("no BIN matches")
		for range 5 {
			d.press("backspace")
		}
		d.seeNot("424242")
		d.press("down", "down", "enter")
		d.see("Issue a card", "510510", "limit $", "10,000", "wallet    $12,480.22 → $12,480.22")
		d.write("50")
		d.see("$12,480.22 → $12,430.22")
		d.press("tab")
		d.write("fb/new/01")
		d.press("tab")
		d.write("300")
		d.press("tab")
		d.write("7311, digital_goods")
		d.press("tab")
		d.write("10")
		d.press("tab")
		d.write("team=fb")
		d.press("tab")
		d.write("buyer=ann")
		d.see("metadata 2/20")
		d.press("enter")
		d.see("▸Cancel", "Issue with $50.00", "510510 mastercard everyday DE", "fb/new/01", "$300.00 per month", "7311, digital_goods",
			"below $10.00", "buyer=ann team=fb", "$12,480.22 → $12,430.22")
		d.requests(0, "POST /v1/cards")
		d.confirmed()
		d.see("fb/new/01 ••", "is issued with $50.00", "wallet $12,430.22")
		d.seeNot("Issue a card", "hides it")
		if row := d.cursor(); !strings.Contains(row, "fb/new/01") {
			t.Errorf("the cursor is on %q", row)
		}
		d.requests(1, "POST /v1/cards")
		made := objects(t, d.api(http.MethodGet, "/cards?label=fb/new/01", nil)["data"])
		if len(made) != 1 {
			t.Fatalf("%d cards", len(made))
		}
		sum := d.api(http.MethodGet, "/cards/"+text(t, made[0]["id"]), nil)
		if got := fmt.Sprintf("%v %v %v %v", sum["balance"], sum["spending_limit"], sum["bin_id"], sum["metadata"]); got != "50 300 510510 map[buyer:ann team:fb]" {
			t.Errorf("the server has %s", got)
		}
	})
}

func TestACardThatAFilterHidesIsNotWhereTheCursorGoes(t *testing.T) {
	t.Parallel()
	story(t, options{w: 80, h: 24}, func(d *driver) {
		c := d.pick()
		d.newForm("50")
		d.press("enter")
		d.confirmed()
		d.reads("is issued with $50.00; the filter hides it: esc in the list shows all")
		if row := d.cursor(); !strings.Contains(row, c.last4) {
			t.Errorf("the cursor is on %q", row)
		}
	})
}

// TestTheCursorStaysWithWhoHasMovedIt goes on while a card is issued.
func TestTheCursorStaysWithWhoHasMovedIt(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.trouble(issueRoute, "latency", 1, 3000)
		d.newForm("50")
		d.press("enter")
		d.confirmed()
		d.see("sending…")
		d.press("esc", "j", "j")
		row := d.cursor()
		d.wait(4 * time.Second)
		d.see("is issued with $50.00")
		if got := d.cursor(); got[:60] != row[:60] {
			t.Errorf("the cursor went from %q to %q", row, got)
		}
	})
}

// TestWhatAMoneyKeyDidIsReadWhole funds a card while a code is on the
// clipboard, and presses on.
func TestWhatAMoneyKeyDidIsReadWhole(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			d.press("o")
			d.see("✓ code ", " copied, clears in ")
			d.press("+", "5", "0", "enter")
			d.confirmed()
			result := "funded " + c.name + " with $50.00, card " + money(c.balance+50) + ", wallet $12,430.22"
			d.reads(result)
			d.press("k")
			d.reads(result)
			d.wait(6 * time.Second)
			d.seeNot("funded ")
			d.see("✓ code ", " copied, clears in ")
			d.fits(size[0], size[1])
		})
	}
}

func TestTheReviewStartsOnCancelAndGivesBackWhatWasTyped(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.newForm("50")
		d.press("tab")
		d.write("fb/kept")
		for _, back := range []string{"enter", "esc"} {
			d.wait(time.Second)
			d.press("enter")
			d.see("▸Cancel")
			d.wait(time.Second)
			d.press(back)
			d.seeNot("▸Cancel")
			d.see("Issue a card", "fb/kept")
		}
		d.press("n") // It is typed into the label.
		d.see("fb/keptn")
		d.requests(0, "POST ")
	})
}

func TestWhatCannotBeIssuedIsSaidAtItsField(t *testing.T) {
	t.Parallel()
	cases := []struct {
		field int // tabs from the amount
		typed string
		want  string
	}{
		{0, "", "at least $1.00"},
		{0, "12.345", "more than two decimals"},
		{0, "1,250", "comma: the decimals follow a dot"},
		{0, "€50", "no currency sign"},
		{0, "-5", "minus: the amount has no sign"},
		{0, "1e3", "no exponent"},
		{0, "1 0", "digits are not grouped"},
		{0, "0.99", "at least $1.00"},
		{0, "5000.01", "at most $5,000.00 at a time"},
		{1, strings.Repeat("x", 65), "the label has 65 characters, at most 64 are allowed"},
		{2, "50000.01", "the limit is above the BIN's $50,000.00 a month"},
		{2, "1,500", "comma"},
		{3, "731", "731: an MCC has four digits"},
		{3, "a;b", "not a category: a;b"},
		{4, "-1", "minus"},
		{5, "no equals", "use key=value"},
	}
	story(t, options{}, func(d *driver) {
		for _, tt := range cases {
			d.newForm("")
			for range tt.field {
				d.press("tab")
			}
			d.write(tt.typed)
			d.press("enter")
			d.see("Issue a card", tt.want)
			if tt.field > 0 {
				d.press("shift+tab") // It stays in sight without the focus.
				d.see(tt.want)
			}
			d.seeNot("▸Cancel")
			d.wait(time.Second)
			d.press("esc")
			d.seeNot("Issue a card")
		}
		d.requests(0, "POST ")
	})
}

func TestPastesIntoAForm(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.newForm("50")
		d.press("tab")
		d.paste("fb/\x07bell\x00\n")
		d.see("fb/bell", "removed control characters")
		d.press("tab", "tab", "tab", "tab")
		var lines []string
		for i := range 21 {
			lines = append(lines, fmt.Sprintf("key%d=v", i))
		}
		d.paste(strings.Join(lines, "\n"))
		d.see("key20=v", "21 keys, at most 20", "metadata 21/20")
		d.press("enter")
		d.seeNot("▸Cancel")
		d.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
		d.see("metadata 20/20")
		d.press("enter")
		d.see("▸Cancel", "key19=v")
	})
}

func TestABINThatVanishedIsSaidAtTheBIN(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.calls.offer("999999")
		d.press("b", "r")
		d.wait(time.Second)
		d.press("esc", "n")
		d.write("999999")
		d.press("enter")
		d.write("50")
		d.press("tab")
		d.write("fb/kept")
		d.press("enter")
		d.calls.offer("")
		d.confirmed()
		d.see("Issue a card", "bin_id is not a known BIN", "fb/kept", "999999", "50")
		d.requests(1, "POST /v1/cards")
		// The list is read again, and the form goes on with another.
		d.press("enter")
		d.see("Choose a BIN")
		d.wait(time.Second)
		d.seeNot("999999  visa")
		d.press("enter")
		d.see("fb/kept", "424242")
		d.wait(time.Second)
		d.press("enter")
		d.confirmed()
		d.see("fb/kept ••", "is issued with $50.00")
	})
}

func TestBINsThatCannotBeReadAreAskedForAgain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	line := &gate{way: func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/bins") && asked.Add(1) <= 2 { // What is read ahead fails too.
			return nil, errors.New("no route")
		}
		return server.RoundTrip(r)
	}}
	through := func(server http.RoundTripper) http.RoundTripper { line.server = server; return line }
	story(t, options{through: through}, func(d *driver) {
		d.wait(time.Second)
		d.press("n")
		d.wait(time.Second)
		d.see("Choose a BIN", "failed, r: retry")
		d.press("r")
		d.wait(time.Second)
		d.see("424242")
		d.press("esc")
		d.seeNot("Choose a BIN", "Issue a card")
	})
}

func TestAWalletThatWasEmptiedIsSaidAtTheAmount(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.newForm("50")
		d.press("tab")
		d.write("fb/kept")
		d.press("enter")
		d.wait(time.Second)
		d.drain("")
		before := d.calls.count("POST /v1/cards")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see("Issue a card", "fb/kept", "the wallet is too low")
		if n := d.calls.count("POST /v1/cards") - before; n != 1 {
			t.Errorf("%d requests", n)
		}
		// The wallet was read again: it is not even sent.
		d.wait(time.Second)
		d.press("enter")
		d.see("the wallet is $")
		d.seeNot("▸Cancel")
		if n := d.calls.count("POST /v1/cards") - before; n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestAFundThatIsRefusedKeepsItsAmount(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("+", "5", "0", "enter")
		d.wait(time.Second)
		d.drain(c.id)
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see("Fund "+c.name, "the wallet is", "50")
		d.seeNot("▸Cancel")
		d.requests(1, "/fund")
	})
}

func TestACardTerminatedElsewhereIsSaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ open, review []string }{
		{[]string{"+", "5", "0"}, []string{"enter", "wait", "tab", "wait", "enter"}},
		{[]string{"-", "5"}, []string{"enter", "wait", "tab", "wait", "enter"}},
		{[]string{"e", "x"}, []string{"enter", "wait", "tab", "wait", "enter"}},
	} {
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.press(tt.open...)
			typed := d.screen()
			d.press(tt.review[0])
			d.wait(time.Second)
			d.api(http.MethodDelete, "/cards/"+c.id, nil)
			for _, key := range tt.review[1:] {
				if key == "wait" {
					d.wait(time.Second)
					continue
				}
				d.press(key)
			}
			d.wait(time.Second)
			d.see("terminated")
			d.seeNot("sending", "▸Send", "▸Cancel")
			if !strings.Contains(typed, c.name) || !strings.Contains(d.screen(), c.name) {
				t.Error("the form is gone")
			}
			d.requests(1, "POST ", "PATCH ")
			// The card was read again: the next try is not sent.
			d.wait(time.Second)
			d.press("enter")
			d.wait(time.Second)
			d.requests(1, "POST ", "PATCH ")
		})
	}
}

// TestACardThatEndsUnderAnOpenDialogIsSaid has another client terminate the
// card whose dialog is open: it says so, keeps what was typed and offers
// nothing that cannot be done.
func TestACardThatEndsUnderAnOpenDialogIsSaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		open  []string
		typed string
		gone  string
	}{
		{[]string{"+"}, "50", "▸Cancel"},
		{[]string{"-"}, "5", "▸Cancel"},
		{[]string{"e"}, "-x", "▸Cancel"},
		{[]string{"+", "5", "enter"}, "", "Fund $5.00"},
		{[]string{"ctrl+x"}, "last4", "Terminate  "},
	} {
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.press(tt.open...)
			d.wait(time.Second)
			if tt.typed == "last4" {
				tt.typed = c.last4
			}
			d.write(tt.typed)
			d.api(http.MethodDelete, "/cards/"+c.id, nil)
			d.wait(12 * time.Second)
			d.see("is terminated")
			d.press("enter")
			if len(tt.open) > 1 || tt.open[0] == "ctrl+x" {
				d.see("nothing was sent")
			} else {
				d.see("is terminated", tt.typed)
			}
			d.seeNot(tt.gone)
			d.requests(0, "POST ", "PATCH ", "DELETE ")
		})
	}
}

func TestADialogWaitsForItsAnswer(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "POST /cards/{card_id}/fund", "kind": "latency", "latency_ms": 4000, "times": 2})
		d.press("+", "5", "0", "enter")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.see("sending…", "esc leaves it running", "funding $50.00…")
		for range 3 {
			d.wait(100 * time.Millisecond)
			d.press("enter", "+", "9")
		}
		d.requests(1, "/fund")
		d.wait(2 * time.Second)
		d.see("funded " + c.name + " with $50.00")
		d.seeNot("sending…")
		d.press("+", "5", "0", "enter")
		d.wait(time.Second)
		d.press("tab", "enter", "esc")
		d.seeNot("sending…", "Fund "+c.name)
		d.see("funding $50.00…")
		d.wait(5 * time.Second)
		d.see("funded " + c.name + " with $50.00")
		d.requests(2, "/fund")
	})
}

// TestALimitThatOthersChangedStays: it is read again before it is changed, however long the review was open, and by undo.
func TestALimitThatOthersChangedStays(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		limit := func(is int) { d.api(http.MethodPatch, "/cards/"+c.id, map[string]any{"spending_limit": is}) }
		has := func(want string) {
			t.Helper()
			if got := fmt.Sprint(d.api(http.MethodGet, "/cards/"+c.id, nil)["spending_limit"]); got != want {
				t.Errorf("the server has %s, want %s", got, want)
			}
		}
		review := func(typed string) {
			d.press("e")
			d.wait(time.Second)
			d.press("tab")
			for range 8 {
				d.press("backspace")
			}
			d.write(typed)
			d.press("enter")
			d.wait(2 * time.Second)
		}
		limit(1000)
		review("1025")
		limit(4000)
		d.wait(30 * time.Second)
		d.see("→ $1,025.00 per month")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see("the monthly limit was changed meanwhile")
		has("4000")
		d.press("esc", "esc")
		review("5000")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		has("5000")
		limit(6000)
		d.press("u")
		d.wait(2 * time.Second)
		d.see("the monthly limit was changed meanwhile")
		has("6000")
	})
}

func TestEditSendsWhatChanged(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.api(http.MethodPatch, "/cards/"+c.id, map[string]any{"metadata": map[string]any{"team": "fb", "buyer": "ann"}})
		d.press("e")
		d.wait(time.Second)
		d.see("Edit "+c.name, "▸label          "+c.label, "unchanged: not reported by the API", "metadata 2/20", "buyer=ann", "team=fb")
		d.press("enter")
		d.see("no changes yet")
		d.write("-x")
		d.press("tab", "tab", "tab")
		d.write("15")
		d.press("tab", "backspace", "backspace", "backspace")
		d.write("bob")
		d.press("tab", "tab")
		d.write("site=1")
		d.see("metadata 3/20")
		d.press("enter")
		d.see("▸Cancel", c.label+" → "+c.label+"-x", "not reported → below $15.00", "buyer=ann → bob", "new → site=1")
		d.seeNot("team=fb →")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see(c.label+"-x ••"+c.last4+" is updated", "●  "+c.label+"-x")
		d.seeNot("▸Cancel", "Edit ")
		d.requests(1, "PATCH ")
		sum := d.api(http.MethodGet, "/cards/"+c.id, nil)
		if got := fmt.Sprintf("%v %v", sum["label"], sum["metadata"]); got != c.label+"-x"+" map[buyer:bob site:1 team:fb]" {
			t.Errorf("the server has %s", got)
		}
		// Now the session knows what the API does not tell.
		d.press("e")
		d.wait(time.Second)
		d.see("auto-freeze $  15.00")
		d.press("tab", "tab", "tab")
		for range 5 {
			d.press("backspace")
		}
		d.write("0")
		d.press("enter")
		d.see("below $15.00 → never")
	})
}

func TestTerminateIsTypedAndPermanent(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("ctrl+x")
		d.see("Terminate "+c.name, "refund    "+money(c.balance), "$12,480.22 → "+money(12480.22+c.balance), "permanent", "▸Cancel")
		d.paste(c.last4)
		d.see("paste is off here")
		d.wait(time.Second)
		d.send(c.last4) // Pasted by a terminal that does not mark it.
		d.wait(time.Second)
		d.see("paste is off here")
		d.seeNot("last four digits  " + c.last4[:1])
		d.press("x")
		d.see("digits only")
		d.seeNot("last four digits  x")
		d.wait(time.Second)
		d.press("enter")
		d.see("type the last four digits first")
		d.wait(time.Second)
		d.write("0000")
		d.press("enter")
		d.see("type the last four digits first", "▸type the last four digits  0000")
		for range 4 {
			d.press("backspace")
		}
		d.write(c.last4)
		d.wait(time.Second)
		d.press("enter")
		d.see("▸Terminate", "enter terminate")
		d.press("tab")
		d.wait(time.Second)
		d.press("enter") // That is Cancel.
		d.seeNot("permanent")
		d.see("nothing was sent")
		d.hasStatus(c.id, "active")
		d.press("ctrl+x")
		d.wait(time.Second)
		d.write(c.last4)
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see(c.name+" is terminated", money(c.balance)+" went back to the wallet")
		d.hasStatus(c.id, "terminated")
		d.press("u")
		d.see("cannot undo: a termination is permanent")
	})
}

func TestPresetsUpToAndAll(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("+", "s")
		d.see("amount  $  50.00", "a $25", "f $250", money(c.balance)+" → "+money(c.balance+50))
		d.press("1") // What is typed takes the place of a preset.
		d.see("amount  $  1 ")
		d.press("backspace", "=")
		d.write("600")
		d.see("up to   $  600", "moves "+money(600-c.balance), money(c.balance)+" → $600.00")
		d.press("enter")
		d.see("Fund " + money(600-c.balance))
		d.confirmed()
		d.see("card $600.00")
		d.press("+", "=")
		d.write("300")
		d.press("enter")
		d.see("the card already holds $600.00")
		d.press("esc", "-", "m")
		d.see("amount  $  600.00", "$600.00 → $0.00")
		d.press("=")
		d.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
		d.write("100")
		d.see("down to $  100", "moves $500.00")
		d.press("enter")
		d.confirmed()
		d.see("withdrew $500.00 from " + c.name)
		if got := d.balance(c.id); got != "$100.00" {
			t.Errorf("the server says %s", got)
		}
		d.press("+")
		d.write("4999")
		d.press("enter")
		d.confirmed()
		d.press("+")
		d.write("5000")
		d.press("enter")
		d.confirmed()
		d.press("+")
		d.write("5000")
		d.see("the wallet is $")
		d.see("short")
	})
}

func TestACodeOverTheBalanceIsFundedByOneKey(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick() // $30.00 of its balance are held.
		d.challenge(c.id, "Acme Store", "482913", cents(c.balance+67.60))
		d.wait(1500 * time.Millisecond)
		d.press("2", "+")
		d.see("Fund "+c.name, "amount  $  97.60", "the code for Acme Store "+money(c.balance+67.60)+" needs this much more")
		d.press("enter")
		d.confirmed()
		d.see("funded " + c.name + " with $97.60")
		// From the card's own row as well, and at least what can be funded.
		d.challenge(c.id, "Acme Small", "482914", cents(c.balance+67.60+0.30))
		d.wait(1500 * time.Millisecond)
		d.press("1", "+")
		d.see("amount  $  1.00", "the code for Acme Small")
		d.press("5") // Another amount takes its place.
		d.see("amount  $  5 ")
	})
}

func TestEvidenceOfAFundThatHappened(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		route := "POST /cards/{card_id}/fund"
		d.fault(route, "cut_body", 1)
		d.fault(route, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.see("  unconfirmed ", "? 1 unconfirmed")
		d.seeNot("sending…", "Fund "+c.name)
		d.press("x")
		d.see("Did it happen?", "the response decides", "▸check again")
		d.seeNot("it did not ")
		d.press("esc")
		d.giveUp()
		d.see("UNCONFIRMED, x")
		d.press("x")
		d.wait(time.Second)
		d.see("Did it happen?", "fund of "+c.name+", $50.00", "POST /cards/"+c.id+"/fund", `{"amount":50}`, "key-1…", "tries",
			money(c.balance)+" → "+money(c.balance+50)+" if it happened", "now "+money(c.balance+50), "$12,480.22 → $12,430.22 if it happened",
			"now $12,430.22", "no transaction on the card", "it probably happened")
		writes := d.calls.count("/fund")
		d.press("tab")
		d.wait(time.Second)
		d.press("enter")
		d.seeNot("Did it happen?", "UNCONFIRMED")
		d.see("noted: the fund of " + c.name + " was done")
		if n := d.calls.count("/fund") - writes; n != 0 {
			t.Errorf("%d requests by judging", n)
		}
		if got := d.balance(c.id); got != money(c.balance+50) {
			t.Errorf("the server says %s", got)
		}
	})
}

func TestEvidenceOfAFundThatDidNotHappen(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.fault("POST /cards/{card_id}/fund", "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.giveUp()
		d.press("x")
		d.wait(time.Second)
		d.see("now "+money(c.balance), "it probably did not happen")
		before := d.calls.count("GET /v1/cards/" + c.id)
		d.press("enter") // Look again.
		d.wait(time.Second)
		if n := d.calls.count("GET /v1/cards/"+c.id) - before; n != 1 {
			t.Errorf("%d reads", n)
		}
		d.press("tab", "tab")
		d.wait(time.Second)
		d.press("enter")
		d.see("noted: the fund of " + c.name + " was not done")
		d.control(http.MethodDelete, "/sandbox/faults", nil)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.see("funded " + c.name + " with $50.00")
	})
}

func TestEvidenceOfAnIssue(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.fault("POST /cards", "cut_body", 1)
		d.fault("POST /cards", "server_error", 100)
		d.newForm("50")
		d.press("tab")
		d.write("fb/lost")
		d.press("enter")
		d.confirmed()
		d.see("? 1 unconfirmed", "asking again with the same key")
		d.seeNot("Issue a card")
		d.giveUp()
		d.press("x")
		d.wait(time.Second)
		d.see("Did it happen?", "issue of a card fb/lost, $50.00", "since then", "fb/lost ••", "it happened")
		d.press("tab")
		d.wait(time.Second)
		d.press("enter")
		d.seeNot("unconfirmed")
		if made := objects(t, d.api(http.MethodGet, "/cards?label=fb/lost", nil)["data"]); len(made) != 1 {
			t.Errorf("%d cards", len(made))
		}
	})
}

func TestUndoAsksWhereTheWriteIsNotTheLastThingDone(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		for _, since := range []func(){
			func() { d.wait(11 * time.Second) },
			func() { d.press("+", "esc") },
		} {
			d.press("f")
			d.wait(time.Second)
			if got := d.status(c.id); got != "frozen" {
				t.Fatal(got)
			}
			since()
			d.press("u")
			d.wait(time.Second)
			d.hasStatus(c.id, "frozen")
			d.see("Undo: "+c.name, "Unfreeze again", "▸Cancel")
			d.press("u")
			d.wait(time.Second)
			d.hasStatus(c.id, "active")
		}
	})
}

func TestUndo(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("u")
		d.see("cannot undo: nothing to undo in this session")
		d.press("f")
		d.wait(time.Second)
		d.press("u")
		d.see(c.name + " is active again")
		d.wait(time.Second)
		d.press("u")
		d.see(c.name + " is frozen")
		d.wait(time.Second)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.press("u")
		d.see("Undo: "+c.name, "▸Cancel", "Withdraw $50.00", money(c.balance+50)+" → "+money(c.balance))
		d.wait(time.Second)
		d.press("u")
		d.wait(time.Second)
		d.see("withdrew $50.00 from " + c.name)
		d.press("e")
		d.write("-x")
		d.press("enter")
		d.confirmed()
		d.wait(time.Second)
		d.see("●", c.label+"-x")
		d.press("u")
		d.wait(time.Second)
		d.see(c.name + " is updated")
		if got := text(t, d.api(http.MethodGet, "/cards/"+c.id, nil)["label"]); got != c.label {
			t.Errorf("the label is %q", got)
		}
	})
}

// TestADryRunSendsNothing presses every key that writes.
func TestADryRunSendsNothing(t *testing.T) {
	t.Parallel()
	for _, flag := range []bool{true, false} {
		story(t, options{dryRun: flag}, func(d *driver) {
			c := d.pick()
			if !flag {
				d.press("D")
				d.see("dry run: writes are shown, nothing is sent")
			}
			d.see("SANDBOX   DRY RUN")
			shown := func(method, path string, more ...string) {
				d.wait(time.Second)
				d.see(append([]string{"Dry run: ", "DRY RUN: nothing is sent", method + " " + path, "Bearer $CARDTOP_API_KEY"}, more...)...)
				d.press("esc")
				d.seeNot("nothing is sent")
				d.press("esc", "esc")
			}
			d.press("f")
			shown("POST", "/cards/"+c.id+"/freeze", "(no body)")
			for key, path := range map[string]string{"+": "/fund", "-": "/withdraw"} {
				d.press(key, "5", "enter")
				d.confirmed()
				shown("POST", "/cards/"+c.id+path, `"amount": 5`)
			}
			d.newForm("50")
			d.press("enter")
			d.confirmed()
			shown("POST", "/cards", `"bin_id": "424242"`, `"amount": 50`)
			d.press("e", "x", "enter")
			d.confirmed()
			shown("PATCH", "/cards/"+c.id, `"label": "`+c.label+`x"`)
			d.press("/", "enter", "esc")
			d.pick()
			d.press("ctrl+x")
			d.wait(time.Second)
			d.write(c.last4)
			d.press("tab", "enter")
			d.see("Dry run: termination")
			d.press("y")
			if got := d.board.Text(); !strings.Contains(got, ` | curl -K - -X DELETE "$CARDTOP_BASE_URL/cards/`+c.id+`"`) || strings.Contains(got, testKey) {
				t.Errorf("copied %q", got)
			}
			shown("DELETE", "/cards/"+c.id)
			d.press("u")
			d.see("cannot undo")
			d.requests(0, "POST ", "PATCH ", "DELETE ")
			d.press("D")
			d.see("the dry run is over")
			d.seeNot("DRY RUN")
			d.press("f")
			d.see(c.name + " is frozen")
		})
	}
}

func TestFormScreens(t *testing.T) {
	t.Parallel()
	forms := []struct {
		name string
		open func(d *driver)
	}{
		{"bins", func(d *driver) { d.press("n") }},
		{"issue", func(d *driver) {
			d.newForm("50")
			d.press("tab")
			d.write("fb/new/01")
			d.press("tab", "tab")
			d.write("7311, 573")
			d.press("tab", "tab")
			d.write("team=fb")
			d.press("tab")
		}},
		{"review", func(d *driver) {
			d.newForm("50")
			d.press("tab")
			d.write("fb/new/01")
			d.press("tab", "tab")
			d.write("7311, 5734")
			d.press("tab", "tab")
			d.write("team=fb")
			d.press("enter")
		}},
		{"edit", func(d *driver) { d.press("j", "e") }},
		{"change", func(d *driver) {
			d.press("j", "e", "x", "tab", "backspace", "5", "tab", "tab")
			d.write("15")
			d.press("enter")
		}},
		{"terminate", func(d *driver) { d.press("j", "ctrl+x"); d.wait(time.Second); d.press("1") }},
		{"up-to", func(d *driver) { d.press("+", "="); d.write("400") }},
		{"withdraw", func(d *driver) { d.press("-", "m") }},
		{"dry-run", func(d *driver) { d.press("D", "e", "x", "enter"); d.wait(time.Second); d.press("tab", "enter") }},
		{"lack", func(d *driver) {
			c := d.pick()
			d.challenge(c.id, "Acme Store", "482913", cents(c.balance+67.60))
			d.wait(1500 * time.Millisecond)
			d.press("+")
		}},
		{"again", func(d *driver) {
			d.press("+")
			d.write("600")
			d.press("enter")
			d.wait(time.Second)
			d.press("+")
		}},
		{"evidence", func(d *driver) {
			d.pick()
			d.fault("POST /cards/{card_id}/fund", "server_error", 100)
			d.press("+", "5", "0", "enter")
			d.confirmed()
			d.giveUp()
			d.press("x")
			d.wait(time.Second)
		}},
	}
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			of := func(w, h int) options {
				return options{w: w, h: h, guard: guard.Guard{Live: true, TypeTwice: 500 * api.Dollar}}
			}
			atEachSize(t, of, func(d *driver) {
				f.open(d)
				d.wait(1150 * time.Millisecond)
				d.drawn(f.name)
			})
		})
	}
}

func TestALargeAmountIsTypedTwice(t *testing.T) {
	t.Parallel()
	g := guard.Guard{Live: true, TypeTwice: 50 * api.Dollar, ConfirmLabels: []string{"fb/video*"}}
	story(t, options{guard: g}, func(d *driver) {
		c := d.pick()
		d.press("+")
		d.write("60")
		d.press("enter")
		d.wait(time.Second)
		d.press("+")
		d.see("amounts from $50.00 on are typed", "fb/video*", "amount again", "▸Cancel", money(c.balance)+" → "+money(c.balance+60))
		d.wait(time.Second)
		d.paste("60")
		d.see("paste is off here")
		d.press("tab")
		d.wait(time.Second)
		d.press("enter")
		d.see("type the amount again first")
		d.requests(0, "/fund")
		d.wait(time.Second)
		d.write("60.00")
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see("funded " + c.name + " with $60.00")
		d.seeNot("amount again", "Fund "+c.name)
		// A label asks again, also for what is no amount.
		d.press("ctrl+x")
		d.wait(time.Second)
		d.write(c.last4)
		d.press("tab", "enter")
		d.see("which the guardrails", "confirm twice", "▸Cancel")
		d.seeNot("amount again")
		d.wait(time.Second)
		d.press("esc")
		d.see("nothing was sent")
		d.hasStatus(c.id, "active")
		d.press("ctrl+x")
		d.wait(time.Second)
		d.write(c.last4)
		d.press("tab", "enter")
		d.confirmed()
		d.see(c.name + " is terminated")
	})
}

func TestACardThatBeginsBelowItsThresholdIsToldSo(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("n", "enter", "2", "5")
		for range 4 {
			d.press("tab")
		}
		d.press("3", "0")
		d.see("starts below its auto-freeze of $30.00")
		d.press("enter")
		d.see("Issue with $25.00", "starts below its auto-freeze of $30.00")
		d.press("esc", "backspace", "backspace", "2", "5")
		d.seeNot("starts below")
	})
}
