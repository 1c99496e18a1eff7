package profiles_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/app/profiles"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
)

const (
	goodKey = "sk_test_goodkey12345"
	file    = "# mine\ntheme = \"dark\" # night\nprofile = \"old\"\n\n[profiles.old]\nbase_url = \"https://old.example.com/v1\"\napi_key = \"sk_test_plainkey\"\n"
)

// keyring is one in memory; err is what every call answers.
type keyring struct {
	secrets map[string]string
	err     error
}

func (k *keyring) Get(_, user string) (string, error) {
	secret, ok := k.secrets[user]
	if k.err == nil && !ok {
		return "", config.ErrNoKey
	}
	return secret, k.err
}

func (k *keyring) Set(_, user, secret string) error {
	if k.err == nil {
		k.secrets[user] = secret
	}
	return k.err
}

func (k *keyring) Delete(_, user string) error {
	if _, ok := k.secrets[user]; k.err == nil && !ok {
		return config.ErrNoKey
	}
	delete(k.secrets, user)
	return k.err
}

// made is profiles over a file, a keyring, and a server that knows goodKey.
func made(t *testing.T, text string) (p profiles.Profiles, ring *keyring, address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+goodKey || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprint(w, `{"balance": 12.5, "currency": "USD", "cards_active": 3}`)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	source := config.Source{Path: filepath.Join(dir, "config.toml"), Home: dir}
	if text != "" {
		if err := os.WriteFile(source.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ring = &keyring{secrets: make(map[string]string)}
	return profiles.Profiles{
		Source: source, State: dir, Keys: config.KeyStore{Keyring: ring, Environ: os.Environ(), CommandTimeout: 10 * time.Second, KeyringTimeout: 10 * time.Second},
		Count:       func(string, api.APIKey) error { return nil },
		Authorities: app.Authorities, Account: func(p config.Profile) dialog.Account { return dialog.Account{Name: p.Name} },
	}, ring, server.URL + "/v1"
}

func read(t *testing.T, p profiles.Profiles) string {
	t.Helper()
	text, err := os.ReadFile(p.Source.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func draft(name, address, key, command string) accounts.Draft {
	return accounts.Draft{Name: name, Address: address, Key: api.NewSecret(key), Command: command}
}

// TestTheTestOfAnAccountSaysWhatItIsOrWhichFieldIsWrong and stores nothing.
func TestTheTestOfAnAccountSaysWhatItIsOrWhichFieldIsWrong(t *testing.T) {
	t.Parallel()
	p, ring, address := made(t, file)
	for name, c := range map[string]struct {
		draft       accounts.Draft
		field, says string
	}{
		"a key":             {draft("team", address, goodKey, ""), "", ""},
		"a command":         {draft("team", address, "", "echo sk_test_; true | cat"), accounts.FieldCommand, "it holds a key"},
		"a wrong key":       {draft("team", address, "sk_test_other", ""), accounts.FieldKey, "the API refused the key"},
		"a wrong command":   {draft("team", address, "", "exit 3"), accounts.FieldCommand, "exit status 3"},
		"a refused command": {draft("team", address, "", "echo other"), accounts.FieldCommand, "the API refused the key"},
		"no key":            {draft("team", address, "", ""), accounts.FieldKey, "type the key"},
		"a key of blanks":   {draft("team", address, "a b", ""), accounts.FieldKey, "blank"},
		"a live key here":   {draft("team", address, "sk_live_x", ""), accounts.FieldKey, "loopback"},
		"no name":           {draft("", address, goodKey, ""), accounts.FieldName, "must be"},
		"a name as a key":   {draft("sk_test_x", address, goodKey, ""), accounts.FieldName, "API key"},
		"a name that is":    {draft("old", address, goodKey, ""), accounts.FieldName, "there is a profile old"},
		"a reserved name":   {draft("default", address, goodKey, ""), accounts.FieldName, "stands for"},
		"http elsewhere":    {draft("team", "http://example.com/v1", goodKey, ""), accounts.FieldAddress, "https"},
		"nobody there":      {draft("team", "http://127.0.0.1:1/v1", goodKey, ""), accounts.FieldAddress, ""},
	} {
		found, err := p.Try(t.Context(), c.draft)
		if c.field == "" {
			if err != nil || found.Mode != "TEST" || found.Wallet != 1250*api.Cent || found.Cards == nil || *found.Cards != 3 {
				t.Errorf("%s: %+v, %v", name, found, err)
			}
			continue
		}
		var at *accounts.FieldError
		if !errors.As(err, &at) || at.Field != c.field || !strings.Contains(at.Reason, c.says) {
			t.Errorf("%s: %#v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), goodKey) || !c.draft.Key.IsZero() {
			t.Errorf("%s: the key is in %v, or not wiped", name, err)
		}
	}
	if read(t, p) != file || len(ring.secrets) > 0 {
		t.Errorf("a test stores something: %q, %d keys", read(t, p), len(ring.secrets))
	}
}

func TestAnAccountIsAddedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	p, ring, address := made(t, file)
	added, err := p.Save(t.Context(), draft("team", address, goodKey, ""))
	if err != nil || added.Name != "team" {
		t.Fatalf("%+v, %v", added, err)
	}
	if want := file + "\n[profiles.team]\nbase_url = \"" + address + "\"\n"; read(t, p) != want {
		t.Errorf("%s", read(t, p))
	}
	if len(ring.secrets) != 1 || strings.Contains(read(t, p), goodKey) {
		t.Errorf("%d keys in the keyring", len(ring.secrets))
	}

	// The key is the one of the keyring; the address moves, and the key with it.
	change := draft("team", address, "", "")
	change.Changes, change.ReadOnly = true, true
	if found, err := p.Try(t.Context(), change); err != nil || found.Mode != "TEST" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := p.Save(t.Context(), change); err != nil || !strings.Contains(read(t, p), "read_only = true") {
		t.Errorf("%v\n%s", err, read(t, p))
	}
	moved := draft("team", "https://new.example.com/v1", goodKey, "")
	moved.Changes = true
	if _, err := p.Save(t.Context(), moved); err != nil || len(ring.secrets) != 1 || ring.secrets["team@https://new.example.com:443"] != goodKey {
		t.Errorf("%v, %d keys", err, len(ring.secrets))
	}

	// A key in plain text belongs to its address.
	elsewhere := draft("old", address, "", "")
	elsewhere.Changes = true
	var at *accounts.FieldError
	if _, err := p.Try(t.Context(), elsewhere); !errors.As(err, &at) || at.Field != accounts.FieldKey || !strings.Contains(at.Reason, "old.example.com") {
		t.Errorf("%v", err)
	}

	// A key in plain text goes when there is another.
	plain := draft("old", "https://old.example.com/v1", "", "cat key")
	plain.Changes = true
	if _, err := p.Save(t.Context(), plain); err != nil || strings.Contains(read(t, p), "plainkey") || !strings.Contains(read(t, p), `api_key_command = "cat key"`) {
		t.Errorf("%v\n%s", err, read(t, p))
	}

	if _, err := p.Remove(t.Context(), nil, "old"); err != nil || strings.Contains(read(t, p), "old") {
		t.Errorf("%v\n%s", err, read(t, p))
	}
	if told, err := p.Remove(t.Context(), nil, "team"); err != nil || told != "removed team" || len(ring.secrets) > 0 || read(t, p) != "# mine\ntheme = \"dark\" # night\n" {
		t.Errorf("%q, %v, %d keys\n%s", told, err, len(ring.secrets), read(t, p))
	}
	if _, err := p.Remove(t.Context(), nil, "team"); err == nil {
		t.Error("removed twice")
	}
}

func TestWhatCannotBeStoredLeavesNothing(t *testing.T) {
	t.Parallel()
	p, ring, address := made(t, "")
	ring.err = errors.New("locked")
	var at *accounts.FieldError
	if _, err := p.Save(t.Context(), draft("team", address, goodKey, "")); !errors.As(err, &at) || at.Field != accounts.FieldFile || !strings.Contains(at.Reason, "private file, or use a command") {
		t.Errorf("%v", err)
	}
	if read(t, p) != "" {
		t.Errorf("%s", read(t, p))
	}
	// The file is valid and cannot be edited: a mark of its encoding comes first.
	p, ring, address = made(t, "\ufeff"+file)
	if _, err := p.Save(t.Context(), draft("team", address, goodKey, "")); err == nil || len(ring.secrets) > 0 || read(t, p) != "\ufeff"+file {
		t.Errorf("%v, %d keys stay", err, len(ring.secrets))
	}
}

// TestAKeyWithoutAKeyringIsInAPrivateFile, which goes with its profile.
func TestAKeyWithoutAKeyringIsInAPrivateFile(t *testing.T) {
	t.Parallel()
	p, ring, address := made(t, file)
	p.State = filepath.Join(p.State, "it's a state")
	ring.err = errors.New("no bus")
	keys := func() []string {
		paths, err := filepath.Glob(filepath.Join(p.State, "keys", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	save := func(d accounts.Draft, changes bool) {
		t.Helper()
		d.InFile, d.Changes = true, changes
		if _, err := p.Save(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	save(draft("team", address, goodKey, ""), false)
	first := keys()
	if len(first) != 1 || strings.Contains(read(t, p), goodKey) || !strings.Contains(read(t, p), "api_key_command = ") {
		t.Fatalf("%v\n%s", first, read(t, p))
	}
	for path, mode := range map[string]os.FileMode{first[0]: 0o600, filepath.Dir(first[0]): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	settings, err := p.Source.Load()
	if err != nil {
		t.Fatal(err)
	}
	command := settings.Profiles["team"].APIKeyCommand
	change := draft("team", address, "", command)
	change.Changes, change.ReadOnly = true, true
	if found, err := p.Try(t.Context(), change); err != nil || found.Mode != "TEST" {
		t.Errorf("the command of the file: %+v, %v", found, err)
	}
	if _, err := p.Save(t.Context(), change); err != nil || len(keys()) != 1 {
		t.Errorf("%v, %v", err, keys())
	}
	// Another profile may have copied the command.
	shared := draft("twin", address, "", command)
	if _, err := p.Save(t.Context(), shared); err != nil {
		t.Fatal(err)
	}
	save(draft("team", address, "sk_test_another", ""), true)
	if len(keys()) != 2 {
		t.Errorf("the key of another profile is gone: %v", keys())
	}
	for _, name := range []string{"team", "twin"} {
		if told, err := p.Remove(t.Context(), nil, name); err != nil || told != "removed "+name {
			t.Errorf("%q, %v", told, err)
		}
	}
	if len(keys()) != 0 {
		t.Errorf("keys stay: %v", keys())
	}
	p, ring, address = made(t, "\ufeff"+file)
	ring.err = errors.New("no bus")
	d := draft("team", address, goodKey, "")
	d.InFile = true
	if _, err := p.Save(t.Context(), d); err == nil || len(keys()) != 0 {
		t.Errorf("a profile that is not written leaves a key: %v, %v", err, keys())
	}
}

// TestATestCountsInTheHourOfItsKey before it is sent, and is not sent uncounted.
func TestATestCountsInTheHourOfItsKey(t *testing.T) {
	t.Parallel()
	p, _, address := made(t, "")
	counted, refuses := "", error(nil)
	p.Count = func(origin string, key api.APIKey) error {
		counted += origin + " " + key.Expose() + "\n"
		return refuses
	}
	if _, err := p.Try(t.Context(), draft("team", address, goodKey, "")); err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSuffix(address, "/v1") + " " + goodKey + "\n"; counted != want {
		t.Errorf("counted %q, not %q", counted, want)
	}
	refuses = errors.New("the disk is full")
	if _, err := p.Try(t.Context(), draft("team", address, goodKey, "")); !errors.Is(err, refuses) {
		t.Errorf("%v", err)
	}
}
