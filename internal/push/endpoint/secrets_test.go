package endpoint

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
)

// ring is a keyring in memory; err is what every call answers.
type ring struct {
	secrets map[string]string
	err     error
}

func (r *ring) Get(_, user string) (string, error) {
	secret, ok := r.secrets[user]
	if r.err == nil && !ok {
		return "", config.ErrNoKey
	}
	return secret, r.err
}

func (r *ring) Set(_, user, secret string) error {
	if r.err == nil {
		r.secrets[user] = secret
	}
	return r.err
}

func (r *ring) Delete(string, string) error { return r.err }

func TestWhereTheSecretIsStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "account")
	keys := &ring{secrets: map[string]string{}, err: errors.New("locked")}
	run := config.Resolved{Profile: "team", Push: config.Push{URL: "https://hooks.example.com/t0ken"}}
	s := Store(config.KeyStore{Keyring: keys, KeyringTimeout: time.Minute}, run, config.ModeTest, dir)
	load := func() (Kept, error) { return s.Load(context.WithoutCancel(t.Context())) }
	if _, err := load(); !errors.Is(err, ErrNone) {
		t.Fatalf("before: %v", err)
	}
	want := Kept{Webhook: "wh_1", Secret: api.NewSigningSecret("whsec_1")}
	must(t, s.Save(t.Context(), want))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	info, err := files[0].Info()
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if got, err := load(); err != nil || got.Webhook != "wh_1" || !got.Secret.Equal(want.Secret.Secret) {
		t.Errorf("without a keyring: %+v, %v", got, err)
	}
	keys.err = nil
	old := s
	old.file += ".none"
	must(t, old.Save(t.Context(), Kept{Webhook: "wh_0", Secret: api.NewSigningSecret("whsec_0")}))
	if got, err := load(); err != nil || got.Webhook != "wh_1" {
		t.Errorf("the keyring has what was stored before the file: %+v, %v", got, err)
	}
	clear(keys.secrets)
	if got, err := load(); err != nil || got.Webhook != "wh_1" {
		t.Errorf("with an empty keyring: %+v, %v", got, err)
	}
	want.Secret = api.NewSigningSecret("whsec_2")
	must(t, s.Save(t.Context(), want))
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 || len(keys.secrets) != 1 {
		t.Errorf("the file stays beside the keyring: %v, %v", files, err)
	}
	if got, err := load(); err != nil || !got.Secret.Equal(want.Secret.Secret) {
		t.Errorf("with a keyring: %+v, %v", got, err)
	}
	run.Push.URL = "https://other.example.com"
	other := Store(s.Keys, run, config.ModeTest, dir)
	if _, err := other.Load(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("another address has %v", err)
	}
	for name := range keys.secrets {
		keys.secrets[name] = "rubbish"
	}
	if _, err := load(); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("rubbish: %v", err)
	}
}

// TestTheSecretBelongsToTheAccount: two accounts of a profile at one address share nothing in the keyring, and
// the first one takes over what an earlier version stored.
func TestTheSecretBelongsToTheAccount(t *testing.T) {
	keys := &ring{secrets: map[string]string{}}
	run := config.Resolved{Profile: "team", Push: config.Push{URL: "https://hooks.example.com/t0ken"}}
	first := Store(config.KeyStore{Keyring: keys, KeyringTimeout: time.Minute}, run, config.ModeTest, filepath.Join(t.TempDir(), "team-9a7361fc674c"))
	second := Store(first.Keys, run, config.ModeTest, filepath.Join(t.TempDir(), "team-9a7361fc674c.2"))
	kept := Kept{Webhook: "wh_1", Secret: api.NewSigningSecret("whsec_1")}
	keys.secrets[first.earlier] = string(kept.Encode())
	for _, save := range []bool{false, true} {
		if save {
			must(t, first.Save(t.Context(), kept))
		}
		if got, err := first.Load(t.Context()); err != nil || got.Webhook != "wh_1" {
			t.Errorf("the first account has %q, %v", got.Webhook, err)
		}
		if got, err := second.Load(t.Context()); !errors.Is(err, ErrNone) {
			t.Errorf("the second account has %q, %v", got.Webhook, err)
		}
	}
}
