package sim

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// glass is a terminal as it is looked at.
type glass struct {
	mu   sync.Mutex
	vt   vt10x.Terminal
	rest []byte // Of a character that is not whole yet: the emulator drops that.
}

// Write draws. A program whose terminal is no file ends lines without a carriage return.
func (g *glass) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	data := append(g.rest, bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))...)
	whole := len(data)
	for i := 1; i <= min(utf8.UTFMax, len(data)); i++ {
		if at := len(data) - i; utf8.RuneStart(data[at]) {
			if !utf8.FullRune(data[at:]) {
				whole = at
			}
			break
		}
	}
	g.rest = bytes.Clone(data[whole:])
	if _, err := g.vt.Write(data[:whole]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// text is what is on it, without blanks at the end of lines.
func (g *glass) text() string {
	lines := g.lines()
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// lines are what is on it.
func (g *glass) lines() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Split(g.vt.String(), "\n")
}
