package state

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// privacy is what may be seen, and why not.
type PrivacyTable struct {
	*core
	notices *NoticesTable

	// on says that a person hid it, idle that nobody was there, recorded by
	// what the screen is recorded; empty by nothing. shown says that a person
	// wants to see it although it is recorded.
	on, idle, shown bool
	recorded        string
	locked          bool
	// lost is the address of the webhook whose signing secret the lock took
	// before it was used; empty for none.
	lost api.Text
	// input is when a key or the mouse was last touched.
	input time.Time
	// asked is the card whose reveal has to be asked for once more, and until
	// when that counts.
	asked      api.CardID
	askedUntil time.Time
	// look is when to look for a recording next.
	look    time.Time
	looking bool
}

// Display gives the way to the screen that holds now.
func (pr *PrivacyTable) Display() Display { return Display{pr.Private()} }

// Private tells whether nothing of the account is to be read off the screen.
func (pr *PrivacyTable) Private() bool {
	p := pr
	return p.on || p.idle || p.locked || p.recorded != "" && !p.shown
}

// Locked tells whether keys do nothing but unlock.
func (pr *PrivacyTable) Locked() bool { return pr.locked }

// Recording is what records the screen; empty when nothing is known to.
func (pr *PrivacyTable) Recording() string { return pr.recorded }

// tellLost says what the lock took away.
func (pr *PrivacyTable) tellLost() {
	if lost := pr.lost; lost != "" {
		pr.lost = ""
		pr.notices.tell(Warn, "the lock took the unused signing secret of "+webhookName(string(lost))+" away: delete the webhook and register it again")
	}
}

// lookForRecording asks whether the screen is recorded, at once and every so
// often.
func (pr *PrivacyTable) lookForRecording(now time.Time) {
	p := pr
	if !pr.cfg.FindRecording || p.looking || now.Before(p.look) {
		return
	}
	p.looking, p.look = true, now.Add(lookEvery)
	pr.wants = append(pr.wants, FindRecording{})
}

// Display turns what the store holds into what may be drawn. It is the one
// way from an amount, a label or a code to a screen, so that one mode hides
// them everywhere.
type Display struct{ private bool }

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

// What stands for a hidden figure, digits and text: the same for every length
// and size.
const (
	hidden     = "•••"
	hiddenLast = "••••"
	hiddenCode = "••••••"
)

// figures are amounts and runs of digits as they stand in sentences: with a
// currency's sign, with decimals or thousands, after a card's dots, or longer
// than a count or a time is.
var figures = regexp.MustCompile(`\$-?[\d,]+(\.\d+)?|\d[\d,]*[.,]\d+|••\d+|\d{4,}`)

// alias tells cards apart whose labels and digits are hidden.
func alias(c Card) string { return fmt.Sprintf("card %d", c.number) }

// lookEvery is how often a recording is looked for.
const lookEvery = 10 * time.Second
