package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const key = "sk_test_bench"

// world is a server with cards, and the file of the same cards for programs
// that speak to none.
type world struct {
	address string
	file    string
	rows    [][]string
	server  *exec.Cmd
}

// serve starts the sandbox and reads every card once.
func serve(exe, dir string, cards, transactions int) (*world, error) {
	w := &world{file: filepath.Join(dir, fmt.Sprintf("cards-%d.tsv", cards))}
	w.server = exec.Command(exe, "sandbox", "--addr", "127.0.0.1:0", "--api-key", key, "--quiet", "--no-limits", "--seed", "1",
		"--cards", fmt.Sprint(cards), "--transactions", fmt.Sprint(transactions))
	out, err := w.server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.server.Stderr = w.server.Stdout
	if err := w.server.Start(); err != nil {
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
	go func() { _, _ = bufio.NewReader(out).WriteTo(discard{}) }()
	if !strings.HasSuffix(w.address, "/v1") {
		w.address += "/v1"
	}
	return w, w.read()
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func (w *world) read() error {
	for page := 1; ; page++ {
		var got struct {
			Data []struct {
				ID, Label, Last4, Status, Network string
				Balance                           json.Number
			}
		}
		req, err := http.NewRequest(http.MethodGet, fmt.Sprintf("%s/cards?per_page=100&page=%d", w.address, page), nil)
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
			w.rows = append(w.rows, []string{c.Label, "•••• " + c.Last4, c.Status, c.Network, c.Balance.String(), "0.00", time.Now().UTC().Format(time.DateTime), c.ID})
		}
		if len(got.Data) < 100 {
			break
		}
	}
	slices.SortFunc(w.rows, func(a, b []string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a[0]), strings.ToLower(b[0])), cmp.Compare(a[7], b[7]))
	})
	f, err := os.Create(w.file)
	if err != nil {
		return err
	}
	for _, r := range w.rows {
		if _, err := fmt.Fprintln(f, strings.Join(r, "\t")); err != nil {
			return err
		}
	}
	return f.Close()
}

func (w *world) stop() {
	_ = w.server.Process.Kill()
	_ = w.server.Wait()
}
