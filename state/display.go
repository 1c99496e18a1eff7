package state

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// What stands for a hidden figure, digits and text: the same for every length
// and size.
const (
	hidden     = "•••"
	hiddenLast = "••••"
	hiddenCode = "••••••"
)

// Display turns what the store holds into what may be drawn. It is the one
// way from an amount, a label or a code to a screen, so that one mode hides
// them everywhere.
type Display struct{ private bool }

// Display gives the way to the screen that holds now.
func (pr *PrivacyTable) Display() Display { return Display{pr.Private()} }

// Private tells whether figures are hidden; what would give them away by a
// colour, a sign or a height is then left out as well.
func (d Display) Private() bool { return d.private }

// Amount is a figure in USD without its sign.
func (d Display) Amount(u USD) string { return d.veil(u.Grouped()) }

// Dollars is a figure in USD with its sign.
func (d Display) Dollars(u USD) string { return "$" + d.veil(u.Grouped()) }

// Shortfall says what is missing, in USD, without cents where there are none.
func (d Display) Shortfall(u USD) string {
	return "$" + d.veil(strings.TrimSuffix(u.Grouped(), ".00")) + " short"
}

// Crypto is an amount of a currency.
func (d Display) Crypto(amount string) string { return d.veil(amount) }

// Merchant is where money went in the past: name, category, code, country. What
// asks for a code now is named all the same, so that no code is copied without
// its merchant.
func (d Display) Merchant(text api.Text) string { return d.Text(string(text)) }

// Text is what a person of this account wrote or was given: a number of a
// BIN, metadata, an address.
func (d Display) Text(text string) string {
	if text == "" {
		return ""
	}
	return d.veil(text)
}

// Label calls a card by its label, or by its place when that is hidden.
func (d Display) Label(c Card) string {
	if d.private {
		return alias(c)
	}
	return string(c.Label)
}

// Last4 are a card's last digits.
func (d Display) Last4(c Card) string {
	if d.private {
		return hiddenLast
	}
	return string(c.Last4)
}

// Code is a challenge's code; empty while it has none.
func (d Display) Code(c Code) string {
	if d.private && !c.OTP.IsZero() {
		return hiddenCode
	}
	return c.OTP.Expose()
}

// figures are amounts and runs of digits as they stand in sentences: with a
// currency's sign, with decimals or thousands, after a card's dots, or longer
// than a count or a time is.
var figures = regexp.MustCompile(`\$-?[\d,]+(\.\d+)?|\d[\d,]*[.,]\d+|••\d+|\d{4,}`)

// Sentence hides the figures in a text that a person reads. Names it gets from
// the store are hidden already.
func (d Display) Sentence(text string) string {
	if !d.private {
		return text
	}
	return figures.ReplaceAllString(text, hidden)
}

func (d Display) veil(text string) string {
	if d.private {
		return hidden
	}
	return text
}

// alias tells cards apart whose labels and digits are hidden.
func alias(c Card) string { return fmt.Sprintf("card %d", c.number) }

// CardOnScreen calls a card as the list does, or as a record does that is
// older than the list.
func (ca *CardsTable) OnScreen(id CardID, recorded string) string {
	if c, ok := ca.Get(id); ok && ca.privacy.Private() {
		return alias(c)
	}
	if ca.privacy.Private() {
		return "a card"
	}
	return recorded
}
