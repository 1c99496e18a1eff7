package sim

import (
	"fmt"
	"math"
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

// TestChargesFollowTheDayOfTheCountry compares evenings with nights.
func TestChargesFollowTheDayOfTheCountry(t *testing.T) {
	for label, ahead := range map[string]int{"fb/geo-de/07": 1, "gg/geo-us": -5, "tt/geo-jp/1": 9, "fb/geo-us-2/3": -5} {
		sum := 0.0
		for hour := range 24 {
			at := unit.Instant(hour-ahead) * unit.Hour
			wave := Wave(label, end()/unit.Day*unit.Day+at)
			sum += wave
			if (hour >= 15 && hour <= 21) != (wave > 1.55) || (hour >= 4 && hour <= 8) != (wave < 0.4) {
				t.Errorf("%s at %d:00: %f", label, hour, wave)
			}
		}
		if math.Abs(sum/24-1) > 0.01 {
			t.Errorf("the day of %s comes to %f", label, sum/24)
		}
	}
	if Wave("saas/tools", end()) != 1 || Wave("infra/cdn/02", end()+12*unit.Hour) != 1 {
		t.Error("software has a busiest hour")
	}
	if Wave("fb/test/01", end()) != Wave("fb/test", end()) {
		t.Error("a card has another day than its campaign")
	}
	h, _ := newPast(t, 1, 200, 20_000, "", 30*unit.Day)
	night, evening := 0, 0
	for _, x := range h.Txns {
		if x.Kind != TxnAuthorization {
			continue
		}
		switch wave := Wave(h.Cards[x.Card-1].Label, x.At); {
		case wave < 0.5:
			night++
		case wave > 1.5:
			evening++
		}
	}
	if night*3 > evening {
		t.Errorf("%d authorizations by night, %d in the evening", night, evening)
	}
}

// TestHistoriesHaveTheirSize counts transactions of worlds of several sizes.
func TestHistoriesHaveTheirSize(t *testing.T) {
	for _, r := range []struct {
		cards, txns int
		span        unit.Instant
		want        int
	}{
		{0, 0, 30 * unit.Day, 5000},
		{0, 0, 7 * unit.Day, 1166},
		{800, 0, 30 * unit.Day, 38_000},
		{800, 30_000, 30 * unit.Day, 30_000},
		{5000, 50_000, 60 * unit.Day, 50_000},
	} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			h, p := newPast(t, 3, r.cards, r.txns, "", r.span)
			if n := len(h.Txns); n < r.want*80/100 || n > r.want*115/100 {
				t.Errorf("%d transactions, want about %d", n, r.want)
			}
			if days := float64(p.Wallet) / float64(h.Pace*24); days < 1 || days > 6 {
				t.Errorf("the wallet of %s lasts %.1f days", p.Wallet.Fixed(), days)
			}
		})
	}
	for _, r := range [][2]int{{-1, 0}, {30, -1}} {
		if h, _ := newPast(t, 3, r[0], r[1], "", 30*unit.Day); len(h.Txns) > 0 || h.Pace != 0 {
			t.Errorf("%v: %d transactions", r, len(h.Txns))
		}
	}
}
