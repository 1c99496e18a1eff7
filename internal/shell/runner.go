// Package shell runs the user's own shell lines: api_key_command, the command
// of events and those on keys. Each gets an environment chosen for it and
// nothing else of this program: not its files or secrets, and its terminal only to ask for the key.
package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// commandTimeout bounds a user command.
const commandTimeout = 30 * time.Second

// Runner runs user commands.
type Runner struct {
	environ []string
	timeout time.Duration

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// NewRunner makes a runner; its commands get a part of this environment.
func NewRunner(environ []string) *Runner { return &Runner{environ: environ, timeout: commandTimeout} }

// Run runs a command's line to its end, 30 seconds at most, and returns the
// first line that it printed. The values of its fields are variables, input is
// its standard input. The error holds the first line of its standard error.
// The context's end kills all that it started.
func (r *Runner) Run(ctx context.Context, text string, fields map[string]string, input []byte) (string, error) {
	if !r.enter() {
		return "", context.Canceled
	}
	defer r.wg.Done()
	line, err := Compile(text)
	if err != nil {
		return "", err
	}
	env := commandEnv(r.environ)
	for _, field := range line.Fields {
		env = append(env, variable(field)+"="+fields[field])
	}
	out, errs := &Output{Limit: maxOutput}, &Output{Limit: maxOutput}
	err = run(ctx, r.timeout, line.text, env, func(cmd *exec.Cmd) {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), out, errs
	})
	if why := firstLine(errs.data); err != nil && why != "" {
		return "", fmt.Errorf("%w: %s", err, why)
	}
	return firstLine(out.data), err
}

func (r *Runner) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Add(1)
	}
	return !r.closed
}

// Wait waits for running commands to end; none starts afterwards.
func (r *Runner) Wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wg.Wait()
}

// firstLine returns the first line that is not blank.
func firstLine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// KeyEnv is the environment for a command that prints the API key: what a
// program needs, and what password managers are found by. It is an allow-list;
// this program's own variables are never on it.
func KeyEnv(environ []string) []string {
	names := append(childNames(), "GNUPGHOME", "GPG_AGENT_INFO", "GPG_TTY", "SSH_AUTH_SOCK", "KRB5CCNAME")
	prefixes := []string{"LC_", "XDG_", "PASSWORD_STORE_", "GOPASS_", "OP_", "BW_", "VAULT_", "AWS_", "SOPS_"}
	return allowed(environ, names, prefixes)
}

// commandEnv is the environment for every other command: what a program needs.
func commandEnv(environ []string) []string {
	return allowed(environ, childNames(), []string{"LC_", "XDG_"})
}

func childNames() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
		"TERM", "COLORTERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
		// Windows programs do not start without these.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP",
		"USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
	}
}

// allowed returns the variables of these names or prefixes. Names are compared
// without case, because Windows does.
func allowed(environ, names, prefixes []string) []string {
	out := []string{} // An empty environment, where nil is this program's own.
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		upper := strings.ToUpper(name)
		wanted := slices.Contains(names, upper) ||
			slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
		if wanted {
			out = append(out, pair)
		}
	}
	return out
}

// Output holds the first Limit bytes of what is written and discards the rest,
// so that the writer never blocks or fails. It never grows its array, which
// would leave a copy behind.
type Output struct {
	Limit int
	data  []byte
	over  bool
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	if o.data == nil {
		o.data = make([]byte, 0, o.Limit)
	}
	room := o.Limit - len(o.data)
	if len(p) > room {
		o.over = true
	}
	o.data = append(o.data, p[:min(room, len(p))]...)
	return len(p), nil
}

// Bytes returns what is held. Wipe overwrites it.
func (o *Output) Bytes() []byte { return o.data }

// Over reports whether more than Limit bytes were written.
func (o *Output) Over() bool { return o.over }

// Wipe overwrites what is held with zeros.
func (o *Output) Wipe() { clear(o.data[:cap(o.data)]) }

// CommandAt is Command for a line that may ask the user on a terminal. It stays in the process group of this
// program, which is the one that the terminal lets read and that ctrl+c ends.
func CommandAt(ctx context.Context, tty *os.File, line string, env []string) *exec.Cmd {
	cmd := Command(ctx, line, env)
	cmd.SysProcAttr = nil
	cmd.Cancel = func() error { return cmd.Process.Kill() }
	cmd.Stdin, cmd.Stderr = tty, tty
	return cmd
}
