package app

import (
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
