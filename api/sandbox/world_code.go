package sandbox

import (
	"encoding/json"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
)

// How rows are written to the file. Fields are in the order of the file: a change of that is another format.

func codeBooks(c *tables.Coder, b *books) {
	for _, n := range []*int64{&b.seed, &b.active, &b.webhook, &b.event, &b.delivery, &b.job} {
		tables.Num(c, n)
	}
	tables.Num(c, &b.balance)
	tables.Num(c, &b.deposited)
	tables.Num(c, &b.spent)
	tables.Num(c, &b.cards)
	tables.Num(c, &b.pace)
	tables.Num(c, &b.ahead)
}

func codeCard(c *tables.Coder, row **sim.Card) {
	if *row == nil {
		*row = &sim.Card{}
	}
	k := *row
	tables.Num(c, &k.Seq)
	c.Text(&k.BIN)
	c.Text(&k.Status)
	tables.Num(c, &k.Balance)
	tables.Num(c, &k.Held)
	tables.Num(c, &k.Limit)
	tables.Num(c, &k.Spent)
	tables.Num(c, &k.Count)
	tables.Num(c, &k.Month)
	tables.Num(c, &k.MonthSpent)
	c.Text(&k.Label)
	codeTexts(c, &k.Categories)
	tables.Num(c, &k.AutoFreezeAt)
	codeMetadata(c, &k.Metadata)
	tables.Num(c, &k.Created)
	tables.Num(c, &k.Expires)
	tables.Num(c, &k.LastUsed)
	tables.Num(c, &k.Frozen)
}

// codeLen reads or writes how many there are of something that has at least a byte each.
func codeLen(c *tables.Coder, n int) int {
	tables.Num(c, &n)
	return c.AtMost(n)
}

func codeTexts(c *tables.Coder, texts *[]string) {
	n := codeLen(c, len(*texts))
	if c.Reading() {
		*texts = make([]string, n)
	}
	for i := range *texts {
		c.Text(&(*texts)[i])
	}
}

func codeMetadata(c *tables.Coder, m *map[string]json.RawMessage) {
	n := codeLen(c, len(*m))
	if !c.Reading() {
		for name, value := range *m {
			c.Text(&name)
			c.Bytes((*[]byte)(&value))
		}
		return
	}
	*m = make(map[string]json.RawMessage, n)
	for range n {
		var name string
		var value []byte
		c.Text(&name)
		c.Bytes(&value)
		(*m)[name] = value
	}
}

func codeMerchant(c *tables.Coder, m *sim.Merchant) {
	for _, text := range []*string{&m.Name, &m.Category, &m.MCC, &m.Country} {
		c.Text(text)
	}
}

func codeTxn(c *tables.Coder, t *txn) {
	tables.Num(c, &t.at)
	tables.Num(c, &t.amount)
	tables.Num(c, &t.after)
	tables.Num(c, &t.card)
	tables.Num(c, &t.merchant)
	tables.Num(c, &t.root)
	tables.Num(c, &t.kind)
	tables.Num(c, &t.threeDS)
	tables.Num(c, &t.reason)
}

func codeExtra(c *tables.Coder, x *extra) {
	tables.Num(c, &x.txn)
	c.Text(&x.foreign.Code)
	tables.Num(c, &x.foreign.Amount)
	c.Text(&x.text)
}

func codeHold(c *tables.Coder, h *holdRow) {
	tables.Num(c, &h.auth)
	tables.Num(c, &h.card)
	tables.Num(c, &h.amount)
}

func codeChallenge(c *tables.Coder, h *challengeRow) {
	tables.Num(c, &h.seq)
	tables.Num(c, &h.card)
	codeMerchant(c, &h.merchant)
	tables.Num(c, &h.amount)
	c.Text(&h.otp)
	c.Text(&h.status)
	tables.Num(c, &h.expires)
	tables.Num(c, &h.created)
}

func codeDeposit(c *tables.Coder, d *depositRow) {
	tables.Num(c, &d.seq)
	c.Text(&d.currency)
	c.Text(&d.units)
	tables.Num(c, &d.amount)
	tables.Num(c, &d.fee)
	c.Text(&d.status)
	tables.Num(c, &d.confirmations)
	tables.Num(c, &d.created)
	tables.Num(c, &d.confirmed)
}

func codeWebhook(c *tables.Coder, w *webhookRow) {
	tables.Num(c, &w.seq)
	c.Text(&w.url)
	codeTexts(c, &w.events)
	c.Text(&w.secret)
	tables.Num(c, &w.created)
}

func codeDelivery(c *tables.Coder, d *delivery) {
	tables.Num(c, &d.seq)
	tables.Num(c, &d.webhook)
	tables.Num(c, &d.event)
	c.Text(&d.object)
	tables.Num(c, &d.attempts)
	tables.Num(c, &d.due)
	c.Bytes(&d.body)
}

func codeJob(c *tables.Coder, j *job) {
	tables.Num(c, &j.seq)
	tables.Num(c, &j.due)
	c.Text(&j.kind)
	tables.Num(c, &j.object)
	tables.Num(c, &j.amount)
}

func codeAnswer(c *tables.Coder, a *firstAnswer) {
	c.Text(&a.account)
	c.Text(&a.path)
	c.Text(&a.key)
	digest := a.digest[:]
	c.Bytes(&digest)
	copy(a.digest[:], digest)
	tables.Num(c, &a.status)
	c.Bytes(&a.body)
	tables.Num(c, &a.at)
}

// reasonNumber returns the number of a reason of a decline in the file; 0 is none.
func reasonNumber(reason string) uint8 {
	return uint8(slices.Index(sim.DeclineReasons(), reason) + 1)
}

// reasonOf returns the reason that has a number.
func reasonOf(number uint8) string {
	reasons := sim.DeclineReasons()
	if number == 0 || int(number) > len(reasons) {
		return ""
	}
	return reasons[number-1]
}
