package sshd

import (
	"context"
	"errors"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// Size is that of a terminal, in cells.
type Size struct{ Width, Height int }

// The sizes that are drawn: a client may name any. A screen of the largest takes some
// megabytes.
const (
	mostWidth, mostHeight       = 500, 200
	defaultWidth, defaultHeight = 80, 24
)

// sizeOf returns a size that can be drawn. Clients that do not know theirs say 0.
func sizeOf(width, height uint32) Size {
	s := Size{int(min(width, mostWidth)), int(min(height, mostHeight))}
	if s.Width == 0 || s.Height == 0 {
		return Size{defaultWidth, defaultHeight}
	}
	return s
}

// ptyRequest is the payload of "pty-req" (RFC 4254, 6.2). Sizes in pixels and modes do not
// count here.
type ptyRequest struct {
	Term          string
	Width, Height uint32
	Rest          []byte `ssh:"rest"`
}

// parsePTY reads the name and the size of a terminal.
func parsePTY(payload []byte) (term string, size Size, ok bool) {
	var r ptyRequest
	if gossh.Unmarshal(payload, &r) != nil {
		return "", Size{}, false
	}
	return r.Term, sizeOf(r.Width, r.Height), true
}

// parseWindow reads the payload of "window-change" (RFC 4254, 6.7).
func parseWindow(payload []byte) (Size, bool) {
	var r struct {
		Width, Height uint32
		Rest          []byte `ssh:"rest"`
	}
	if gossh.Unmarshal(payload, &r) != nil {
		return Size{}, false
	}
	return sizeOf(r.Width, r.Height), true
}

// longestValue bounds the value of a variable, in bytes.
const longestValue = 64

// plain returns a value of a client's that may be used, for instance in the name of a
// file of terminfo: letters, digits and a few signs; empty for another.
func plain(value string) string {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("-_+.@", r)
	}
	if len(value) > longestValue || strings.ContainsFunc(value, odd) || strings.HasPrefix(value, ".") || strings.Contains(value, "..") {
		return ""
	}
	return value
}

// parseEnv reads the payload of "env" (RFC 4254, 6.4). Of the client's variables only
// those count that say how to draw.
func parseEnv(payload []byte) (name, value string, ok bool) {
	var r struct{ Name, Value string }
	if gossh.Unmarshal(payload, &r) != nil {
		return "", "", false
	}
	switch r.Name {
	case "COLORTERM", "LANG", "NO_COLOR":
		value = plain(r.Value)
		return r.Name, value, value != ""
	default:
		return "", "", false
	}
}

// defaultTerm is the terminal of a client that names none that is usable.
const defaultTerm = "xterm"

// environment is what tells how to draw. It is the program's own: TTY_FORCE says that the
// other end is a terminal although no file of this process is one, SSH_TTY that it is
// remote.
func environment(term string, vars map[string]string) []string {
	if term = plain(term); term == "" {
		term = defaultTerm
	}
	env := []string{"TERM=" + term, "TTY_FORCE=1", "SSH_TTY=remote"}
	for _, name := range []string{"COLORTERM", "LANG", "NO_COLOR"} {
		if v, ok := vars[name]; ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// longestLine bounds a command line, in bytes.
const longestLine = 1024

// ErrLine is that a command line cannot be read.
var ErrLine = errors.New("the command line has an open quote, a control character, or is too long")

// parseExec reads the payload of "exec" (RFC 4254, 6.5).
func parseExec(payload []byte) ([]string, error) {
	var r struct{ Line string }
	if gossh.Unmarshal(payload, &r) != nil {
		return nil, ErrLine
	}
	return words(r.Line)
}

// words splits a line as a shell does that expands nothing: at blanks, with single and
// double quotes, and a backslash outside of single ones.
func words(line string) ([]string, error) {
	if len(line) > longestLine || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return nil, ErrLine
	}
	var s splitter
	for _, r := range line {
		s.next(r)
	}
	if s.quote != 0 || s.escaped {
		return nil, ErrLine
	}
	s.end()
	return s.out, nil
}

// splitter is where words is in a line.
type splitter struct {
	out     []string
	word    strings.Builder
	within  bool // a word, perhaps an empty one
	quote   rune // 0 outside of quotes
	escaped bool
}

func (s *splitter) next(r rune) {
	switch {
	case s.escaped:
		s.word.WriteRune(r)
		s.escaped = false
	case r == '\\' && s.quote != '\'':
		s.escaped, s.within = true, true
	case r == s.quote:
		s.quote = 0
	case s.quote != 0:
		s.word.WriteRune(r)
	case r == '\'' || r == '"':
		s.quote, s.within = r, true
	case r == ' ' || r == '\t':
		s.end()
	default:
		s.word.WriteRune(r)
		s.within = true
	}
}

// end ends a word, if there is one.
func (s *splitter) end() {
	if s.within {
		s.out = append(s.out, s.word.String())
		s.word.Reset()
	}
	s.within = false
}

// wish is what a client asks for on a channel.
type wish struct {
	pty   bool
	term  string
	size  Size
	sizes chan Size // the latest that was told
	vars  map[string]string
	shell bool
	words []string // of a command
	err   error    // of its line
}

// hear reads what a client asks for until it starts something; false when it does not.
func (w *wish) hear(ctx context.Context, requests <-chan *gossh.Request, within time.Duration) bool {
	limit := time.NewTimer(within)
	defer limit.Stop()
	for {
		select {
		case r, ok := <-requests:
			if !ok {
				return false
			}
			if w.hears(r) {
				return true
			}
		case <-limit.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// hears takes one request and reports whether it starts something.
func (w *wish) hears(r *gossh.Request) (started bool) {
	ok := false
	switch r.Type {
	case "pty-req":
		if term, size, valid := parsePTY(r.Payload); valid && !w.pty {
			w.pty, w.term, w.size, ok = true, term, size, true
		}
	case "window-change":
		w.size, ok = resized(w.size, r.Payload)
	case "env":
		if name, value, valid := parseEnv(r.Payload); valid {
			w.vars[name], ok = value, true
		}
	case "shell":
		w.shell, ok, started = true, true, true
	case "exec":
		w.words, w.err = parseExec(r.Payload)
		ok, started = true, true
	}
	reply(r, ok)
	return started
}

func resized(was Size, payload []byte) (Size, bool) {
	now, ok := parseWindow(payload)
	if !ok {
		return was, false
	}
	return now, true
}

// follow takes the sizes that a client tells until it closes its end. Everything else is
// refused.
func (w *wish) follow(requests <-chan *gossh.Request, gone chan<- struct{}) {
	defer close(gone)
	for r := range requests {
		size, ok := parseWindow(r.Payload)
		if ok = ok && r.Type == "window-change" && w.pty; ok {
			select {
			case <-w.sizes: // The latest counts.
			default:
			}
			w.sizes <- size
		}
		reply(r, ok)
	}
}

// watch tells each new size until the context ends.
func (w *wish) watch(ctx context.Context, tell func(width, height int)) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-w.sizes:
			tell(s.Width, s.Height)
		}
	}
}

// reply answers a request that wants an answer.
func reply(r *gossh.Request, ok bool) {
	if r.WantReply {
		_ = r.Reply(ok, nil) // The connection may be gone.
	}
}
