package mark_test

import (
	"bytes"
	"testing"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
)

func TestSetRecognisesItsTextsOnly(t *testing.T) {
	k, err := mark.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	set := mark.Set{Key: k, Sums: [][]byte{k.Sum([]byte("123")), k.Sum([]byte("4242 4242"))}}
	for text, want := range map[string]bool{
		"123": true, "4242 4242": true, "123\n": true,
		"": false, "\n": false, "12": false, "1234": false, " 123": false, "123\n\n": false,
	} {
		if got := set.Has([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if (mark.Set{Key: k}).Has([]byte("123")) {
		t.Error("an empty set has a text")
	}
}

func TestMarksAreUselessUnderAnotherKey(t *testing.T) {
	a, errA := mark.NewKey()
	b, errB := mark.NewKey()
	if errA != nil || errB != nil || bytes.Equal(a, b) {
		t.Fatal("keys are not random")
	}
	if (mark.Set{Key: b, Sums: [][]byte{a.Sum([]byte("123"))}}).Has([]byte("123")) {
		t.Error("a mark is recognised under another key")
	}
}
