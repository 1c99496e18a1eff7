package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

func TestNamesAreReadWithoutAKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	if _, err := ReadNames(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	snap := sample(600, 20)
	snap.Cards.Add(cardlist.Card{ID: "card_x", BIN: "b", Network: "visa", Last4: "0007", Label: "a\x1b[31mb", Status: api.CardFrozen})
	must(t, Open(dir, account(testKey)).Save(snap))
	got, err := ReadNames(dir)
	if err != nil || len(got.Cards) != 601 || len(got.Transactions) != 20 || !got.At.Equal(snap.At) {
		t.Fatalf("%d cards, %d transactions, %v: %v", len(got.Cards), len(got.Transactions), got.At, err)
	}
	if want := (CardName{"card_x", "ab", "0007", "b", "visa", api.CardFrozen}); got.Cards[600] != want {
		t.Errorf("the last card is %+v", got.Cards[600])
	}
	if want := snap.Transactions[19].ID; got.Transactions[19] != want {
		t.Errorf("the last transaction is %s", got.Transactions[19])
	}
}

// TestNamesOfABrokenCache: whatever the file holds, there is an error or a list, and no
// control character.
func TestNamesOfABrokenCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	must(t, Open(dir, account(testKey)).Save(sample(4, 1)))
	path := filepath.Join(dir, fileName)
	good, err := os.ReadFile(path)
	must(t, err)
	write := func(data []byte) {
		must(t, os.WriteFile(path, data, 0o600))
	}
	for at := range good {
		write(good[:at])
		if _, err := ReadNames(dir); err == nil {
			t.Fatalf("cut at %d it is read", at)
		}
		bad := []byte(strings.Clone(string(good)))
		bad[at] ^= 0x1b
		write(bad)
		got, err := ReadNames(dir)
		if err != nil {
			continue
		}
		for _, c := range got.Cards {
			if text := string(c.ID) + string(c.Label) + string(c.Last4); strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
				t.Fatalf("changed at %d it gives %q", at, text)
			}
		}
	}
	write(good)
	must(t, os.Chmod(path, 0o644))
	if _, err := ReadNames(dir); !errors.Is(err, ErrShared) {
		t.Errorf("one that others may read: %v", err)
	}
}
