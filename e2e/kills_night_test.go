//go:build night

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

// TestKillsInTheMiddleOfMoneyChargeOnce kills the built program while it
// funds cards, one and many, or takes up what the run before left, and starts
// it again, until all is settled. Then each card holds exactly what the
// history says was done.
//
// MONEY_KILLS=200 go test -tags long -run KillsInTheMiddle ./e2e makes so many.
func TestKillsInTheMiddleOfMoneyChargeOnce(t *testing.T) { //nolint:tparallel // the group is waited for
	t.Parallel()
	kills, workers := 3, 1
	if text := os.Getenv("MONEY_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		kills, workers = n, 2
	}
	exe := buildBinary(t)
	var mu sync.Mutex
	sum := killed{how: make(map[string]int)}
	t.Run("all", func(t *testing.T) {
		for w := range workers {
			share := kills / workers
			if w < kills%workers {
				share++
			}
			t.Run(strconv.Itoa(w), func(t *testing.T) {
				t.Parallel()
				k := &killer{t: t, exe: exe, home: t.TempDir(), rng: rand.New(rand.NewPCG(uint64(kills), uint64(w))), begun: make(map[api.IdempotencyKey]bool)}
				k.address = serve(t, exe, "--data", filepath.Join(t.TempDir(), "world.db"), "--no-limits", "--cards", "12", "--transactions", "1", "--wallet", "900000")
				got := k.run(share)
				mu.Lock()
				defer mu.Unlock()
				sum.add(got)
			})
		}
	})
	t.Logf("%d of %d kills (%v), %d of %d operations settled: %d done and charged once, %d refused; %d were open when it was killed; %d double, %d lost",
		sum.kills, kills, sum.how, sum.settled, sum.begun, sum.done, sum.refused, sum.open, sum.double, sum.lost)
	if sum.kills < kills || sum.settled != sum.begun || sum.double+sum.lost > 0 || sum.done == 0 {
		t.Error("not every operation was charged exactly once")
	}
}

// killed counts what came of kills.
type killed struct {
	kills, begun, settled, done, refused, open, double, lost int

	how map[string]int
}

func (k *killed) add(more killed) {
	k.kills += more.kills
	k.begun += more.begun
	k.settled += more.settled
	k.done += more.done
	k.refused += more.refused
	k.open += more.open
	k.double += more.double
	k.lost += more.lost
	for how, n := range more.how {
		k.how[how] += n
	}
}

// killer starts the program, has it move money, and kills it.
type killer struct {
	t                  *testing.T
	exe, home, address string
	rng                *rand.Rand
	amounts            int // no amount is used twice
	begun              map[api.IdempotencyKey]bool
	open               int
}

func (k *killer) run(kills int) (sum killed) {
	before, wallet := k.balances()
	sum.how = make(map[string]int)
	// On a busy machine all of a few may come before anything was begun.
	idle := func() bool { return len(k.begun)+len(k.history()) == 0 }
	for sum.kills < kills || idle() && sum.kills < kills+10 {
		k.trouble()
		s := openScreenAs(k.t, k.home, k.exe, k.address, binaryKey)
		how := "at the start"
		if k.rng.IntN(6) == 0 {
			k.pause(50, 900)
		} else {
			s.await("● live", "1 Cards")
			how = k.move(s)
		}
		sum.how[how]++
		k.kill(s)
		sum.kills++
	}
	k.calm()
	s := openScreenAs(k.t, k.home, k.exe, k.address, binaryKey)
	s.await("● live", "1 Cards")
	k.settled()
	k.kill(s)

	after, left := k.balances()
	want := make(map[string]int64)
	total := int64(0)
	for key, r := range k.history() {
		k.begun[key] = true
		switch r.Outcome {
		case state.OpStatusDone:
			sum.done++
			want[string(r.Card)] += int64(r.Amount / api.Cent)
			total += int64(r.Amount / api.Cent)
		case state.OpStatusRefused:
			sum.refused++
		default:
			k.t.Errorf("%s of %s ends as %s", r.Action, r.Name, r.Outcome)
			continue
		}
		sum.settled++
	}
	sum.begun, sum.open = len(k.begun), k.open
	for id := range after {
		switch moved := after[id] - before[id]; {
		case moved > want[id]:
			sum.double++
			k.t.Errorf("%s got %d cents, the history says %d", id, moved, want[id])
		case moved < want[id]:
			sum.lost++
			k.t.Errorf("%s got %d cents, the history says %d", id, moved, want[id])
		}
	}
	if wallet-left != total {
		k.t.Errorf("%d cents left the wallet, the history says %d", wallet-left, total)
	}
	if twice := object(k.t, k.ask(http.MethodGet, "/sandbox/report", nil)["duplicated_effects"]); len(twice) > 0 {
		k.t.Errorf("the server did %v twice", twice)
	}
	return sum
}

// move begins to fund cards by keys, and comes back when it is time to kill.
func (k *killer) move(s *realScreen) (how string) {
	if strings.Contains(s.screen(), "R resumes") {
		k.insist(s, "R", "▸Cancel")
		return k.confirm(s, "resuming many", 150)
	}
	if k.rng.IntN(2) == 0 {
		for range k.rng.IntN(8) {
			k.slowly(s, "j")
		}
		k.insist(s, "+", "amount  $")
		k.slowly(s, k.amount())
		k.slowly(s, "\r")
		return k.confirm(s, "funding one", 40)
	}
	k.slowly(s, "*")
	k.insist(s, "+", "Fund ")
	k.slowly(s, k.amount())
	k.slowly(s, "\r")
	return k.confirm(s, "funding many", 150)
}

// confirm presses the button that does it, and waits for some milliseconds at
// most.
func (k *killer) confirm(s *realScreen, how string, within int) string {
	s.await("▸Cancel")
	k.pause(200, 201) // A question takes no answer before it can be read.
	k.slowly(s, "\t")
	if _, err := io.WriteString(s.tty, "\r"); err != nil {
		k.t.Error(err)
	}
	k.pause(0, within)
	return how
}

// insist presses a key until it has opened what it opens: keys that come too
// fast, and cards that are busy or not read yet, are refused.
func (k *killer) insist(s *realScreen, key, want string) {
	for range 30 {
		k.slowly(s, key)
		for range 20 {
			if strings.Contains(s.screen(), want) {
				return
			}
			k.pause(50, 51)
		}
	}
	k.t.Fatalf("%s does not open %q:\n%s", key, want, s.screen())
}

// slowly types as a person does.
func (k *killer) slowly(s *realScreen, keys string) {
	for _, r := range keys {
		if _, err := io.WriteString(s.tty, string(r)); err != nil {
			k.t.Error(err)
		}
		k.pause(25, 26)
	}
}

// pause waits for a time from least to most, milliseconds of the real world.
func (k *killer) pause(least, most int) {
	<-time.After(time.Duration(least*1000+k.rng.IntN((most-least)*1000)) * time.Microsecond)
}

// amount is one in dollars that was not used before.
func (k *killer) amount() string {
	k.amounts++
	return fmt.Sprintf("%d.%02d", 1+k.amounts/100, k.amounts%100)
}

// kill ends the program as nothing else does, and notes what it leaves.
func (k *killer) kill(s *realScreen) {
	if err := s.cmd.Process.Kill(); err != nil {
		k.t.Errorf("kill: %v", err)
	}
	if err := <-s.ended; err == nil {
		k.t.Error("it ended before it was killed")
	}
	if err := s.tty.Close(); err != nil {
		k.t.Error(err)
	}
	k.open += len(k.left())
}

// left lists the operations that the files of all runs leave open.
func (k *killer) left() map[api.IdempotencyKey]bool {
	open := make(map[api.IdempotencyKey]bool)
	for _, path := range k.glob("operations/*.jsonl") {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // It was taken over a moment ago.
		}
		for line := range bytes.Lines(data) {
			var r struct {
				Key  api.IdempotencyKey `json:"key"`
				What state.OpStatus     `json:"what"`
			}
			if json.Unmarshal(line, &r) != nil {
				continue // The kill tore it.
			}
			k.begun[r.Key] = true
			if open[r.Key] = true; state.Settled(r.What) && r.What != "begin" {
				delete(open, r.Key)
			}
		}
	}
	return open
}

func (k *killer) glob(pattern string) []string {
	paths, err := filepath.Glob(filepath.Join(k.home, "state", "cardtop", "profiles", "*", pattern))
	if err != nil {
		k.t.Error(err)
	}
	return paths
}

// settled waits until nothing is open.
func (k *killer) settled() {
	for end := time.After(patience); len(k.left()) > 0; {
		select {
		case <-end:
			k.t.Errorf("still open: %v", k.left())
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// history gives the last word on each operation.
func (k *killer) history() map[api.IdempotencyKey]state.Record {
	last := make(map[api.IdempotencyKey]state.Record)
	for _, path := range k.glob("history.jsonl") {
		past, err := history.Open(history.Config{Dir: filepath.Dir(path), Now: time.Now}) //nolint:forbidigo // the real world
		if err != nil {
			k.t.Error(err)
			continue
		}
		records, err := past.Load(1_000_000)
		if err != nil {
			k.t.Error(err)
		}
		for _, r := range records { // The newest come first.
			if _, known := last[r.Key]; !known {
				last[r.Key] = r
			}
		}
	}
	return last
}

// trouble lets some answers be late or get lost.
func (k *killer) trouble() {
	k.calm()
	for kind, probability := range map[string]float64{"cut_body": 0.1, "connection_reset": 0.05, "latency": 0.5} {
		k.ask(http.MethodPost, "/sandbox/faults", map[string]any{"route": fundRoute, "kind": kind, "probability": probability, "latency_ms": 1 + k.rng.IntN(30)})
	}
}

func (k *killer) calm() { k.ask(http.MethodDelete, "/sandbox/faults", nil) }

// balances are what the server says of each card and of the wallet, in cents.
func (k *killer) balances() (cards map[string]int64, wallet int64) {
	cards = make(map[string]int64)
	for _, c := range objects(k.t, k.ask(http.MethodGet, "/v1/cards?per_page=100", nil)["data"]) {
		cards[text(k.t, c["id"])] = centsOf(k.t, c["balance"])
	}
	return cards, centsOf(k.t, k.ask(http.MethodGet, "/v1/wallet/balance", nil)["balance"])
}

// ask calls the sandbox as another client does.
func (k *killer) ask(method, path string, body map[string]any) map[string]any {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			k.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(k.t.Context(), method, strings.TrimSuffix(k.address, "/v1")+path, bytes.NewReader(data))
	must(k.t, err)
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	must(k.t, err)
	defer func() { _ = res.Body.Close() }()
	if data, err = io.ReadAll(res.Body); err != nil || res.StatusCode >= 400 {
		k.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, data, err)
	}
	var out map[string]any
	if len(data) > 0 {
		must(k.t, json.Unmarshal(data, &out))
	}
	return out
}
