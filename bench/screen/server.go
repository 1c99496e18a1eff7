package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
)

const key = "sk_test_bench"

// server is a sandbox with cards, and how the program shows their numbers, sorted
// by label.
type server struct {
	address string
	names   []string
	cmd     *exec.Cmd
}

// serve starts the sandbox and reads every card once.
func serve(exe string, cards, transactions int) (*server, error) {
	w := &server{}
	w.cmd = exec.Command(exe, "sandbox", "--addr", "127.0.0.1:0", "--api-key", key, "--quiet", "--no-limits", "--seed", "1", "--history", "0", //nolint:gosec,noctx // The program under test, stopped by stop.
		"--cards", fmt.Sprint(cards), "--transactions", fmt.Sprint(transactions))
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.cmd.Stderr = w.cmd.Stdout
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	for in := bufio.NewScanner(out); in.Scan() && w.address == ""; {
		if i := strings.Index(in.Text(), "http://127.0.0.1:"); i >= 0 {
			w.address = strings.TrimRight(strings.Fields(in.Text()[i:])[0], ".,")
		}
	}
	if w.address == "" {
		return nil, fmt.Errorf("the sandbox does not say where it listens")
	}
	go func() { _, _ = bufio.NewReader(out).WriteTo(io.Discard) }()
	if !strings.HasSuffix(w.address, "/v1") {
		w.address += "/v1"
	}
	return w, w.read()
}

func (w *server) read() error {
	type row struct{ label, id, name string }
	var all []row
	for page := 1; ; page++ {
		var got struct {
			Data []struct{ ID, Label, Last4 string }
		}
		req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("%s/cards?per_page=100&page=%d", w.address, page), nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		err = json.NewDecoder(resp.Body).Decode(&got)
		_ = resp.Body.Close()
		if err != nil {
			return err
		}
		for _, c := range got.Data {
			all = append(all, row{strings.ToLower(c.Label), c.ID, "•••• " + c.Last4})
		}
		if len(got.Data) < 100 {
			break
		}
	}
	slices.SortFunc(all, func(a, b row) int { return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(a.id, b.id)) })
	for _, r := range all {
		w.names = append(w.names, r.name)
	}
	return nil
}

func (w *server) stop() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
}
