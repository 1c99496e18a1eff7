package sim

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// end is when the histories of these tests end.
func end() unit.Instant { return unit.InstantOf(time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)) }

func newPast(t *testing.T, seed uint64, cards, txns int, wallet string, span unit.Instant) (*History, Plan) {
	t.Helper()
	p, err := NewPlan(seed, cards, txns, wallet, span)
	if err != nil {
		t.Fatal(err)
	}
	return NewHistory(World{Seed: seed}, p, end()), p
}

// TestTheWalletAlwaysHadWhatCardsGot compares the deposits so far with what had gone
// to cards by the end of each day.
func TestTheWalletAlwaysHadWhatCardsGot(t *testing.T) {
	for seed := range uint64(20) {
		for _, wallet := range []string{"", "900"} {
			h, p := newPast(t, seed, 40+int(seed)*10, 0, wallet, 30*unit.Day)
			total, onCards := p.Wallet+h.Spent, unit.Cents(0)
			for i := range h.Cards {
				total += h.Cards[i].Balance
			}
			credits := h.Credits(total, p.Wallet)
			for day, moved := range h.moved {
				onCards += moved
				start, had := h.Start+unit.Instant(day-1)*unit.Day, unit.Cents(0)
				for _, c := range credits {
					if c.At < start || day == 0 {
						had += c.Amount
					}
				}
				if had < onCards {
					t.Fatalf("seed %d: %s of %s had come when day %d was over", seed, had.Fixed(), onCards.Fixed(), day)
				}
			}
			sum := unit.Cents(0)
			for i, c := range credits {
				if sum += c.Amount; c.Amount <= 0 || i > 0 && c.At < credits[i-1].At {
					t.Fatalf("seed %d: deposit %d of %s at %s", seed, i, c.Amount.Fixed(), c.At.Time())
				}
			}
			if sum != total || onCards != total-p.Wallet {
				t.Fatalf("seed %d: %s deposited, %s moved, want %s", seed, sum.Fixed(), onCards.Fixed(), total.Fixed())
			}
		}
	}
}
