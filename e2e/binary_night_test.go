//go:build night

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// binaryKey is the marker key of the whole-binary test.
const binaryKey = "sk_test_MARKERe2e0123456789"

// patience bounds each wait of the whole-binary test. Waits end as soon as
// the screen shows what is awaited.
const patience = 30 * time.Second

// TestBinary runs the built program in a terminal against the built sandbox,
// does what a person does in a minute, and then looks for what must not be
// left behind.
func TestBinary(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	address := serve(t, exe)
	code := newest(t, address)
	s := openScreen(t, exe, address)
	s.await("● live", "1 Cards")
	s.filter(code.label)
	s.insist("f", "is frozen")
	number := strings.Join([]string{code.pan[:4], code.pan[4:8], code.pan[8:12], code.pan[12:]}, " ")
	s.typed("r")
	s.await(number)
	s.typed("r")
	s.await("CVV  " + code.cvv)
	s.typed("r")
	s.awaitGone(number)
	s.insist("f", "is active again")
	s.typed("o")
	s.await(" sent")
	if err := s.quit(); err != nil {
		t.Fatalf("quit: %v", err)
	}
	left := s.term.text()
	for name, secret := range map[string]string{"number": code.pan, "grouped number": number, "key": binaryKey} {
		if strings.Contains(left, secret) {
			t.Errorf("the %s is left on the screen", name)
		}
	}
	if !strings.Contains(s.term.sent(), "\x1b[?1049l") {
		t.Error("the terminal was not given back")
	}
	scan(t, s.home, map[string]string{"number": code.pan, "grouped number": number, "CVV": `"` + code.cvv, "code": code.otp, "key": binaryKey})
}

// The program as it ships, and with crash injection. Each is
// built once for all tests: side by side their links would hold up what the
// others wait for.
var (
	shipped  = sync.OnceValues(func() (string, error) { return build("shipped") })
	breaking = sync.OnceValues(func() (string, error) { return build("breaking", "-tags", "crashtest") })
)

func buildBinary(t *testing.T) string { t.Helper(); return built(t, shipped) }

func buildBreaking(t *testing.T) string { t.Helper(); return built(t, breaking) }

func built(t *testing.T, once func() (string, error)) string {
	t.Helper()
	exe, err := once()
	must(t, err)
	return exe
}

// build asks git nothing: others may work in the repository.
func build(name string, flags ...string) (string, error) {
	exe := filepath.Join(binaries(), name, "cardtop")
	args := append([]string{"build", "-buildvcs=false", "-o", exe}, flags...)
	if out, err := exec.CommandContext(context.Background(), "go", append(args, "..")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return exe, nil
}

// environment is clean but for what a story needs.
func environment(home string, more ...string) []string {
	return append([]string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal", "TMPDIR=" + filepath.Join(home, "tmp"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"),
	}, more...)
}

// serve runs the built sandbox; more are further arguments.
func serve(t *testing.T, exe string, more ...string) (address string) {
	t.Helper()
	args := append([]string{"sandbox", "--addr", "127.0.0.1:0", "--api-key", binaryKey, "--quiet", "--history", "0"}, more...)
	cmd := exec.CommandContext(context.Background(), exe, args...)
	cmd.Env = environment(t.TempDir())
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("sandbox: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return strings.TrimSpace(strings.TrimPrefix(line, "sandbox on "))
}

// codeAndDetails are the newest challenge's code and its card's details.
type codeAndDetails struct{ id, label, otp, pan, cvv string }

func newest(t *testing.T, address string) codeAndDetails {
	t.Helper()
	ask := func(path string) map[string]any {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+binaryKey)
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		defer func() { _ = res.Body.Close() }()
		var out map[string]any
		must(t, json.NewDecoder(res.Body).Decode(&out))
		return out
	}
	var last map[string]any
	for _, c := range objects(t, ask("/3ds?status=pending")["data"]) {
		if last == nil || text(t, c["created_at"]) > text(t, last["created_at"]) {
			last = c
		}
	}
	id := fmt.Sprint(last["card_id"])
	details := ask("/cards/" + id + "/details")
	card := ask("/cards/" + id)
	return codeAndDetails{
		id: id, label: fmt.Sprint(card["last4"]), otp: fmt.Sprint(last["otp"]),
		pan: fmt.Sprint(details["pan"]), cvv: fmt.Sprint(details["cvv"]),
	}
}

// realScreen is the built program in a terminal.
type realScreen struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	term  *terminal
	home  string
	mu    sync.Mutex
	wrote *sync.Cond
	over  bool
	ended chan error
	// open says that a number was asked for; closed holds what the terminal
	// got while it was not.
	open   bool
	closed bytes.Buffer
}

func openScreen(t *testing.T, exe, address string) *realScreen {
	t.Helper()
	return openScreenIn(t, t.TempDir(), exe, address)
}

func openScreenIn(t *testing.T, home, exe, address string, args ...string) *realScreen {
	t.Helper()
	return openScreenAs(t, home, exe, address, binaryKey, args...)
}

// openScreenAs is openScreenIn with a key.
func openScreenAs(t *testing.T, home, exe, address, key string, args ...string) *realScreen {
	t.Helper()
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		must(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	config := filepath.Join(home, "config", "cardtop", "config.toml")
	must(t, os.WriteFile(config, []byte("[clipboard]\nosc52 = true\n"), 0o600))
	cmd := exec.CommandContext(t.Context(), exe, args...)
	// As over SSH: the terminal is the only clipboard in reach.
	cmd.Env = environment(home, "CARDTOP_BASE_URL="+address, "CARDTOP_API_KEY="+key, "SSH_TTY=/dev/pts/0")
	return showScreen(t, home, cmd)
}

// showScreen runs a command in a terminal.
func showScreen(t *testing.T, home string, cmd *exec.Cmd) *realScreen {
	t.Helper()
	s := &realScreen{t: t, home: home, cmd: cmd, term: newTerminal(160, 45), ended: make(chan error, 1)}
	s.wrote = sync.NewCond(&s.mu)
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Cols: 160, Rows: 45})
	must(t, err)
	s.tty = tty
	go s.read()
	return s
}

func (s *realScreen) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		if n > 0 {
			_, _ = s.term.writeRaw(buf[:n])
			if !s.open {
				s.closed.Write(buf[:n])
			}
		}
		s.over = s.over || err != nil
		s.wrote.Broadcast()
		s.mu.Unlock()
		if err != nil {
			s.ended <- s.cmd.Wait()
			return
		}
	}
}

func (s *realScreen) typed(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatal(err)
	}
}

func (s *realScreen) await(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		s.until("show "+text, func(screen string) bool { return strings.Contains(screen, text) })
	}
}

// filter filters the list. Keys that reach the program in one read are taken for
// a paste, and a busy machine makes one read of many: each step waits for the
// one before.
func (s *realScreen) filter(text string) {
	s.t.Helper()
	s.typed("/")
	s.await("enter done  esc clear")
	s.typed(text)
	s.await("/ " + text + "▏")
	s.typed("\r")
	s.await("/ " + text + "  ")
	<-time.After(time.Second) // No key acts on the first row before a person could see it.
}

// screen is what is shown now.
func (s *realScreen) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term.text()
}

// insist types a key until it is taken for one: a test types as soon as it sees
// what it waits for, faster than a person, which the program refuses. A second
// after the key before it is one.
func (s *realScreen) insist(key, want string) {
	s.t.Helper()
	refused := func(screen string) bool {
		for _, why := range []string{"counts once", "count as a paste", "has just opened", "another card came under the cursor"} {
			if strings.Contains(screen, why) {
				return true
			}
		}
		return false
	}
	if codeLeft.MatchString(s.screen()) {
		s.passes()
	}
	for {
		s.until("lose a refusal", func(screen string) bool { return !refused(screen) })
		s.typed(key)
		seen := ""
		s.until("show "+want, func(screen string) bool {
			seen = screen
			return strings.Contains(screen, want) || refused(screen)
		})
		if strings.Contains(seen, want) {
			return
		}
	}
}

// codeLeft is the time that a code has left, at the end of its row.
var codeLeft = regexp.MustCompile(`\d:\d\d│`)

// passes waits until a whole second went by on the screen, by the time that the
// codes have left.
func (s *realScreen) passes() {
	s.t.Helper()
	for range 2 { // The first may be nearly over.
		was := codeLeft.FindString(s.screen())
		s.until("count a code down", func(screen string) bool {
			is := codeLeft.FindString(screen)
			return is != "" && is != was
		})
	}
}

func (s *realScreen) awaitGone(text string) {
	s.t.Helper()
	s.until("lose a text", func(screen string) bool { return !strings.Contains(screen, text) })
}

func (s *realScreen) until(what string, ok func(string) bool) {
	s.t.Helper()
	late := false
	alarm := time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		late = true
		s.wrote.Broadcast()
	})
	defer alarm.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !ok(s.term.text()) {
		if late || s.over {
			s.t.Fatalf("the screen does not %s:\n%s", what, s.term.text())
		}
		s.wrote.Wait()
	}
}

// quit ends the program and gives how it ended. A q right after another key is
// taken for a paste, so it is pressed until it is not.
func (s *realScreen) quit() error {
	s.t.Helper()
	for range int(patience / time.Second) {
		s.typed("q")
		select {
		case err := <-s.ended:
			return s.lastWords(err)
		case <-time.After(time.Second):
		}
	}
	s.t.Fatal("the program does not end")
	return nil
}

// lastWords adds to an exit code what the program printed about it.
func (s *realScreen) lastWords(err error) error {
	if err == nil {
		return nil
	}
	_, said, _ := strings.Cut(s.term.text(), "cardtop: ")
	return fmt.Errorf("%w: %s", err, strings.TrimSpace(said))
}

// wait gives how the program ended.
func (s *realScreen) wait() error {
	s.t.Helper()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(patience):
		s.t.Fatal("the program does not end")
		return nil
	}
}

// scan looks for secrets in every file below a folder.
func scan(t *testing.T, root string, secrets map[string]string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for name, secret := range secrets {
			if strings.Contains(string(data), secret) {
				t.Errorf("the %s is in %s", name, path)
			}
		}
		return nil
	})
	must(t, err)
	if files < 3 {
		t.Errorf("only %d files were looked at: the log and the journal are not among them", files)
	}
}
