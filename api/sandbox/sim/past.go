package sim

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// draft is a card of a campaign before it is issued.
type draft struct {
	created  unit.Instant
	campaign *campaign
	place    int // among the drafts: decides what is special about the card
}

// Every so manieth draft is special in a way.
func (d draft) expired() bool    { return d.place%50 == 30 }
func (d draft) unused() bool     { return d.place%12 == 10 }
func (d draft) terminated() bool { return d.place%24 == 20 }
func (d draft) suspended() bool  { return d.place%14 == 8 }
func (d draft) limited() bool    { return d.place%6 == 1 }
func (d draft) restricted() bool { return d.place%6 == 3 }
func (d draft) guarded() bool    { return d.place%6 == 5 }

// rowsPerAttempt is how many transactions an attempt makes on average.
const rowsPerAttempt = 1.8

// runCampaigns invents campaigns, their cards, and what they spent in the plan's
// span. There are about as many transactions as the plan says.
func (h *History) runCampaigns(w World, p Plan) {
	h.moved = make([]unit.Cents, 2+p.span/unit.Day)
	campaigns := newCampaigns(h.Rand, p.Cards, h.Start, h.End)
	drafts := h.draftCards(campaigns, p.Cards)
	weights, total := make([]float64, len(drafts)), 0.0
	for i, d := range drafts {
		c := d.campaign
		weights[i] = c.weight * (0.5 + h.Rand.Float64()) * c.charges(h.Start, d.created, h.End)
		if h.Rand.IntN(6) == 0 {
			weights[i] *= 2.5
		}
		if d.unused() {
			weights[i] = 0
		}
		total += weights[i]
	}
	h.Cards = make([]Card, len(drafts))
	for i, d := range drafts {
		attempts := float64(p.txns) / rowsPerAttempt * weights[i] / max(total, 1e-9)
		h.issueFor(&h.Cards[i], d, int64(i+1))
		l := newLife(h, &h.Cards[i], d, w.Rand("life", int64(i+1)), attempts)
		l.run()
	}
	h.Pace = h.Spent * unit.Cents(unit.Hour) / unit.Cents(max(p.span, unit.Hour))
}

// draftCards returns the cards of all campaigns, the oldest first.
func (h *History) draftCards(campaigns []campaign, cards int) []draft {
	shares, sum := make([]int, len(campaigns)), 0
	for i := range campaigns {
		if sum++; !campaigns[i].platform.service() {
			sum += h.Rand.IntN(5)
		}
		shares[i] = sum
	}
	drafts := make([]draft, cards)
	for i := range drafts {
		of := i
		if i >= len(campaigns) {
			of, _ = slices.BinarySearch(shares, 1+h.Rand.IntN(sum))
		}
		d := draft{campaign: &campaigns[of], place: i}
		if d.expired() {
			d.campaign = &campaigns[0] // It ran before the card expired.
		}
		h.date(&d)
		drafts[i] = d
	}
	slices.SortStableFunc(drafts, func(a, b draft) int { return int(a.created - b.created) })
	return drafts
}

// date sets when a card was created: mostly when its campaign began.
func (h *History) date(d *draft) {
	spread := min(3*unit.Day, (h.End-h.Start)/10)
	d.created = d.campaign.first - unit.Hour + unit.Instant(h.Rand.Int64N(int64(spread)))
	if h.Rand.IntN(8) == 0 {
		d.created += unit.Instant(h.Rand.Float64() * float64(min(d.campaign.last, h.End)-d.created))
	}
	d.created = min(d.created, h.End-unit.Hour)
	if d.expired() {
		ends := h.End.Time()
		month := time.Date(ends.Year()-cardYears, ends.Month()-1, 1, 0, 0, 0, 0, time.UTC)
		d.created = unit.InstantOf(month) + unit.Instant(h.Rand.Int64N(int64(28*unit.Day)))
	}
}

// issueFor sets a card to its state at creation.
func (h *History) issueFor(k *Card, d draft, seq int64) {
	bins := BINs()
	b := bins[min(h.Rand.IntN(len(bins)), h.Rand.IntN(len(bins)))]
	*k = Card{
		Seq: seq, BIN: b.ID, Status: CardActive, Limit: b.MaxMonthly, Categories: []string{},
		Metadata: map[string]json.RawMessage{}, Created: d.created, Expires: ExpiryOf(d.created), Month: h.End.Month(),
	}
	k.Label = d.campaign.nextLabel()
	if d.restricted() {
		k.Categories = []string{d.campaign.platform.merchants[0].Category}
	}
	if h.Rand.IntN(3) == 0 {
		k.Metadata["team"] = json.RawMessage(teamOf(h.Rand))
	}
}

func teamOf(rng *rand.Rand) string {
	teams := []string{`"north"`, `"south"`, `"lab"`}
	return teams[rng.IntN(len(teams))]
}

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
