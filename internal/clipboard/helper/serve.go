// Package helper is a child of the guard that touches the clipboard through
// atotto/clipboard. That library waits for ever on a clipboard that does not
// answer; a child has a deadline and can be killed.
//
// Comparing and clearing happen in one helper, which keeps the time between the
// two short, and what the user has on the clipboard never leaves the helper.
package helper

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/atotto/clipboard"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// pause is between two looks at the clipboard, looks how many are made to see
// a clearing happen. Waiting for a copy to appear ends with the deadline.
const (
	pause = 5 * time.Millisecond
	looks = 40
)

// errNoDisplay means that there is no display to ask.
var errNoDisplay = errors.New("the display cannot be reached")

// board is the clipboard as the library gives it.
type board struct {
	read  func() (string, error)
	write func(string) error
	sweep func(mark.Set) error
}

// Serve answers the one request on in and returns the exit code.
func Serve(in io.Reader, out io.Writer) int {
	req, err := wire.NewReader(in).Read()
	if err != nil {
		return 2
	}
	b := board{read: read, write: clipboard.WriteAll, sweep: sweep}
	res := wire.Frame{Op: wire.Done}
	res.Outcome, err = b.serve(req)
	if err != nil {
		res.Err = err.Error()
	}
	if wire.NewWriter(out).Write(res) != nil {
		return 1
	}
	return 0
}

func (b board) serve(req wire.Frame) (wire.Outcome, error) {
	set := mark.Set{Key: req.Key, Sums: req.Digests}
	switch req.Op {
	case wire.Check:
		return b.look(set)
	case wire.Await:
		return b.await(set, 1<<30)
	case wire.Put:
		if err := b.write(string(req.Payload)); err != nil {
			return "", fmt.Errorf("write clipboard: %w", err)
		}
		return b.await(set, 1<<30)
	case wire.Clear:
		return b.clear(set)
	default:
		return "", fmt.Errorf("serve %q: unknown request", req.Op)
	}
}

// look returns what is on the clipboard.
func (b board) look(set mark.Set) (wire.Outcome, error) {
	text, err := b.read()
	switch {
	case errors.Is(err, errNoDisplay):
		return wire.Gone, nil
	case err != nil:
		return "", err
	case set.Has([]byte(text)):
		return wire.Ours, nil
	case text == "":
		return wire.Empty, nil
	default:
		return wire.Other, nil
	}
}

// await looks until the secret is there. A tool may take the selection a moment
// after it was started, and until then the old content shows.
func (b board) await(set mark.Set, tries int) (wire.Outcome, error) {
	for i := 1; ; i++ {
		found, err := b.look(set)
		if err == nil && found == wire.Gone {
			err = errNoDisplay
		}
		if err != nil || found == wire.Ours || i >= tries {
			return found, err
		}
		<-time.After(pause)
	}
}

// clear compares, overwrites if the content is ours, and reads back.
func (b board) clear(set mark.Set) (wire.Outcome, error) {
	found, err := b.look(set)
	if err != nil {
		return found, err
	}
	if found == wire.Ours {
		if found, err = b.overwrite(set); err != nil {
			return found, err
		}
	}
	return found, b.sweep(set)
}

func (b board) overwrite(set mark.Set) (wire.Outcome, error) {
	if err := b.write(""); err != nil {
		return wire.Ours, fmt.Errorf("clear clipboard: %w", err)
	}
	for range looks {
		found, err := b.look(set)
		if err != nil {
			return wire.Ours, err
		}
		if found != wire.Ours {
			return wire.Cleared, nil
		}
		<-time.After(pause)
	}
	return wire.Ours, errors.New("clear clipboard: it still holds the secret")
}

// read returns the text on the clipboard, "" when there is none. The tools fail
// alike on a clipboard without text and on one out of reach; only their words
// tell these apart, so words that are not known count as a failure.
func read() (string, error) {
	text, err := clipboard.ReadAll()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		said := string(exit.Stderr)
		if saysNoText(said) {
			return "", nil
		}
		if saysNoDisplay(said) {
			return "", errNoDisplay
		}
		return "", fmt.Errorf("read clipboard: %s", Plain(said, nil))
	}
	if err != nil {
		return "", fmt.Errorf("read clipboard: %w", err)
	}
	return text, nil
}

func saysNoText(said string) bool {
	for _, words := range []string{
		"not available",        // xclip: nobody owns it, or it holds no text
		"No selection",         // wl-paste
		"Nothing is copied",    // wl-paste
		"No suitable type",     // wl-paste: it holds no text
		"clipboard is empty",   // wl-paste, newer wording
		"No text was found on", // pbpaste
	} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

func saysNoDisplay(said string) bool {
	for _, words := range []string{
		"Can't open display",                    // xclip, xsel
		"Failed to connect to a Wayland server", // wl-paste
	} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// Plain makes what a tool said fit for the status line: one short line of
// printable ASCII. A tool may repeat what it was given: words for which secret returns true,
// and digits that could be of a card or a code, are hidden. secret may be nil.
func Plain(said string, secret func(word []byte) bool) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, line)
	words := strings.Split(line, " ")
	for i, w := range words {
		bare := strings.Trim(w, "'\"`:;,.()[]{}<>")
		if secret != nil && bare != "" && (secret([]byte(bare)) || secret([]byte(w))) {
			words[i] = hidden
		}
	}
	line = longDigits.ReplaceAllString(strings.Join(words, " "), hidden)
	if line == "" {
		return "the clipboard tool failed without a word"
	}
	return line[:min(len(line), 120)]
}

const hidden = "[hidden]"

// longDigits are as many as the shortest secret has, a CVV, together or in groups.
var longDigits = regexp.MustCompile(`\d(?:[ -]?\d){2,}`)
