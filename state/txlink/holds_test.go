package txlink_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// TestWhatIsLeftOfHolds hands in the transactions of a card, a minute apart: h is a hold, s a settlement, r a reversal, n a
// negative authorization, each of so many dollars at merchant 2, with a * at merchant 3.
func TestWhatIsLeftOfHolds(t *testing.T) {
	t.Parallel()
	for rows, want := range map[string]string{
		"h60 s60":                  "",
		"h60 s60*":                 "60",
		"s60 h60":                  "60",
		"h100 s30":                 "70 in parts",
		"h100 s30 s40":             "30 in parts",
		"h100 s30 s40 s30":         "",
		"h100 s85":                 "",
		"h100 s140":                "",
		"h100 s150":                "",
		"h100 s300":                "100",
		"h100 s1":                  "100",
		"h1 s60":                   "",
		"h165 h160 s142 h164 s160": "164",
		"h60 s58 h65 s60":          "65",
		"h1 h60 s60":               "1",
		"h60 r60":                  "",
		"h60 n60":                  "",
		"h60 r20":                  "40",
		"h60 r20 s40":              "",
		"h60 r60*":                 "60",
		"h60 r80":                  "60",
		"n60":                      "-60",
		"n60 n60":                  "-60, -60",
		"n60 s60":                  "",
		"h100 h45 s40":             "100",
		"h60 h60 s60":              "60",
		"h60 h62 s60":              "62",
		"h60 h62 s63":              "62",
		"h100 s30 h40 s40":         "70 in parts",
		"h100 s30 h70 s70 s70":     "",
		"h60 h100 r100 s55 h20":    "20",
	} {
		var holds txlink.Holds
		for i, row := range strings.Fields(rows) {
			var kind rune
			var dollars int
			shop := uint16(2)
			if _, err := fmt.Sscanf(row, "%c%d", &kind, &dollars); err != nil {
				t.Fatal(row, err)
			}
			if strings.HasSuffix(row, "*") {
				shop = 3
			}
			at, amount := int64(i)*60e6, api.USD(dollars)*api.Dollar
			hold := txlink.Hold{At: at, Left: amount, Row: uint32(i), Merchant: shop}
			switch kind {
			case 's':
				settle(t, &holds, txlink.Settlement{At: at, Amount: amount, Row: uint32(i), Merchant: shop}, rows)
			case 'r':
				holds.Reverse(at, shop, amount, false)
			case 'n':
				if _, ok := holds.Reverse(at, shop, amount, true); !ok {
					hold.Negative = true
					holds.Waiting = append(holds.Waiting, hold)
				}
			default:
				holds.Waiting = append(holds.Waiting, hold)
			}
		}
		var left []string
		for _, h := range holds.Waiting {
			text := fmt.Sprint(int(h.Left / api.Dollar))
			if h.Negative {
				text = "-" + text
			}
			if h.Parts > 0 {
				text += " in parts"
			}
			left = append(left, text)
		}
		if got := strings.Join(left, ", "); got != want {
			t.Errorf("%s leaves %q, want %q", rows, got, want)
		}
	}
}

// settle hands in a settlement, and those again that it displaces.
func settle(t *testing.T, holds *txlink.Holds, s txlink.Settlement, rows string) {
	t.Helper()
	for taken, _ := holds.Settle(s, txlink.Context{}); taken.Displaced; taken, _ = holds.Settle(s, txlink.Context{}) {
		s.Row, s.At = taken.Instead, int64(taken.Instead)*60e6
		if _, err := fmt.Sscanf(strings.Fields(rows)[s.Row], "s%d", &s.Amount); err != nil {
			t.Fatal(rows, err)
		}
		s.Amount *= api.Dollar
	}
}

// TestAHoldThatIsLongOverdueIsLeftOut where another of its amount is of a usual age, and one that is too
// young is not taken; where all are of a usual age, the earliest is.
func TestAHoldThatIsLongOverdueIsLeftOut(t *testing.T) {
	t.Parallel()
	var delays txlink.Delays
	for i := range 20 {
		delays.Add(time.Duration(20+i) * time.Minute)
	}
	in := txlink.Context{From: -1 << 60, Usual: delays.Usual(false)}
	for name, c := range map[string]struct {
		ages []time.Duration
		want int // which is taken, -1 for none
	}{
		"overdue":       {[]time.Duration{30 * time.Hour, 30 * time.Minute}, 1},
		"usual":         {[]time.Duration{40 * time.Minute, 30 * time.Minute}, 0},
		"late":          {[]time.Duration{30 * time.Hour}, 0},
		"young and old": {[]time.Duration{40 * time.Minute, time.Second}, 0},
	} {
		var holds txlink.Holds
		for i, age := range c.ages {
			holds.Waiting = append(holds.Waiting, txlink.Hold{At: -age.Microseconds(), Left: 60 * api.Dollar, Row: uint32(i)})
		}
		taken, ok := holds.Settle(txlink.Settlement{Amount: 60 * api.Dollar}, in)
		if !ok || int(taken.Row) != c.want {
			t.Errorf("%s: %+v, %v", name, taken, ok)
		}
	}
	in.From = 0
	holds := txlink.Holds{Waiting: []txlink.Hold{{At: 0, Left: 60 * api.Dollar}}}
	if _, ok := holds.Settle(txlink.Settlement{At: (5 * time.Minute).Microseconds(), Amount: 60 * api.Dollar}, in); ok {
		t.Error("a settlement right after the begin is not of an earlier hold")
	}
}

func TestAnEstimateIsMarked(t *testing.T) {
	t.Parallel()
	for held, want := range map[txlink.Held]string{{}: "", {USD: 1}: "~", {USD: 1, Partial: true}: "~", {Partial: true}: "~"} {
		if got := held.Mark(); got != want {
			t.Errorf("%+v is marked %q", held, got)
		}
	}
}
