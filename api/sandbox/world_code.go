package sandbox

import (
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
)

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
