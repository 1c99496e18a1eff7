package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
)

// fund moves an amount to the card under the cursor.
func (d *driver) fund(amount string) {
	d.t.Helper()
	d.press("+")
	for _, digit := range amount {
		d.press(string(digit))
	}
	d.press("enter", "+")
	d.wait(time.Second)
}

func TestTheHistoryShowsWhatWasDone(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("f")
		d.wait(time.Second)
		d.fund("50")
		d.api(http.MethodDelete, "/cards/"+c.id, nil)
		d.press("f")
		d.wait(time.Second)
		d.press("H")
		d.see("1 History  3", "✗ refused", "✓ done", "fund", "freeze", "ann", c.last4, "50.00")
		if row := d.cursor(); !strings.Contains(row, "refused") {
			t.Errorf("the newest is not on top: %s", row)
		}
		d.see("terminated", "key key-3") // Why it was refused.
		d.press("j")
		d.see("card "+money(c.balance)+" → "+money(c.balance+50), "wallet $12,430.22")

		// A record leads to its card, and back.
		d.press("enter")
		d.see("1 Card  " + c.name)
		d.press("esc")
		d.see("1 History  3")
		if row := d.cursor(); !strings.Contains(row, "fund") {
			t.Errorf("the cursor is elsewhere: %s", row)
		}
		// esc clears the filter first, then leads back to the list.
		d.press("/", "r", "e", "f", "u", "s", "enter")
		d.see("1 History  / refus  1 of 3")
		d.press("esc")
		d.see("1 History  3")
		d.press("esc")
		d.see("1 Cards")
	})
}

func TestScreensStandOverEachOther(t *testing.T) {
	t.Parallel()
	story(t, options{w: 80, h: 24}, func(d *driver) {
		d.press("enter")
		d.see("1 Card ")
		d.press("H")
		d.see("1 History", "no operations from this machine yet")
		d.press("3")
		d.see("1 History ", "3 Transactions  live")
		d.press("1", "esc")
		d.see("1 Card ")
		d.press("H", "H", "esc")
		d.see("1 Card ")
		d.press("esc")
		d.see("1 Cards")
	})
}

func TestWhatComesInPushesTheHistoryDown(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("f")
		d.wait(time.Second)
		d.press("H")
		d.press("f") // On the record's card.
		d.wait(time.Second)
		d.see("1 History  2", "unfreeze")
		if row := d.cursor(); !strings.Contains(row, " freeze ") {
			t.Errorf("the cursor is elsewhere: %s", row)
		}
	})
}

func TestTheHistoryIsExportedAsShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{exports: dir}, func(d *driver) {
		c := d.pick()
		d.press("f")
		d.wait(time.Second)
		d.fund("50")
		d.press("H", "/", "f", "u", "n", "d", "enter", "E")
		d.see("Export 1 row of the history", "1  CSV", "file")
		d.press("enter")
		d.see("written to "+dir, ": 1 of the history")
		paths, err := filepath.Glob(filepath.Join(dir, "cardtop-history-*.csv"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		data, err := os.ReadFile(paths[0])
		must(t, err)
		if text := string(data); strings.Count(text, "\n") != 2 || !strings.Contains(text, ",fund,"+c.id+","+c.name+",50.00,") {
			t.Errorf("wrote %s", text)
		}
	})
}

func TestGuardrailsAreNamedWhereTheAmountIsTyped(t *testing.T) {
	t.Parallel()
	g := guard.Guard{MaxOperation: 80 * api.Dollar, MaxDay: 100 * api.Dollar}
	story(t, options{guard: g}, func(d *driver) {
		c := d.pick()
		d.press("+", "8", "1")
		d.see("guardrail: at most $80.00 in one operation")
		d.press("enter", "enter", "esc")
		d.fund("60")
		d.press("+", "5", "0")
		d.see("guardrail: $60.00 of $100.00 a day used; $40.00 left")
		d.press("enter", "+")
		d.press("esc", "esc")
		d.fund("40")
		if got := d.balance(c.id); got != money(c.balance+100) {
			t.Errorf("the server says %s", got)
		}
		d.requests(2, "/fund")
	})
}
