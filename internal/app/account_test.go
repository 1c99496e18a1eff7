package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
)

// countedKeyring has one key for every profile.
type countedKeyring struct {
	key   string
	asked int
}

func (k *countedKeyring) Get(_, _ string) (string, error) { k.asked++; return k.key, nil }
func (*countedKeyring) Set(_, _, _ string) error          { return nil }
func (*countedKeyring) Delete(_, _ string) error          { return nil }

// TestAKeyThatOpenedTheAccountIsNotComparedAgain: the keyring is asked for a key of the environment until it has opened
// the account of the profile here, and for one that opened that of another profile.
func TestAKeyThatOpenedTheAccountIsNotComparedAgain(t *testing.T) {
	t.Parallel()
	for opener, want := range map[string]int{"": 1, "other": 1, "team": 0} {
		dir, key := t.TempDir(), api.NewAPIKey("sk_test_env")
		p := Program{Paths: config.Paths{State: dir, Cache: dir}}
		s := config.Defaults()
		s.Profiles = map[string]config.Profile{"team": {Name: "team", BaseURL: "https://api.example.com/v1"}}
		run, err := config.Resolve(s, config.Env{APIKey: key}, config.Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if opener != "" {
			l := login(run, config.ModeTest, key)
			l.Profile = opener
			if _, _, err := registry(p.Paths).Settle(l, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		ring := &countedKeyring{key: "sk_test_env"}
		found, err := p.LoadKey(t.Context(), run, config.KeyStore{Keyring: ring, KeyringTimeout: time.Minute})
		if err != nil || found.Source != config.KeyFromEnvironment || ring.asked != want {
			t.Errorf("opened by %q: from %q, %v; the keyring is asked %d times, not %d", opener, found.Source, err, ring.asked, want)
		}
	}
}

// TestWhatAnotherProgramHasFoundOutIsNotAsked: two programs begin with an account at once, and one of them looks while the
// other has made the folder and not recorded the key.
func TestWhatAnotherProgramHasFoundOutIsNotAsked(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), api.NewAPIKey("sk_test_env")
	p := Program{Paths: config.Paths{State: dir, Cache: dir}}
	run, err := config.Resolve(config.Defaults(), config.Env{APIKey: key, BaseURL: "http://127.0.0.1:1/v1"}, config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	acc, err := p.accountOf(run, config.Key{APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	reg, l := registry(p.Paths), login(run, acc.mode, key)
	first, _, err := reg.Settle(l, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(first.State, "account.json")
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(record); err != nil {
		t.Fatal(err)
	}
	early, err := reg.Candidates(l)
	if err != nil || len(early) != 1 {
		t.Fatalf("%d folders, %v", len(early), err)
	}
	for path, data := range map[string][]byte{record: data, filepath.Join(first.State, "plan.json"): nil} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := p.reached(t.Context(), reg, run, acc, l, early, nil); err != nil || f == nil || f.State != first.State {
		t.Errorf("%v, %v", f, err)
	}
}
