// Package display turns what the store holds into what may be drawn. It is pure.
package display

import (
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Display turns what the store holds into what may be drawn. It is the one
// way from an amount, a label or a code to a screen, so that one mode hides
// them everywhere.
type Display struct {
	words   *lang.Words
	private bool
}

// Of returns the way to a screen in a language, which is private or not.
func Of(words *lang.Words, private bool) Display { return Display{words, private} }

// Words are the texts of the screen.
func (d Display) Words() *lang.Words { return d.words }

// Private reports whether figures are hidden; what would show them by a
// colour, a sign or a height is then left out as well.
func (d Display) Private() bool { return d.private }

// Amount is a figure in USD without its sign.
func (d Display) Amount(u api.USD) string { return d.redact(d.words.Amount(u)) }

// Dollars is a figure in USD with the sign of the currency, after that of the figure.
func (d Display) Dollars(u api.USD) string {
	if d.private {
		return d.words.Sum(bullets)
	}
	return d.words.Dollars(u)
}

// Transaction is the amount of a transaction; see [lang.Words.Transaction].
func (d Display) Transaction(t *api.Transaction) string { return d.redact(d.words.Transaction(t)) }

// Size is the amount of a transaction without its sign; see [lang.Words.Size].
func (d Display) Size(t *api.Transaction) string {
	if d.private && t.InUSD() {
		return d.words.Sum(bullets)
	}
	return d.redact(d.words.Size(t))
}

// Shortfall says what is missing, in USD, without cents where there are none.
func (d Display) Shortfall(u api.USD) string {
	return d.words.Tf("%s short", d.words.Sum(d.redact(d.words.Number(strings.TrimSuffix(u.Grouped(), ".00")))))
}

// Crypto is an amount of a currency.
func (d Display) Crypto(amount string) string { return d.redact(d.words.Number(amount)) }

// Merchant is where money went in the past: name, category, code, country. What
// asks for a code now is named all the same, so that no code is copied without
// its merchant.
func (d Display) Merchant(text api.Text) string { return d.Text(string(text)) }

// Text is what the user of this account wrote or was given: a number of a
// BIN, metadata, an address.
func (d Display) Text(text string) string {
	if text == "" {
		return ""
	}
	return d.redact(text)
}

// Label calls a card by its label, or by its place when that is hidden.
func (d Display) Label(c cardlist.Card) string {
	if d.private {
		return c.Alias()
	}
	return string(c.Label)
}

// Last4 are a card's last digits.
func (d Display) Last4(c cardlist.Card) string {
	if d.private {
		return bulletsLast
	}
	return string(c.Last4)
}

// Sentence hides the figures in a text that the user reads. Names it gets from
// the store are hidden already.
func (d Display) Sentence(text string) string {
	if !d.private {
		return text
	}
	return figures.ReplaceAllString(text, bullets)
}

// Code is the code of a challenge; empty while it has none.
func (d Display) Code(otp api.OTP) string {
	if d.private && !otp.IsZero() {
		return bulletsCode
	}
	return otp.Expose()
}

func (d Display) redact(text string) string {
	if d.private {
		return bullets
	}
	return text
}

// What stands for a hidden figure, digits and text: the same for every length
// and size.
const (
	bullets     = "•••"
	bulletsLast = "••••"
	bulletsCode = "••••••"
)

// figures are amounts and runs of digits as they stand in sentences: with a
// currency's sign, with decimals or thousands, after a card's dots, or longer
// than a count or a time is.
var figures = regexp.MustCompile(`\$-?[\d,]+(\.\d+)?|\d[\d,]*[.,]\d+|[\d\x{a0}]+(,\d+)?\x{a0}\$|\d[\d\x{a0}]*,\d+|••\d+|\d{4,}`)
