package guard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/backend"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

var errStuck = errors.New("the clipboard does not answer")

// fakeBoard is a clipboard in memory. As owner it knows when it lost the text.
type fakeBoard struct {
	mu     sync.Mutex
	text   string
	blind  bool
	broken error
	lost   chan uint64
	clears int
}

func (f *fakeBoard) set(text string) { f.mu.Lock(); defer f.mu.Unlock(); f.text = text }
func (f *fakeBoard) get() string     { f.mu.Lock(); defer f.mu.Unlock(); return f.text }
func (f *fakeBoard) fail(err error)  { f.mu.Lock(); defer f.mu.Unlock(); f.broken = err }
func (f *fakeBoard) count() int      { f.mu.Lock(); defer f.mu.Unlock(); return f.clears }

func (f *fakeBoard) Copy(_ context.Context, _ uint64, text []byte, _ mark.Set) (wire.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return "", f.broken
	}
	f.text = string(text)
	if f.blind {
		return wire.Sent, nil
	}
	return wire.Copied, nil
}

func (f *fakeBoard) Check(_ context.Context, set mark.Set) (wire.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.check(set)
}

func (f *fakeBoard) check(set mark.Set) (wire.Outcome, error) {
	switch {
	case f.broken != nil:
		return "", f.broken
	case f.blind:
		return wire.Sent, nil
	case set.Has([]byte(f.text)):
		return wire.Ours, nil
	case f.text == "":
		return wire.Empty, nil
	default:
		return wire.Other, nil
	}
}

func (f *fakeBoard) Clear(_ context.Context, set mark.Set) (wire.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clears++
	if f.blind && f.broken == nil {
		f.text = " "
		return wire.Blanked, nil
	}
	found, err := f.check(set)
	if found == wire.Ours {
		f.text, found = "", wire.Cleared
	}
	return found, err
}

func (f *fakeBoard) Release(context.Context, mark.Set) error { return nil }

func (f *fakeBoard) Lost() <-chan uint64 { return f.lost }

// watchEnd is when an entry that is gone is forgotten.
const watchEnd = 3 * time.Second

type fakeScreen struct{ restored atomic.Int32 }

func (f *fakeScreen) Restore() error { f.restored.Add(1); return nil }

// bench runs a guard in a bubble and speaks to it as the dashboard does.
type bench struct {
	t      *testing.T
	key    mark.Key
	in     chan input
	term   chan os.Signal
	frames chan wire.Frame
	over   atomic.Bool
	boot   atomic.Int64 // added to the clock that is never set
	wall   atomic.Int64 // added to the wall clock
	screen fakeScreen
	seq    uint64
	said   []wire.Frame
}

func newBench(t *testing.T, boards ...backend.Backend) *bench {
	t.Helper()
	return newBenchOf(t, "key", "", boards...)
}

// newBenchOf is a guard of the dashboard that has the key, which tells others by
// the folder when it copies.
func newBenchOf(t *testing.T, key, claims string, boards ...backend.Backend) *bench {
	t.Helper()
	b := &bench{t: t, key: mark.Key(key), in: make(chan input), term: make(chan os.Signal, 1), frames: make(chan wire.Frame, 100)}
	start := time.Now() //nolint:forbidigo // the bubble's clock
	r, w := io.Pipe()
	g := &Guard{
		key: b.key, screen: &b.screen, held: true, out: wire.NewWriter(w),
		clock: func() Instant {
			now := time.Now() //nolint:forbidigo // the bubble's clock
			return Instant{
				Boot: now.Sub(start) + time.Duration(b.boot.Load()),
				Wall: now.Add(time.Duration(b.wall.Load())).Round(0),
			}
		},
	}
	choice := backend.Choice{Hint: "install xclip"}
	for _, board := range boards {
		choice.Ways = append(choice.Ways, backend.Way{Backend: board, Place: "here"})
	}
	g.choose(choice, claims)
	go func() {
		g.run(t.Context(), b.in, b.term)
		b.over.Store(true)
		_ = w.Close()
	}()
	go func() {
		for fr := wire.NewReader(r); ; {
			f, err := fr.Read()
			if err != nil {
				close(b.frames)
				return
			}
			b.frames <- f
		}
	}()
	return b
}

// ask sends a frame and returns the answer.
func (b *bench) ask(f wire.Frame) wire.Frame {
	b.t.Helper()
	b.seq++
	f.Seq = b.seq
	b.in <- input{frame: f}
	for {
		res, ok := <-b.frames
		if !ok {
			b.t.Fatal("the guard ended before it answered")
		}
		if res.Op == wire.Done && res.Seq == f.Seq {
			synctest.Wait() // for what the guard does besides
			return res
		}
		b.said = append(b.said, res)
	}
}

func (b *bench) copy(id uint64, text string, ttl time.Duration) wire.Frame {
	b.t.Helper()
	if res := b.ask(wire.Frame{Op: wire.Arm, ID: id, TTL: ttl, Digests: [][]byte{b.key.Sum([]byte(text))}}); res.Err != "" {
		b.t.Fatal(res.Err)
	}
	return b.ask(wire.Frame{Op: wire.Write, ID: id, Payload: []byte(text)})
}

// after lets time pass and returns what was reported up to then.
func (b *bench) after(d time.Duration) []string {
	b.t.Helper()
	<-time.After(d)
	synctest.Wait()
	for {
		select {
		case f, ok := <-b.frames:
			if ok {
				b.said = append(b.said, f)
				continue
			}
		default:
		}
		break
	}
	var out []string
	for _, f := range b.said {
		out = append(out, string(f.Outcome)+" "+string(rune('0'+f.ID)))
	}
	b.said = nil
	return out
}

// vanish is the death of the dashboard.
func (b *bench) vanish() { b.in <- input{err: io.EOF} }

// leave ends the guard so that the bubble can end.
func (b *bench) leave() {
	b.t.Helper()
	if !b.over.Load() {
		select {
		case b.term <- syscall.SIGTERM:
		default:
		}
		<-time.After(giveUp + time.Minute)
		synctest.Wait()
	}
	if !b.over.Load() {
		b.t.Error("the guard does not end")
	}
}

func (b *bench) expect(d time.Duration, want ...string) {
	b.t.Helper()
	if got := b.after(d); !slices.Equal(got, want) {
		b.t.Errorf("reported %v, want %v", got, want)
	}
}

// story is what a dashboard and a user do to a guard with one clipboard.
type story func(b *bench, f *fakeBoard)

// each runs a story in a bubble of its own and sees that its guard ends.
func each(t *testing.T, stories map[string]story) {
	t.Helper()
	for name, tell := range stories {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeBoard{lost: make(chan uint64, 1)}
				b := newBench(t, f)
				defer b.leave()
				tell(b, f)
			})
		})
	}
}

func TestTimeIsUp(t *testing.T) {
	each(t, map[string]story{
		"at the deadline": func(b *bench, f *fakeBoard) {
			if res := b.copy(1, "123", 20*time.Second); res.Outcome != wire.Copied || res.Err != "" {
				b.t.Errorf("answer %+v", res)
			}
			b.expect(19900 * time.Millisecond)
			if f.get() != "123" {
				b.t.Error("cleared early")
			}
			b.expect(200*time.Millisecond, "cleared 1")
		},
		"to the millisecond": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", 20033*time.Millisecond)
			b.expect(20032 * time.Millisecond)
			b.expect(2*time.Millisecond, "cleared 1")
			if f.get() != "" {
				b.t.Error("it stays")
			}
		},
		"other content is left alone": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			f.set("mine")
			b.expect(2*time.Second, "other 1")
			if f.get() != "mine" {
				b.t.Error("the user's copy is gone")
			}
		},
		"a tool that was late is cleared again": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			b.expect(1150*time.Millisecond, "cleared 1")
			f.set("123")
			b.expect(200 * time.Millisecond)
			if f.get() != "" {
				b.t.Error("it came back")
			}
		},
		"after eight hours of sleep": func(b *bench, _ *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.boot.Add(int64(8 * time.Hour))
			b.expect(150*time.Millisecond, "cleared 1")
		},
		"with a clock that stops in sleep, by the wall clock": func(b *bench, _ *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.wall.Add(int64(8 * time.Hour))
			b.expect(150*time.Millisecond, "cleared 1")
		},
		"with the wall clock set back": func(b *bench, _ *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.wall.Add(-int64(time.Hour))
			b.expect(time.Minute+150*time.Millisecond, "cleared 1")
		},
		"when asked": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			if res := b.ask(wire.Frame{Op: wire.Clear}); res.Err != "" || f.get() != "" {
				b.t.Errorf("answer %+v, text %q", res, f.get())
			}
			b.expect(time.Millisecond, "cleared 1")
		},
	})
}

func TestDashboardEnds(t *testing.T) {
	each(t, map[string]story{
		"without a goodbye": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.vanish()
			b.expect(time.Millisecond, "cleared 1")
			if b.screen.restored.Load() != 1 {
				b.t.Error("the screen is not restored")
			}
			// It stays for a tool that is late, and then ends.
			<-time.After(2900 * time.Millisecond)
			f.set("123")
			<-time.After(300 * time.Millisecond)
			synctest.Wait()
			if f.get() != "" || !b.over.Load() {
				b.t.Errorf("text %q, over %v", f.get(), b.over.Load())
			}
		},
		"between arming and writing": func(b *bench, f *fakeBoard) {
			b.ask(wire.Frame{Op: wire.Arm, ID: 1, TTL: time.Minute, Digests: [][]byte{b.key.Sum([]byte("123"))}})
			b.vanish()
			b.expect(time.Second)
			if !b.over.Load() || f.count() != 0 {
				b.t.Errorf("over %v, %d clears", b.over.Load(), f.count())
			}
		},
		"while the terminal is someone else's": func(b *bench, _ *fakeBoard) {
			b.ask(wire.Frame{Op: wire.Screen, Now: false})
			b.vanish()
			b.expect(time.Second)
			if b.screen.restored.Load() != 0 {
				b.t.Error("a stranger's screen is erased")
			}
		},
		"with a goodbye the timer runs on": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.ask(wire.Frame{Op: wire.Bye})
			b.vanish()
			b.expect(59 * time.Second)
			if f.get() != "123" || b.over.Load() {
				b.t.Errorf("text %q, over %v", f.get(), b.over.Load())
			}
			b.expect(2*time.Second, "cleared 1")
			if b.screen.restored.Load() != 0 {
				b.t.Error("a screen given back is erased")
			}
		},
		"with a goodbye that clears": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.ask(wire.Frame{Op: wire.Bye, Now: true})
			if f.get() != "" {
				b.t.Error("not cleared")
			}
		},
		"just after SIGTERM to the guard": func(b *bench, _ *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.term <- syscall.SIGTERM
			b.expect(time.Millisecond, "cleared 1")
			b.vanish()
			b.expect(time.Millisecond)
			if b.screen.restored.Load() != 1 {
				b.t.Error("the screen is not restored")
			}
		},
		"and SIGTERM clears at once": func(b *bench, _ *fakeBoard) {
			b.copy(1, "123", time.Minute)
			b.term <- syscall.SIGTERM
			b.expect(time.Millisecond, "cleared 1")
			<-time.After(4 * time.Second)
			synctest.Wait()
			if !b.over.Load() {
				b.t.Error("it does not end")
			}
		},
	})
}

func TestCopies(t *testing.T) {
	each(t, map[string]story{
		"the newer one replaces, both are cleared": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", 10*time.Second)
			<-time.After(5 * time.Second)
			b.copy(2, "456", 10*time.Second)
			b.expect(time.Millisecond, "other 1")
			b.expect(9 * time.Second)
			if f.get() != "456" {
				b.t.Error("the older deadline cleared the newer copy")
			}
			b.expect(2*time.Second, "cleared 2")
		},
		"the older one comes back late and is cleared": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", 5*time.Second)
			b.copy(2, "456", 10*time.Second)
			f.set("123")
			b.after(5200 * time.Millisecond)
			if f.get() != "" {
				b.t.Error("it stays")
			}
		},
		"the same secret again starts anew": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", 10*time.Second)
			<-time.After(9 * time.Second)
			b.copy(2, "123", 10*time.Second)
			b.expect(9*time.Second, "other 1")
			if f.get() != "123" {
				b.t.Error("the older deadline cut it short")
			}
			b.expect(2*time.Second, "cleared 2")
		},
		"the same secret again just after it was cleared": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			b.expect(1200*time.Millisecond, "cleared 1")
			b.copy(2, "123", 10*time.Second)
			b.expect(5 * time.Second)
			if f.get() != "123" {
				b.t.Error("the look for late tools took it")
			}
		},
		"a blank does not hit the newer copy": func(b *bench, f *fakeBoard) {
			f.blind = true
			if res := b.copy(1, "123", 5*time.Second); res.Outcome != wire.Sent {
				b.t.Errorf("answer %+v", res)
			}
			b.copy(2, "456", 10*time.Second)
			b.expect(9*time.Second, "other 1")
			if f.get() != "456" {
				b.t.Error("blanked early")
			}
			b.expect(5*time.Second, "blanked 2")
			if f.count() != 1 {
				b.t.Errorf("%d blanks", f.count())
			}
		},
		"not armed": func(b *bench, _ *fakeBoard) {
			if res := b.ask(wire.Frame{Op: wire.Write, ID: 1, Payload: []byte("123")}); res.Err == "" {
				b.t.Error("it is copied")
			}
		},
	})
}

func TestTrouble(t *testing.T) {
	each(t, map[string]story{
		"a clipboard that does not answer is told once and cleared later": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			f.fail(errStuck)
			b.expect(10*time.Second, "stuck 1")
			f.fail(nil)
			b.expect(10*time.Second, "cleared 1")
			if f.get() != "" {
				b.t.Error("it stays")
			}
		},
		"clearing on request says why it fails": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			f.fail(errStuck)
			if res := b.ask(wire.Frame{Op: wire.Clear}); res.Err != errStuck.Error() {
				b.t.Errorf("answer %+v", res)
			}
			f.fail(nil)
			b.after(2 * time.Second)
		},
		"it gives up in the end": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			f.fail(errStuck)
			b.vanish()
			<-time.After(giveUp + time.Minute)
			synctest.Wait()
			if !b.over.Load() || f.count() > 40 {
				b.t.Errorf("over %v after %d tries", b.over.Load(), f.count())
			}
		},
		"and soon when the display is gone": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			f.fail(backend.ErrNoDisplay)
			b.vanish()
			<-time.After(giveUpGone + retryMost)
			synctest.Wait()
			if !b.over.Load() {
				b.t.Error("it does not end")
			}
		},
		"a clipboard that vanishes once it is cleared does not keep the guard": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Second)
			b.vanish()
			b.expect(time.Millisecond, "cleared 1")
			f.fail(errStuck)
			b.expect(watchEnd + retryMost)
			if !b.over.Load() {
				b.t.Error("it does not end")
			}
		},
		"a copy that fails is looked for": func(b *bench, f *fakeBoard) {
			f.fail(errStuck)
			if res := b.copy(1, "123", time.Minute); res.Err != errStuck.Error() {
				b.t.Errorf("answer %+v", res)
			}
			f.set("123")
			f.fail(nil) // the tool took it all the same
			b.expect(2*time.Second, "stuck 1", "cleared 1")
			if f.get() != "" {
				b.t.Error("it stays")
			}
		},
	})
}

func TestLost(t *testing.T) {
	each(t, map[string]story{
		"to the user": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			f.set("mine")
			f.lost <- 1
			b.expect(time.Millisecond, "other 1")
			b.expect(2 * time.Minute)
			if f.get() != "mine" {
				b.t.Error("the user's copy is gone")
			}
		},
		"to a clipboard manager that keeps it": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			f.lost <- 1
			b.expect(time.Second)
			b.expect(time.Minute, "cleared 1")
			if f.get() != "" {
				b.t.Error("the manager keeps it")
			}
		},
		"nothing is there any more": func(b *bench, f *fakeBoard) {
			b.copy(1, "123", time.Minute)
			f.set("")
			f.lost <- 1
			b.expect(time.Millisecond, "cleared 1")
		},
		"a guard adopts what another copied": func(b *bench, f *fakeBoard) {
			f.set("123")
			b.ask(wire.Frame{Op: wire.Adopt, ID: 1, TTL: 5 * time.Second, Digests: [][]byte{b.key.Sum([]byte("123"))}})
			b.expect(4 * time.Second)
			b.expect(2*time.Second, "cleared 1")
		},
		"a guard adopts what goes with its tool": func(b *bench, f *fakeBoard) {
			f.set("123")
			b.ask(wire.Frame{Op: wire.Adopt, ID: 1, TTL: 5 * time.Second, Digests: [][]byte{b.key.Sum([]byte("123"))}})
			f.set("")
			b.expect(700*time.Millisecond, "cleared 1")
		},
		"a guard adopts too late": func(b *bench, f *fakeBoard) {
			f.set("123")
			b.ask(wire.Frame{Op: wire.Adopt, ID: 1, Digests: [][]byte{b.key.Sum([]byte("123"))}})
			b.expect(time.Millisecond, "cleared 1")
		},
	})
}

func TestWithoutAClipboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.leave()
		if res := b.copy(1, "123", time.Second); res.Outcome != wire.NoTool || res.Err != "install xclip" {
			t.Errorf("answer %+v", res)
		}
	})
}

func TestTheNextWayIsTried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeBoard{broken: errStuck}, &fakeBoard{blind: true})
		defer b.leave()
		if res := b.copy(1, "123", 5*time.Second); res.Outcome != wire.Sent || res.Err != "" {
			t.Errorf("answer %+v", res)
		}
		b.expect(4 * time.Second)
		b.expect(2*time.Second, "blanked 1")
	})
}

func TestMainWithoutADashboard(t *testing.T) {
	if rc := Main(t.Context(), bytes.NewReader(nil), new(bytes.Buffer)); rc != 2 {
		t.Errorf("exit %d", rc)
	}
}

func TestScratch(t *testing.T) {
	run := t.TempDir()
	dir, err := scratch(run)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(dir)
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", st, err)
	}
	for _, none := range []string{"", run + "/nowhere"} {
		if dir, err := scratch(none); dir != "" || err != nil {
			t.Errorf("%q: %q, %v", none, dir, err)
		}
	}
}
