package sim

import (
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Credit is a deposit of a history that was credited to the wallet.
type Credit struct {
	At     unit.Instant
	Amount unit.Cents // after the fee
	Coin   Currency
}

// move books that an amount went from the wallet to a card.
func (h *History) move(at unit.Instant, amount unit.Cents) {
	h.moved[h.day(at)] += amount
}

// day returns the index of an instant in moved.
func (h *History) day(at unit.Instant) int {
	if at < h.Start {
		return 0
	}
	return min(1+int((at-h.Start)/unit.Day), len(h.moved)-1)
}

// Credits returns confirmed deposits that add up to total, the oldest first: what
// ever reached the wallet, of which balance is left.
func (h *History) Credits(total, balance unit.Cents) []Credit {
	if h.moved == nil {
		return h.recentCredits(total)
	}
	return h.pastCredits(total, balance)
}

// pastCredits goes back from the end: a day with more money in the wallet than a few
// days take began with a deposit. So the wallet always had what went to the cards.
func (h *History) pastCredits(total, balance unit.Cents) []Credit {
	var list []Credit
	var funded unit.Cents
	for _, amount := range h.moved[1:] {
		funded += max(0, amount)
	}
	daily := max(funded/unit.Cents(len(h.moved)-1), 10_000)
	part := func(least, most int) unit.Cents { return daily * unit.Cents(least+h.Rand.IntN(most-least)) / 100 }
	for day := len(h.moved) - 1; day > 0; day-- {
		balance += h.moved[day]
		if balance < part(250, 500) {
			continue
		}
		credited := afterFee(balance - part(10, 60))
		at := h.Start + unit.Instant(day-1)*unit.Day - unit.Instant(h.Rand.Int64N(int64(8*unit.Hour)))
		list = append(list, Credit{At: at, Amount: credited, Coin: h.pastCoin()})
		balance -= credited
		total -= credited
	}
	for day := unit.Instant(2); total > 0; day += 5 {
		credited := total
		if day < 10 {
			credited = min(total, max(total/2/5000*5000, 5000))
		}
		list = append(list, Credit{At: h.Start - day*unit.Day - unit.Instant(h.Rand.Int64N(int64(2*unit.Day))), Amount: credited, Coin: h.pastCoin()})
		total -= credited
	}
	slices.Reverse(list)
	return list
}

// afterFee returns what is left of a round amount after its fee of one per cent, at
// most the amount given.
func afterFee(most unit.Cents) unit.Cents {
	const round = 50_000
	if most < round {
		return most
	}
	sent := most / round * round
	return sent - sent/100
}

func (h *History) coin() Currency {
	coins := Currencies()
	return coins[h.Rand.IntN(len(coins))]
}

// pastCoin returns the currency of a deposit, mostly the one that is worth a dollar.
func (h *History) pastCoin() Currency {
	if h.Rand.IntN(5) > 1 {
		return CurrencyOf("usdt")
	}
	return h.coin()
}

// recentCredits splits a total into a few deposits.
func (h *History) recentCredits(total unit.Cents) []Credit {
	const parts = 7
	var list []Credit
	for i, left := unit.Cents(0), total; left > 0; i++ {
		credited := left
		if i < parts-1 {
			share := total / parts * unit.Cents(60+h.Rand.IntN(70)) / 100
			credited = min(left, max(share/5000*5000, 5000))
		}
		left -= credited
		c := Credit{Amount: credited, Coin: h.coin()}
		c.At = h.End - unit.Instant(parts-min(i, parts-1))*6*unit.Day - unit.Instant(h.Rand.Int64N(int64(5*unit.Day))) + 5*unit.Day
		list = append(list, c)
	}
	return list
}
