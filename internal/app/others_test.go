package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui"
)

// TestAnotherAccountIsOpenedForReadsAndItsKeyForgotten but not that of the
// configuration.
func TestAnotherAccountIsOpenedForReadsAndItsKeyForgotten(t *testing.T) {
	const key = "sk_test_anotheraccount"
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // Once the variables are back.
	t.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, Quiet: true, APIKeys: []string{key}})
	must(t, err)
	server := httptest.NewServer(http.HandlerFunc(world.Handler().ServeHTTP))
	t.Cleanup(func() {
		server.Close()
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "config.toml")
	text := "[profiles.main]\nbase_url = \"https://api.example.com/v1\"\n\n[profiles.team]\nbase_url = \"" + server.URL + "/v1\"\napi_key = \"" + key + "\"\n"
	must(t, os.WriteFile(path, []byte(text), 0o600))
	s, err := config.Source{Path: path, Home: dir}.Load()
	must(t, err)
	l := &sessionLoop{first: sessionRequest{flags: config.Flags{Profile: "main"}}}
	l.lastValid.Store(&Configuration{settings: s})
	var logged strings.Builder
	p := Program{Now: time.Now} //nolint:forbidigo // compared with the server's
	for range 2 {               // The configuration still has the key for the second.
		run, err := l.resolve(ui.Account{ID: "profile team", Name: "team"}, config.Flags{})
		must(t, err)
		acc, err := p.openOther(t.Context(), config.PathsUnder(dir), run, slog.New(slog.NewTextHandler(&logged, nil)))
		must(t, err)
		if ev, ok := acc.Run(t.Context(), wallets.Fetch{}).(wallets.Loaded); !ok || ev.Wallet.Balance == 0 || acc.Mode != "TEST" || !acc.Store.Background || !acc.Store.ReadOnly {
			t.Errorf("%+v", acc)
		}
		if ev, ok := acc.Run(t.Context(), secrets.FetchDetails{Card: "card_1"}).(state.FetchFailed); !ok || ev.Err == nil {
			t.Error("it reads the number of a card")
		}
		if _, ok := acc.Run(t.Context(), insight.LoadDays{}).(insight.DaysLoaded); !ok || !acc.Store.KeepDays {
			t.Error("past days are not read")
		}
		if ev, ok := acc.Run(t.Context(), insight.SaveDays{Days: []ledger.Closed{{}}}).(insight.DaysSaved); !ok || ev.Err != nil {
			t.Errorf("%+v", ev)
		}
		acc.Close()
	}
	if cached, err := filepath.Glob(filepath.Join(config.PathsUnder(dir).Cache, "*")); err != nil || len(cached) > 0 {
		t.Errorf("it writes %q, %v", cached, err)
	}
	must(t, p.countOne(server.URL, api.NewAPIKey(key)))
	if files, err := filepath.Glob(filepath.Join(dir, "cardtop", "usage", "*", "ended-*.json")); err != nil || len(files) != 3 {
		t.Errorf("its requests count in %d files: %v", len(files), err)
	}
	if !strings.Contains(logged.String(), "profile=team") || strings.Contains(logged.String(), key) {
		t.Errorf("%s", logged.String())
	}
	run, err := l.resolve(ui.Account{ID: "profile main", Name: "main"}, config.Flags{})
	must(t, err)
	if _, err := p.openOther(t.Context(), config.PathsUnder(dir), run, slog.New(slog.DiscardHandler)); err == nil || !strings.HasPrefix(err.Error(), "no key: no API key") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := p.openOther(t.Context(), config.PathsUnder(dir), config.Resolved{Sandbox: true}, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("the embedded sandbox is opened twice")
	}
}
