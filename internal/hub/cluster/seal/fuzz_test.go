package seal

import (
	"bytes"
	"testing"
)

// FuzzOpen opens whatever comes: only what was sealed with the key and about the same.
func FuzzOpen(f *testing.F) {
	text, err := NewKey()
	if err != nil {
		f.Fatal(err)
	}
	keys, err := parse(text, "team")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("482913"), "3ds_1", []byte{}, 0)
	f.Add([]byte{}, "", []byte{version}, 5)
	f.Fuzz(func(t *testing.T, plain []byte, about string, other []byte, at int) {
		if out, err := keys.Open(other, about); err == nil {
			t.Errorf("%d bytes that nobody sealed open as %d", len(other), len(out))
		}
		sealed := keys.Seal(plain, about)
		if out, err := keys.Open(sealed, about); err != nil || !bytes.Equal(out, plain) {
			t.Errorf("it does not open: %v", err)
		}
		if _, err := keys.Open(sealed, about+"x"); err == nil {
			t.Error("it opens as another's")
		}
		sealed[uint(at)%uint(len(sealed))] ^= 1
		if _, err := keys.Open(sealed, about); err == nil {
			t.Error("it opens altered")
		}
	})
}
