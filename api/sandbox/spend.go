package sandbox

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// campaignDay is what the cards of a campaign did on a UTC day, each transaction on
// the day of its own time.
type campaignDay struct {
	Campaign       string     `json:"campaign"` // the first two parts of the labels; empty for those of one part
	Day            string     `json:"day"`
	Spend          unit.Cents `json:"spend"` // settled less refunded
	Settled        unit.Cents `json:"settled"`
	Refunded       unit.Cents `json:"refunded"`
	Authorizations int64      `json:"authorizations"`
	Declines       int64      `json:"declines"`
}

// listSpend adds up the table of transactions, so that the figures of a client can be
// compared with it. from and to are as in GET /transactions.
func listSpend(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	first, last := s.span(q)
	if q.Err != nil {
		return nil, q.Err
	}
	type campaignOnDay struct {
		campaign string
		day      unit.Instant
	}
	sums := map[campaignOnDay]*campaignDay{}
	for seq := first; seq <= last; seq++ {
		t, _ := s.txns.At(seq)
		k, _ := s.cards.At(int64(t.card))
		key := campaignOnDay{campaignPart(k.Label), t.at / unit.Day}
		d := sums[key]
		if d == nil {
			d = &campaignDay{Campaign: key.campaign, Day: t.at.Time().Format(time.DateOnly)}
			sums[key] = d
		}
		d.add(t)
	}
	list := wire.List[campaignDay]{Data: []campaignDay{}}
	for _, key := range slices.SortedFunc(maps.Keys(sums), func(a, b campaignOnDay) int {
		return cmp.Or(cmp.Compare(a.campaign, b.campaign), cmp.Compare(a.day, b.day))
	}) {
		list.Data = append(list.Data, *sums[key])
	}
	return list, nil
}

func (d *campaignDay) add(t txn) {
	switch sim.TxnType(t.kind) {
	case sim.TxnSettlement:
		d.Settled -= t.amount
	case sim.TxnRefund:
		d.Refunded += t.amount
	case sim.TxnDecline:
		d.Declines++
	case sim.TxnAuthorization:
		if t.amount >= 0 {
			d.Authorizations++
		}
	}
	d.Spend = d.Settled - d.Refunded
}

// campaignPart returns the first two parts of a label, nothing of one with one part.
func campaignPart(label string) string {
	first := strings.IndexByte(label, '/')
	if first < 0 {
		return ""
	}
	if second := strings.IndexByte(label[first+1:], '/'); second >= 0 {
		return label[:first+1+second]
	}
	return label
}
