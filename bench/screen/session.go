package main

import (
	"bytes"
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

// The size of the screen, in cells.
const (
	columns = 160
	lines   = 45
)

// patience bounds every wait.
const patience = 10 * time.Minute

// now and pause are of the real time, which is what is measured.
func now() time.Time { return time.Now() } //nolint:forbidigo // as above

func pause(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // as above

// session is the program in a pseudo-terminal.
type session struct {
	cmd     *exec.Cmd
	tty     *os.File
	started time.Time

	mu    sync.Mutex
	term  vt10x.Terminal
	carry []byte
	bytes int
	last  time.Time // of the latest output
	ended error
	woke  chan struct{}
}

func start(cmd *exec.Cmd) (*session, error) {
	s := &session{cmd: cmd, term: vt10x.New(vt10x.WithSize(columns, lines)), woke: make(chan struct{}, 1), started: now()}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: lines})
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
		now := now()
		s.mu.Lock()
		s.answer(buf[:n])
		s.write(buf[:n])
		s.bytes += n
		s.last = now
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

// answer answers the query for the kind of terminal.
func (s *session) answer(p []byte) {
	if bytes.Contains(p, []byte("\x1b[c")) {
		_, _ = s.tty.WriteString("\x1b[?62c")
	}
}

// write writes to the emulator, which drops a rune that is cut in two.
func (s *session) write(p []byte) {
	p = append(s.carry, p...)
	end := len(p)
	for i := 1; i <= utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) {
			if !utf8.FullRune(p[len(p)-i:]) {
				end = len(p) - i
			}
			break
		}
	}
	_, _ = s.term.Write(p[:end])
	s.carry = append([]byte(nil), p[end:]...)
}

// shows waits until the screen has a text and returns when the output with it
// came.
func (s *session) shows(text string) (time.Time, error) {
	return s.until(func() bool { return strings.Contains(s.term.String(), text) }, text)
}

func (s *session) until(ok func() bool, what string) (time.Time, error) {
	limit := time.After(patience)
	for {
		s.mu.Lock()
		done, at, ended := ok(), s.last, s.ended
		screen := s.term.String()
		s.mu.Unlock()
		if done {
			return at, nil
		}
		if ended != nil {
			return at, fmt.Errorf("%s ended before it showed %q: %w\n%s", s.cmd.Path, what, ended, screen)
		}
		select {
		case <-s.woke:
		case <-limit:
			return at, fmt.Errorf("%s does not show %q:\n%s", s.cmd.Path, what, screen)
		}
	}
}

// quiet waits until nothing was written for a while.
func (s *session) quiet(d time.Duration) {
	for {
		s.mu.Lock()
		since := now().Sub(s.last)
		s.mu.Unlock()
		if since >= d {
			return
		}
		pause(d - since)
	}
}

// press sends keys and returns how long the last byte of the answer took and how
// many bytes it has.
func (s *session) press(keys string) (time.Duration, int, error) {
	s.mu.Lock()
	before := s.bytes
	s.mu.Unlock()
	at := now()
	if _, err := s.tty.WriteString(keys); err != nil {
		return 0, 0, err
	}
	if _, err := s.until(func() bool { return s.bytes > before }, "an answer"); err != nil {
		return 0, 0, err
	}
	s.quiet(40 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Sub(at), s.bytes - before, nil
}

// use is what a process has used so far.
type use struct {
	cpu   time.Duration
	wakes int
	rss   int // bytes now
	peak  int // bytes at most
}

// usage returns the sum over the threads of the process.
func (s *session) usage() (use, error) {
	var u use
	dir := fmt.Sprintf("/proc/%d", s.cmd.Process.Pid)
	tasks, err := filepath.Glob(dir + "/task/*")
	if err != nil {
		return u, err
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task + "/schedstat") //nolint:gosec // a file of /proc
		if err != nil {
			continue // The thread ended.
		}
		ns, err := strconv.ParseInt(strings.Fields(string(stat))[0], 10, 64)
		if err != nil {
			return u, err
		}
		u.cpu += time.Duration(ns)
		u.wakes += field(task+"/status", "voluntary_ctxt_switches:")
	}
	u.rss = field(dir+"/status", "VmRSS:") << 10
	u.peak = field(dir+"/status", "VmHWM:") << 10
	return u, nil
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

func (s *session) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.tty.Close()
}
