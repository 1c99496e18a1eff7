//go:build long

package e2e

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/keymap"
)

// encoding returns the bytes of a key, by what it prints, what the US one prints, and its modifiers.
type encoding func(printed, us rune, mod int) string

// inEveryPlace calls test for each place and encoding.
func inEveryPlace(t *testing.T, test func(t *testing.T, at place, encode encoding)) {
	t.Helper()
	t.Parallel()
	for _, at := range places() {
		if at.name == "private dialog" {
			continue // It is the dialog once more.
		}
		for name, encode := range encoded {
			t.Run(at.name+" in "+name, func(t *testing.T) {
				t.Parallel()
				test(t, at, encode)
			})
		}
	}
}

// TestEveryKeyWithCtrlOrAltDoesTheSameOnEveryLayout: those that the program has, in every place. What a key does there is
// what the US one does as kitty sends it.
func TestEveryKeyWithCtrlOrAltDoesTheSameOnEveryLayout(t *testing.T) {
	inEveryPlace(t, func(t *testing.T, at place, encode encoding) {
		t.Helper()
		story(t, options{w: 100, h: 24, cards: 12, txns: 1}, func(d *driver) {
			d.press("1")
			if at.name == "list" {
				at.back = append(at.back, "g", "j")
				d.press("j")
			}
			d.goTo(at)
			d.sameEverywhere(at, encode)
		})
	})
}

// TestTheKeyThatAlwaysQuitsDoesSoOnEveryLayout: ctrl+c, in every place.
func TestTheKeyThatAlwaysQuitsDoesSoOnEveryLayout(t *testing.T) {
	inEveryPlace(t, func(t *testing.T, at place, encode encoding) {
		t.Helper()
		for _, bytes := range onLayouts('c', 5, encode) {
			story(t, options{w: 100, h: 24, cards: 12, txns: 1}, func(d *driver) {
				d.press("1")
				d.goTo(at)
				d.send(bytes)
				d.let(150 * time.Millisecond)
				select {
				case err := <-d.done:
					d.done <- err
				default:
					d.t.Errorf("%s: ctrl+c, sent as %q, does not quit", at.name, bytes)
				}
			})
		}
	})
}

// chords are the keys with ctrl and alt that the program has, but the one that quits; only those that act anywhere where
// text is typed, as edits has the others there.
func chords(field bool) []string {
	keys := []string{"ctrl+o"} // First: codes expire.
	for _, b := range keymap.Defaults() {
		for _, k := range b.Keys {
			letter := k[strings.LastIndexByte(k, '+')+1:]
			if chord := len(letter) == 1 && letter != k && strings.Contains(usKeys, letter); chord && k != "ctrl+c" && (!field || b.Context == keymap.Always) && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// onLayouts are the bytes that a key with a modifier comes as, on all layouts.
func onLayouts(us rune, mod int, encode encoding) (all []string) {
	i := strings.IndexRune(usKeys, us)
	for _, layout := range slices.Sorted(maps.Keys(printedOn)) {
		printed := []rune(printedOn[layout])[i]
		if printed == ' ' {
			continue
		}
		if bytes := encode(printed, us, mod); bytes != "" && !slices.Contains(all, bytes) {
			all = append(all, bytes)
		}
	}
	return all
}

// sameEverywhere holds that each chord does the same on each layout.
func (d *driver) sameEverywhere(at place, encode encoding) {
	d.t.Helper()
	back := at.back
	if at.name != "list" {
		back = nil
	}
	for _, key := range chords(at.field) {
		us, mod := []rune(key)[len(key)-1], 5
		if strings.HasPrefix(key, "alt+") {
			mod = 3
		}
		want := d.does(encoded["kitty"](us, us, mod), back)
		if at.name == "list" && want == d.does("", back) {
			d.t.Errorf("%s does nothing that can be seen: %s", key, want)
		}
		for _, bytes := range onLayouts(us, mod, encode) {
			if got := d.does(bytes, back); got != want {
				d.t.Errorf("%s: %s, sent as %q, does %s, not %s", at.name, key, bytes, got, want)
			}
		}
	}
}

// does is what a key does, as a person sees it: copies, an erased screen, the titles, the row of the cursor, and what the
// program says.
func (d *driver) does(bytes string, back []string) string {
	d.t.Helper()
	copies, written := d.board.Copies(), len(d.term.sent())
	d.send(bytes)
	d.let(150 * time.Millisecond)
	screen := d.screen()
	copies = d.board.Copies() - copies
	did := fmt.Sprintf("copies %d, erased %v, titles %q, row %q, says %q", copies, strings.Contains(d.term.sent()[written:], ansi.EraseEntireScreen),
		frameTitle.FindAllString(screen, -1), cardRow.FindString(d.cursor()), spoken.FindString(screen))
	d.press(back...)
	d.wait(time.Second)
	if copies > 0 || spoken.MatchString(d.screen()) { // There is no room for both.
		d.let(35 * time.Second)
	}
	return did
}

var (
	frameTitle = regexp.MustCompile(`╭▸(1 )?[A-Za-z ]*`)
	cardRow    = regexp.MustCompile(`│▸\S  [a-z]+/[a-z0-9/-]*`)
	spoken     = regexp.MustCompile(` cannot suspend | theme `)
)
