package screen

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// terminal is an emulator that a screen writes to, which can stop reading.
type terminal struct {
	*emulator
	mu     sync.Mutex
	writes []time.Time
	stuck  chan struct{} // nil while it reads
	broken error
	all    strings.Builder
}

func (t *terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	stuck, broken := t.stuck, t.broken
	t.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if broken != nil {
		return 0, broken
	}
	t.writes = append(t.writes, clock())
	t.all.Write(b)
	return t.emulator.Write(b)
}

// begin starts a screen on a terminal of 20x3 and gives what ends it.
func start(t *testing.T) (*Screen, *terminal, func() error) {
	t.Helper()
	out := &terminal{emulator: newEmulator(20, 3)}
	s := New(Config{Cluster: firstCluster, Out: out, Env: func(string) string { return "" }, Now: clock})
	must(t, s.Start(false))
	ended := make(chan error, 1)
	go func() { ended <- s.Run() }()
	synctest.Wait()
	return s, out, func() error { return errors.Join(s.Stop(), <-ended) }
}

// clock is the virtual time of a bubble, and pass lets some of it go by.
func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

// settle lets the screen write what it has.
func settle() {
	pass(2 * rest)
	synctest.Wait()
}

func frame(text string) Frame {
	return Frame{Lines: []string{text}, Width: 20, Height: 3, Title: "cardtop"}
}

func (t *terminal) shows(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.HasPrefix(t.text(), text)
}

func TestAFrameIsWrittenAtOnceAndOfABurstTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		pass(time.Second)
		begun := clock()
		s.Show(frame("first"))
		synctest.Wait()
		if !out.shows("first") || !out.writes[len(out.writes)-1].Equal(begun) {
			t.Errorf("the first frame was not written at once:\n%s", out.text())
		}
		writes := len(out.writes)
		for i := range 100 {
			s.Show(frame(fmt.Sprint("frame ", i)))
			pass(100 * time.Microsecond)
		}
		settle()
		if !out.shows("frame 99") {
			t.Errorf("the last frame is not shown:\n%s", out.text())
		}
		if n := len(out.writes) - writes; n > 4 {
			t.Errorf("%d writes within 10 ms and a rest", n)
		}
		for i := 1; i < len(out.writes); i++ {
			if d := out.writes[i].Sub(out.writes[i-1]); d < rest {
				t.Errorf("two writes within %v", d)
			}
		}
		if err := stop(); err != nil || out.err != nil {
			t.Error(err, out.err)
		}
	})
}

func TestNothingIsWrittenWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		s.Show(frame("still"))
		settle()
		before := len(out.writes)
		s.Show(frame("still"))
		pass(time.Hour)
		synctest.Wait()
		if len(out.writes) != before {
			t.Errorf("%d writes", len(out.writes)-before)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestTheTerminalIsGivenBackAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		before := map[string]bool{}
		for m, on := range newEmulator(1, 1).modes {
			before[m] = on
		}
		f := frame("4111 1111 1111 1111")
		f.Mouse = true
		s.Show(f)
		settle()
		for _, m := range []string{"?1049", "?2004", "?1004", "?1002", "?1006"} {
			if !out.modes[m] {
				t.Errorf("mode %s is off while it runs", m)
			}
		}
		if out.modes["?25"] || out.title != "cardtop" {
			t.Errorf("cursor %v, title %q", out.modes["?25"], out.title)
		}
		must(t, stop())
		for m, on := range out.modes {
			if on != before[m] {
				t.Errorf("mode %s is %v afterwards", m, on)
			}
		}
		if out.title != "shell" || strings.Contains(out.text(), "4111") {
			t.Errorf("left behind: %q\n%s", out.title, out.text())
		}
		if s.Send("\x1b]9;late\a") {
			t.Error("a sequence was taken after the end")
		}
	})
}

func TestItRunsAgainFromABlankScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		s.Show(frame("before"))
		settle()
		must(t, stop())
		must(t, s.Start(false))
		ended := make(chan error, 1)
		go func() { ended <- s.Run() }()
		if settle(); !out.shows("before") {
			t.Errorf("the frame is not there again:\n%s", out.text())
		}
		if err := errors.Join(s.Stop(), <-ended, out.err); err != nil {
			t.Error(err)
		}
	})
}

func TestASequenceIsWrittenBetweenFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		s.Report(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
		s.Show(frame("one"))
		s.Send("\x1b]2;sent\a")
		settle()
		all := out.all.String()
		at := strings.Index(all, "\x1b]2;sent\a")
		if at < 0 || strings.Count(all[:at], "\x1b[?2026h") != strings.Count(all[:at], "\x1b[?2026l") {
			t.Errorf("sent inside of an update: %q", all)
		}
		if !strings.Contains(all, "\x1b[?2026h\x1b[?25l\x1b[m\x1b[2J\x1b[Hone\x1b[?2026l") {
			t.Errorf("no single update: %q", all)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestATerminalThatTakesNothingHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, stop := start(t)
		out.mu.Lock()
		out.stuck = make(chan struct{})
		out.mu.Unlock()
		before := clock()
		for i := range 10_000 {
			s.Show(frame(fmt.Sprint("frame ", i)))
		}
		sent := 0
		for s.Send(strings.Repeat("x", 1000)) {
			sent++
		}
		if clock().Sub(before) != 0 || sent > maxQueue/1000 {
			t.Errorf("waited %v, %d sequences wait", clock().Sub(before), sent)
		}
		s.mu.Lock()
		s.queue = nil // It is no sequence that the emulator takes.
		s.mu.Unlock()
		close(out.stuck)
		out.mu.Lock()
		out.stuck = nil
		out.mu.Unlock()
		settle()
		if !out.shows("frame 9999") || out.err != nil {
			t.Errorf("after it reads again: %v\n%s", out.err, out.text())
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestAStuckTerminalIsGivenUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out, _ := start(t)
		out.mu.Lock()
		out.stuck = make(chan struct{})
		out.mu.Unlock()
		s.Show(frame("never read"))
		settle()
		if err := s.Stop(); !errors.Is(err, ErrStuck) {
			t.Errorf("got %v", err)
		}
		close(out.stuck)
		settle()
	})
}

func TestABrokenTerminalEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &terminal{emulator: newEmulator(20, 3), broken: io.ErrClosedPipe}
		s := New(Config{Cluster: firstCluster, Out: out, Env: func(string) string { return "" }, Now: clock})
		must(t, s.Start(false))
		if err := s.Run(); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
		s.Show(frame("nobody reads")) // It does not wait.
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestACrashedRunGivesTheTerminalBackAllTheSame whether it crashed before the end began or because of it.
func TestACrashedRunGivesTheTerminalBackAllTheSame(t *testing.T) {
	for _, while := range []string{"running", "stopping"} {
		t.Run(while, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				crash := false
				out := &terminal{emulator: newEmulator(20, 3)}
				s := New(Config{Cluster: firstCluster, Out: out, Env: func(string) string { return "" }, Now: func() time.Time {
					if crash {
						panic("of the clock")
					}
					return clock()
				}})
				must(t, s.Start(false))
				s.Show(frame("4111 1111 1111 1111"))
				crashed := make(chan any, 1)
				go func() {
					defer func() { crashed <- recover() }()
					_ = s.Run()
				}()
				settle()
				crash = true
				if while == "running" {
					s.Show(frame("4111"))
					settle()
				}
				if err := s.Stop(); err != nil {
					t.Error(err)
				}
				if <-crashed == nil {
					t.Error("it did not crash")
				}
				if out.modes["?1049"] || strings.Contains(out.text(), "4111") {
					t.Errorf("the terminal is left as it was:\n%s", out.text())
				}
			})
		})
	}
}

func TestATitleEndsNoSequence(t *testing.T) {
	if got := title("a\a\x1b]52;c;QQ==\x1b\\b\u009c"); strings.Count(got, "\x1b") != 1 || strings.Count(got, "\a") != 1 {
		t.Errorf("%q", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
