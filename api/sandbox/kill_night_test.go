//go:build night

package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// victim is a server process that is going to be killed.
type victim struct {
	cmd  *exec.Cmd
	base string
	http *http.Client
}

func startVictim(t *testing.T, path string) *victim {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	v := &victim{cmd: exec.CommandContext(t.Context(), self), http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	v.cmd.Env = append(os.Environ(), serveVariable+"="+path)
	v.cmd.Stderr = os.Stderr
	out, err := v.cmd.StdoutPipe()
	must(t, err)
	must(t, v.cmd.Start())
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("read address: %v", err)
	}
	v.base = "http://" + strings.TrimSpace(address) + "/v1"
	return v
}

func (v *victim) kill(t *testing.T) {
	t.Helper()
	if err := v.cmd.Process.Kill(); err != nil {
		t.Errorf("kill: %v", err)
	}
	_ = v.cmd.Wait() // It ends by the signal, which Wait reports as an error.
	v.http.CloseIdleConnections()
}

// fund asks for one dollar under a key; an error means that the answer, if
// there was one, did not arrive whole.
func (v *victim) fund(card, name string) (string, error) {
	r, err := http.NewRequest("POST", v.base+"/cards/"+card+"/fund", strings.NewReader(`{"amount":1}`))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+testKey)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Idempotency-Key", name)
	resp, err := v.http.Do(r)
	if err != nil {
		return "", err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return "", err
	}
	if resp.StatusCode != 200 {
		return "", fmt.Errorf("status %d: %s", resp.StatusCode, raw)
	}
	return string(raw), nil
}

// TestAnswersSurviveKills kills a server under load, again and again. What was
// answered is there afterwards; what was not is done once when asked again.
// SANDBOX_KILLS=100 go test -run Kills ./api/sandbox makes a hundred of it.
func TestAnswersSurviveKills(t *testing.T) {
	kills := 3
	if text := os.Getenv("SANDBOX_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		kills = n
	}
	path := filepath.Join(t.TempDir(), "world.db")
	card := ""
	t.Run("make", func(t *testing.T) {
		c := open(t, Config{Path: path, Quiet: true, NoLimits: true, Cards: -1, Wallet: "1000000"})
		card = c.newCard("100")
	})
	const workers = 4
	rng := rand.New(rand.NewPCG(1, uint64(kills)))
	keys, answered := 0, 0
	for round := range kills {
		v := startVictim(t, path)
		var mu sync.Mutex
		got := map[string]string{}
		asked := map[string]bool{}
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() {
				for n := 0; ; n++ {
					name := fmt.Sprintf("%d-%d-%d", round, worker, n)
					mu.Lock()
					asked[name] = true
					mu.Unlock()
					answer, err := v.fund(card, name)
					if err != nil {
						return
					}
					mu.Lock()
					got[name] = answer
					mu.Unlock()
				}
			})
		}
		<-time.After(time.Duration(20+rng.IntN(120)) * time.Millisecond)
		v.kill(t)
		wg.Wait()
		v = startVictim(t, path)
		for name := range asked {
			answer, err := v.fund(card, name)
			if err != nil {
				t.Fatalf("after the kill: %v", err)
			}
			if before, was := got[name]; was && before != answer {
				t.Errorf("answered %s, after the kill %s", before, answer)
			}
		}
		v.kill(t)
		keys += len(asked)
		answered += len(got)
	}
	c := open(t, Config{Path: path, Quiet: true, NoLimits: true})
	if got := c.send("GET", "/cards/"+card, "").money("balance"); got != unit.Cents(10000+100*keys) {
		t.Errorf("balance %s after %d different requests", got, keys)
	}
	c.audit()
	t.Logf("%d kills, %d requests, %d answered before a kill", kills, keys, answered)
}
