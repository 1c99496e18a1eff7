package team_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
)

func TestAPersonSeesTheLabelsOfTheirPatterns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		patterns, label string
		sees            bool
	}{
		{"fb/*", "fb/spring", true},
		{"fb/*", "fb/", true},
		{"fb/*", "FB/spring", false},
		{"fb/*", "x fb/spring", false},
		{"fb/*", "fb", false},
		{"own", "own", true},
		{"own", "own2", false},
		{"*/de/*", "fb/de/1", true},
		{"*/de/*", "fb/de", false},
		{"a*b*c", "a1b2c", true},
		{"a*b*c", "abcb", false},
		{"a*b", "ab", true},
		{"a*ab", "ab", false},
		{"*", "", true},
		{"fb/*,own", "own", true},
		{"", "", false},
	} {
		p := team.Person{Labels: strings.Split(tt.patterns, ",")}
		if tt.patterns == "" {
			p.Labels = nil
		}
		if p.Sees(tt.label) != tt.sees {
			t.Errorf("%q sees %q: %v", tt.patterns, tt.label, !tt.sees)
		}
	}
}

func TestTheFileHasHashesAndNoToken(t *testing.T) {
	t.Parallel()
	f := team.InDir(filepath.Join(t.TempDir(), "hub"))
	add := func(name string, live bool) api.Secret {
		t.Helper()
		token, err := f.Add(team.Person{Name: name, Role: team.Buyer, Labels: []string{"fb/*"}, Cap: 500 * api.Dollar, Added: time.Unix(1_700_000_000, 0)}, live)
		must(t, err)
		return token
	}
	ann, max := add("ann", false), add("max", true)
	if !strings.HasPrefix(max.Expose(), "sk_live_hub_") || len(ann.Expose()) < len("sk_test_hub_")+43 || ann.Expose() == max.Expose() {
		t.Error("a token has another form")
	}
	data, err := os.ReadFile(f.Path)
	must(t, err)
	if text := string(data); strings.Contains(text, ann.Expose()) || strings.Contains(text, ann.Expose()[12:]) || !strings.Contains(text, "sha256:") {
		t.Errorf("the file is\n%s", text)
	}
	people, err := f.Load()
	if err != nil || len(people.People) != 2 {
		t.Fatalf("%+v, %v", people, err)
	}
	p, ok := people.Find(ann.Bytes())
	if !ok || p.Name != "ann" || p.Role != team.Buyer || p.Cap != 500*api.Dollar || !p.Sees("fb/x") || p.Sees("gg/x") {
		t.Errorf("found %+v, %v", p, ok)
	}
	for _, token := range []string{"", "x", ann.Expose() + "x", ann.Expose()[1:]} {
		if _, ok := people.Find([]byte(token)); ok {
			t.Errorf("found by %q", token)
		}
	}
	if _, err := f.Add(team.Person{Name: "ann", Role: team.Lead, Labels: []string{"*"}}, false); err == nil {
		t.Error("added twice")
	}
	if err := f.Remove("ann"); err != nil {
		t.Error(err)
	}
	if people, err = f.Load(); err != nil || len(people.People) != 1 {
		t.Errorf("%+v, %v", people, err)
	}
	if f.Remove("ann") == nil {
		t.Error("removed twice")
	}
}

func TestAFileWithAMistakeIsRefused(t *testing.T) {
	t.Parallel()
	token := "token = \"sha256:" + strings.Repeat("ab", 32) + "\"\n"
	good := "[[person]]\nname = \"ann\"\nrole = \"buyer\"\nlabels = [\"fb/*\"]\n" + token
	for name, text := range map[string]string{
		"good":        good,
		"role":        strings.Replace(good, "buyer", "boss", 1),
		"no labels":   strings.Replace(good, `["fb/*"]`, `[]`, 1),
		"short hash":  strings.Replace(good, "abab", "ab", 1),
		"no token":    strings.Replace(good, token, "", 1),
		"twice":       good + good,
		"cap":         good + "cap = \"-1\"\n",
		"unknown":     good + "colour = \"red\"\n",
		"not toml":    "[[person",
		"name":        strings.Replace(good, `"ann"`, `"an n"`, 1),
		"long hash":   strings.Replace(good, "sha256:ab", "sha256:abab", 1),
		"zero hash":   strings.Replace(good, strings.Repeat("ab", 32), strings.Repeat("00", 32), 1),
		"escape code": strings.Replace(good, `"fb/*"`, `"fb/\u001b*"`, 1),
	} {
		f := team.InDir(t.TempDir())
		must(t, os.WriteFile(f.Path, []byte(text), 0o600))
		if _, err := f.Load(); (err == nil) != (name == "good") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSSHKeysAreFingerprintsOfOnePerson(t *testing.T) {
	t.Parallel()
	const one, two = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "SHA256:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek"
	f := team.InDir(filepath.Join(t.TempDir(), "hub"))
	for _, name := range []string{"ann", "bob"} {
		if _, err := f.Add(team.Person{Name: name, Role: team.Buyer, Labels: []string{"*"}}, false); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ name, key, want string }{
		{"ann", one, ""},
		{"ann", one, "already"},
		{"bob", one, "of ann"},
		{"eve", two, "not in the team"},
		{"bob", "ssh-ed25519 AAAA", "no fingerprint"},
		{"bob", two, ""},
	} {
		err := f.AddKey(tt.name, tt.key)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s gets %s: %v", tt.name, tt.key, err)
		}
	}
	before, err := f.Load()
	must(t, err)
	ann, ok := before.WithKey(one)
	if !ok || ann.Name != "ann" || !before.HoldsKey(ann, one) || before.HoldsKey(ann, two) {
		t.Errorf("found %+v, %v", ann, ok)
	}
	if _, ok := before.WithKey(""); ok {
		t.Error("no key is somebody's")
	}
	must(t, f.RemoveKey(one))
	after, err := f.Load()
	if err != nil || after.HoldsKey(ann, one) || !after.Holds(ann) {
		t.Errorf("%+v, %v", after, err)
	}
	if err := f.RemoveKey(one); err == nil {
		t.Error("a key is removed twice")
	}
}

// TestAFileThatOthersMayWriteLetsNobodyIn, also when its mode is changed while a hub runs.
func TestAFileThatOthersMayWriteLetsNobodyIn(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	f := team.InDir(filepath.Join(t.TempDir(), "hub"))
	if _, err := f.Add(team.Person{Name: "ann", Role: team.Buyer, Labels: []string{"*"}}, false); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		live, err := team.Open(f)
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		told := ""
		go live.Follow(ctx, func() {}, func(err error) { told = err.Error() })
		must(t, os.Chmod(f.Path, 0o666))
		<-time.After(time.Second)
		synctest.Wait()
		if n := len(live.Team().People); n != 0 || !strings.Contains(told, "chmod") {
			t.Errorf("%d are let in, told %q", n, told)
		}
		cancel()
		synctest.Wait()
	})
	if _, err := f.Load(); err == nil {
		t.Error("it is read at a start")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhoIsRemovedIsGoneWithinASecond changes the file as another program does, and
// breaks it.
func TestWhoIsRemovedIsGoneWithinASecond(t *testing.T) {
	t.Parallel()
	f := team.InDir(filepath.Join(t.TempDir(), "hub"))
	for _, name := range []string{"ann", "bob"} {
		if _, err := f.Add(team.Person{Name: name, Role: team.Viewer, Labels: []string{"*"}}, false); err != nil {
			t.Fatal(err)
		}
	}
	live, err := team.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	changed, failed := make(chan int, 10), make(chan error, 10)
	go live.Follow(t.Context(), func() { changed <- len(live.Team().People) }, func(err error) { failed <- err })
	within := func(what string, people int) {
		t.Helper()
		select {
		case n := <-changed:
			if n != people {
				t.Errorf("%s: %d people", what, n)
			}
		case <-time.After(time.Second):
			t.Errorf("%s: not seen within a second", what)
		}
	}
	if err := f.Remove("ann"); err != nil {
		t.Fatal(err)
	}
	within("removed", 1)
	if err := os.WriteFile(f.Path, []byte("[[person"), 0o600); err != nil {
		t.Fatal(err)
	}
	within("broken", 0)
	if err := <-failed; err == nil {
		t.Error("nobody is told")
	}
}
