//go:build long

package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestATransactionLeadsToItsCardAndBack(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("3", "j", "j", "enter")
		d.see("1 Transaction  3 of ", "what", "merchant", "MCC", "card", "3DS", "steps", "txn_")
		// It stays on the one that was opened when others come in.
		d.press("]")
		d.wait(time.Second)
		d.see("1 Transaction  4 of ", "steps")
		d.press("[", "[")
		d.wait(time.Second)
		d.see("1 Transaction  2 of ")
		d.press("enter")
		d.see("1 Card  ", "number")
		d.press("esc")
		d.see("1 Transaction  2 of ")
		d.press("esc")
		d.see("1 Cards", "▸3 Transactions")
		d.press("1", "b")
		d.see("1 BINs")
		d.press("2", "1")
		d.see("▸1 BINs")
		d.press("1")
		d.see("▸1 Cards")
		d.seeNot("BINs")
	})
}

func TestTheFilterOfTheFeedIsWhatNextGoesThrough(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("3", "/")
		d.write("declined")
		d.press("enter")
		d.wait(time.Second)
		d.press("enter") // On the first row: the cursor's own does not match.
		for range 5 {
			d.see("1 Transaction", "✗ declined")
			d.press("]")
			d.wait(400 * time.Millisecond)
		}
		if n := d.calls.count("GET /v1/transactions/txn_"); n < 2 {
			t.Errorf("%d were read", n)
		}
	})
}

func TestACardsTransactionIsOpenedAndTheCardIsFrozenThere(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("enter")
		d.wait(time.Second)
		d.see("1 Card  " + c.name)
		d.press("enter")
		d.see("1 Transaction", c.name, "steps")
		d.press("f")
		d.wait(time.Second)
		d.hasStatus(c.id, "frozen")
		d.press("esc")
		d.see("1 Card  " + c.name)
	})
}

func TestTheCodeThatLedToATransactionIsNamed(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		id := text(t, d.challenge(c.id, "Acme Books", "482913", 12.5)["id"])
		d.wait(2 * time.Second)
		d.control(http.MethodPost, "/sandbox/challenges/"+id+"/complete", nil)
		d.wait(8 * time.Second)
		d.press("3", "/")
		d.write("acme")
		d.press("enter", "g", "enter")
		d.wait(time.Second)
		d.see("1 Transaction", "Acme Books", "3DS code", "for $12.50, used")
	})
}

func TestATransactionThatCannotBeReadShowsWhatIsKnown(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("3")
		d.calls.setDown(true)
		d.press("enter")
		d.wait(6 * time.Second)
		d.see("1 Transaction", "merchant", "details not loaded")
		d.calls.setDown(false)
		d.wait(6 * time.Second)
		d.see("steps")
		if strings.Contains(d.screen(), "cannot be read") {
			t.Error("it is still said to be unreadable")
		}
	})
}

func TestWhatIsActiveAlreadyIsNotUnfrozen(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("F")
		d.wait(time.Second)
		d.see("is already active")
		if n := d.calls.count("POST "); n != 0 || d.status(c.id) != "active" {
			t.Errorf("%d writes", n)
		}
	})
}

func TestASettlementLeadsToItsHoldAndBack(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		buy := func(kind string, amount float64) {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": kind, "amount": amount, "merchant": "Corner Shop"})
			d.wait(5 * time.Second)
		}
		buy("authorization", 12)
		buy("settlement", 13.5)
		buy("refund", 13.5)
		d.press("3", "/")
		d.write("corner")
		d.press("enter", "g", "enter")
		d.wait(time.Second)
		d.see("+ refund", "linked", "likely refunds $13.50", "5s before")
		d.press("l")
		d.wait(time.Second)
		d.see("◌ hold", "settled by $13.50")
		d.press("l")
		d.wait(time.Second)
		d.see("✓ settled", "settles the hold of $12.00", "5s before")
		d.press("esc", "1", "enter")
		d.wait(time.Second)
		d.press("j")
		d.see("1 Card  ", "settles the hold of $12.00, ")
		buy("decline", 99000)
		d.press("3", "g", "enter", "l")
		d.see("✗ declined", "no other transaction belongs with this one")
	})
}
