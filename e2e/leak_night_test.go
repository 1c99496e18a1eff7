//go:build night

package e2e

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leakDay is the real program through a day, and what is looked at meanwhile.
type leakDay struct {
	t       *testing.T
	front   *front
	home    string
	display string // of X, empty where there is none
	hits    []string
	looks   int // processes that were looked at
	streams int
}

// TestNothingLeaks uses the real program with reveals, copies, codes and
// writes, ends it in every way, and looks for the secrets in ten encodings: in
// every file, in the arguments and environments of its processes, and in what
// the terminal got while nothing was revealed.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	exe, breaking := buildBinary(t), buildBreaking(t)
	n := max(1, rounds(t, 1)/20)
	clean := 0
	for range n {
		d := &leakDay{t: t, front: openFront(t, exe), display: openDisplay(t)}
		d.home = d.front.home(t)
		d.work(exe)
		d.copyAndDie(exe)
		signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
		places := []string{"command", "View", "Update", "poller", "goroutine"}
		if !thorough() {
			signals, places = signals[:1], places[:1]
		}
		for _, sig := range signals {
			d.dies(exe, "", sig)
		}
		for _, place := range places {
			d.dies(breaking, place, 0)
		}
		d.commands(exe)
		d.files()
		d.log()
		if d.looks < 5 || d.streams < 3 {
			t.Errorf("only %d processes and %d streams were looked at", d.looks, d.streams)
		}
		if len(d.hits) == 0 {
			clean++
		}
		for _, hit := range d.hits {
			t.Error(hit)
		}
	}
	proved(t, "a day of reveals, copies, writes and deaths: nothing left", clean, n)
}

func (d *leakDay) look(where string, data []byte, canaries []canary) {
	for _, hit := range found(data, canaries) {
		d.hits = append(d.hits, hit+" in "+where)
	}
}

// command is the program as a person starts it, with every switch set that
// makes libraries write down what they draw.
func (d *leakDay) command(exe string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(d.t.Context(), exe, args...)
	cmd.Dir = d.home
	cmd.Env = environment(d.home, "TEA_TRACE="+filepath.Join(d.home, "tea-trace"), "TEA_DEBUG=true",
		"UV_DEBUG="+filepath.Join(d.home, "uv-debug"), "GOTRACEBACK=crash",
		"CARDTOP_CRASHTEST_FILE="+filepath.Join(d.home, "spring"))
	if d.display != "" {
		cmd.Env = append(cmd.Env, "DISPLAY="+d.display)
	}
	return cmd
}

func (d *leakDay) open(exe, crash string, env ...string) *realScreen {
	d.t.Helper()
	cmd := d.command(exe)
	cmd.Env = append(append(cmd.Env, "CARDTOP_CRASHTEST="+crash), env...)
	s := showScreen(d.t, d.home, cmd)
	s.await("● live", "1 Cards")
	s.filter(d.front.card.label)
	return s
}

// reveals shows a number; shut says that it is gone.
func (d *leakDay) reveals(s *realScreen) (shut func()) {
	d.t.Helper()
	opened := func(open bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open = open
	}
	opened(true)
	s.insist("r", grouped(d.front.card.pan)) // The first row has perhaps just come.
	return func() {
		s.awaitGone(grouped(d.front.card.pan))
		opened(false)
	}
}

// work does what a person does, and looks at the processes meanwhile.
func (d *leakDay) work(exe string) {
	d.t.Helper()
	s := d.open(exe, "")
	s.await("key in a plain file")
	shut := d.reveals(s)
	s.typed("r")
	s.await("CVV  " + frontCVV)
	d.processes(s)
	s.typed("r")
	shut()
	shut = d.reveals(s)
	s.typed("\x1b[O") // The terminal loses the focus.
	shut()
	s.typed("\x1b[I")
	if d.display != "" {
		for _, what := range []string{"number of", "expiry of", "CVV of"} {
			s.typed("y")
			s.await(what)
			d.processes(s)
		}
		s.typed("o")
		s.await("code")
		d.processes(s)
	}
	s.insist("f", "is frozen")
	s.insist("f", "is active again")
	s.insist("+", "Fund ")
	s.typed("1\r")
	s.await("Fund $1.00")
	s.passes() // A new question takes no key, and tells nothing of one that it did not take.
	s.typed("+")
	s.await("funded ")
	for key, shows := range map[string]string{"H": "1 History", "?": "On a card", "B": "last hour"} {
		s.typed(key)
		s.await(shows)
		s.typed("\x1b")
		s.awaitGone(shows)
	}
	s.typed("\x1a") // There is no shell that could bring it back: it goes on.
	s.await("● live")
	switch err := s.quit(); {
	case err == nil:
	case strings.Contains(err.Error(), "the clipboard does not answer"):
		d.t.Logf("quit: %v", err) // On a busy machine, and said; the guard tries again.
	default:
		d.t.Errorf("quit: %v", err)
	}
	d.stream(s)
}

// copyAndDie is killed with a copy on the clipboard.
func (d *leakDay) copyAndDie(exe string) {
	d.t.Helper()
	if d.display == "" {
		return
	}
	// The key from the environment stays in that of the program, which is closed
	// to others. It must not reach what the program starts.
	s := d.open(exe, "", "CARDTOP_API_KEY="+binaryKey)
	s.typed("y")
	s.await("number of")
	for _, pid := range family(s.cmd.Process.Pid)[1:] {
		d.process(pid)
	}
	must(d.t, s.cmd.Process.Kill())
	_ = s.wait() // It was killed.
	d.stream(s)
}

// dies ends while a number is shown.
func (d *leakDay) dies(exe, crash string, sig syscall.Signal) {
	d.t.Helper()
	spring := filepath.Join(d.home, "spring")
	must(d.t, os.RemoveAll(spring))
	s := d.open(exe, crash)
	shut := d.reveals(s)
	d.processes(s)
	if crash != "" {
		must(d.t, os.WriteFile(spring, nil, 0o600))
	} else if err := s.cmd.Process.Signal(sig); err != nil {
		d.t.Fatal(err)
	}
	_ = s.wait() // However it ended, there is nothing to see.
	if s.term.text() != "" {
		shut()
	}
	d.look("the screen after "+crash+sig.String(), []byte(s.term.text()), d.front.canaries())
	d.stream(s)
}

// stream looks at what the terminal got while nothing was revealed. Codes are
// there to be seen.
func (d *leakDay) stream(s *realScreen) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.streams++
	hidden := []canary{}
	for _, c := range d.front.canaries() {
		if c.name != "code" {
			hidden = append(hidden, c)
		}
	}
	d.look("the terminal's bytes", s.closed.Bytes(), hidden)
	_ = s.tty.Close() // It is over.
}

// processes looks at the arguments and environments of the program and of all
// that it started.
func (d *leakDay) processes(s *realScreen) {
	for _, pid := range family(s.cmd.Process.Pid) {
		d.process(pid)
	}
}

func (d *leakDay) process(pid int) {
	for _, file := range []string{"cmdline", "environ"} {
		// What has ended, or is closed to us, tells nobody anything.
		if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file)); err == nil && len(data) > 0 {
			d.looks++
			d.look(fmt.Sprintf("the %s of a process", file), data, d.front.canaries())
		}
	}
}

// family is a process and all that descend from it.
func family(pid int) []int {
	out := []int{pid}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var child, parent int
		var state string
		if _, err := fmt.Sscan(string(data), &child); err != nil {
			continue
		}
		if _, err := fmt.Sscan(string(data[strings.LastIndexByte(string(data), ')')+1:]), &state, &parent); err == nil && parent == pid {
			out = append(out, family(child)...)
		}
	}
	return out
}

// commands runs what prints no secret, and looks at what it prints; and what
// prints a code.
func (d *leakDay) commands(exe string) {
	d.t.Helper()
	for _, args := range [][]string{{"doctor"}, {"history"}, {"keys"}} {
		out, _ := d.command(exe, args...).CombinedOutput() // The doctor may find something.
		if len(out) == 0 {
			d.t.Errorf("cardtop %v prints nothing", args)
		}
		d.look("the output of cardtop "+args[0], out, d.front.canaries())
	}
	if out, err := d.command(exe, "otp", "--card", d.front.card.label).Output(); err != nil || string(out) != frontCode+"\n" {
		d.t.Errorf("cardtop otp printed %d bytes, %v", len(out), err)
	}
}

// files looks at everything that the home holds, where also the folders for
// state, cache, temporary files and core files are. The configuration holds
// the key because its user put it there.
func (d *leakDay) files() {
	d.t.Helper()
	n := 0
	err := filepath.WalkDir(d.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, d.home)
		if strings.Contains(name, "trace") || strings.Contains(name, "debug") || strings.HasPrefix(e.Name(), "core") || strings.Contains(name, "panic") {
			d.hits = append(d.hits, "there is "+name)
		}
		if !e.Type().IsRegular() || e.Name() == "config.toml" {
			return nil
		}
		n++
		data, err := os.ReadFile(path)
		d.look(name, data, d.front.canaries())
		return err
	})
	must(d.t, err)
	if n < 5 {
		d.t.Errorf("only %d files were looked at", n)
	}
}

// requestLine is all that is written of a request.
var requestLine = regexp.MustCompile(`^time=\S+ level=(INFO|WARN) msg=request method=[A-Z]+ route=\S+ status=\d+ ms=\d+ request_id=\S*$`)

// log holds that the log's lines are of requests, or of what failed at the
// start, and that a request's line has nothing more than it needs.
func (d *leakDay) log() {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.home, "state", "cardtop", "*log*"))
	if err != nil || len(names) == 0 {
		d.t.Fatalf("there is no log: %v", err)
	}
	n := 0
	for _, name := range names {
		f, err := os.Open(name)
		must(d.t, err)
		for lines := bufio.NewScanner(f); lines.Scan(); n++ {
			line := lines.Text()
			_, facts, _ := strings.Cut(line, " msg=")
			facts, _, _ = strings.Cut(facts, " request_id=") // Its digits are chance, and so are the label's four.
			if !requestLine.MatchString(line) || strings.Contains(facts, d.front.card.label) {
				d.hits = append(d.hits, "a line of the log: "+line)
				break
			}
		}
		must(d.t, f.Close())
	}
	if n < 50 {
		d.t.Errorf("the log has only %d lines", n)
	}
}

// openDisplay starts an X server for the clipboard; empty where there is none.
func openDisplay(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"Xvfb", "xclip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Log("nothing is copied: there is no " + tool)
			return ""
		}
	}
	r, w, err := os.Pipe()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", "320x200x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 3 * time.Second
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() })
	must(t, w.Close())
	n, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("start Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(n)
}
