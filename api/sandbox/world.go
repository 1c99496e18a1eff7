package sandbox

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// rows are the tables of a world, and what finds rows in them. Amounts are cents of USD. Identifiers, card
// numbers and names are computed from the seed and the row.
type rows struct {
	books     *tables.List[books] // one row
	cards     *tables.List[*sim.Card]
	merchants *tables.List[sim.Merchant]
	// txns are in the order of time, which is the order of identifiers.
	txns       *tables.List[txn]
	extras     *tables.Set[extra]
	holds      *tables.Set[holdRow]
	challenges *tables.List[challengeRow]
	deposits   *tables.List[depositRow]
	webhooks   *tables.Set[webhookRow]
	deliveries *tables.Set[delivery]
	jobs       *tables.Set[job]
	answers    *tables.Set[firstAnswer]

	txnsOf      [][]int32 // the rows of a card's transactions, by card
	merchantIDs map[sim.Merchant]int32
	answerOf    map[answerKey]firstAnswer
	byBalance   tables.Order[*sim.Card]
	byUse       tables.Order[*sim.Card]
	ordered     bool // the two orders are kept
}

// books are the sums over all cards, so that reading the wallet does not add up every card, and what
// else there is one of.
type books struct {
	walletRow
	seed  int64
	pace  unit.Cents   // what the campaigns spent in an hour on average
	ahead unit.Instant // by which the clock is

	webhook, event, delivery, job int64 // the last number of each: none is used twice
}

// makeTables makes them empty. Their order is that of the file.
func (r *rows) makeTables(d *tables.DB) {
	r.merchantIDs, r.answerOf = map[sim.Merchant]int32{}, map[answerKey]firstAnswer{}
	r.byBalance.Compare = func(a, b *sim.Card) int { return cmp.Or(cmp.Compare(a.Balance, b.Balance), cmp.Compare(a.Seq, b.Seq)) }
	r.byUse.Compare = func(a, b *sim.Card) int {
		return cmp.Or(cmp.Compare(a.LastUsed, b.LastUsed), cmp.Compare(a.Seq, b.Seq))
	}
	r.books = tables.NewList(d, codeBooks, nil)
	r.cards = tables.NewList(d, codeCard, r.moveCard)
	r.merchants = tables.NewList(d, codeMerchant, r.moveMerchant)
	r.txns = tables.NewList(d, codeTxn, r.moveTxn)
	r.extras = tables.NewSet(d, func(a, b extra) int { return cmp.Compare(a.txn, b.txn) }, codeExtra, nil)
	r.holds = tables.NewSet(d, func(a, b holdRow) int {
		return cmp.Or(cmp.Compare(a.card, b.card), cmp.Compare(a.auth, b.auth))
	}, codeHold, nil)
	r.challenges = tables.NewList(d, codeChallenge, nil)
	r.deposits = tables.NewList(d, codeDeposit, nil)
	r.webhooks = tables.NewSet(d, func(a, b webhookRow) int { return cmp.Compare(a.seq, b.seq) }, codeWebhook, nil)
	r.deliveries = tables.NewSet(d, func(a, b delivery) int { return cmp.Compare(a.seq, b.seq) }, codeDelivery, nil)
	r.jobs = tables.NewSet(d, func(a, b job) int { return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.seq, b.seq)) }, codeJob, nil)
	r.answers = tables.NewSet(d, func(a, b firstAnswer) int {
		return cmp.Or(cmp.Compare(a.at, b.at), a.compare(b.answerKey))
	}, codeAnswer, r.moveAnswer)
}

// order sorts the cards, once: to keep many of them sorted while they are read would take long.
func (r *rows) order() {
	for _, o := range []*tables.Order[*sim.Card]{&r.byBalance, &r.byUse} {
		o.Rows = slices.SortedFunc(slices.Values(r.cards.Rows()), o.Compare)
	}
	r.ordered = true
}

func (r *rows) moveCard(before, after *(*sim.Card)) {
	for _, o := range []*tables.Order[*sim.Card]{&r.byBalance, &r.byUse} {
		switch {
		case !r.ordered:
		case before != nil && after != nil && o.Compare(*before, *after) == 0:
			o.Put(*after)
		default:
			if before != nil {
				o.Delete(*before)
			}
			if after != nil {
				o.Put(*after)
			}
		}
	}
}

func (r *rows) moveMerchant(before, after *sim.Merchant) {
	if before != nil {
		delete(r.merchantIDs, *before)
	}
	if after != nil {
		r.merchantIDs[*after] = int32(r.merchants.Len())
	}
}

func (r *rows) moveTxn(before, after *txn) {
	if before != nil { // It is the last one.
		list := &r.txnsOf[before.card]
		*list = (*list)[:len(*list)-1]
	}
	if after != nil {
		if more := int(after.card) + 1 - len(r.txnsOf); more > 0 {
			r.txnsOf = append(r.txnsOf, make([][]int32, more)...)
		}
		r.txnsOf[after.card] = append(r.txnsOf[after.card], int32(r.txns.Len()))
	}
}

func (r *rows) moveAnswer(before, after *firstAnswer) {
	if before != nil {
		delete(r.answerOf, before.answerKey)
	}
	if after != nil {
		r.answerOf[after.answerKey] = *after
	}
}

// txnsOfCard returns the rows of a card's transactions, the oldest first.
func (r *rows) txnsOfCard(card int64) []int32 {
	if card >= int64(len(r.txnsOf)) {
		return nil
	}
	return r.txnsOf[card]
}

// How rows are written to the file. Another order of fields is another format.

func codeBooks(c *tables.Coder, b *books) {
	c.Fields(&b.balance, &b.deposited, &b.spent, &b.active, &b.cards, &b.seed, &b.pace, &b.ahead,
		&b.webhook, &b.event, &b.delivery, &b.job)
}

func codeCard(c *tables.Coder, row **sim.Card) {
	if *row == nil {
		*row = &sim.Card{}
	}
	k := *row
	c.Fields(&k.Seq, &k.BIN, &k.Status, &k.Balance, &k.Held, &k.Limit, &k.Spent, &k.Count, &k.Month, &k.MonthSpent, &k.Label,
		&k.Categories, &k.AutoFreezeAt, &k.Metadata, &k.Created, &k.Expires, &k.LastUsed, &k.Frozen)
}

func codeMerchant(c *tables.Coder, m *sim.Merchant) {
	c.Fields(&m.Name, &m.Category, &m.MCC, &m.Country)
}

func codeTxn(c *tables.Coder, t *txn) {
	c.Fields(&t.at, &t.amount, &t.after, &t.card, &t.merchant, &t.root, &t.kind, &t.threeDS, &t.reason)
}

func codeExtra(c *tables.Coder, x *extra) {
	c.Fields(&x.txn, &x.foreign.Code, &x.foreign.Amount, &x.text)
}

func codeHold(c *tables.Coder, h *holdRow) { c.Fields(&h.auth, &h.card, &h.amount) }

func codeChallenge(c *tables.Coder, h *challengeRow) {
	c.Fields(&h.seq, &h.card, &h.amount, &h.otp, &h.status, &h.expires, &h.created)
	codeMerchant(c, &h.merchant)
}

func codeDeposit(c *tables.Coder, d *depositRow) {
	c.Fields(&d.seq, &d.currency, &d.units, &d.amount, &d.fee, &d.status, &d.confirmations, &d.created, &d.confirmed)
}

func codeWebhook(c *tables.Coder, w *webhookRow) {
	c.Fields(&w.seq, &w.url, &w.events, &w.secret, &w.created)
}

func codeDelivery(c *tables.Coder, d *delivery) {
	c.Fields(&d.seq, &d.webhook, &d.event, &d.object, &d.attempts, &d.due, &d.body)
}

func codeJob(c *tables.Coder, j *job) { c.Fields(&j.seq, &j.due, &j.kind, &j.object, &j.amount) }

func codeAnswer(c *tables.Coder, a *firstAnswer) {
	c.Fields(&a.account, &a.path, &a.key, &a.digest, &a.status, &a.body, &a.at)
}

// reasonNumber returns the number of a reason of a decline in the file; 0 is none.
func reasonNumber(reason string) uint8 {
	return uint8(slices.Index(sim.DeclineReasons(), reason) + 1)
}

// reasonOf returns the reason that has a number.
func reasonOf(number uint8) string {
	if reasons := sim.DeclineReasons(); number > 0 && int(number) <= len(reasons) {
		return reasons[number-1]
	}
	return ""
}
