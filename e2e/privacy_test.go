package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state/settings"
)

// secret is a text that a private screen must not show.
type secret struct {
	kind, text string
	// word says that it counts only where it stands by itself: the digits of a
	// clock are no balance.
	word bool
}

// in finds the secret on a screen.
func (w secret) in(screen string) bool {
	if !strings.Contains(screen, w.text) {
		return false
	}
	return !w.word || regexp.MustCompile(`(?:^|[^\w./,])`+regexp.QuoteMeta(w.text)+`(?:$|[^\w/,])`).MatchString(screen)
}

// secrets are all of the account's: labels, last digits, amounts, codes and
// what else is told of its cards, wallet and deposits.
func (d *driver) secrets() []secret {
	d.t.Helper()
	var out []secret
	amount := func(kind string, v any) {
		// Nobody's are 0.00 and what the help has for an example.
		if f, ok := v.(float64); ok && (f < -1.5 || f > 1.5) {
			out = append(out, secret{kind, strings.TrimPrefix(money(max(f, -f)), "$"), true})
		}
	}
	for _, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100", nil)["data"]) {
		label := text(d.t, c["label"])
		out = append(out, secret{"label", label, false}, secret{"last digits", text(d.t, c["last4"]), true})
		if at := strings.LastIndex(label, "/"); at > 3 {
			out = append(out, secret{"cut label", label[:at], false})
		}
		amount("balance", c["balance"])
	}
	for _, tx := range objects(d.t, d.api(http.MethodGet, "/transactions?per_page=100", nil)["data"]) {
		amount("transaction", tx["amount"])
	}
	for _, c := range objects(d.t, d.api(http.MethodGet, "/3ds?status=pending", nil)["data"]) {
		if otp, ok := c["otp"].(string); ok {
			out = append(out, secret{"code", otp, false}, secret{"code", otp[:3] + " " + otp[3:], false})
		}
		amount("charge", c["amount"])
	}
	for k, v := range d.api(http.MethodGet, "/wallet/balance", nil) {
		amount("wallet "+k, v)
	}
	for _, dep := range objects(d.t, d.api(http.MethodGet, "/wallet/deposits", nil)["data"]) {
		amount("deposit", dep["amount_usd"])
		amount("credit", dep["credited_usd"])
	}
	if len(out) < 200 {
		d.t.Fatalf("only %d secrets to look for", len(out))
	}
	return out
}

// hidden looks for all of them in the frame that is on the screen, and for
// any run of digits that could be one.
func (d *driver) hidden(secrets []secret, where string) {
	d.t.Helper()
	screen := d.screen()
	for _, s := range secrets {
		if s.in(screen) {
			d.t.Fatalf("%s: the %s %q can be read:\n%s", where, s.kind, s.text, screen)
		}
	}
	for _, shape := range leaks {
		if found := shape.FindString(screen); found != "" {
			d.t.Fatalf("%s: %q can be read:\n%s", where, found, screen)
		}
	}
}

// leaks are the shapes of last digits, of money, and of anything long enough
// for a code or a number.
var leaks = []*regexp.Regexp{
	regexp.MustCompile(`••\d`),
	regexp.MustCompile(`\$\d`),
	regexp.MustCompile(`(?:^|[^\w-])\d{5,}`),
}

// everywhere are the ways to every screen, dialog and toast.
func everywhere() map[string][]string {
	return map[string][]string{
		"cards": nil, "sorted": {"s", "s"}, "selected": {"space", "space", "v", "j"}, "filtered": {"/", "f", "b", "enter"}, "filtering": {"/", "f", "b"},
		"codes": {"2"}, "transactions": {"3"}, "wallet": {"4", "j"}, "inspector": {"enter"},
		"history": {"f", "j", "j", "j", "+", "5", "0", "enter", "+", "H"},
		"fund":    {"+", "5", "0"}, "fund asked": {"+", "5", "0", "enter"}, "withdraw": {"-"}, "terminate": {"ctrl+x"}, "edit": {"e"},
		"issue": {"n"}, "several": {"N"}, "bulk": {"space", "space", "f"}, "fund many": {"space", "space", "+"}, "resume": {"R"}, "batch": {"J"},
		"evidence": {"x"}, "requests": {"B"}, "chooser": {"Y"}, "dry run": {"D", "f"}, "freeze": {"f"}, "undo": {"f", "j", "j", "j", "j", "u"},
		"revealed": {"r"}, "CVV": {"r", "r"}, "copied": {"y"}, "code copied": {"o"}, "card copied": {"ctrl+y"}, "armed": {"a"},
		"palette": {"ctrl+p", "f", "r"}, "columns": {","}, "tab named": {"/", "f", "b", "enter", "t"}, "tab": {"/", "f", "b", "enter", "t", "enter"},
	}
}

// Whatever is open when privacy begins shows nothing of the account, and its
// size makes no difference.
func TestWhatIsOpenWhenPrivacyBeginsIsHidden(t *testing.T) {
	t.Parallel()
	for name, keys := range sampled(everywhere()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{}, func(d *driver) {
				secrets := d.secrets()
				d.press(keys...)
				d.record("asciinema")
				d.see("RECORDED", "recorded by asciinema")
				for _, size := range sizes {
					d.resize(size[0], size[1])
					d.fits(size[0], size[1])
					d.hidden(secrets, fmt.Sprint(size))
				}
			})
		})
	}
}

// Whatever is asked for on a private screen shows nothing of the account.
func TestWhatIsOpenedInPrivateIsHidden(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			o := options{w: size[0], h: size[1], store: func(c *settings.Config) { c.Screen.Private = true }}
			story(t, o, func(d *driver) {
				secrets := d.secrets()
				d.see("PRIVATE")
				for name, keys := range everywhere() {
					for i, k := range keys {
						d.press(k)
						d.wait(500 * time.Millisecond)
						d.hidden(secrets, fmt.Sprint(name, " after ", keys[:i+1]))
					}
					d.press("esc", "esc", "esc", "esc", "1")
					if keys := everywhere()[name]; len(keys) > 0 && keys[0] == "D" {
						d.press("D") // The dry run is over.
					}
					d.see("PRIVATE")
				}
			})
		})
	}
}

func TestPrivacyHidesAndCopies(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("P")
		d.see("PRIVATE", "copying works", "wallet $•••", "/ •••")
		d.seeNot(c.label, c.last4)
		d.press("y")
		d.see("number copied")
		if got := d.board.Text(); len(got) < 15 || !strings.HasSuffix(got, c.last4) {
			t.Errorf("the clipboard holds %d characters", len(got))
		}
		d.wait(time.Second)
		d.press("o")
		d.see("code copied")
		if got := d.board.Text(); len(got) != 6 {
			t.Errorf("the clipboard holds %q", got)
		}
		d.press("r")
		d.see("y copies the number, P shows")
		d.press("+")
		d.see("this shows what is hidden; P shows everything first")
		d.press("f")
		d.wait(time.Second)
		d.hasStatus(c.id, "frozen")
		d.see("card ", "is frozen")
		d.press("P")
		d.seeNot("PRIVATE", "•••  ")
		d.see(c.label, "wallet $12,480.22", "/ "+c.last4)
	})
}

func TestADialogIsCoveredAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("+", "5", "0", "P")
		d.see("Private", "this dialog shows what is hidden", "P shows it")
		d.press("enter", "7")
		d.see("P shows the dialog")
		d.press("P")
		d.see("$12,480.22 → $12,430.22")
		d.press("P", "esc", "P")
		d.seeNot("→")
		d.requests(0, "/fund")
	})
}

func TestALockedScreenDoesNothingAndUnlocks(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("a")
		d.see("ARMED")
		d.press("L")
		d.see("LOCKED", "enter unlocks", "ctrl+c quits", "there is no password")
		d.seeNot("ARMED", c.label)
		for _, k := range []string{"f", "y", "o", "r", "+", "P", "q", "esc", "2"} {
			d.press(k)
			if d.line("locked: enter unlocks") == "" {
				t.Errorf("%s is not refused", k)
			}
		}
		d.paste("fffff")
		d.send("\x1b[<0;10;6M\x1b[<0;10;6m")
		d.challenge(c.id, "Acme", "471199", 25)
		d.wait(3 * time.Second)
		d.see("a code of card ", "for Acme is here: enter unlocks")
		d.seeNot("471199", "471 199")
		if d.board.Text() != "" || d.calls.count("/details") != 0 || d.status(c.id) != "active" {
			t.Error("something was done")
		}
		d.press("enter")
		d.seeNot("LOCKED", "ARMED")
		d.see(c.label)
	})
}

func TestNobodyAtTheKeysMasksAndThenLocks(t *testing.T) {
	t.Parallel()
	o := options{store: func(c *settings.Config) { c.IdleMask, c.IdleLock = 2*time.Minute, 5*time.Minute }}
	story(t, o, func(d *driver) {
		c := d.pick()
		d.wait(time.Minute + 50*time.Second)
		d.seeNot("PRIVATE")
		d.prog.Send(tea.FocusMsg{}) // The terminal's own messages are nobody's hand.
		d.wait(11 * time.Second)
		d.see("PRIVATE")
		d.press("f") // The first key only wakes.
		d.seeNot("PRIVATE")
		d.see(c.label)
		d.hasStatus(c.id, "active")
		d.wait(5*time.Minute + time.Second)
		d.see("LOCKED")
		d.press("enter")
		d.seeNot("LOCKED", "PRIVATE")
	})
}

func TestARecordedScreenAsksTwiceBeforeANumber(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.record("tmux")
		d.see("RECORDED", "PRIVATE", "the screen is recorded by tmux")
		d.press("P")
		d.see("RECORDED", c.label)
		d.seeNot("PRIVATE")
		d.press("r")
		d.see("recorded by tmux: the same key once more shows the number")
		d.requests(0, "/details")
		d.wait(time.Second)
		d.press("r")
		d.see("Details", "hides in")
	})
}

func TestAFieldIsChosenByItsKey(t *testing.T) {
	t.Parallel()
	story(t, options{store: func(c *settings.Config) { c.CopyTemplate = "{last4};{month}/{year2}" }}, func(d *driver) {
		c := d.pick()
		for _, way := range [][]string{{"3"}, {"v"}, {"down", "down", "enter"}} {
			d.press("Y")
			d.see("Copy from "+c.name, "1 n  number", "3 v  CVV", "0 w  full card")
			d.press(way...)
			d.see("CVV of " + c.name + " copied")
			d.seeNot("Copy from")
			if got := d.board.Text(); len(got) != 3 {
				t.Errorf("by %v the clipboard holds %q", way, got)
			}
			d.wait(time.Second)
		}
		d.press("Y", "a")
		d.see("address of " + c.name + " copied")
		if got := d.board.Text(); !regexp.MustCompile(`^[^,]+, [^,]+, [A-Z]{2}, \d{5}, US$`).MatchString(got) {
			t.Errorf("the clipboard holds %q", got)
		}
		d.wait(time.Second)
		for _, way := range [][]string{{"Y", "0"}, {"ctrl+y"}} {
			d.press(way...)
			d.see("all of " + c.name + " copied")
			if got := d.board.Text(); !regexp.MustCompile("^" + c.last4 + `;\d\d/\d\d$`).MatchString(got) {
				t.Errorf("by %v the clipboard holds %q", way, got)
			}
			d.wait(time.Second)
		}
		d.requests(1, "/details")
	})
}

func TestTheThirtyFirstRevealOfAMinuteWaitsItsTurn(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for range 40 { // Some are terminated.
			if d.press("r"); d.line("next reveal in") != "" {
				break
			}
			d.press("j")
		}
		d.see("the reveal waits its turn: details are limited to 30 a minute", "at most 30 per minute; esc cancels")
		if n := strings.Count(d.screen(), " in 4"); n != 1 {
			t.Errorf("one wait is told %d times:\n%s", n, d.screen())
		}
		n := d.calls.count("/details")
		if n != 30 {
			t.Errorf("%d requests at once", n)
		}
		d.wait(time.Minute)
		if got := d.calls.count("/details"); got != n+1 {
			t.Errorf("%d requests while it waited", got-n)
		}
		d.seeNot("next reveal in")
	})
}

// TestTheClipboardIsToldWhileARevealWaits: what is on it comes before the wait,
// which is told beside it where there is room.
func TestTheClipboardIsToldWhileARevealWaits(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			for range 40 {
				if d.press("r"); d.line("next reveal in") != "" {
					break
				}
				d.press("j")
			}
			d.press("o")
			d.see("copied, clears in ", "next reveal in 4")
			d.press("y") // It waits with the reveal.
			d.see("copied, clears in ", "next reveal and copy in 4")
			d.press("?") // The panel may be covered.
			if d.see("copied, clears in "); size[0] == 160 {
				d.see(" copy in 4")
			}
		})
	}
}

// TestACopyThatWaitsIsGivenUp by whatever ends a reveal: the clipboard keeps
// what a person copied since.
func TestACopyThatWaitsIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(d *driver){
		"esc":          func(d *driver) { d.press("esc") },
		"focus":        func(d *driver) { d.send("\x1b[O"); d.wait(time.Second) },
		"another pane": func(d *driver) { d.press("2") },
		"another card": func(d *driver) { d.press("k") },
		"lock":         func(d *driver) { d.press("L"); d.wait(time.Second); d.press("enter") },
	} {
		if !nighttest.On && name != "esc" && name != "lock" {
			continue
		}
		story(t, options{}, func(d *driver) {
			for range 40 {
				if d.press("r"); d.line("next reveal in") != "" {
					break
				}
				d.press("j")
			}
			d.press("esc")
			d.see("the reveal that waited is dropped")
			d.seeNot("next reveal in")
			d.press("y")
			d.see("the copy waits its turn", "copy in 4", "esc cancels")
			d.press("y")
			d.see("copy in 4", "esc cancels")
			n := d.calls.count("/details")
			end(d)
			if name != "lock" { // It says no more than that it is locked.
				d.see("the copy that waited is dropped")
			}
			d.seeNot("copy in 4", "esc cancels")
			d.wait(time.Minute)
			if d.board.Text() != "" || d.calls.count("/details") != n {
				t.Errorf("%s: the number was read, or is on the clipboard", name)
			}
		})
	}
}

// TestWhereMoneyWentIsHiddenInPrivate looks for merchants that no code waits
// of, and does a command from the list of them.
func TestWhereMoneyWentIsHiddenInPrivate(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		names := make(map[string]bool)
		for _, tx := range objects(d.t, d.api(http.MethodGet, "/transactions?per_page=100", nil)["data"]) {
			names[text(d.t, object(d.t, tx["merchant"])["name"])] = true
		}
		for _, c := range objects(d.t, d.api(http.MethodGet, "/3ds?status=pending", nil)["data"]) {
			for name := range names {
				if strings.HasPrefix(text(d.t, c["merchant"]), name) || strings.HasPrefix(name, text(d.t, c["merchant"])) {
					delete(names, name)
				}
			}
		}
		if len(names) < 3 {
			t.Fatalf("only %d names to look for", len(names))
		}
		d.press("P")
		for _, keys := range [][]string{{"3"}, {"enter"}, {"esc", "1", "enter"}, {"j"}} {
			d.press(keys...)
			for name := range names {
				if strings.Contains(d.screen(), name) {
					t.Errorf("after %v %q can be read:\n%s", keys, name, d.screen())
				}
			}
		}
		d.press("esc", "ctrl+p")
		d.see("Find")
		d.write("history of operations")
		d.press("enter")
		d.see("1 History")
	})
}
