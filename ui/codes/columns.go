package codes

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// Widths in cells.
const (
	agedFrom      = 60 // from here columns stand apart, and the age has one
	ageWidth      = 3
	leftWidth     = len("!!0:20")
	leastName     = len("..2039")
	leastCard     = len("?!") + leastName // the signs and the last digits, or another name
	leastMerchant = 12
)

// arrange sizes each column by what the codes need of it. Where that is
// too much, the label is cut first that stands behind what speaks against a code,
// then the merchant, and both before a figure.
func (p *Pane) arrange() {
	code, merchant, amount, card, sign := p.needs()
	cells, gap := p.table.ColumnCells(), 1
	words := p.theme.Words
	age, left := words.Tc("code", "age"), words.Tc("code", "left")
	ageWidth := max(ageWidth, widget.Width(age))
	free := cells - code - amount - leftWidth - 4*gap
	if cells >= agedFrom {
		gap = 2
		free = cells - code - amount - ageWidth - leftWidth - 5*gap
	}
	least := min(merchant, leastMerchant, max(free-sign, 0))
	merchant = min(merchant, max(free-card, least))
	p.table.SetGap(gap)
	p.table.SetColumns([]widget.Column{
		{Title: lang.Column("code"), Min: code},
		{Title: lang.Column("merchant"), Min: merchant},
		{Title: lang.Column("amount"), Min: amount, Align: widget.Right},
		{Title: lang.Column("card"), Min: free - merchant}, // All that is left, so that there is none for an age below agedFrom.
		{Title: age, Min: ageWidth, Align: widget.Right, Priority: 1},
		{Title: left, Min: leftWidth, Align: widget.Right},
	})
}

// needs are the widths of the columns of variable text, for all codes, so that none moves while they
// are scrolled; sign is the least of the card's.
func (p *Pane) needs() (code, merchant, amount, card, sign int) {
	least := 0 // The digits are there all the same.
	if p.store.Privacy.Private() {
		least = leastCard
	}
	title := func(text string) int { return widget.Width(p.theme.Words.Title(text)) }
	code, merchant, amount, card = title("code"), title("merchant"), title("amount"), title("card")
	need := func(c codes.Code) {
		code = max(code, widget.Width(p.digits(c)))
		merchant = max(merchant, widget.Width(string(c.Merchant)))
		amount = max(amount, widget.Width(pane.Amount(p.theme.Words, p.store.Privacy.Display(), c)))
		card = max(card, p.cardNeed(c))
		_, text := p.card(c, least)
		sign = max(sign, widget.Width(text))
	}
	for _, c := range p.store.Codes.All() {
		need(c)
	}
	return code, merchant, amount, card, sign
}

// cardNeed is the width a row needs to name its card: all of the name, behind
// a mark the last digits.
func (p *Pane) cardNeed(c codes.Code) int {
	if mark := pane.CodeMark(p.store, p.theme, c); mark.Words != "" {
		return widget.Width(mark.Words) + 1 + leastName
	}
	return widget.Width(p.store.Cards.Name(c.Card))
}

// card names a code's card in n cells, behind its warnings: in words,
// or where they leave the digits no room by a mark.
func (p *Pane) card(c codes.Code, n int) (style, text string) {
	mark := pane.CodeMark(p.store, p.theme, c)
	if mark.Words == "" {
		return p.theme.Muted, pane.Name(p.store, c.Card, n)
	}
	words := mark.Words + " "
	if n < widget.Width(words)+leastName {
		words = mark.Signs
	}
	return mark.Style, words + pane.Name(p.store, c.Card, n-widget.Width(words))
}
