package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// key is of the sandbox.
const key = "sk_test_soak"

// world is a sandbox and the programs on it.
type world struct {
	program   string
	dir       string
	quiet     bool // the sandbox has no traffic of its own
	clock     func() time.Time
	seen      io.Writer // gets every sample
	symbols   *symbols
	processes []*process // all that run
	measured  []*process // without the sandbox

	sandbox string // where it listens
	hub     string // likewise
	token   string // of a lead
	watch   *process
	rounds  int
	newest  string // the code of the last probe
}

// open starts everything, and waits until all show their first data.
func (w *world) open(ctx context.Context) error {
	args := []string{"sandbox", "--addr", "127.0.0.1:0", "--api-key", key, "--no-limits"}
	if w.quiet {
		args = append(args, "--quiet", "--cards", "1000", "--transactions", "20000")
	}
	box, err := w.start(ctx, "sandbox", false, nil, args...)
	if err != nil {
		return err
	}
	line, err := await(ctx, box, "sandbox on ")
	if err != nil {
		return err
	}
	base := strings.Fields(line)[2]
	w.sandbox = strings.TrimSuffix(base, "/v1")
	account := []string{"CARDTOP_BASE_URL=" + base, "CARDTOP_API_KEY=" + key}
	if err := w.openHub(ctx, account); err != nil {
		return err
	}
	team := []string{"CARDTOP_BASE_URL=" + w.hub + "/v1", "CARDTOP_API_KEY=" + w.token}
	for _, o := range []struct {
		name     string
		terminal bool
		env      []string
		args     []string
	}{
		{"dashboard", true, account, nil},
		{"watch", false, account, []string{"watch", "--json"}},
		{"viewer 1", true, team, nil},
		{"viewer 2", true, team, nil},
	} {
		p, err := w.start(ctx, o.name, o.terminal, o.env, o.args...)
		if err != nil {
			return err
		}
		w.measured = append(w.measured, p)
		first := "Wallet"
		if !o.terminal {
			w.watch, first = p, "the API answers"
		}
		if _, err := await(ctx, p, first); err != nil {
			return err
		}
	}
	return w.trouble(ctx)
}

// openHub starts a hub with one person.
func (w *world) openHub(ctx context.Context, account []string) error {
	home := filepath.Join(w.dir, "hub")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	add := exec.CommandContext(ctx, w.program, "hub", "add", "ann", "--role", "lead", "--labels", "*") //nolint:gosec // our own program
	add.Env = append([]string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home}, account...)
	out, err := add.Output()
	if err != nil {
		return fmt.Errorf("hub add: %w", err)
	}
	w.token = strings.TrimSpace(string(out))
	p, err := w.start(ctx, "hub", false, account, "hub", "--listen", "127.0.0.1:0")
	if err != nil {
		return err
	}
	w.measured = append(w.measured, p)
	line, err := await(ctx, p, "hub on ")
	if err != nil {
		return err
	}
	w.hub = strings.TrimSuffix(strings.Fields(line)[2], "/v1")
	return nil
}

// await waits until a process shows a text, and returns the line.
func await(ctx context.Context, p *process, text string) (string, error) {
	for range 600 {
		if p.shows(text) {
			line, _ := p.line(text)
			return line, nil
		}
		if p.ended() {
			return "", fmt.Errorf("%s has ended", p.name)
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s does not show %q within a minute", p.name, text)
}

// ask sends a request, and reads the answer into a value when there is one.
func (w *world) ask(ctx context.Context, method, url, token string, body, to any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("X-Idempotency-Key", fmt.Sprintf("soak-%d-%s", w.rounds, url))
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(resp.Body)
	err = errors.Join(err, resp.Body.Close())
	if err == nil && to != nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// alive is an error when one of the programs has ended.
func (w *world) alive() error {
	for _, p := range w.processes {
		if p.ended() {
			return fmt.Errorf("%s has ended:\n%s", p.name, p.last())
		}
	}
	return nil
}

// last is what a process showed or printed last.
func (p *process) last() string {
	if p.vt != nil {
		return p.vt.String()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

// close ends everything, the sandbox last, and removes the homes.
func (w *world) close() {
	for i := len(w.processes) - 1; i >= 0; i-- {
		if err := w.processes[i].stop(); err != nil {
			fmt.Fprintln(os.Stderr, "soak: stop:", err)
		}
	}
	if err := os.RemoveAll(w.dir); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
}
