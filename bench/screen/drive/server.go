package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// server is a sandbox without traffic, and its cards as rows sorted by label.
type server struct {
	address string
	key     string
	rows    [][]string
	cmd     *exec.Cmd
}

// serve starts the sandbox of a name and reads every card once. Its key is its own: one key at two addresses could
// be of one account, and the program would ask.
func serve(ctx context.Context, exe, name string, cards, transactions int) (*server, error) {
	w := &server{key: "sk_test_bench_" + name}
	w.cmd = exec.CommandContext(ctx, exe, "sandbox", "--addr", "127.0.0.1:0", "--api-key", w.key, "--quiet", "--no-limits", "--seed", "1", "--history", "0", //nolint:gosec // the program under test
		"--cards", fmt.Sprint(cards), "--transactions", fmt.Sprint(transactions))
	w.cmd.Env = []string{"HOME=" + os.TempDir()}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.cmd.Stderr = w.cmd.Stdout
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	for in := bufio.NewScanner(out); w.address == "" && in.Scan(); {
		if i := strings.Index(in.Text(), "http://127.0.0.1:"); i >= 0 {
			w.address = strings.TrimRight(strings.Fields(in.Text()[i:])[0], ".,")
		}
	}
	if w.address == "" {
		w.stop()
		return nil, errors.New("the sandbox does not say where it listens")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // Its end is the server's.
	if !strings.HasSuffix(w.address, "/v1") {
		w.address += "/v1"
	}
	if err := w.read(ctx); err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

func (w *server) read(ctx context.Context) error {
	for page := 1; ; page++ {
		n, err := w.readPage(ctx, page)
		if err != nil {
			return err
		}
		if n < 100 {
			break
		}
	}
	slices.SortFunc(w.rows, func(a, b []string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a[0]), strings.ToLower(b[0])), cmp.Compare(a[7], b[7]))
	})
	return nil
}

func (w *server) readPage(ctx context.Context, page int) (n int, err error) {
	var got struct {
		Data []struct {
			ID, Label, Last4, Status, Network string
			Balance                           json.Number
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/cards?per_page=100&page=%d", w.address, page), nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+w.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return 0, err
	}
	for _, c := range got.Data {
		w.rows = append(w.rows, []string{c.Label, "•••• " + c.Last4, c.Status, c.Network, c.Balance.String(), "0.00", "2026-11-23 12:00:00", c.ID})
	}
	return len(got.Data), nil
}

// names returns the rows' numbers as every program shows them.
func (w *server) names() []string {
	out := make([]string, len(w.rows))
	for i, r := range w.rows {
		out[i] = r[1]
	}
	return out
}

func (w *server) stop() {
	_ = w.cmd.Process.Kill() // It may have ended.
	_ = w.cmd.Wait()
}

// account is a profile of cardtop and the server that it is on.
type account struct {
	name   string
	server *server
}

// configure writes a configuration with the accounts as profiles, the first one
// being the one to start with.
func configure(home string, all []account) error {
	folder := filepath.Join(home, "config", "cardtop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file := fmt.Sprintf("profile = '%s'\n", all[0].name)
	for _, a := range all {
		file += fmt.Sprintf("[profiles.%s]\nbase_url = '%s'\napi_key = '%s'\n", a.name, a.server.address, a.server.key)
	}
	return os.WriteFile(filepath.Join(folder, "config.toml"), []byte(file), 0o600)
}

// fill runs the program on every account until it has read every card, so that
// its next start has them. It takes minutes where there are many: the program
// keeps to the limits of the API.
func fill(ctx context.Context, exe, home string, all []account) error {
	failed := make(chan error, len(all))
	var group sync.WaitGroup
	for _, a := range all {
		group.Go(func() { failed <- fillOne(ctx, cardtop(exe, home, a)) })
	}
	group.Wait()
	for range all {
		if err := <-failed; err != nil {
			return err
		}
	}
	return nil
}

func fillOne(ctx context.Context, p program) error {
	s, err := start(ctx, size{160, 45}, p.env, p.args...)
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.shows(p.ready); err != nil {
		return err
	}
	s.quiet(10 * silence)
	if err := s.send("q"); err != nil {
		return err
	}
	return s.end()
}

// switchAccounts measures the time from the key that switches to another account
// to a screen full of its cards, both accounts being cached.
func switchAccounts(ctx context.Context, exe, home string, one, two account, times int, f figures) error {
	p := cardtop(exe, home, one)
	s, err := start(ctx, size{160, 45}, p.env, p.args...)
	if err != nil {
		return err
	}
	defer s.stop()
	at, other := one, two
	if _, err := s.shows(p.ready); err != nil {
		return err
	}
	for range 2 * times {
		s.quiet(10 * silence)
		if err := moveToAccount(s, at == one); err != nil {
			return err
		}
		pressed := now()
		if err := s.send("\r"); err != nil {
			return err
		}
		at, other = other, at
		if _, err := s.shows("TEST   " + at.name + "  "); err != nil {
			return err
		}
		shown, err := s.shows(at.server.rows[min(30, len(at.server.rows)-1)][1])
		if err != nil {
			return err
		}
		f.add(switchMS, ms(shown.Sub(pressed)))
		if _, err := s.shows(cardtop(exe, home, at).ready); err != nil {
			return err
		}
	}
	return nil
}

// moveToAccount opens the list of accounts and moves the cursor to the second or
// the first one.
func moveToAccount(s *session, second bool) error {
	if _, _, err := s.press("W", silence); err != nil {
		return err
	}
	if _, err := s.shows("enter switch"); err != nil {
		return err
	}
	s.quiet(10 * silence)
	keys := "g"
	if second {
		keys = "gj"
	}
	for _, k := range keys {
		if err := s.send(string(k)); err != nil {
			return err
		}
		pause(2 * silence)
	}
	return nil
}
