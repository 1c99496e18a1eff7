package clipboard

import (
	"context"
	"sync"
	"time"
)

// Fake is a board in memory for tests. It clears itself with timers, so that
// in a synctest bubble it runs on virtual time.
type Fake struct {
	now func() time.Time
	box *mailbox

	mu      sync.Mutex
	text    string
	held    uint64 // the copy on the clipboard, 0 when it is not ours
	timer   *time.Timer
	last    uint64
	failing error
	stuck   error
	copies  int
	screen  bool
	closed  bool
	via     string
	sends   bool
}

var _ Board = (*Fake)(nil)

// NewFake returns an empty clipboard. The function gives the time of reports.
func NewFake(now func() time.Time) *Fake {
	return &Fake{now: now, box: newMailbox()}
}

// Copy holds the item until its time is up.
func (f *Fake) Copy(ctx context.Context, it Item) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	if err := it.check(); err != nil {
		return Report{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return Report{}, ErrClosed
	}
	f.last++
	if f.failing != nil {
		return Report{ID: f.last, State: NoTool, Err: f.failing}, f.failing
	}
	f.replace()
	f.text, f.held = string(it.Secret), f.last
	f.copies++
	id := f.last
	f.timer = time.AfterFunc(it.TTL, func() { f.expire(id) })
	state := Copied
	if f.sends {
		state = Sent
	}
	return Report{ID: id, State: state, Until: f.now().Add(it.TTL), Via: f.via}, nil
}

// Clear empties the clipboard if it still holds a copy of ours.
func (f *Fake) Clear(context.Context) error {
	f.mu.Lock()
	id, stuck := f.held, f.stuck
	f.mu.Unlock()
	f.expire(id)
	return stuck
}

// HoldScreen records whether the screen is held.
func (f *Fake) HoldScreen(_ context.Context, held bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.screen = held
	return nil
}

// AllowOSC52 does nothing: everything stays in memory.
func (f *Fake) AllowOSC52(bool) {}

// Reports delivers what happened to the copies.
func (f *Fake) Reports() <-chan Report { return f.box.ch }

// Info names the fake.
func (f *Fake) Info() Info { return Info{Mode: "fake", Promise: "everything stays in memory"} }

// Close refuses further copies; with clearNow it also clears.
func (f *Fake) Close(clearNow bool) error {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	if clearNow {
		return f.Clear(context.Background())
	}
	return nil
}

// Text returns what a paste would give.
func (f *Fake) Text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text
}

// Copies returns how many copies succeeded.
func (f *Fake) Copies() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.copies
}

// ScreenHeld returns what HoldScreen was last told.
func (f *Fake) ScreenHeld() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.screen
}

// Put stands for the user copying something else elsewhere.
func (f *Fake) Put(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replace()
	f.text = text
}

// FailCopy makes the following copies fail; nil lets them succeed again.
func (f *Fake) FailCopy(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failing = err
}

// By names the way of the following copies; sent ones promise nothing.
func (f *Fake) By(via string, sent bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.via, f.sends = via, sent
}

// FailClear makes clearing fail until it is called with nil, which clears what
// should have been cleared meanwhile.
func (f *Fake) FailClear(err error) {
	f.mu.Lock()
	id, due := f.held, err == nil && f.stuck != nil
	f.stuck = err
	f.mu.Unlock()
	if due {
		f.expire(id)
	}
}

// replace reports the copy on the clipboard as replaced.
func (f *Fake) replace() {
	if f.held == 0 {
		return
	}
	f.timer.Stop()
	f.box.put(Report{ID: f.held, State: Replaced})
	f.held = 0
}

func (f *Fake) expire(id uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id == 0 || f.held != id {
		return
	}
	f.timer.Stop()
	if f.stuck != nil {
		f.box.put(Report{ID: id, State: CannotClear, Err: f.stuck})
		return
	}
	f.text, f.held = "", 0
	f.box.put(Report{ID: id, State: Cleared})
}
