package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/tty"
)

func TestFreezeAndUnfreezeInOneKey(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("f")
		d.see("❄  "+c.label, c.name+" is frozen")
		d.hasStatus(c.id, "frozen")
		d.wait(time.Second)
		d.press("f")
		d.see("●  "+c.label, "is active again")
		d.requests(2, "POST ")
	})
}

func TestFreezeShowsItIsUnderWayAndComesBackWhenRefused(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.api(http.MethodDelete, "/cards/"+c.id, nil)
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "POST /cards/{card_id}/freeze", "kind": "latency", "latency_ms": 1500, "times": 1})
		d.press("f")
		d.see("freezing…")
		d.wait(700 * time.Millisecond)
		d.press("f")
		d.see("the freeze is still under way")
		d.wait(1500 * time.Millisecond)
		d.seeNot("freezing…")
		d.see("freeze of " + c.name + " not done")
		d.requests(1, "/freeze")
	})
}

func TestAnUnansweredFreezeIsAskedAgainWithItsKey(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "POST /cards/{card_id}/freeze", "kind": "server_error", "times": 1})
		d.press("f")
		d.see("unconfirmed", "asking again with the same key")
		d.wait(3 * time.Second)
		d.see("❄  "+c.label, "is frozen")
		d.requests(2, "/freeze")
	})
}

func TestFundShowsBeforeAndAfterAndSendsOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		after := money(c.balance + 50)
		d.press("+", "5", "0")
		d.see("Fund "+c.name, money(c.balance)+" → "+after, "$12,480.22 → $12,430.22")
		d.press("enter")
		d.see("Cancel", "Fund $50.00")
		d.press("+")
		d.see("funded " + c.name + " with $50.00, card " + after + ", wallet $12,430.22")
		d.seeNot("Cancel", "preview said")
		d.see("wallet $12,430.22")
		if got := d.balance(c.id); got != after {
			t.Errorf("the server says %s", got)
		}
		d.requests(1, "/fund")
	})
}

func TestAConfirmationStartsOnCancel(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("+", "5", "0", "enter")
		d.wait(time.Second)
		d.press("enter")
		d.seeNot("Fund "+c.name, "Cancel")
		d.press("+", "5", "0", "enter", "esc")
		d.see("amount", "50")
		d.press("esc")
		d.seeNot("Fund " + c.name)
		d.press("-", "1", "0", "enter", "tab", "enter")
		d.see("withdrew $10.00 from " + c.name + ", card " + money(c.balance-10) + ", wallet $12,490.22")
		if f, w := d.calls.count("/fund"), d.calls.count("/withdraw"); f != 0 || w != 1 {
			t.Errorf("%d funds, %d withdrawals", f, w)
		}
	})
}

func TestAKeyTypedBeforeTheQuestionWasReadDoesNotAnswerIt(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("+", "5", "0")
		d.send("\r+")
		d.wait(time.Second)
		d.see("Cancel", "Fund $50.00")
		d.requests(0, "/fund")
	})
}

func TestAmountsThatCannotBeMovedSayWhy(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"0": "must be more than 0", "0.5": "at least $1.00", "5001": "at most $5,000.00", "": "enter an amount",
		"12,500": "comma", "-5": "minus", "1.234": "two decimals", "€5": "currency sign", "1e3": "exponent", "1 0": "not grouped", "x5": "digits",
	} {
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.press("+")
			for _, k := range typed {
				d.press(string(k))
			}
			d.press("enter")
			d.see(want, "Fund "+c.name)
			d.seeNot("Cancel  ")
			d.requests(0, "/fund")
		})
	}
}

func TestRevealShowsHidesAndForgets(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		id := c.id
		details := d.api(http.MethodGet, "/cards/"+id+"/details", nil)
		pan, cvv := text(t, details["pan"]), text(t, details["cvv"])
		number := strings.Join([]string{pan[:4], pan[4:8], pan[8:12], pan[12:]}, " ")
		d.seeNot(number)
		before := d.calls.count("/details")
		d.press("r")
		d.see(number, "exp", "again for CVV")
		d.seeNot("CVV  " + cvv)
		d.press("r")
		d.see(number, "CVV  "+cvv)
		d.wait(14 * time.Second)
		d.see(number)
		d.wait(time.Second)
		d.seeNot(number, "Details")
		if n := d.calls.count("/details") - before; n != 1 {
			t.Errorf("%d requests for the details", n)
		}
		for name, leave := range map[string]func(){
			"third press":  func() { d.press("r", "r") },
			"another pane": func() { d.press("tab"); d.press("shift+tab") },
			"focus lost":   func() { d.send("\x1b[O"); d.wait(time.Second) },
		} {
			d.wait(2 * time.Minute)
			d.press("r")
			d.see(number)
			leave()
			if strings.Contains(d.screen(), number) {
				t.Errorf("%s: the number is still on the screen", name)
			}
			if _, held := d.vault.Read(api.CardID(id), 0); held {
				t.Errorf("%s: the number is still in memory", name)
			}
		}
	})
}

func TestWhatIsRevealedIsOfTheCardUnderTheCursor(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for name, leave := range map[string]func(){
			"down":   func() { d.press("j") },
			"mouse":  func() { d.send("\x1b[<0;10;6M\x1b[<0;10;6m"); d.wait(time.Second) },
			"filter": func() { d.press("/"); d.write("status=frozen") },
			"feed":   func() { d.press("3", "r"); d.see("hides in"); d.press("G") },
		} {
			d.press("esc", "esc", "1", "g", "r")
			d.see("hides in")
			d.wait(3 * time.Second)
			d.see("hides in")
			leave()
			if strings.Contains(d.screen(), "hides in") {
				t.Errorf("%s: the card before is still shown:\n%s", name, d.screen())
			}
		}
		// A row that moves by itself, or with the order, keeps its cursor.
		d.press("esc", "esc", "1", "g", "r", "s")
		d.see("hides in")
	})
}

func TestACodeArrivesAndIsCopiedFromAnywhere(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": c.id, "merchant": "Acme Store", "amount": 25, "otp": "482913"})
		d.wait(1100 * time.Millisecond)
		d.see("482 913", "Acme Store", "$25.00", c.name)
		for _, place := range []string{"", "2", "3", "4"} {
			if place != "" {
				d.press(place)
			}
			d.press("o")
			d.onClipboard("482913")
		}
		d.see("code for Acme Store $25.00", "copied, clears in")
		d.wait(31 * time.Second)
		d.onClipboard("")
		d.see("clipboard cleared")
		d.wait(5 * time.Minute)
		d.seeNot("482 913")
	})
}

func TestTheClipboardIsNotClearedWhenItHoldsSomethingElse(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("o")
		d.board.Put("a note of the user's")
		d.wait(31 * time.Second)
		d.onClipboard("a note of the user's")
	})
}

func TestTheRingCopiesFieldAfterFieldWithOneRequest(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		id := d.pick().id
		x := d.api(http.MethodGet, "/cards/"+id+"/details", nil)
		address := object(t, x["billing_address"])
		before := d.calls.count("/details")
		for _, want := range []any{x["pan"], nil, x["cvv"], x["holder_name"], address["line1"], address["city"], address["state"], address["zip"], address["country"], x["pan"]} {
			d.press("y")
			if got := d.board.Text(); want != nil && got != want {
				d.t.Fatalf("the clipboard does not hold the field that is next")
			}
		}
		if n := d.calls.count("/details") - before; n != 1 {
			t.Errorf("%d requests for the details", n)
		}
		if strings.Contains(d.term.sent(), text(t, x["pan"])) {
			t.Error("the number was drawn while copying")
		}
	})
}

func TestNoClipboardIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.board.FailCopy(fmt.Errorf("%w: install xclip", clipboard.ErrNoTool))
		d.pick()
		d.press("y")
		d.wait(time.Second)
		d.see("not copied: no clipboard: install xclip")
		d.seeNot("clears in")
	})
}

// TestWithoutAClipboardTheCodeIsShownLarge: what to install is said once, and no
// line of it covers the keys for long.
func TestWithoutAClipboardTheCodeIsShownLarge(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			d.board.FailCopy(fmt.Errorf("%w: no display; set clipboard.osc52 = true", clipboard.ErrNoTool))
			c := d.pick()
			d.challenge(c.id, "Acme Store", "482913", 1)
			d.wait(1500 * time.Millisecond)
			d.press("o")
			d.see("482 913")
			if size[0] > 40 {
				d.see("no clipboard: no display; set clipboard.osc52 = true; read the code here", "Checkout", "no clipboard")
			}
			d.press("esc")
			d.wait(13 * time.Second)
			d.press("o")
			d.seeNot("read the code here", "not copied")
			if size[0] > 40 {
				d.see("Checkout", "esc close")
			}
		})
	}
	// On a screen that hides it there is nothing to read.
	story(t, options{}, func(d *driver) {
		d.board.FailCopy(fmt.Errorf("%w: install xclip", clipboard.ErrNoTool))
		d.press("P", "o")
		d.see("not copied: no clipboard: install xclip")
		d.seeNot("Checkout")
	})
}

// TestAClipboardManagerIsNamedWithWhatItMayKeep, once in a line and in few words
// with each copy.
func TestAClipboardManagerIsNamedWithWhatItMayKeep(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1], managers: []string{"CopyQ"}}, func(d *driver) {
			d.pick()
			d.press("y")
			d.wait(time.Second)
			d.see("CopyQ may save")
			d.wait(15 * time.Second)
			d.press("y")
			d.wait(time.Second)
			d.seeNot("in its history")
			if size[0] >= 80 {
				d.see("copied, CopyQ may keep it, ")
			}
		})
	}
}

// TestTheWayOfACopyIsSaid, and what only may have arrived is not said to be copied.
func TestTheWayOfACopyIsSaid(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.board.By("xclip", false)
		d.press("a")
		d.challenge(c.id, "Acme Store", "482913", 1)
		d.wait(1500 * time.Millisecond)
		d.see("✓ copied", "copied (xclip), clears in")
		d.board.By("OSC 52 over mosh", true)
		d.press("o")
		d.see("sent (OSC 52 over mosh), clearing unverified", " sent to the terminal ")
		d.seeNot("✓ copied", "copied (")
	})
}

func TestAWrongKeyEndsTheProgram(t *testing.T) {
	t.Parallel()
	story(t, options{key: "sk_test_wrong"}, func(d *driver) {
		select {
		case err := <-d.done:
			must(d.t, err)
		default:
			d.t.Fatalf("the program goes on:\n%s", d.screen())
		}
		if err := d.app.Err(); !errors.Is(err, api.ErrUnauthorized) {
			t.Errorf("it ended with %v", err)
		}
		d.done <- nil
	})
}

func TestTheFilterNarrowsAndTheCursorStaysOnItsCard(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		all := strings.Count(d.screen(), "•••• ")
		c := d.pick()
		if n := strings.Count(d.screen(), "•••• "); n >= all || n == 0 {
			t.Errorf("%d of %d cards match", n, all)
		}
		d.press("esc", "s", "s")
		picked := d.cursor()
		if !strings.Contains(picked, c.last4) {
			d.t.Fatalf("without the filter the cursor is on %q", picked)
		}
		for range 5 {
			other := text(t, objects(t, d.api(http.MethodGet, "/cards?status=active", nil)["data"])[0]["id"])
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": other, "type": "authorization", "amount": 5, "merchant": "Acme"})
			d.wait(11 * time.Second)
			if now := d.cursor(); !strings.Contains(now, c.last4) {
				t.Errorf("the cursor moved from\n%s\nto\n%s", picked, now)
			}
		}
	})
}

func TestHelpShowsEveryKey(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("?")
		d.see("Keys", helpOf(keymap.Freeze), "esc close")
		d.press("G")
		d.see("Symbols", "card: frozen")
		d.press("/")
		d.write("newest 3ds")
		d.see(helpOf(keymap.CopyCode))
		d.press("esc")
		d.press("esc")
		d.seeNot("esc close")
	})
}

func TestMouseFocusesAndPicks(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		row := func(y int) string { return strings.Split(d.screen(), "\n")[y-1] }
		d.send("\x1b[<0;10;6M\x1b[<0;10;6m") // the third card
		d.wait(time.Second)
		if !strings.HasPrefix(row(6), "│▸") {
			t.Errorf("the row that was clicked is %q", row(6))
		}
		d.send("\x1b[<65;10;6M") // the wheel over the cards
		d.wait(time.Second)
		if !strings.HasPrefix(row(9), "│▸") {
			t.Errorf("after a notch of the wheel its row is %q", row(9))
		}
		d.send("\x1b[<0;120;12M\x1b[<0;120;12m") // the feed
		d.wait(time.Second)
		d.see("▸3 Transactions")
		d.send("\x1b[<0;52;3M\x1b[<0;52;3m") // the header of the balances
		d.wait(time.Second)
		d.see("balance▼")
		d.send("\x1b[<0;10;7M\x1b[<0;10;7m\x1b[<0;10;7M\x1b[<0;10;7m") // twice: look at it
		d.wait(time.Second)
		d.see("esc back")
	})
}

func TestTooSmallSaysWhatItNeedsAndActsOnNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.resize(19, 4)
		d.see("needs 20 x 5", "SANDBOX")
		d.press("f", "+", "r")
		d.requests(0, "POST ", "/details")
		d.resize(40, 12)
		d.see("SANDBOX", "1 Cards")
	})
}

// TestAPasteIntoASmallWindowEndsNothing: q there is a key of the paste.
func TestAPasteIntoASmallWindowEndsNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for _, size := range [][2]int{{19, 4}, {30, 8}} {
			d.resize(size[0], size[1])
			for _, text := range []string{"quit", "the quick one", "qq"} {
				d.send(text)
				d.wait(time.Second)
				select {
				case err := <-d.done:
					d.done <- err
					d.t.Fatalf("%q at %v ended the program: %v", text, size, err)
				default:
				}
			}
		}
		d.resize(100, 30)
		d.see("1 Cards")
		d.resize(30, 8)
		d.press("q")
		d.ends()
	})
}

// TestASmallScreenIsUnlockedAndAsksBeforeItQuits, where there is no room for a question.
func TestASmallScreenIsUnlockedAndAsksBeforeItQuits(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("L")
		d.see("LOCKED")
		d.resize(30, 8)
		d.press("enter")
		d.resize(100, 30)
		d.see("1 Cards")
		d.seeNot("LOCKED")
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "POST /cards/{card_id}/freeze", "kind": "latency", "latency_ms": 3000, "times": 1})
		d.press("f")
		for _, size := range [][2]int{{30, 8}, {19, 4}} {
			d.resize(size[0], size[1])
			d.press("q")
			d.see("not all is done")
			d.press("k")
		}
		d.press("q", "q")
		d.ends()
	})
}

func TestTheFeedPausesAndCatchesUp(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("3", "p")
		for range 3 {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "authorization", "amount": 3, "merchant": "Acme Pause"})
		}
		d.wait(4 * time.Second)
		d.see("paused +3 waiting")
		d.seeNot("Acme Pause")
		d.press("p")
		d.see("Acme Pause", "live")
	})
}

func TestAPanicEndsTheProgramWithoutItsValue(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"command", "Update", "View"} {
		story(t, options{panics: where}, func(d *driver) {
			d.pick()
			d.press("r")
			d.wait(2 * time.Second)
			d.ends()
			var crash *tty.CrashError
			if err := d.app.Err(); !errors.As(err, &crash) {
				d.t.Fatalf("%s: it ended with %v", where, err)
			}
			if strings.Contains(crash.Error(), panicValue) || strings.Contains(d.term.sent(), panicValue) {
				d.t.Errorf("%s: the value of the panic was shown", where)
			}
			if !strings.Contains(crash.Error(), "e2e") || crash.Type != "string" {
				d.t.Errorf("%s: the crash does not say where: %v", where, crash)
			}
			if !strings.Contains(d.term.sent(), "\x1b[?1049l") {
				d.t.Errorf("%s: the terminal was not given back", where)
			}
		})
	}
}

func TestQuittingWithAnUnansweredWriteIsAskedAbout(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "POST /cards/{card_id}/freeze", "kind": "latency", "latency_ms": 3000, "times": 1})
		d.press("f", "q")
		d.see("1 operation has no response")
		d.press("esc")
		d.seeNot("1 operation has no response")
		d.wait(4 * time.Second)
		d.press("q")
		d.ends()
	})
}

func TestAKeyActsOnTheRowThatWasSeenWhenAnotherSlidesIn(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("esc")
		arrive := func(card, merchant string) {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": card, "type": "authorization", "amount": 3, "merchant": merchant})
			d.wait(4 * time.Second)
		}
		arrive(c.id, "Seen First")
		d.press("3")
		var other string
		for _, o := range objects(t, d.api(http.MethodGet, "/cards?status=active", nil)["data"]) {
			if id := text(t, o["id"]); id != c.id {
				other = id
			}
		}
		arrive(other, "Slid In")
		d.see("Slid In")
		d.press("f")
		if d.status(c.id) != "frozen" || d.status(other) != "active" {
			t.Errorf("the card that was seen is %s, the one that slid in is %s", d.status(c.id), d.status(other))
		}
		d.press("g", "f")
		if d.status(other) != "frozen" {
			t.Error("g does not go to the newest row")
		}
	})
}

func TestACodeThatEndsTakesItsCursorAlong(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		made := d.control(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": c.id, "merchant": "Ends Soon", "amount": 25, "otp": "482913"})
		d.wait(1200 * time.Millisecond)
		d.press("2")
		d.control(http.MethodPost, "/sandbox/challenges/"+text(t, made["id"])+"/complete", nil)
		d.wait(1200 * time.Millisecond)
		d.press("y")
		d.see("that code has ended")
		if d.board.Copies() != 0 {
			t.Error("another code was copied in its place")
		}
		d.press("j", "k", "y")
		if d.board.Copies() != 1 {
			t.Error("after moving, nothing is copied")
		}
	})
}

func TestACodeIsNotOverwrittenByANumberThatComesLater(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "GET /cards/{card_id}/details", "kind": "latency", "latency_ms": 2000, "times": 1})
		d.control(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": c.id, "merchant": "Acme", "amount": 25, "otp": "482913"})
		d.wait(1200 * time.Millisecond)
		d.press("y", "o")
		d.wait(3 * time.Second)
		d.onClipboard("482913")
	})
}

func TestQuickCopiesEndWithTheLast(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		details := d.api(http.MethodGet, "/cards/"+c.id+"/details", nil)
		d.press("y")
		d.send("yy")
		d.wait(time.Second)
		if d.board.Text() != text(t, details["cvv"]) {
			t.Error("the clipboard does not hold the CVV, the third of three")
		}
		d.see("CVV of "+c.name, "copied, clears in")
		d.seeNot("something else")
	})
}

func TestCtrlCQuitsFromATextField(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"/", "+", "?"} {
		story(t, options{}, func(d *driver) {
			d.pick()
			d.press(open, "ctrl+c")
			d.ends()
		})
	}
}

func TestTheInspectedCardIsReadAgain(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("enter")
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "authorization", "amount": 3, "merchant": "While Looking"})
		d.wait(16 * time.Second)
		if n := strings.Count(d.screen(), "While Looking"); n < 2 {
			t.Errorf("the charge is on the screen %d times, in feed and card it would be 2", n)
		}
		before := d.calls.count("/cards/" + c.id)
		d.press("esc")
		d.wait(time.Minute)
		// The cursor is still on it: its summary is read ahead once a minute.
		if n := d.calls.count("/cards/"+c.id) - before; n > 1 {
			t.Errorf("%d reads of a card nobody looks at", n)
		}
	})
}

// TestALongPasteIntoAFilterSaysThatItIsCut: what is left of it may find nothing.
func TestALongPasteIntoAFilterSaysThatItIsCut(t *testing.T) {
	t.Parallel()
	story(t, options{w: 160, h: 45, cards: 20}, func(d *driver) {
		d.press("/")
		d.paste("geo")
		d.seeNot("was cut")
		d.paste(strings.Repeat("x", 500))
		d.see("pasted text was cut to 200 characters")
	})
}
