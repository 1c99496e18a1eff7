package ledger

import "github.com/cardtop/cardtop/api"

// Totals are sums over some transactions. Amounts are USD.
type Totals struct {
	// Settled is what settlements took and Refunded what refunds gave back, each
	// by its own time.
	Settled, Refunded api.USD
	// Held is what authorizations held.
	Held api.USD
	// Authorized, Declined, Settlements and Refunds count transactions, Foreign those of them
	// in other currencies, whose amounts are in none of the sums.
	Authorized, Declined, Settlements, Refunds, Foreign int32
}

// Spent returns what was settled less what was refunded, USD.
func (t Totals) Spent() api.USD { return t.Settled - t.Refunded }

// Attempts returns how many payments were tried: authorizations and declines.
func (t Totals) Attempts() int { return int(t.Authorized) + int(t.Declined) }

// Empty reports whether nothing happened.
func (t Totals) Empty() bool { return t.Authorized|t.Declined|t.Settlements|t.Refunds == 0 }

func (t *Totals) add(o *Totals) {
	t.Settled += o.Settled
	t.Refunded += o.Refunded
	t.Held += o.Held
	t.Authorized += o.Authorized
	t.Declined += o.Declined
	t.Settlements += o.Settlements
	t.Refunds += o.Refunds
	t.Foreign += o.Foreign
}

func (t *Totals) negative() Totals {
	return Totals{
		-t.Settled, -t.Refunded, -t.Held,
		-t.Authorized, -t.Declined, -t.Settlements, -t.Refunds, -t.Foreign,
	}
}

// Past is what figures are compared with.
type Past struct {
	// Spent is what was settled less what was refunded, USD.
	Spent              api.USD
	Attempts, Declined int32
}

func (p *Past) add(t *Totals) {
	p.Spent += t.Spent()
	p.Attempts += t.Authorized + t.Declined
	p.Declined += t.Declined
}

// sumPage is how many sums are allocated together, so that more of them are added
// without copying.
const sumPage = 256

// sums are the sums of cards or merchants by place.
type sums struct {
	pages []*sumsPage
	n     int
}

// sumsPage is what cards or merchants come to by segment, and what they hold.
type sumsPage struct {
	by   [sumPage][segments]Totals
	open [sumPage]openSum
}

func (s *sums) at(i uint32) *[segments]Totals { return &s.pages[i/sumPage].by[i%sumPage] }

func (s *sums) open(i uint32) *openSum { return &s.pages[i/sumPage].open[i%sumPage] }

func (s *sums) grow() {
	if s.n%sumPage == 0 {
		s.pages = append(s.pages, new(sumsPage))
	}
	s.n++
}
