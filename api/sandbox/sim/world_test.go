package sim

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

func TestIDsComeBack(t *testing.T) {
	w := World{Seed: 42}
	last := ""
	for _, seq := range []int64{1, 2, 31, 32, 33, 1000, 1_000_000, MaxSeq - 1} {
		id := w.ID("card_", seq)
		if got, ok := w.Seq("card_", id); !ok || got != seq {
			t.Errorf("%s gives %d (%t), want %d", id, got, ok, seq)
		}
		if id <= last {
			t.Errorf("%s does not sort after %s", id, last)
		}
		last = id
		for _, wrong := range []string{id[:len(id)-1], id + "0", strings.ToUpper(id), "txn_" + id[5:], flipLast(id)} {
			if _, ok := w.Seq("card_", wrong); ok {
				t.Errorf("%s was taken for an id", wrong)
			}
		}
		if _, ok := (World{Seed: 43}).Seq("card_", id); ok {
			t.Errorf("%s is known in another world", id)
		}
	}
	if _, ok := w.Seq("card_", w.ID("card_", 0)); ok {
		t.Error("there is no row 0")
	}
}

func flipLast(id string) string {
	if strings.HasSuffix(id, "0") {
		return id[:len(id)-1] + "1"
	}
	return id[:len(id)-1] + "0"
}

func TestCardNumbers(t *testing.T) {
	w := World{Seed: 18_000_000_000_000_000_000}
	seen := map[string]bool{}
	for _, b := range BINs() {
		for seq := int64(1); seq <= 2000; seq++ {
			pan := w.PAN(b.ID, seq)
			if len(pan) != 16 || !strings.HasPrefix(pan, b.ID) || seen[pan] {
				t.Fatalf("number of card %d in %s is wrong or taken", seq, b.ID)
			}
			seen[pan] = true
			if LuhnDigit(pan[:15]) != int(pan[15]-'0') {
				t.Fatalf("number of card %d in %s fails its check digit", seq, b.ID)
			}
		}
	}
	// Published test numbers, to know that the check digit itself is right.
	for _, pan := range []string{"4242424242424242", "5555555555554444", "4012888888881881"} {
		if LuhnDigit(pan[:15]) != int(pan[15]-'0') {
			t.Errorf("check digit of %s is %d", pan, LuhnDigit(pan[:15]))
		}
	}
}

func TestExpiryEndsItsMonth(t *testing.T) {
	for from, want := range map[string]string{
		"2026-03-14T15:09:26Z": "2029-03-31T23:59:59.999Z",
		"2026-01-31T00:00:00Z": "2029-01-31T23:59:59.999Z",
		"2026-12-31T23:59:59Z": "2029-12-31T23:59:59.999Z",
		"2025-02-28T00:00:00Z": "2028-02-29T23:59:59.999Z",
	} {
		at, _, _, err := unit.ParseInstant(from)
		if err != nil {
			t.Fatal(err)
		}
		if got := ExpiryOf(at).Time().Format("2006-01-02T15:04:05.000Z"); got != want {
			t.Errorf("a card of %s expires %s, want %s", from, got, want)
		}
	}
}
