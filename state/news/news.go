// Package news is what just happened at an account, for notifications, commands and
// other programs. It is pure.
package news

import (
	"cmp"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/display"
)

// Kind is what kind of event it is, as scripts read it.
type Kind string

// The kinds.
const (
	Code        Kind = "code_ready"
	Transaction Kind = "transaction"
	Deposit     Kind = "deposit_credited"
	Alert       Kind = "alert"
)

// News is something that has just happened at the account. It holds no code,
// no number and no CVV: it goes to notifications, commands and logs.
type News struct {
	Kind Kind
	// At is when it was learnt, this machine's clock.
	At time.Time
	// ID is that of the challenge, transaction or deposit.
	ID string
	// Card is the card it is about, Label and Last4 what is known of it.
	Card         api.CardID
	Label, Last4 api.Text
	// Type is the transaction's, or the alert's in words; of a code its status
	// where that is another than pending.
	Type     string
	Merchant api.Text
	// Amount is in USD; nil when it is not known, or in another currency.
	Amount *api.USD
	// Foreign is the amount in a currency that is not USD; nil for none.
	Foreign  *api.Units
	Currency api.Text
	// Replaces is the code that a code has replaced; empty for none.
	Replaces api.ChallengeID
	// Campaign and BIN are what an alert is about besides cards; empty for none.
	Campaign, BIN string
	// Text says the text of an alert, and Shown in the language of the screen where that
	// is notified.
	Text, Shown string
}

// Line says it in one line, without anything secret: what, which card, which merchant.
func (n News) Line() string {
	var parts []string
	switch n.Kind {
	case Code:
		parts = append(parts, n.codeReady())
	case Deposit:
		parts = append(parts, "deposit credited")
	default:
		parts = append(parts, n.Type)
	}
	if card := n.card(); card != "" {
		parts = append(parts, card)
	}
	replaces := ""
	if n.Replaces != "" {
		replaces = "replaces the one before"
	}
	status := ""
	if n.Kind == Code {
		status = n.Type
	}
	bin := ""
	if n.BIN != "" {
		bin = "BIN " + n.BIN
	}
	for _, more := range []string{n.campaign(), bin, string(n.Merchant), n.amount(), status, replaces, n.Text} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, " · ")
}

// Brief is what a notification says: what, which card, which merchant. Screens that
// others see as well show it, so it holds no amount and no label, and only what
// happened where the screen hides the rest.
func (n News) Brief(d display.Display) string {
	what := d.Words().T(n.Type)
	switch n.Kind {
	case Code:
		what = d.Words().T(n.codeReady())
	case Deposit:
		what = d.Words().T("deposit credited")
	default:
	}
	if d.Private() {
		return what
	}
	if n.Last4 != "" {
		what += " · " + d.Words().Tf("card %s", n.Last4)
	}
	if n.ID == QuietID {
		what += ": " + cmp.Or(n.Shown, n.Text) // Kinds and counts.
	}
	if n.Merchant != "" {
		what += " · " + string(n.Merchant)
	}
	return what
}

// Urgent reports whether the user is called for it.
func (n News) Urgent() bool { return n.Kind == Code || n.Kind == Alert }

func (n News) codeReady() string {
	if n.Replaces != "" {
		return lang.N("new code ready")
	}
	return lang.N("code ready")
}

func (n News) card() string {
	switch {
	case n.Last4 != "" && n.Label != "":
		return "card " + string(n.Last4) + " " + string(n.Label)
	case n.Last4 != "":
		return "card " + string(n.Last4)
	}
	return string(n.Card)
}

// campaign is the campaign of an alert that is about no card.
func (n News) campaign() string {
	if n.Campaign == "" || n.Card != "" {
		return ""
	}
	return "campaign " + n.Campaign
}

func (n News) amount() string {
	if n.Foreign != nil {
		return n.Foreign.Grouped() + " " + string(n.Currency)
	}
	if n.Amount == nil {
		return ""
	}
	if *n.Amount < 0 {
		return "-$" + (-*n.Amount).Grouped()
	}
	return "$" + n.Amount.Grouped()
}

// QuietID is the id of the news of alerts that were held in quiet hours.
const QuietID = "quiet"
