//go:build unix

package config_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
)

// memory is a keyring in memory; err or hang is what every call does.
type memory struct {
	err  error
	hang chan struct{}

	mu      sync.Mutex
	secrets map[string]string
}

func (m *memory) call(do func()) error {
	if m.hang != nil {
		<-m.hang
	}
	if m.err != nil {
		return m.err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
	return nil
}

func (m *memory) Get(service, user string) (string, error) {
	var secret string
	found := false
	if err := m.call(func() { secret, found = m.secrets[service+" "+user] }); err != nil {
		return "", err
	}
	if !found {
		return "", config.ErrNoKey
	}
	return secret, nil
}

func (m *memory) Set(service, user, secret string) error {
	return m.call(func() {
		if m.secrets == nil {
			m.secrets = map[string]string{}
		}
		m.secrets[service+" "+user] = secret
	})
}

func (m *memory) Delete(service, user string) error {
	return m.call(func() { delete(m.secrets, service+" "+user) })
}

func store(k config.Keyring) config.KeyStore {
	return config.KeyStore{Keyring: k, CommandTimeout: 10 * time.Second, KeyringTimeout: 3 * time.Second, Environ: os.Environ()}
}

func resolve(t *testing.T, p config.Profile, env config.Env, f config.Flags) config.Resolved {
	t.Helper()
	p.Name = "p"
	s := config.Defaults()
	s.Profiles = map[string]config.Profile{"p": p}
	r, err := config.Resolve(s, env, f)
	must(t, err)
	return r
}

const apiURL, apiEntry = "https://api.example.com/v1", "cardtop p@https://api.example.com:443"

// TestNoKeyringIsAskedForAKeyOfTheEnvironment: one that is locked or mute holds nobody up.
func TestNoKeyringIsAskedForAKeyOfTheEnvironment(t *testing.T) {
	t.Parallel()
	key := api.NewAPIKey("sk_test_env")
	alone, err := config.Resolve(config.Defaults(), config.Env{APIKey: key, BaseURL: apiURL}, config.Flags{})
	must(t, err)
	profile := config.Profile{BaseURL: apiURL, APIKeyCommand: "sleep 9"}
	for name, tt := range map[string]struct {
		run    config.Resolved
		opened bool
	}{
		"no profile":                   {alone, false},
		"an address of its own":        {resolve(t, profile, config.Env{APIKey: key, BaseURL: "https://other.example.com/v1"}, config.Flags{}), false},
		"it opened the account before": {resolve(t, profile, config.Env{APIKey: key}, config.Flags{}), true},
	} {
		synctest.Test(t, func(t *testing.T) {
			ring := &memory{hang: make(chan struct{})} // It never answers.
			defer close(ring.hang)
			keys := store(ring)
			keys.Opened = func(r config.Resolved, asked api.APIKey) bool {
				return tt.opened && r.Profile == "p" && asked.Equal(key.Secret)
			}
			began := time.Now() //nolint:forbidigo // virtual time
			key, err := keys.LoadKey(t.Context(), tt.run)
			if took := time.Since(began); err != nil || key.Source != config.KeyFromEnvironment || took != 0 { //nolint:forbidigo // virtual time
				t.Errorf("%s: %v, %v after %s", name, key.Source, err, took)
			}
		})
	}
}

func TestLoadKeyOrder(t *testing.T) {
	t.Parallel()
	inline, env := api.NewAPIKey("sk_test_inline"), config.Env{APIKey: api.NewAPIKey("sk_test_env")}
	ring := map[string]string{apiEntry: "sk_test_ring"}
	down := errors.New("dbus:\n no sk_test_leak session")
	tests := []struct {
		name    string
		profile config.Profile
		env     config.Env
		flags   config.Flags
		ring    *memory
		key     string
		source  config.KeySource
		text    string // In the notice, or in the error when there is no key.
	}{
		{"the environment, where the profile has none", config.Profile{}, env, config.Flags{}, &memory{}, "sk_test_env", config.KeyFromEnvironment, ""},
		{"the environment, where the profile has the same", config.Profile{APIKeyCommand: "echo sk_test_env"}, env, config.Flags{}, &memory{}, "sk_test_env", config.KeyFromEnvironment, ""},
		{"the environment and the profile disagree", config.Profile{APIKeyCommand: "echo sk_test_cmd"}, env, config.Flags{}, &memory{secrets: ring}, "", "", `CARDTOP_API_KEY is not the key of profile "p": unset it, or name the profile with --profile`},
		{"the environment and the keyring disagree", config.Profile{}, env, config.Flags{}, &memory{secrets: ring}, "", "", "CARDTOP_API_KEY is not the key of profile"},
		{"the environment has the address of the profile and another key", config.Profile{}, config.Env{APIKey: env.APIKey, BaseURL: apiURL}, config.Flags{}, &memory{secrets: ring}, "", "", "CARDTOP_API_KEY is not the key of profile"},
		{"the environment names the profile and another key", config.Profile{}, config.Env{APIKey: env.APIKey, Profile: "p", BaseURL: apiURL}, config.Flags{}, &memory{secrets: ring}, "", "", "CARDTOP_API_KEY is not the key of profile"},
		{"the command line names the profile that the key opened", config.Profile{}, config.Env{APIKey: env.APIKey, BaseURL: apiURL}, config.Flags{Profile: "p"}, &memory{secrets: ring}, "sk_test_ring", config.KeyFromKeyring, ""},
		{"the profile that the command line names", config.Profile{APIKeyCommand: "echo sk_test_cmd"}, env, config.Flags{Profile: "p"}, &memory{}, "sk_test_cmd", config.KeyFromCommand, ""},
		{"the environment, for a named profile without one", config.Profile{}, env, config.Flags{Profile: "p"}, &memory{}, "sk_test_env", config.KeyFromEnvironment, ""},
		{"the key of another address, for a named profile", config.Profile{}, config.Env{APIKey: env.APIKey, BaseURL: "https://x/v1"}, config.Flags{Profile: "p"}, &memory{}, "", "", "no API key for profile"},
		{"the command", config.Profile{APIKeyCommand: "echo sk_test_cmd"}, config.Env{}, config.Flags{}, &memory{secrets: ring}, "sk_test_cmd", config.KeyFromCommand, ""},
		{"then the keyring", config.Profile{APIKey: inline}, config.Env{}, config.Flags{}, &memory{secrets: ring}, "sk_test_ring", config.KeyFromKeyring, ""},
		{"then the file", config.Profile{APIKey: inline}, config.Env{}, config.Flags{}, &memory{}, "sk_test_inline", config.KeyFromPlainFile, ""},
		{"keyring down, said so", config.Profile{APIKey: inline}, config.Env{}, config.Flags{}, &memory{err: down}, "sk_test_inline", config.KeyFromPlainFile, "no OS keyring: dbus: no sk_test_[redacted] session"},
		{"command failed, no other is asked", config.Profile{APIKeyCommand: "echo sk_test_out; exit 3"}, config.Env{}, config.Flags{}, &memory{secrets: ring}, "", "", "exit status 3"},
		{"nothing", config.Profile{}, config.Env{}, config.Flags{}, &memory{}, "", "", `no API key for profile "p" at https://api.example.com:443: set CARDTOP_API_KEY`},
		{"nothing and no keyring", config.Profile{}, config.Env{}, config.Flags{}, &memory{err: down}, "", "", "(no OS keyring: dbus: no sk_test_[redacted] session)"},
		{"inline key, other origin", config.Profile{APIKey: inline}, config.Env{}, config.Flags{BaseURL: "https://evil.example/v1"}, &memory{secrets: ring}, "", "", "the profile's own key belongs to https://api.example.com:443"},
		{"command, other origin", config.Profile{APIKeyCommand: "echo sk_test_cmd"}, config.Env{BaseURL: "https://api.example.com:8443/v1"}, config.Flags{}, &memory{secrets: ring}, "", "", "belongs to https://api.example.com:443"},
		{"same origin, other path", config.Profile{APIKey: inline}, config.Env{}, config.Flags{BaseURL: "https://API.example.com:443/x/v1"}, &memory{secrets: ring}, "sk_test_ring", config.KeyFromKeyring, ""},
		{"live key on loopback", config.Profile{}, config.Env{APIKey: api.NewAPIKey("sk_live_x")}, config.Flags{BaseURL: "https://127.0.0.1/v1"}, &memory{}, "", "", "a live key is refused on loopback"},
		{"broken entry", config.Profile{}, config.Env{}, config.Flags{}, &memory{secrets: map[string]string{apiEntry: "a b"}}, "", "", "the key in the OS keyring holds a blank"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.profile.BaseURL = apiURL
			r := resolve(t, tt.profile, tt.env, tt.flags)
			got, err := store(tt.ring).LoadKey(t.Context(), r)
			if got.APIKey.Expose() != tt.key || got.Source != tt.source {
				t.Errorf("LoadKey = %q from %q, %v", got.APIKey.Expose(), got.Source, err)
			}
			text := got.Notice
			if tt.key == "" {
				if err == nil {
					t.Fatal("LoadKey gives no error")
				}
				text = err.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, tt.text) || tt.text == "" && text != "" || strings.Contains(text, "\n") || strings.Contains(text, "leak") || strings.Contains(text, "_out") {
				t.Errorf("text = %q, want %q", text, tt.text)
			}
		})
	}
}

func TestKeyGoesOnlyToItsOrigin(t *testing.T) {
	t.Parallel()
	ring := &memory{}
	ks := store(ring)
	saved := resolve(t, config.Profile{BaseURL: apiURL}, config.Env{}, config.Flags{})
	must(t, ks.SaveKey(t.Context(), saved, api.NewAPIKey("sk_live_saved")))
	variants := []string{
		"https://api.example.com:8443/v1", "https://api.example.com.evil.example/v1", "https://evil.example/v1", "https://example.com/v1",
		"https://xapi.example.com/v1", "https://api.example.com./v1", "https://api.example.org/v1", "http://localhost/v1",
		"https://localhost:443/v1", "https://api.example.com:44/v1", "https://apiexample.com/v1", "https://evil.example/api.example.com:443/v1",
	}
	kept := 0
	for _, url := range variants {
		r := resolve(t, config.Profile{BaseURL: url}, config.Env{}, config.Flags{})
		if key, err := ks.LoadKey(t.Context(), r); errors.Is(err, config.ErrNoKey) {
			kept++
		} else {
			t.Errorf("%s: key of %d bytes, %v", url, len(key.APIKey.Bytes()), err)
		}
	}
	t.Logf("%-60s %d of %d", "the key of one origin is not given to another", kept, len(variants))
	if key, err := ks.LoadKey(t.Context(), saved); err != nil || key.APIKey.Expose() != "sk_live_saved" {
		t.Errorf("LoadKey = %v, %v", key, err)
	}
	if err := ks.DeleteKey(t.Context(), saved); err != nil || len(ring.secrets) != 0 {
		t.Errorf("DeleteKey = %v, %d left", err, len(ring.secrets))
	}
}

func TestSaveKeyRefuses(t *testing.T) {
	t.Parallel()
	home := resolve(t, config.Profile{BaseURL: "http://localhost/v1"}, config.Env{}, config.Flags{})
	ring := &memory{}
	ks := store(ring)
	if err := ks.SaveKey(t.Context(), home, api.NewAPIKey("sk_live_x")); !errors.Is(err, config.ErrKeyPlace) {
		t.Errorf("live key on loopback = %v", err)
	}
	if err := ks.SaveKey(t.Context(), home, api.NewAPIKey("a b")); err == nil {
		t.Error("a key with a blank is saved")
	}
	sandbox := config.Resolved{Sandbox: true}
	_, err := ks.LoadKey(t.Context(), sandbox)
	if ks.SaveKey(t.Context(), sandbox, api.NewAPIKey("sk_test_x")) == nil || ks.DeleteKey(t.Context(), sandbox) == nil || err == nil {
		t.Error("the sandbox has keys")
	}
	if len(ring.secrets) != 0 {
		t.Errorf("%d keys are saved", len(ring.secrets))
	}
}

// TestHungKeyring takes no real time: the clock of the bubble moves.
func TestHungKeyring(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		ks := store(&memory{hang: hang})
		r := resolve(t, config.Profile{BaseURL: apiURL, APIKey: api.NewAPIKey("sk_test_inline")}, config.Env{}, config.Flags{})
		late, stop := context.WithTimeout(t.Context(), 3*time.Second+1)
		defer stop()
		key, err := ks.LoadKey(t.Context(), r)
		if err != nil || late.Err() != nil || key.Notice != "no OS keyring: no answer in 3s" {
			t.Errorf("LoadKey = %q, %v, %v", key.Notice, err, late.Err())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := ks.SaveKey(ctx, r, api.NewAPIKey("sk_test_x")); err == nil {
			t.Error("SaveKey of a hung keyring gives no error")
		}
		close(hang)
	})
}

// TestAMuteKeyringIsWaitedForOnce by a command that asks it for several things.
func TestAMuteKeyringIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		ks := store(&memory{hang: hang}).GivingUp()
		r := resolve(t, config.Profile{BaseURL: apiURL, APIKey: api.NewAPIKey("sk_test_inline")}, config.Env{}, config.Flags{})
		late, stop := context.WithTimeout(t.Context(), 3*time.Second+1)
		defer stop()
		key, err := ks.LoadKey(t.Context(), r)
		if err != nil || key.Notice != "no OS keyring: no answer in 3s" {
			t.Errorf("LoadKey = %q, %v", key.Notice, err)
		}
		_, secretErr := ks.Secret(t.Context(), "webhook")
		if err := ks.CheckKeyring(t.Context()); err == nil || !errors.Is(secretErr, config.ErrNoKeyring) || late.Err() != nil {
			t.Errorf("%v, %v, %v", err, secretErr, late.Err())
		}
		close(hang)
	})
}

// shattered is a keyring whose library breaks with what it was given.
type shattered struct{ memory }

func (*shattered) Get(string, string) (string, error) { panic("sk_test_inline") }
func (*shattered) Set(_, _, secret string) error      { panic(secret) }

func TestAKeyringThatBreaksIsNone(t *testing.T) {
	t.Parallel()
	ks := store(&shattered{})
	r := resolve(t, config.Profile{BaseURL: apiURL, APIKey: api.NewAPIKey("sk_test_inline")}, config.Env{}, config.Flags{})
	if key, err := ks.LoadKey(t.Context(), r); err != nil || key.Notice != "no OS keyring: it broke (string)" {
		t.Errorf("LoadKey = %q, %v", key.Notice, err)
	}
	if err := ks.SaveKey(t.Context(), r, api.NewAPIKey("sk_test_x")); err == nil || strings.Contains(err.Error(), "sk_test") {
		t.Errorf("SaveKey = %v", err)
	}
}

func TestSystemKeyring(t *testing.T) {
	keyring.MockInit()
	ks := store(config.SystemKeyring{})
	r := resolve(t, config.Profile{BaseURL: apiURL}, config.Env{}, config.Flags{})
	if err := ks.DeleteKey(t.Context(), r); !errors.Is(err, config.ErrNoKey) {
		t.Errorf("DeleteKey of nothing = %v, want ErrNoKey", err)
	}
	must(t, ks.SaveKey(t.Context(), r, api.NewAPIKey("sk_live_x")))
	if key, err := ks.LoadKey(t.Context(), r); err != nil || key.Source != config.KeyFromKeyring {
		t.Errorf("LoadKey = %v, %v", key, err)
	}
	keyring.MockInitWithError(errors.New("locked"))
	if _, err := ks.LoadKey(t.Context(), r); !errors.Is(err, config.ErrNoKey) || !strings.Contains(err.Error(), "no OS keyring: locked") {
		t.Errorf("LoadKey of a locked keyring = %v", err)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, key, refused string }{
		{"one line", "printf 'sk_test_x\\n\\n'", "sk_test_x", ""},
		{"error stream is not the key", "echo noise >&2; echo sk_test_x", "sk_test_x", ""},
		{"a child keeps the output", "sleep 2 & echo sk_test_x", "sk_test_x", ""},
		{"allow-listed environment", `echo "sk_test_$CARDTOP_PROFILE$PASSWORD_STORE_DIR$FOREIGN"`, "sk_test_store", ""},
		{"no input", "cat; echo sk_test_x", "sk_test_x", ""},
		{"two lines", "echo sk_test_secret; echo b", "", "more than one line"},
		{"nothing", "true", "", "its output is empty"},
		{"blank inside", "echo sk_test_secret b", "", "its output holds a blank"},
		{"long", "head -c 100000 /dev/zero | tr '\\0' x", "", "longer than 4096 bytes"},
		{"failed", "echo sk_test_secret; echo sk_test_secret >&2; exit 7", "", "exit status 7 (run it in a shell to see why)"},
		{"not there", "no-such-program-here", "", "exit status 127"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ks := store(&memory{})
			ks.Environ = append(os.Environ(), "CARDTOP_PROFILE=leak", "PASSWORD_STORE_DIR=store", "FOREIGN=leak")
			r := resolve(t, config.Profile{BaseURL: apiURL, APIKeyCommand: tt.line}, config.Env{}, config.Flags{})
			key, err := ks.LoadKey(t.Context(), r)
			if key.APIKey.Expose() != tt.key {
				t.Errorf("LoadKey = %q, %v, want %q", key.APIKey.Expose(), err, tt.key)
			}
			if tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("LoadKey = %v, want %q", err, tt.refused)
			}
		})
	}
}
