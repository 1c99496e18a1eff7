package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

const (
	// patience bounds every wait.
	patience = 5 * time.Minute
	// silence is how long a program writes nothing before the next key.
	silence = 40 * time.Millisecond
	// answered is how long a program writes nothing once it has answered a key that moves:
	// longer than frames are apart, and too short for a second that passes to count.
	answered = 12 * time.Millisecond
)

// now and pause are of the real time, which is what is measured.
func now() time.Time { return time.Now() } //nolint:forbidigo // as above

func pause(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // as above

// size is that of a terminal, in cells.
type size struct{ columns, lines int }

// session is a program in a pseudo-terminal. What it writes is only noted while
// a key is timed; the emulator reads it when the screen is asked for.
type session struct {
	cmd     *exec.Cmd
	tty     *os.File
	started time.Time
	term    vt10x.Terminal

	mu     sync.Mutex
	unread []byte // not yet emulated
	bytes  int
	last   time.Time // of the latest output
	ended  error
	woke   chan struct{}
}

// start starts a program in a terminal. Its end is the session's.
func start(ctx context.Context, at size, env []string, args ...string) (*session, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the program to measure
	cmd.Env = env
	s := &session{cmd: cmd, term: vt10x.New(vt10x.WithSize(at.columns, at.lines)), woke: make(chan struct{}, 1), started: now()}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(at.columns), Rows: uint16(at.lines)})
	if err != nil {
		return nil, err
	}
	s.tty = tty
	go s.read()
	return s, nil
}

func (s *session) read() {
	buf := make([]byte, 256<<10)
	for {
		n, err := s.tty.Read(buf)
		at := now()
		if bytes.Contains(buf[:n], []byte("\x1b[c")) { // Which kind of terminal?
			_, _ = s.tty.WriteString("\x1b[?62c")
		}
		s.mu.Lock()
		s.unread = append(s.unread, buf[:n]...)
		s.bytes += n
		if n > 0 {
			s.last = at
		}
		s.ended = err
		s.mu.Unlock()
		select {
		case s.woke <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// screen returns what the terminal shows, and when it was last written to.
func (s *session) screen() (string, time.Time) {
	s.mu.Lock()
	p, at := s.unread, s.last
	s.unread = nil
	s.mu.Unlock()
	whole := wholeRunes(p)
	_, _ = s.term.Write(p[:whole])
	if whole < len(p) {
		s.mu.Lock()
		s.unread = append(p[whole:len(p):len(p)], s.unread...)
		s.mu.Unlock()
	}
	return s.term.String(), at
}

// wholeRunes returns the length of what does not end in the middle of a rune,
// which the emulator would drop.
func wholeRunes(p []byte) int {
	for i := 1; i <= utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) {
			if !utf8.FullRune(p[len(p)-i:]) {
				return len(p) - i
			}
			break
		}
	}
	return len(p)
}

// shows waits until the screen has a text and returns when the output with it
// came.
func (s *session) shows(text string) (time.Time, error) {
	limit := time.After(patience)
	for {
		screen, at := s.screen()
		if strings.Contains(screen, text) {
			return at, nil
		}
		if err := s.next(limit); err != nil {
			return at, fmt.Errorf("%s does not show %q: %w\n%s", s.cmd.Path, text, err, screen)
		}
	}
}

// next waits for output.
func (s *session) next(limit <-chan time.Time) error {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended != nil {
		return fmt.Errorf("it ended: %w", ended)
	}
	select {
	case <-s.woke:
		return nil
	case <-limit:
		return fmt.Errorf("nothing for %s", patience)
	}
}

// quiet waits until nothing was written for a while, and returns when the last
// was, and how much there was until then.
func (s *session) quiet(d time.Duration) (last time.Time, written int) {
	for {
		s.mu.Lock()
		last, written = s.last, s.bytes
		s.mu.Unlock()
		since := now().Sub(last)
		if since >= d {
			return last, written
		}
		pause(d - since)
	}
}

// send types keys and does not wait.
func (s *session) send(keys string) error {
	_, err := s.tty.WriteString(keys)
	return err
}

// press types keys and returns how long the answer took to its last byte, and its
// bytes: it is what the program writes until nothing comes for a while.
func (s *session) press(keys string, end time.Duration) (time.Duration, int, error) {
	_, before := s.quiet(0)
	at := now()
	if err := s.send(keys); err != nil {
		return 0, 0, err
	}
	limit := time.After(patience)
	for {
		if _, written := s.quiet(0); written > before {
			break
		}
		if err := s.next(limit); err != nil {
			return 0, 0, fmt.Errorf("%s does not answer %q: %w", s.cmd.Path, keys, err)
		}
	}
	last, written := s.quiet(end)
	s.quiet(silence)
	return last.Sub(at), written - before, nil
}

// end waits until the program has ended by itself.
func (s *session) end() error {
	limit := time.After(patience)
	for s.next(limit) == nil {
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		return fmt.Errorf("%s does not end", s.cmd.Path)
	}
	return nil
}

func (s *session) stop() {
	_ = s.cmd.Process.Kill() // It may have ended.
	_ = s.cmd.Wait()
	_ = s.tty.Close()
}

// use is what a process and its children have used so far.
type use struct {
	threads map[string]thread // by their folders
	rss     int               // bytes of the process now
	peak    int               // bytes of it at most
}

type thread struct {
	cpu   time.Duration
	wakes int // voluntary context switches: each is a sleep that ended
}

// usage reads /proc.
func usage(pid int) (use, error) {
	u := use{threads: make(map[string]thread)}
	if err := u.add(pid); err != nil {
		return u, err
	}
	status := fmt.Sprintf("/proc/%d/status", pid)
	u.rss, u.peak = field(status, "VmRSS:")<<10, field(status, "VmHWM:")<<10
	return u, nil
}

func (u *use) add(pid int) error {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		return err
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task + "/schedstat") //nolint:gosec // a file of /proc
		if err != nil {
			continue // The thread ended.
		}
		ns, err := strconv.ParseInt(strings.Fields(string(stat))[0], 10, 64)
		if err != nil {
			return err
		}
		u.threads[task] = thread{time.Duration(ns), field(task+"/status", "voluntary_ctxt_switches:")}
		children, err := os.ReadFile(task + "/children") //nolint:gosec // a file of /proc
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				return err
			}
			if err := u.add(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// since returns what was used between two readings.
func (u use) since(before use) (cpu time.Duration, wakes int) {
	for task, t := range u.threads {
		cpu += t.cpu - before.threads[task].cpu
		wakes += t.wakes - before.threads[task].wakes
	}
	return cpu, wakes
}

func field(path, name string) int {
	b, err := os.ReadFile(path) //nolint:gosec // a file of /proc
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}
