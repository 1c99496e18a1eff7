package seal_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// TestOnlyTheSameKeyAndTheSameMatterVerifies: places of the log are as long as one another,
// and a part of the value is none of the place.
func TestOnlyTheSameKeyAndTheSameMatterVerifies(t *testing.T) {
	a, b := newKey(t), newKey(t)
	old, err := load(t, a)
	must(t, err)
	both, err := load(t, b, a)
	must(t, err)
	other, err := load(t, b)
	must(t, err)
	s := old.Sign([]byte("fund 5"), "operation 1")
	for _, k := range []*seal.Keys{old, both} {
		if plain, err := k.Verify(s, "operation 1"); err != nil || string(plain) != "fund 5" {
			t.Errorf("verified as %q, %v", plain, err)
		}
	}
	if _, err := old.Verify(both.Sign([]byte("x"), "y"), "y"); !errors.Is(err, seal.ErrSign) {
		t.Errorf("the newest key does not sign: %v", err)
	}
	changed := func(at int) seal.Signed {
		c := bytes.Clone(s)
		c[at] ^= 1
		return c
	}
	for what, verify := range map[string]func() ([]byte, error){
		"another key":   func() ([]byte, error) { return other.Verify(s, "operation 1") },
		"another place": func() ([]byte, error) { return old.Verify(s, "operation 2") },
		"a part of it": func() ([]byte, error) {
			moved := old.Sign([]byte("1fund 5"), "operation ")
			return old.Verify(append(moved[:33:33], "fund 5"...), "operation 1")
		},
		"altered":      func() ([]byte, error) { return old.Verify(changed(len(s)-1), "operation 1") },
		"another tag":  func() ([]byte, error) { return old.Verify(changed(1), "operation 1") },
		"a later form": func() ([]byte, error) { return old.Verify(changed(0), "operation 1") },
		"cut":          func() ([]byte, error) { return old.Verify(s[:20], "operation 1") },
		"empty":        func() ([]byte, error) { return old.Verify(nil, "operation 1") },
		"sealed instead": func() ([]byte, error) {
			return old.Verify(seal.Signed(old.Seal([]byte("fund 5"), "operation 1")), "operation 1")
		},
	} {
		if plain, err := verify(); !errors.Is(err, seal.ErrSign) || plain != nil {
			t.Errorf("%s: %q, %v", what, plain, err)
		}
	}
}
