package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

// TestWhatIsKeptBetweenRuns saves a card in one run and looks for it in the
// next.
func TestWhatIsKeptBetweenRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	base := t.TempDir()
	var told strings.Builder
	log := slog.New(slog.NewTextHandler(&told, nil))
	begin := func(run config.Resolved, key string) (*cardlist.List, func(state.Snapshot) error) {
		acc := account{cfg: client.Config{Key: api.NewAPIKey(key)}, mode: config.ModeTest, folder: accounts.Folder{Cache: filepath.Join(base, "cache")}}
		if run.Sandbox {
			acc.folder = accounts.Folder{}
		}
		kept, _ := openCache(run, acc)
		store := state.New(settings.Config{Screen: &settings.Screen{}})
		snap, _ := loadCache(kept, now, log)
		store.Recall(snap)
		return store.Cards.All(), saveCache(kept, log)
	}
	run := config.Resolved{Profile: "default", BaseURL: "https://api.example.com/v1", Origin: config.Origin{Scheme: "https", Host: "api.example.com", Port: "443"}}
	cards, keep := begin(run, "sk_test_1")
	if cards.Len() != 0 || told.String() != "" {
		t.Errorf("a first run begins with %v and tells %s", cards, told.String())
	}
	must(t, keep(state.Snapshot{At: now, CardsAt: now, Cards: cardlist.ListOf(cardlist.Card{ID: "card_1", Label: "fb"})}))
	if cards, _ := begin(run, "sk_test_1"); cards.Len() != 1 || !cards.At(0).Cached {
		t.Errorf("the next run begins with %+v", cards)
	}
	if cards, _ := begin(run, "sk_test_2"); cards.Len() != 0 || !strings.Contains(told.String(), "level=WARN msg=cache error=\"load cache: it is of another account\"") {
		t.Errorf("another account begins with %+v and tells %s", cards, told.String())
	}
	for name, change := range map[string]func(*config.Resolved){
		"--no-cache": func(r *config.Resolved) { r.NoCache = true }, "the embedded sandbox": func(r *config.Resolved) { r.Sandbox = true },
	} {
		other := run
		change(&other)
		if cards, keep := begin(other, "sk_test_1"); cards.Len() != 0 || keep != nil {
			t.Errorf("%s begins with %+v", name, cards)
		}
	}
	told.Reset()
	file := filepath.Join(base, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if err := saveCache(cache.Open(filepath.Join(file, "below"), cache.Account{}), log)(state.Snapshot{At: now}); err == nil || errors.Is(err, cache.ErrLarge) || !strings.Contains(told.String(), "save cache") {
		t.Errorf("%v, told %s", err, told.String())
	}
}

// TestDaysAreKeptBetweenRuns reads them in pieces, the latest first, and leaves out what
// is of another account.
func TestDaysAreKeptBetweenRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	base := t.TempDir()
	var told strings.Builder
	log := slog.New(slog.NewTextHandler(&told, nil))
	run := config.Resolved{Profile: "default", BaseURL: "https://api.example.com/v1", Origin: config.Origin{Scheme: "https", Host: "api.example.com", Port: "443"}}
	begin := func(run config.Resolved, key string) engine.Days {
		acc := account{cfg: client.Config{Key: api.NewAPIKey(key)}, mode: config.ModeTest, folder: accounts.Folder{Cache: base}}
		if run.Sandbox {
			acc.folder = accounts.Folder{}
		}
		_, files := openCache(run, acc)
		return openDays(files, func() time.Time { return now }, log)
	}
	day := func(n, rows int) ledger.Closed {
		c := ledger.Closed{Day: now.Truncate(24*time.Hour).AddDate(0, 0, -n), Cards: []api.CardID{"c1"}, Merchants: []api.Text{"Ads"}}
		for i := range rows {
			c.Rows = append(c.Rows, ledger.ClosedRow{ID: uint64(i), Type: api.TransactionSettlement})
		}
		return c
	}
	all := []ledger.Closed{day(1, 1500), day(2, 1500), day(3, 10), day(4, 10)}
	must(t, begin(run, "sk_test_1").Save(all))
	kept := begin(run, "sk_test_1")
	var got []int
	for more := true; more; {
		var days []ledger.Closed
		days, more = kept.Next()
		rows := 0
		for i := range days {
			rows += len(days[i].Rows)
		}
		got = append(got, len(days), rows)
	}
	if want := []int{1, 500, 1, 500, 1, 500, 1, 500, 1, 500, 1, 500, 2, 20}; !slices.Equal(got, want) {
		t.Errorf("days and rows that are read at a time: %v, want %v", got, want)
	}
	if days, more := kept.Next(); len(days) > 0 || more {
		t.Errorf("%d days are read again", len(days))
	}
	if told.String() != "" {
		t.Errorf("told %s", told.String())
	}
	if got, more := begin(run, "sk_test_2").Next(); len(got) > 0 || more || strings.Count(told.String(), "it is of another account") != 4 {
		t.Errorf("another account has %d days and is told %s", len(got), told.String())
	}
	for name, change := range map[string]func(*config.Resolved){
		"--no-cache": func(r *config.Resolved) { r.NoCache = true }, "the embedded sandbox": func(r *config.Resolved) { r.Sandbox = true },
	} {
		other := run
		change(&other)
		if kept := begin(other, "sk_test_1"); kept != nil {
			t.Errorf("%s keeps days", name)
		}
	}
}
