package accounts_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
)

func login(profile, key string) accounts.Login {
	return accounts.Login{Profile: profile, Mode: "LIVE", BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(key)}
}

func registry(t *testing.T) accounts.Registry {
	t.Helper()
	base := t.TempDir()
	return accounts.Registry{State: filepath.Join(base, "state"), Cache: filepath.Join(base, "cache")}
}

// settle records that a login reaches the account of a folder, or a new one.
func settle(r accounts.Registry, l accounts.Login, its *accounts.Folder) (accounts.Folder, error) {
	candidates, err := r.Candidates(l)
	if err != nil {
		return accounts.Folder{}, err
	}
	f, ok, err := r.Settle(l, candidates, its)
	if err == nil && !ok {
		err = errors.New("the candidates changed")
	}
	return f, err
}

// TestAFolderIsOfAKey: two keys of one profile and address have two folders, and a key keeps its folder
// when its profile is renamed.
func TestAFolderIsOfAKey(t *testing.T) {
	t.Parallel()
	r := registry(t)
	a, err := settle(r, login("team", "sk_live_a"), nil)
	must(t, err)
	b, err := settle(r, login("team", "sk_live_b"), nil)
	if err != nil || a.State == b.State || a.Cache == b.Cache {
		t.Fatalf("%s and %s, %v", a.State, b.State, err)
	}
	for _, l := range []accounts.Login{login("team", "sk_live_a"), login("renamed", "sk_live_a")} {
		if f, ok, err := r.Find(l); !ok || err != nil || f.State != a.State {
			t.Errorf("%s finds %s, %v, %v", l.Profile, f.State, ok, err)
		}
		if f, err := settle(r, l, nil); err != nil || f.State != a.State {
			t.Errorf("%s makes %s, %v", l.Profile, f.State, err)
		}
	}
	if _, ok, err := r.Find(login("team", "sk_live_c")); ok || err != nil {
		t.Errorf("an unknown key finds a folder, %v", err)
	}
	other := login("team", "sk_live_a")
	other.BaseURL = "https://other.example.com/v1"
	if _, ok, err := r.Find(other); ok || err != nil {
		t.Errorf("the key at another address finds the folder, %v", err)
	}
	if got, err := r.Candidates(other); err != nil || len(got) != 1 || got[0].State != a.State {
		t.Errorf("the key at another address may be of %v, %v", got, err)
	}
	data, err := os.ReadFile(filepath.Join(a.State, "account.json"))
	if err != nil || strings.Contains(string(data), "sk_live") {
		t.Errorf("%s, %v", data, err)
	}
}

// TestARotatedKeyIsLinked: a folder keeps its earlier keys.
func TestARotatedKeyIsLinked(t *testing.T) {
	t.Parallel()
	r := registry(t)
	a, err := settle(r, login("team", "sk_live_a"), nil)
	must(t, err)
	if _, err := settle(r, login("ads", "sk_live_b"), &a); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"sk_live_a", "sk_live_b"} {
		if f, ok, err := r.Find(login("x", key)); !ok || err != nil || f.State != a.State || f.Profile() != "ads" {
			t.Errorf("%s finds %s of %s, %v, %v", key, f.State, f.Profile(), ok, err)
		}
	}
}

// TestAKeyIsAskedOfAnewWhenAnAccountCameMeanwhile: whose a key is was asked of the folders of then.
func TestAKeyIsAskedOfAnewWhenAnAccountCameMeanwhile(t *testing.T) {
	t.Parallel()
	r := registry(t)
	asked, err := r.Candidates(login("team", "sk_live_b"))
	must(t, err)
	a, err := settle(r, login("team", "sk_live_a"), nil)
	must(t, err)
	if f, ok, err := r.Settle(login("team", "sk_live_b"), asked, nil); ok || err != nil {
		t.Errorf("a key that was not asked of %s gets %s, %v", a.State, f.State, err)
	}
	if _, err := settle(r, login("team", "sk_live_c"), &a); err != nil {
		t.Fatal(err)
	}
	if f, ok, err := r.Settle(login("team", "sk_live_b"), []accounts.Folder{a}, &a); ok || err != nil {
		t.Errorf("a key gets %s, which another key opened meanwhile, %v", f.State, err)
	}
	if f, ok, err := r.Settle(login("team", "sk_live_a"), nil, nil); !ok || err != nil || f.State != a.State {
		t.Errorf("a key that was just recorded gets %s, %v, %v", f.State, ok, err)
	}
}

// TestAFolderOfAnEarlierVersionIsACandidate: its name is made of profile, mode and address.
func TestAFolderOfAnEarlierVersionIsACandidate(t *testing.T) {
	t.Parallel()
	r := registry(t)
	const old = "team-9a7361fc674c" // sha256("team\nLIVE\nhttps://api.example.com/v1"), 6 bytes
	must(t, os.MkdirAll(filepath.Join(r.State, "profiles", old), 0o700))
	for _, l := range []accounts.Login{login("team", "sk_live_a"), login("renamed", "sk_live_a")} {
		got, err := r.Candidates(l)
		if err != nil || len(got) != 1 || filepath.Base(got[0].State) != old || got[0].Profile() != "team" {
			t.Fatalf("%s: %v, %v", l.Profile, got, err)
		}
	}
	test := login("team", "sk_test_a")
	test.Mode = "TEST"
	if got, err := r.Candidates(test); err != nil || len(got) != 0 {
		t.Errorf("a test key: %v, %v", got, err)
	}
	// Another account beside it does not get its name.
	if f, err := settle(r, login("team", "sk_live_b"), nil); err != nil || filepath.Base(f.State) != old+".2" {
		t.Errorf("%s, %v", f.State, err)
	}
}

// TestADamagedRecordIsTold: whose a folder is must not be guessed.
func TestADamagedRecordIsTold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`{"version":1,"keys":`: "damaged", `{"version":9}`: "a newer cardtop wrote it"} {
		r := registry(t)
		f, err := settle(r, login("team", "sk_live_a"), nil)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(f.State, "account.json"), []byte(text), 0o600))
		if _, _, err := r.Find(login("team", "sk_live_a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAFolderThatLostItsRecordIsACandidate whichever account of the profile it is of.
func TestAFolderThatLostItsRecordIsACandidate(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, key := range []string{"sk_live_a", "sk_live_b", "sk_live_c"} {
		f, err := settle(r, login("team-1.2", key), nil)
		must(t, err)
		must(t, os.Remove(filepath.Join(f.State, "account.json")))
		if got, err := r.Candidates(login("team-1.2", key)); err != nil || !slices.ContainsFunc(got, func(c accounts.Folder) bool { return c.State == f.State && c.Profile() == "team-1.2" }) {
			t.Errorf("the candidates without %s are %v, %v", f.State, got, err)
		}
		if _, err := settle(r, login("team-1.2", key), &f); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALostNameIsMadeAgain at the next start with a known key: without one nothing on disk is bound to its account.
func TestALostNameIsMadeAgain(t *testing.T) {
	t.Parallel()
	r := registry(t)
	f, err := settle(r, login("team", "sk_live_a"), nil)
	must(t, err)
	must(t, os.Remove(filepath.Join(f.State, "account.id")))
	if _, ok, err := r.Open(login("team", "sk_live_a")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	id, err := accounts.ID(f.State)
	if err != nil || id == "" {
		t.Fatalf("its name is %q, %v", id, err)
	}
	if _, _, err := r.Open(login("team", "sk_live_a")); err != nil {
		t.Fatal(err)
	}
	if again, err := accounts.ID(f.State); err != nil || again != id {
		t.Errorf("%q is %q then, %v", id, again, err)
	}
}

// TestTheCopyOfAFolderIsRefused: each would count what it knows alone, and settle what the other has settled.
func TestTheCopyOfAFolderIsRefused(t *testing.T) {
	t.Parallel()
	r := registry(t)
	a, err := settle(r, login("team", "sk_live_a"), nil)
	must(t, err)
	other := login("other", "sk_live_b")
	other.BaseURL = "https://other.example.com/v1"
	b, err := settle(r, other, nil)
	must(t, err)
	for _, name := range []string{"0-backup", "zz"} {
		dir := filepath.Join(r.State, "profiles", name)
		must(t, os.CopyFS(dir, os.DirFS(a.State)))
		_, _, err = r.Find(login("team", "sk_live_a"))
		_, err2 := r.Candidates(login("team", "sk_live_c"))
		_, err3 := r.Named("team", "LIVE", login("", "").BaseURL)
		for _, err := range []error{err, err2, err3} {
			if err == nil || !strings.Contains(err.Error(), a.State) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
				t.Errorf("beside %s: %v", name, err)
			}
		}
		if f, ok, err := r.Find(other); !ok || err != nil || f.State != b.State {
			t.Errorf("the other account: %s, %v, %v", f.State, ok, err)
		}
		must(t, os.RemoveAll(dir))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
