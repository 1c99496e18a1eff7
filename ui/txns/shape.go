package txns

import (
	"cmp"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// The columns that the width of the feed decides about.
const (
	whatColumn     = "what"
	merchantColumn = "merchant"
	amountColumn   = "amount"
	whyColumn      = "why"
	countryColumn  = "country"
)

const (
	// amountCells is the width of nearly all amounts: -1,234.56.
	amountCells = 9
	// stormCells has room for a kind with how many retries the row stands for, causeCells
	// for nearly all causes of declines, and whyCells with what the balance is short of.
	stormCells = 14
	causeCells = 18
	whyCells   = 32
)

// The widths in cells of the columns together from which declines have a column for their causes, from
// which they are called by them for want of one, from which that has room for the count of a storm too, and from
// which countries have one: what is in sight changes none of it. Where there is less, merchants and cards need the room.
const (
	whyFrom     = 112
	causeFrom   = 74
	countryFrom = 90
	wideFrom    = 94
)

// widest is how many cells the longest merchant, card and amount of the account have, as far as they
// were read: more is of no use to their columns.
type widest struct{ merchant, card, amount int }

// sized is what amounts are compared with to find the widest.
type sized struct {
	currency api.Text
	unsigned bool
}

// measure notes how wide a transaction is.
func (p *Pane) measure(t *api.Transaction) {
	if name := string(t.Merchant.Name); len(name) > p.widest.merchant && !p.names[name] {
		p.widest.merchant = max(p.widest.merchant, widget.Width(name))
		p.names[name] = true // It is longer in bytes: it would be measured each time.
	}
	// A hold is drawn without its sign.
	of, size := sized{t.Currency, t.Type == api.TransactionAuthorization || t.Type == api.TransactionDecline}, int64(t.Sent())
	if size = max(size, -size); size > p.largest[of] {
		p.largest[of] = size
		p.widest.amount = max(p.widest.amount, widget.Width(display.Display{}.Transaction(t)))
	}
}

// measureCards notes how wide the names of cards are that changed.
func (p *Pane) measureCards() {
	changed, version, known := p.store.Cards.Changes(p.measured)
	p.measured = version
	all := p.store.Cards.All()
	measure := func(i int) {
		if label, last4 := all.Label(i), all.Last4(i); len(label)+len(last4)+len(" ••") > p.widest.card {
			p.widest.card = max(p.widest.card, widget.Width(cardlist.Name(label, last4)))
		}
	}
	for _, i := range changed {
		measure(int(i))
	}
	for i := 0; !known && i < all.Len(); i++ {
		measure(i)
	}
}

// fitColumns sets the columns again where something wider came. Where names are hidden they need no
// room, and their widths would tell about them.
func (p *Pane) fitColumns() {
	fits := p.widest
	if p.store.Privacy.Private() {
		fits = widest{}
	}
	if fits != p.fitted {
		p.fitted = fits
		p.reshape()
	}
}

// reshape divides the width among the columns. Those that the user gave a width keep it.
func (p *Pane) reshape() {
	out := make([]widget.Column, len(p.shape))
	copy(out, p.shape)
	cells, chosen := p.table.ColumnCells(), len(p.view.Columns) > 0
	for i := range out {
		c := &out[i]
		switch name := p.columns[i].Name; {
		case c.Want > 0:
		case name == timeColumn:
			c.Want, c.Max = c.Max, pane.TimeCells
		case name == whatColumn && (chosen || cells >= whyFrom):
			c.Min = stormCells
		case name == whatColumn && cells >= wideFrom:
			c.Min = causeCells + len(" x5")
		case name == whatColumn && cells >= causeFrom:
			c.Min = causeCells
		case name == merchantColumn:
			c.Want = min(p.fitted.merchant, c.Max)
		case name == amountColumn:
			c.Min = max(c.Min, p.fitted.amount)
		case name == cardColumn:
			c.Want = min(p.fitted.card, c.Max)
		case !chosen && (name == whyColumn && cells < whyFrom || name == countryColumn && cells < countryFrom):
			c.Min = hidden
		case name == whyColumn:
			c.Want = whyCells
		}
	}
	p.table.SetColumns(out)
}

// hidden is more than any table has: the column is dropped.
const hidden = 1 << 16

// caused reports whether a decline is called by its cause, for want of a column for it.
func (p *Pane) caused() bool {
	cells := p.table.ColumnCells()
	return len(p.view.Columns) == 0 && cells >= causeFrom && cells < whyFrom
}

// what is the kind of a transaction in some cells, and how many retries the row stands for. A decline may be
// called by its cause, where that is known: the sign before it says that it is one.
func (p *Pane) what(t *api.Transaction, cells int) string {
	glyph, _ := pane.Kind(p.theme, t)
	name, count := pane.KindText(p.theme.Words, t), ""
	if t.Type == api.TransactionDecline && p.caused() {
		answer, _ := p.store.Insight.Decline(t.ID)
		name = cmp.Or(answer.Short(p.theme.Words), name)
	}
	if n := p.folded[t.ID]; n > 0 {
		count = fmt.Sprintf(" ×%d", n)
	}
	return widget.Truncate(glyph+" "+name, max(0, cells-widget.Width(count))) + count
}

// why is why a transaction was declined; empty for the others.
func (p *Pane) why(t *api.Transaction) string {
	if t.Type != api.TransactionDecline {
		return ""
	}
	answer, _ := p.store.Insight.Decline(t.ID)
	return pane.Cause(p.store.Privacy.Display(), answer)
}

// brief is why, without figures.
func (p *Pane) brief(t *api.Transaction) string {
	if t.Type != api.TransactionDecline {
		return ""
	}
	answer, _ := p.store.Insight.Decline(t.ID)
	return answer.Brief(p.theme.Words)
}
