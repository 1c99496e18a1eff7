package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func key(k string) []string { return []string{"X-Idempotency-Key", k} }

func TestIdempotency(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "1000", APIKeys: []string{testKey, "sk_test_second"}})
	body := `{"bin_id":"424242","amount":100}`
	first := c.send("POST", "/cards", body, key("a")...).want(201)
	again := c.send("POST", "/cards", body, key("a")...).want(201)
	if string(first.raw) != string(again.raw) {
		t.Error("the same request got another answer")
	}
	c.send("POST", "/cards", `{"bin_id":"424242","amount":101}`, key("a")...).want(400, "idempotency_key_reused")
	c.send("POST", "/cards", body, key("b")...).want(201)
	fund := "/cards/" + first.text("id") + "/fund"
	// Another path is another scope, and so is another key's account.
	c.send("POST", fund, `{"amount":10}`, key("a")...).want(200)
	c.send("POST", fund, `{"amount":10}`, key("a")...).want(200)
	c.key = "sk_test_second"
	c.send("POST", fund, `{"amount":10}`, key("a")...).want(200)
	c.key = testKey
	if got := c.send("GET", "/cards/"+first.text("id"), "").money("balance"); got != 12000 {
		t.Errorf("balance %s", got)
	}
	// A refused request does not use up its key.
	c.send("POST", fund, `{"amount":4000}`, key("c")...).want(400, "insufficient_funds")
	c.send("POST", "/sandbox/deposits", `{"currency":"usdt","amount_usd":5000,"status":"confirmed"}`).want(201)
	c.send("POST", fund, `{"amount":4000}`, key("c")...).want(200)
	c.send("POST", fund, `{"amount":"x"}`, key("d")...).want(400, "invalid_request")
	c.send("POST", fund, `{"amount":1}`, key("d")...).want(200)
	for _, op := range [][2]string{{"POST", "/freeze"}, {"POST", "/unfreeze"}, {"DELETE", ""}} {
		path := "/cards/" + first.text("id") + op[1]
		one := c.send(op[0], path, "", key("e")...).want(200)
		if two := c.send(op[0], path, "", key("e")...).want(200); string(one.raw) != string(two.raw) {
			t.Errorf("%s answers %s, then %s", op, one.raw, two.raw)
		}
	}
	// Answers are kept for a day.
	c.now.advance(24*time.Hour - time.Second)
	if third := c.send("POST", "/cards", body, key("a")...).want(201); third.text("id") != first.text("id") {
		t.Error("the answer was forgotten within a day")
	}
	c.now.advance(time.Second)
	if third := c.send("POST", "/cards", body, key("a")...).want(201); third.text("id") == first.text("id") {
		t.Error("the answer was kept for more than a day")
	}
	c.audit()
}

func TestRacingTwinsActOnce(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", filepath.Join(t.TempDir(), "world.db")} {
		c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "10000", Path: path})
		id := c.newCard("100")
		const keys, twins = 10, 10
		var wg sync.WaitGroup
		answers := make([]string, keys*twins)
		for i := range answers {
			wg.Go(func() {
				r, err := c.try(context.Background(), "POST", "/cards/"+id+"/fund", `{"amount":1}`, key(fmt.Sprint("k", i%keys))...)
				if err != nil || r.status != 200 {
					t.Errorf("fund: %d %v", r.status, err)
				}
				answers[i] = string(r.raw)
			})
		}
		wg.Wait()
		for i, answer := range answers {
			if answer != answers[i%keys] {
				t.Errorf("twins got %s and %s", answer, answers[i%keys])
			}
		}
		if got := c.send("GET", "/cards/"+id, "").money("balance"); got != 11000 {
			t.Errorf("balance %s, want 110", got)
		}
		c.audit()
	}
}

func TestAnswersSurviveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wörld 100% #1?.db")
	cfg := Config{Quiet: true, NoLimits: true, Path: path, Seed: 5}
	var first reply
	body := `{"bin_id":"424242","amount":100}`
	t.Run("before", func(t *testing.T) {
		first = open(t, cfg).send("POST", "/cards", body, key("a")...).want(201)
	})
	cfg.Seed = 6 // The file keeps its own.
	c := open(t, cfg)
	if again := c.send("POST", "/cards", body, key("a")...).want(201); string(again.raw) != string(first.raw) {
		t.Errorf("after a restart %s, want %s", again.raw, first.raw)
	}
	c.send("GET", "/cards/"+first.text("id"), "").want(200)
	c.audit()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is readable by others: %v %v", info, err)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for content, want := range map[string]string{
		"cardtop world 3\n":               "its format is 3, this cardtop reads 2",
		"SQLite format 3\x00\x10\x00\x01": "its format is 1, in SQLite, this cardtop reads 2",
		strings.Repeat("no world ", 100):  "something else",
		"short":                           "something else",
	} {
		path := filepath.Join(t.TempDir(), "other.db")
		must(t, os.WriteFile(path, []byte(content), 0o600))
		if _, err := Open(t.Context(), Config{Path: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != content {
			t.Errorf("%q was changed: %v", content, err)
		}
	}
	if s, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "no", "such", "place")}); err == nil {
		t.Errorf("a file was made nowhere: %v", s.Close())
	}
}

func TestOneServerPerFile(t *testing.T) {
	cfg := Config{Quiet: true, NoLimits: true, Path: filepath.Join(t.TempDir(), "world.db"), Cards: -1}
	t.Run("first", func(t *testing.T) {
		open(t, cfg)
		if s, err := Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "another sandbox") {
			t.Errorf("a second server opened the file: %v %v", s, err)
		}
	})
	open(t, cfg)
}

// TestAFileOfSeveralNamesIsOne: a link to it, begun before or after, opens no second server.
func TestAFileOfSeveralNamesIsOne(t *testing.T) {
	for what, link := range map[string]func(string, string) error{"symbolic": os.Symlink, "hard": os.Link} {
		if what == "hard" && runtime.GOOS == "windows" {
			continue // No lock tells its names apart.
		}
		dir := t.TempDir()
		name, other := filepath.Join(dir, "world.db"), filepath.Join(t.TempDir(), "other.db")
		of := func(path string) Config { return Config{Quiet: true, NoLimits: true, Path: path, Cards: -1} }
		t.Run(what, func(t *testing.T) {
			open(t, of(name))
			if err := link(name, other); err != nil {
				t.Skip(err)
			}
			if s, err := Open(t.Context(), of(other)); err == nil || !strings.Contains(err.Error(), "another sandbox") {
				t.Errorf("a second server opened the %s link: %v %v", what, s, err)
			}
		})
		t.Run(what+", then by its name", func(t *testing.T) {
			open(t, of(other))
			if s, err := Open(t.Context(), of(name)); err == nil || !strings.Contains(err.Error(), "another sandbox") {
				t.Errorf("a second server opened the file of the %s link: %v %v", what, s, err)
			}
		})
	}
}

// TestClockStaysAheadAfterARestart puts the clock forward in between.
func TestClockStaysAheadAfterARestart(t *testing.T) {
	cfg := Config{Quiet: true, NoLimits: true, Path: filepath.Join(t.TempDir(), "world.db"), Cards: -1}
	t.Run("before", func(t *testing.T) {
		open(t, cfg).send("POST", "/sandbox/clock", `{"advance_seconds":86400}`).want(200)
	})
	if got := open(t, cfg).send("GET", "/bins", "").header.Get("Date"); got != "Sun, 15 Mar 2026 15:09:26 GMT" {
		t.Errorf("Date %q", got)
	}
}
