package clipboard

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// RemoteConfig is what the clipboard of a remote terminal is made with.
type RemoteConfig struct {
	Now func() time.Time
	// End writes a sequence once the terminal shows no program any more. It may fail: the
	// connection may be gone.
	End func(seq string)
}

// Remote is the clipboard of a terminal at the other end of a connection that this process
// serves, by OSC 52. It needs no guard: the connection ends with the process, and what is
// at its other end can be asked for nothing afterwards. Neither a copy nor its clearing can
// be verified, and a copy outlives a connection that breaks.
type Remote struct {
	cfg RemoteConfig
	box *mailbox

	mu     sync.Mutex
	send   func(seq string) bool // nil until there is a screen
	last   uint64
	live   bool // a copy was sent and no blank after it
	timer  *time.Timer
	closed bool
}

var _ Board = (*Remote)(nil)

// NewRemote returns a clipboard that refuses copies until Attach.
func NewRemote(cfg RemoteConfig) *Remote { return &Remote{cfg: cfg, box: newMailbox()} }

// Attach has copies written by send, which reports whether there was room.
func (r *Remote) Attach(send func(seq string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.send = send
}

// viaOSC52 names the way of a copy.
const viaOSC52 = "OSC 52"

// blank is sent in place of a copy: terminals ignore an empty text.
func blank() string { return ansi.SetSystemClipboard(" ") }

var errNoRoom = errors.New("the terminal takes nothing at the moment")

// Copy implements Board.
func (r *Remote) Copy(_ context.Context, it Item) (Report, error) {
	if err := it.check(); err != nil {
		return Report{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return Report{}, ErrClosed
	case r.send == nil || !r.send(ansi.SetSystemClipboard(string(it.Secret))):
		return Report{State: Idle, Err: errNoRoom}, errNoRoom
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.last++
	r.live = true
	id := r.last
	r.timer = time.AfterFunc(it.TTL, func() { r.expire(id) })
	return Report{ID: id, State: Sent, Until: r.cfg.Now().Add(it.TTL).UTC(), Via: viaOSC52}, nil
}

// retryBlank is when a blank is sent again that there was no room for.
const retryBlank = time.Second

// expire sends a blank in place of a copy, unless another one was made since.
func (r *Remote) expire(id uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || id != r.last || !r.live {
		return
	}
	if !r.send(blank()) {
		r.timer = time.AfterFunc(retryBlank, func() { r.expire(id) })
		r.box.put(Report{ID: id, State: CannotClear, Err: errNoRoom})
		return
	}
	r.live = false
	r.box.put(Report{ID: id, State: Blanked})
}

// Clear implements Board.
func (r *Remote) Clear(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.live {
		return nil
	}
	if !r.send(blank()) {
		return errNoRoom
	}
	r.timer.Stop()
	r.live = false
	r.box.put(Report{ID: r.last, State: Blanked})
	return nil
}

// HoldScreen does nothing: no guard restores a remote terminal.
func (r *Remote) HoldScreen(context.Context, bool) error { return nil }

// AllowOSC52 does nothing: there is no other way to the other end.
func (r *Remote) AllowOSC52(bool) {}

// Reports implements Board.
func (r *Remote) Reports() <-chan Report { return r.box.ch }

// Info implements Board.
func (r *Remote) Info() Info {
	return Info{
		Mode: "terminal", Tool: viaOSC52, Promise: "a connection that breaks leaves the copy in place",
		Warnings: []string{"clearing cannot be verified"},
	}
}

// Close implements Board. A copy is always blanked: nothing could do it later.
func (r *Remote) Close(bool) error {
	r.mu.Lock()
	live := r.live && !r.closed
	r.closed, r.live = true, false
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Unlock()
	if live {
		r.cfg.End(blank())
	}
	return nil
}
