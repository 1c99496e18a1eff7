package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// HistoryTxn is one transaction of a history, small because there may be millions.
type HistoryTxn struct {
	At           unit.Instant
	Amount       unit.Cents
	BalanceAfter unit.Cents
	Card         int32
	Merchant     int16 // index in History.Merchants
	Root         int32 // 1 + index of its authorization, or 0
	Kind         TxnType
	ThreeDS      ThreeDS
	Reason       string
}

// HistoryHold is an authorization of a history that is still open at its end.
type HistoryHold struct {
	Txn    int32        // index in History.Txns
	Due    unit.Instant // when it settles; Never: soon after the end
	Amount unit.Cents   // that it settles for
}

// History is what happened before a world was opened, invented from its seed.
type History struct {
	Rand      *rand.Rand // for what else is invented about the world
	Start     unit.Instant
	End       unit.Instant
	Merchants []Merchant
	Cards     []Card
	Txns      []HistoryTxn
	Holds     []HistoryHold
	open      int // how many authorizations may stay open
	Spent     unit.Cents
	// Pace is what the campaigns spend in an hour on average; 0 without campaigns.
	Pace unit.Cents
	// moved is what went from the wallet to cards, less what came back: before the
	// start, then by day.
	moved []unit.Cents
}

// NewHistory invents the cards of a plan and their transactions up to end: those of
// campaigns, or a few recent ones when the plan has no history. The figures of a card
// follow from its transactions by the rules of [Card].
func NewHistory(w World, p Plan, end unit.Instant) *History {
	h := &History{Rand: w.Rand("past", 0), End: end, Start: end - p.span, open: p.openingHolds}
	for _, pl := range platforms() {
		h.Merchants = append(h.Merchants, pl.merchants...)
	}
	h.Merchants = append(h.Merchants, UnlistedMerchant())
	h.Txns = make([]HistoryTxn, 0, p.txns+p.txns/8)
	if p.span > 0 && p.txns > 0 {
		h.runCampaigns(w, p)
	} else {
		h.beRecent(p)
	}
	return h
}

// record adds a transaction of a card with figures that are up to date.
func (h *History) record(k *Card, t HistoryTxn) {
	t.Card, t.BalanceAfter = int32(k.Seq), k.Balance
	k.Count++
	if t.Kind != TxnRefund {
		k.LastUsed = t.At
	}
	h.Txns = append(h.Txns, t)
}

// Order returns the indexes of Txns in the order of time, stable for the
// transactions of one card.
func (h *History) Order() []int32 {
	order := make([]int32, len(h.Txns))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(h.Txns[a].At, h.Txns[b].At), cmp.Compare(a, b))
	})
	return order
}
