package cache

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

func listed(id, label string) []api.CardItem {
	return []api.CardItem{{ID: api.CardID(id), BIN: "424242", Network: "visa", Last4: "0007", Label: api.Text(label), Status: api.CardActive}}
}

func labels(t *testing.T, dir string) map[string]string {
	t.Helper()
	n, err := ReadNames(dir)
	must(t, err)
	got := make(map[string]string)
	for _, c := range n.Cards {
		got[string(c.ID)] = string(c.Label)
	}
	return got
}

// TestWhatCommandsListIsNamed: each adds to what is there, and the newer name holds.
func TestWhatCommandsListIsNamed(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "a"), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	save := func(at time.Time, of Account, cards ...[]api.CardItem) {
		t.Helper()
		l := OpenListed(dir, of)
		for _, c := range cards {
			l.Add(c)
		}
		must(t, l.Save(at))
	}
	save(now, account(testKey))
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("without a card a file is written: %v", err)
	}
	save(now, account(testKey), listed("card_a", "a"), listed("card_b", "b"))
	save(now.Add(time.Hour), account(testKey), listed("card_a", "a2"))
	if got := labels(t, dir); len(got) != 2 || got["card_a"] != "a2" || got["card_b"] != "b" {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		at   time.Time
		want string
	}{{now, "a2"}, {now.Add(2 * time.Hour), "dashboard"}} {
		snap := state.Snapshot{At: c.at, Total: 1}
		snap.Cards.Add(cardlist.Card{ID: "card_a", Label: "dashboard", Status: api.CardActive})
		must(t, Open(dir, account(testKey)).Save(snap))
		if got := labels(t, dir); len(got) != 2 || got["card_a"] != c.want || got["card_b"] != "b" {
			t.Errorf("the dashboard saved at %s: %v", c.at, got)
		}
	}
	must(t, os.Remove(filepath.Join(dir, fileName)))
	save(now, account("sk_test_other"), listed("card_c", "c"))
	if got := labels(t, dir); len(got) != 1 || got["card_c"] != "c" {
		t.Errorf("of another account it keeps %v", got)
	}
}

// TestABrokenFileOfNames: it is an error or a list, and no obstacle for the cache or the
// next command.
func TestABrokenFileOfNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	l := OpenListed(dir, account(testKey))
	l.Add(slices.Concat(listed("card_a", "a"), listed("card_b", "b")))
	must(t, l.Save(time.Unix(1, 0)))
	path := filepath.Join(dir, listedName)
	good, err := os.ReadFile(path)
	must(t, err)
	for at := range good {
		must(t, os.WriteFile(path, good[:at], 0o600))
		if _, err := ReadNames(dir); err == nil {
			t.Fatalf("cut at %d it is read", at)
		}
	}
	must(t, Open(dir, account(testKey)).Save(sample(4, 1)))
	if got, err := ReadNames(dir); err != nil || len(got.Cards) != 4 {
		t.Errorf("%d cards, %v", len(got.Cards), err)
	}
	l.Add(listed("card_a", "a"))
	if err := l.Save(time.Unix(2, 0)); err != nil || labels(t, dir)["card_a"] != "a" {
		t.Errorf("it is not replaced: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
