//go:build night

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// counter is a shell's view of the program: a home, a server, a key.
type counter struct {
	t            *testing.T
	exe, address string
	home         string
}

// TestOTPBinary runs the built command against the built sandbox, as scripts
// and persons do, and then looks for what must not be left behind.
func TestOTPBinary(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	last := newest(t, c.address)
	out, errs, code := c.run("--wait", "--card", last.label)
	if out != last.otp+"\n" || errs != "" || code != 0 {
		t.Errorf("printed %d bytes, told %q, exit code %d, want the code that is pending", len(out), errs, code)
	}

	card := c.newCard("shop/till")
	w := c.watch("--wait", "--card", card)
	made := c.trigger("challenge", "--card-id", card, "--merchant", "Acme", "--amount", "25.50")
	otp := text(t, made["otp"])
	out, errs, code = w.end()
	if out != otp+"\r\n" || !strings.HasPrefix(errs, "cardtop: this code for Acme, $25.50, shop/till ••") || code != 0 {
		t.Errorf("printed %d bytes, told %q, exit code %d, want the code", len(out), errs, code)
	}

	out, errs, code = c.run("--card", "TILL", "--json")
	var object map[string]any
	if err := json.Unmarshal([]byte(out), &object); err != nil || object["code"] != otp || object["amount"] != 25.5 || object["card_id"] != card || errs != "" || code != 0 {
		t.Errorf("printed %d bytes, told %q, exit code %d, want the object", len(out), errs, code)
	}

	c.trigger("challenge-complete", text(t, made["id"]))
	c.expect(3, "no code of shop/till ••", "--card", card)
	c.expect(3, "came in 1s", "--wait", "--card", card, "--timeout", "1s")
	c.expect(2, "no card has that id", "--wait", "--card", "nobody")
	c.expect(2, "unknown flag", "--code")
	c.trigger("fault", "--route", "GET /3ds", "--kind", "rate_limit")
	c.expect(5, "rate limit", "--card", card)
	c.trigger("no-faults")
	c.write("key", "sk_test_other\n")
	c.expect(4, "refused the key", "--wait", "--card", card)
	c.write("key", binaryKey+"\n")
	c.write("config.toml", "")
	c.expect(2, "no account: set CARDTOP_API_KEY or a profile", "--wait")

	if err := os.Remove(filepath.Join(c.home, "key")); err != nil {
		t.Fatal(err)
	}
	c.scan(map[string]string{"code that was pending": last.otp, "code": otp, "key": binaryKey})
}

// openCounter serves a sandbox and writes a profile for it, whose key comes
// from a command: so it is in no environment.
func openCounter(t *testing.T) *counter {
	t.Helper()
	exe := buildBinary(t)
	c := &counter{t: t, exe: exe, address: serve(t, exe), home: t.TempDir()}
	c.write("key", binaryKey+"\n")
	c.write("config.toml", "[profiles.shop]\nbase_url = \""+c.address+"\"\napi_key_command = \"cat '"+filepath.Join(c.home, "key")+"'\"\n")
	return c
}

func (c *counter) write(name, content string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.home, name), []byte(content), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *counter) command(args ...string) *exec.Cmd {
	args = append([]string{"otp", "--config", filepath.Join(c.home, "config.toml")}, args...)
	cmd := exec.CommandContext(c.t.Context(), c.exe, args...)
	cmd.Env = environment(c.home)
	return cmd
}

// run is the command in a script.
func (c *counter) run(args ...string) (out, errs string, code int) {
	c.t.Helper()
	cmd := c.command(args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	code = c.code(cmd.Run())
	return o.String(), e.String(), code
}

// expect runs the command to an end without a code.
func (c *counter) expect(code int, part string, args ...string) {
	c.t.Helper()
	out, errs, got := c.run(args...)
	if got != code || out != "" || !strings.Contains(errs, part) || strings.Count(errs, "\n") != 1 {
		c.t.Errorf("%v: printed %d bytes, told %q, exit code %d, want %d with %q", args, len(out), errs, got, code, part)
	}
}

// watched is the command in a terminal that a person reads.
type watched struct {
	*counter
	cmd  *exec.Cmd
	errs *bufio.Reader
	out  <-chan string
}

// watch starts the command in a terminal and returns when it says that it
// waits. By then the system shows neither key nor code of it.
func (c *counter) watch(args ...string) *watched {
	c.t.Helper()
	w := &watched{counter: c, cmd: c.command(args...)}
	master, tty, err := pty.Open()
	if err != nil {
		c.t.Fatal(err)
	}
	pipe, err := w.cmd.StderrPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	w.cmd.Stdout, w.errs = tty, bufio.NewReader(pipe)
	if err := w.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	if err := tty.Close(); err != nil {
		c.t.Error(err)
	}
	out := make(chan string, 1)
	w.out = out
	go func() {
		// The end of the last process on a terminal is an error to its reader.
		data, _ := io.ReadAll(master)
		_ = master.Close()
		out <- string(data)
	}()
	line, err := w.errs.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "cardtop: waiting for a code of shop/till ••") {
		c.t.Errorf("told %q, %v", line, err)
	}
	for _, part := range []string{"cmdline", "environ"} {
		shown, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", w.cmd.Process.Pid, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			c.t.Error(err)
		}
		if bytes.Contains(shown, []byte(binaryKey)) {
			c.t.Errorf("the key is in %s", part)
		}
	}
	return w
}

// end gives what came after the first line.
func (w *watched) end() (out, errs string, code int) {
	w.t.Helper()
	rest, err := io.ReadAll(w.errs)
	if err != nil {
		w.t.Error(err)
	}
	code = w.code(w.cmd.Wait())
	return <-w.out, string(rest), code
}

func (c *counter) code(err error) int {
	c.t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	c.t.Fatal(err)
	return -1
}

func (c *counter) newCard(label string) (id string) {
	c.t.Helper()
	body := strings.NewReader(`{"bin_id":"424242","amount":100,"label":"` + label + `"}`)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.address+"/cards", body)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It was read.
	var made map[string]any
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
		c.t.Fatal(err)
	}
	return text(c.t, made["id"])
}

// trigger moves a lever of the sandbox's by the program's own command.
func (c *counter) trigger(args ...string) map[string]any {
	c.t.Helper()
	at := strings.TrimSuffix(strings.TrimPrefix(c.address, "http://"), "/v1")
	cmd := exec.CommandContext(c.t.Context(), c.exe, append([]string{"sandbox", "trigger", "--addr", at}, args...)...)
	cmd.Env = environment(c.home)
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("trigger %v: %v", args, err)
	}
	var made map[string]any
	if err := json.Unmarshal(out, &made); err != nil {
		c.t.Fatalf("trigger %v: %v", args, err)
	}
	return made
}

// scan looks for secrets in the files that are left, the log among them.
func (c *counter) scan(secrets map[string]string) {
	c.t.Helper()
	logged := false
	err := filepath.WalkDir(c.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		logged = logged || bytes.Contains(data, []byte("/3ds"))
		for name, secret := range secrets {
			if bytes.Contains(data, []byte(secret)) {
				c.t.Errorf("the %s is in %s", name, path)
			}
		}
		return nil
	})
	if err != nil || !logged {
		c.t.Errorf("the log was looked at: %v; %v", logged, err)
	}
}
