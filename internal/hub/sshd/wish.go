package sshd

import (
	"context"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

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
