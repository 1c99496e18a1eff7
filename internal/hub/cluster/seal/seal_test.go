package seal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newKey(t *testing.T) string {
	t.Helper()
	k, err := seal.NewKey()
	must(t, err)
	return k
}

func load(t *testing.T, lines ...string) (*seal.Keys, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return seal.Load(path, "test")
}

func TestOnlyTheSameKeyAndTheSameMatterOpens(t *testing.T) {
	a, b := newKey(t), newKey(t)
	old, err := load(t, a)
	must(t, err)
	both, err := load(t, b, a, "")
	must(t, err)
	other, err := load(t, b)
	must(t, err)
	s := old.Seal([]byte("482913"), "3ds_1")
	if bytes.Contains(s, []byte("482913")) || bytes.Equal(s, old.Seal([]byte("482913"), "3ds_1")) {
		t.Error("it is not sealed, or always the same")
	}
	for _, k := range []*seal.Keys{old, both} {
		if plain, err := k.Open(s, "3ds_1"); err != nil || string(plain) != "482913" {
			t.Errorf("opened as %q, %v", plain, err)
		}
	}
	if _, err := old.Open(both.Seal(nil, "x"), "x"); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("the newest key does not seal: %v", err)
	}
	altered := bytes.Clone(s)
	altered[len(altered)-1] ^= 1
	for what, open := range map[string]func() ([]byte, error){
		"another key":  func() ([]byte, error) { return other.Open(s, "3ds_1") },
		"of another":   func() ([]byte, error) { return old.Open(s, "3ds_2") },
		"altered":      func() ([]byte, error) { return old.Open(altered, "3ds_1") },
		"cut":          func() ([]byte, error) { return old.Open(s[:5], "3ds_1") },
		"empty":        func() ([]byte, error) { return old.Open(nil, "3ds_1") },
		"a later form": func() ([]byte, error) { return old.Open(append(seal.Sealed{2}, s[1:]...), "3ds_1") },
	} {
		if _, err := open(); !errors.Is(err, seal.ErrSeal) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := fmt.Sprintf("%v %+v %#v %s", old, old, old, old); got != "[keys] [keys] [keys] [keys]" {
		t.Errorf("printed as %s", got)
	}
}

func TestABadKeyFileIsRefused(t *testing.T) {
	for _, lines := range [][]string{nil, {"short"}, {newKey(t), "x"}, {newKey(t) + "AA"}, {newKey(t)[:20]}} {
		if _, err := load(t, lines...); !errors.Is(err, seal.ErrKey) || len(lines) > 0 && strings.Contains(err.Error(), lines[0]) {
			t.Errorf("%d lines: %v", len(lines), err)
		}
	}
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, []byte(newKey(t)), 0o600))
	must(t, os.Chmod(path, 0o644))
	if _, err := seal.Load(path, "test"); !errors.Is(err, seal.ErrShared) && runtime.GOOS != "windows" {
		t.Errorf("others may read it: %v", err)
	}
}
