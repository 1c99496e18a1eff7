//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
)

func TestFundingTwentyCardsMovesEachAmountOnce(t *testing.T) {
	t.Parallel()
	// The lost answer is not that about the card that is gone.
	line := &gate{}
	through := func(server http.RoundTripper) http.RoundTripper { line.server = server; return line }
	story(t, options{through: through}, func(d *driver) {
		before, wallet := d.balances(), d.walletCents()
		d.choose(20)
		d.press("+", "5", "enter")
		d.see("Fund 20 cards: $5.00 each", "20 cards · $100.00", "$12,480.22 → $12,380.22", "Cancel", "e on error: stop")
		// One card is terminated elsewhere, one answer is lost on the way.
		gone := d.selectedID(3)
		line.set(func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
			if strings.Contains(r.URL.Path, gone) {
				<-time.After(50 * time.Millisecond)
			}
			return server.RoundTrip(r)
		})
		before[gone] = 0
		back := d.balances()[gone]
		d.api(http.MethodDelete, "/cards/"+gone, nil)
		d.trouble(fundRoute, "commit_then_timeout", 1, 2000)
		d.press("e")
		d.see("e on error: continue")
		d.requests(0, "/fund")
		d.press("tab", "enter")
		d.see("18 done · 1 refused · 1 sending", "19/20")
		d.wait(2 * time.Second)
		d.see("retrying with the same key", "19/20")
		d.wait(10 * time.Second)
		d.see("20/20", "19 of 20 done, 1 refused", "$95.00 moved", "✗", "r retry 1")
		if n := changed(t, before, d.balances(), 500); n != 19 {
			t.Errorf("%d cards were funded", n)
		}
		if got := d.walletCents(); got != wallet+back-19*500 {
			t.Errorf("the wallet holds %d cents", got)
		}
		d.requests(21, "/fund")
		// Planning again concerns the refused one only.
		d.press("r")
		d.see("is terminated", "nothing is left to do")
		d.press("esc", "esc")
		d.seeNot("selected")
	})
}

func TestMoneyStopsAtTheFirstErrorUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	// An answer takes its time, so that the refusal is known before the last row
	// is sent.
	line := &gate{way: func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		<-time.After(20 * time.Millisecond)
		return server.RoundTrip(r)
	}}
	through := func(server http.RoundTripper) http.RoundTripper { line.server = server; return line }
	story(t, options{through: through}, func(d *driver) {
		before := d.balances()
		d.choose(20)
		d.press("+", "5", "enter")
		gone := d.selectedID(0)
		before[gone] = 0
		d.api(http.MethodDelete, "/cards/"+gone, nil)
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		done := changed(t, before, d.balances(), 500)
		if done < 7 || done > 18 {
			t.Errorf("%d cards were funded", done)
		}
		rest := 19 - done
		d.see(fmt.Sprintf("%d of 20 done, 1 refused, %d not sent", done, rest), "stopped at", fmt.Sprintf("r retry %d", rest+1))
		// What was not sent is planned again, and confirmed again.
		d.press("r")
		d.see(fmt.Sprintf("%d cards · $%d.00 · 1 skipped", rest, rest*5), "Cancel")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see(fmt.Sprintf("%d of %d done", rest, rest))
		if n := changed(t, before, d.balances(), 500); n != 19 {
			t.Errorf("%d cards were funded", n)
		}
	})
}

func TestAStopSendsNoFurtherRow(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		before := d.balances()
		d.choose(20)
		d.trouble(fundRoute, "latency", 1000, 2000)
		d.press("+", "5", "enter", "tab", "enter")
		d.see("8 sending", "12 left", "p pause", "s stop", "bulk 0/20")
		d.press("p")
		d.wait(5 * time.Second)
		d.see("8 done · 12 left", "paused by you", "bulk 8/20 waits")
		d.requests(8, "/fund")
		// It runs on with the dialog closed, and is found again.
		d.press("p", "esc")
		d.seeNot("p pause")
		d.see("bulk 8/20")
		d.press("J")
		d.see("8 sending")
		d.press("s")
		d.wait(5 * time.Second)
		d.see("16 of 20 done, 4 not sent", "stopped by you")
		if n := changed(t, before, d.balances(), 500); n != 16 {
			t.Errorf("%d cards were funded", n)
		}
	})
}

func TestAWalletThatIsEmptiedMeanwhileStopsThePlan(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.choose(20)
		d.trouble(fundRoute, "latency", 20, 1000)
		d.press("+", "5", "0", "enter", "tab", "enter")
		id := d.lastCard()
		for _, amount := range []int{5000, 5000, 2000} { // Another client takes nearly all.
			d.fundBeside(id, amount)
		}
		before := d.balances()
		d.wait(10 * time.Second)
		d.see("not sent", "stopped", "wallet")
		funded := changed(t, before, d.balances(), 5000)
		if left := d.walletCents(); left < 0 || left >= 5000*8 || funded == 0 {
			t.Errorf("%d cents are left, %d cards were funded", left, funded)
		}
	})
}

func TestAHundredFundsAreQuick(t *testing.T) {
	t.Parallel()
	story(t, options{cards: 120}, func(d *driver) {
		before := d.balances()
		d.trouble(fundRoute, "latency", 1000, 100)
		d.choose(100)
		d.press("+", "5", "enter", "tab")
		began := clock()
		d.press("enter")
		for d.line("100 of 100 done") == "" {
			if took := clock().Sub(began); took > 15*time.Second {
				t.Fatalf("not done after %v:\n%s", took, d.screen())
			}
			d.wait(100 * time.Millisecond)
		}
		t.Logf("100 funds took %v", clock().Sub(began))
		if n := changed(t, before, d.balances(), 500); n != 100 {
			t.Errorf("%d cards were funded", n)
		}
		d.requests(100, "/fund")
	})
}

func TestASelectionSurvivesSortFilterAndRefresh(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("space", "j", "space")
		d.see("2 selected")
		sum := d.line("2 selected")
		d.press("s", "s", "/", "z", "z", "z", "enter")
		d.see("2 selected, 2 hidden", "no card matches")
		d.wait(30 * time.Second)
		if got := d.line("2 selected"); !strings.Contains(got, sum[strings.Index(sum, "Σ"):strings.Index(sum, "Σ")+10]) {
			t.Errorf("%q became %q", sum, got)
		}
		d.press("*")
		d.see("2 selected")
		d.press("ctrl+x")
		d.see("Terminate 2 cards", "2 hidden by the filter")
		d.press("esc")
		d.press("esc")
		d.see("2 selected", "1 Cards")
		d.seeNot("no card matches")
		d.press("esc")
		d.seeNot("selected")
		d.press("v", "j", "j")
		d.see("range · 3 selected")
		d.press("k")
		d.see("range · 2 selected")
		d.press("esc")
		d.seeNot("selected")
		d.press("*")
		d.see("50 selected")
		d.press("f")
		d.see("Freeze 50 cards", "▸Cancel", "unchanged")
		d.press("esc")
		d.requests(0, "POST ")
	})
}

func TestFreezingManyNeedsOneYesAndNamesGoByATemplate(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.choose(12)
		d.press("f")
		d.see("Freeze 12 cards", "▸Cancel", "e on error: continue")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see("12 of 12 done", "frozen")
		d.requests(12, "/freeze")
		d.press("esc", "esc", "/")
		d.send("frozen")
		d.press("enter", "*", "F", "tab", "enter")
		d.wait(2 * time.Second)
		d.see("done", "active")
		d.press("esc", "esc")
		d.choose(3)
		d.press("e", "tab")
		for _, k := range "xx/{n:02}" {
			d.press(string(k))
		}
		d.press("enter")
		d.see("Label 3 cards", "→ xx/01", "→ xx/03")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see("3 of 3 done")
		if n := len(objects(t, d.api(http.MethodGet, "/cards?label=xx/0", nil)["data"])); n != 3 {
			t.Errorf("%d cards are called so", n)
		}
	})
}

func TestTerminatingManyNeedsTheNumberTyped(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.choose(11)
		d.press("\x18")
		d.see("Terminate 11 cards", "permanent", "number of cards")
		d.press("tab", "enter")
		d.see("type the number of cards first")
		d.paste("11")
		d.see("paste is off here")
		d.press("1", "1", "enter")
		d.see("▸Terminate 11 cards")
		d.wait(time.Second)
		d.press("enter")
		d.wait(2 * time.Second)
		d.see("11 of 11 done", "went back")
		d.requests(11, "DELETE ")
	})
}

func TestIssuingFromAFile(t *testing.T) {
	t.Parallel()
	const path = "/cards.csv"
	var file atomic.Pointer[string]
	read := func(asked string) ([]byte, error) {
		if asked != path {
			return nil, fmt.Errorf("read file: %s", asked)
		}
		return []byte(*file.Load()), nil
	}
	story(t, options{read: read}, func(d *driver) {
		bin := text(t, objects(t, d.api(http.MethodGet, "/bins", nil)["data"])[0]["id"])
		write := func(lines ...string) {
			text := "\ufeffbin_id,amount,label,metadata.team\r\n" + strings.Join(lines, "\r\n")
			file.Store(&text)
		}
		write(bin+",5,new/1,a", bin+",five,new/2,a", bin+",5", "999999,0.50,"+strings.Repeat("x", 65)+",a")
		d.press("1", "N")
		d.see("enter: choose", "enter: list", "enter choose")
		d.press("up")
		d.paste(path)
		d.press("down") // On the BIN enter does what it does everywhere now.
		d.see("enter read file", "in the file")
		d.seeNot("enter: choose", "enter: list", "enter choose", "enter review")
		d.press("enter")
		d.see("5 errors", "line 3", `amount "five"`, "enter list errors")
		d.wait(time.Second)
		d.press("enter")
		d.see("5 errors in", "line 3", `"five"`, "line 4", "has 2 fields", "line 5", `no such BIN "999999"`, "at least $1.00", "65 characters", "1 row is valid")
		write(bin+",5,new/1,a", bin+",6.50,new/2,a")
		d.wait(time.Second)
		d.press("enter")
		d.see("2 cards read", "enter review")
		d.press("enter")
		d.see("Issue 2 cards", "2 cards · $11.50", "2  new/1", "3  new/2")
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		d.see("2 of 2 done", "with $6.50")
		if n := len(objects(t, d.api(http.MethodGet, "/cards?label=new/", nil)["data"])); n != 2 {
			t.Errorf("%d cards are there", n)
		}
		// The same file once more is noticed.
		d.press("esc", "N", "up")
		d.paste(path)
		d.press("enter", "enter")
		d.see("2 labels exist already")
	})
}

func TestIssuingManyKeepsToThePaceOfTheAPI(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("N", "enter", "enter", "1", "down")
		d.send("60")
		d.wait(time.Second)
		d.press("down")
		for _, k := range "li/{n:03}" {
			d.press(string(k))
		}
		d.press("enter")
		d.see("Issue 60 cards", "60 cards · $60.00", "takes about 75 s", "li/001")
		d.press("tab", "enter")
		d.wait(10 * time.Second)
		d.see("48/60", "12 left", "about 5")
		// A card by itself does not wait, nor does anything else.
		d.press("esc", "g", "f")
		d.see("frozen")
		d.wait(70 * time.Second)
		d.press("J")
		d.see("60 of 60 done")
		if n := len(objects(t, d.api(http.MethodGet, "/cards?label=li/0&per_page=100", nil)["data"])); n < 60 {
			t.Errorf("%d cards", n)
		}
	})
}

func TestQuittingInTheMiddleOfAPlanAsks(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.choose(20)
		d.trouble(fundRoute, "latency", 1000, 3000)
		d.press("+", "5", "enter", "tab", "enter", "esc", "q")
		d.see("Quit", "12 rows of a bulk plan are not sent")
		d.press("esc")
		d.see("bulk 0/20")
	})
}

// TestAPlanThatWasInterruptedGoesOnWithAYes ends the program in the middle of
// a plan, with requests under way, and starts it again.
func TestAPlanThatWasInterruptedGoesOnWithAYes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := options{data: filepath.Join(dir, "world.db"), dir: filepath.Join(dir, "state")}
	synctest.Test(t, func(t *testing.T) {
		d, stop := start(t, o)
		d.wait(2 * time.Second)
		before, wallet := d.balances(), d.walletCents()
		d.choose(20)
		d.trouble(fundRoute, "latency", 8, 100)
		d.trouble(fundRoute, "commit_then_timeout", 1000, 60_000)
		d.press("+", "5", "enter", "tab", "enter")
		d.wait(time.Second)
		d.see("8 done · 8 sending · 4 left")
		stop()

		d, stop = start(t, o)
		defer stop()
		d.wait(3 * time.Second)
		d.see("an interrupted bulk fund: ", "R resumes", "bulk ")
		d.requests(8, "/fund")
		d.wait(20 * time.Second)
		if n := changed(t, before, d.balances(), 500); n != 16 {
			t.Errorf("%d cards were funded before the yes", n)
		}
		d.press("R")
		d.see("16 done · 4 left", "interrupted", "Resume 4 cards $20.00", "▸Cancel")
		d.press("enter")
		d.seeNot("Resume 4 cards")
		d.press("R", "tab", "enter")
		d.wait(3 * time.Second)
		d.see("20 of 20 done")
		if n := changed(t, before, d.balances(), 500); n != 20 || d.walletCents() != wallet-20*500 {
			t.Errorf("%d cards were funded, the wallet holds %d of %d cents", n, d.walletCents(), wallet)
		}
		if left, err := filepath.Glob(filepath.Join(o.dir, "plans", "*")); err != nil || len(left) != 0 {
			t.Errorf("left on disk: %v, %v", left, err)
		}
	})
}

func TestAPlanThatNobodyWantsAnyMoreIsLetGoOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := options{data: filepath.Join(dir, "world.db"), dir: filepath.Join(dir, "state")}
	synctest.Test(t, func(t *testing.T) {
		d, stop := start(t, o)
		d.wait(2 * time.Second)
		d.choose(20)
		d.trouble(fundRoute, "latency", 1000, 3000)
		d.press("+", "5", "enter", "tab", "enter", "p")
		d.wait(4 * time.Second)
		d.see("8 done · 12 left", "paused by you")
		stop()

		d, stop = start(t, o)
		d.wait(3 * time.Second)
		d.press("J")
		d.see("8 done · 12 left", "interrupted")
		d.press("s")
		d.see("8 of 20 done, 12 not sent", "stopped by you")
		stop()

		d, stop = start(t, o)
		defer stop()
		d.wait(3 * time.Second)
		d.seeNot("interrupted", "bulk")
		d.press("R")
		d.see("nothing was interrupted")
		d.requests(0, "/fund")
	})
}

func TestGuardrailsHoldForPlans(t *testing.T) {
	t.Parallel()
	story(t, options{guard: guard.Guard{MaxBulk: 10, MaxDay: 100 * api.Dollar, Live: true, TypeTwice: 40 * api.Dollar}}, func(d *driver) {
		d.choose(10)
		d.press("+", "2", "0", "enter")
		d.see("guardrail: $0.00 of $100.00 a day used")
		d.press("backspace", "backspace", "5", "enter")
		d.see("10 cards · $50.00")
		d.press("tab", "enter")
		d.see("LIVE: amounts from $40.00 on are typed twice", "total again", "▸Cancel")
		d.wait(time.Second)
		d.press("tab", "enter")
		d.see("type the total again first")
		d.requests(0, "/fund")
		d.press("5", "0", "tab", "enter")
		d.wait(2 * time.Second)
		d.see("10 of 10 done")
	})
}

// TestMoreCardsThanAllowedAtOnceAreFundedInParts goes from part to part by what
// the dialog offers.
func TestMoreCardsThanAllowedAtOnceAreFundedInParts(t *testing.T) {
	t.Parallel()
	story(t, options{guard: guard.Guard{MaxBulk: 10}}, func(d *driver) {
		before := d.balances()
		d.choose(23)
		d.press("+", "5")
		d.see("10 cards · $50.00", "13 later")
		d.press("enter")
		d.see("Fund 23 cards: $5.00 each, part 1 of 3", "10 cards · $50.00 · 13 later", "$12,480.22 → $12,430.22",
			"guardrails.max_bulk: 10 at once; the next part follows this one", "Fund 10 cards")
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see("10/10", "b next 10 of 13")
		d.wait(time.Second)
		d.press("esc")
		d.see("10 of 10 done; 13 for the next part: J")
		d.press("J", "b")
		d.see("part 2 of 3", "10 cards · $50.00 · 3 later")
		d.requests(10, "/fund")
		d.press("tab", "enter")
		d.wait(time.Second)
		d.press("b")
		d.see("part 3 of 3", "3 cards · $15.00")
		d.press("tab", "enter")
		d.wait(time.Second)
		d.see("3 of 3 done")
		d.press("b")
		d.see("there is no next part")
		if n := changed(t, before, d.balances(), 500); n != 23 {
			t.Errorf("%d cards were funded", n)
		}
	})
}

// TestFreezingIsNotHeldUpByMaxBulk is above what the guardrail allows of
// anything else.
func TestFreezingIsNotHeldUpByMaxBulk(t *testing.T) {
	t.Parallel()
	story(t, options{cards: 190, guard: guard.Guard{MaxBulk: 20}}, func(d *driver) {
		d.press("/")
		d.write("label~fb active")
		d.press("enter", "*", "f")
		d.see("Freeze ", "Cancel")
		d.seeNot("guardrail", "max_bulk", "later")
		d.press("tab", "enter")
		d.wait(10 * time.Second)
		left := objects(t, d.api(http.MethodGet, "/cards?per_page=100&status=active&label=fb/", nil)["data"])
		if n := d.calls.count("/freeze"); len(left) != 0 || n <= 20 {
			t.Errorf("%d freezes, and %d cards are active", n, len(left))
		}
	})
}

func TestBulkScreens(t *testing.T) {
	t.Parallel()
	screensOf(t, sized, []screen{
		{"selected", []string{"space", "j", "v", "j"}},
		{"many", []string{"*", "+", "tab", "2", "0", "0"}},
		{"plan", []string{"*", "+", "tab", "2", "0", "0", "enter", "j", "j"}},
		{"bulk", []string{"*", "+", "tab", "2", "0", "0", "enter", "tab", "enter"}},
		{"terminate-many", []string{"space", "space", "\x18", "2"}},
		{"several", []string{"N", "enter", "enter", "5", "down", "1", "2"}},
		{"several-file", []string{"N", "up", "/", "n", "o"}},
	})
}
