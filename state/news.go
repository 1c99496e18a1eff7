package state

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// NewsTable collects what just happened, for notifications and the event command.
type NewsTable struct {
	*core
	cards *CardsTable
	news  []News
}

// Drain returns what has happened since it was asked for last, in order.
// What was so already when the program began is no news.
func (ne *NewsTable) Drain() []News {
	news := ne.news
	ne.news = nil
	return news
}

func (ne *NewsTable) report(n News) {
	n.At = ne.now
	if c, ok := ne.cards.Get(n.Card); ok {
		n.Label, n.Last4 = c.Label, c.Last4
	}
	if len(ne.news) >= newsKept {
		ne.news = ne.news[1:]
	}
	ne.news = append(ne.news, n)
}

func (ne *NewsTable) reportTransaction(t api.Transaction) {
	ne.report(News{Kind: NewsTransaction, ID: string(t.ID), Card: t.CardID, Type: string(t.Type), Merchant: t.Merchant.Name, Amount: &t.Amount})
}

// NewsKind is what kind of event it is, as scripts read it.
type NewsKind string

// The kinds.
const (
	NewsCode        NewsKind = "code_ready"
	NewsTransaction NewsKind = "transaction"
	NewsDeposit     NewsKind = "deposit_credited"
	NewsAlert       NewsKind = "alert"
)

// News is something that has just happened at the account. It holds no code,
// no number and no CVV: it goes to notifications, commands and logs.
type News struct {
	Kind NewsKind
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
	// Amount is in USD; nil when it is not known.
	Amount *api.USD
	// Replaces is the code that a code has replaced; empty for none.
	Replaces api.ChallengeID
	// Text says the text of an alert.
	Text string
}

// Line says it in one line, without anything secret: what, which card, which merchant.
func (n News) Line() string {
	var parts []string
	switch n.Kind {
	case NewsCode:
		parts = append(parts, n.codeReady())
	case NewsDeposit:
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
	if n.Kind == NewsCode {
		status = n.Type
	}
	for _, more := range []string{string(n.Merchant), n.amount(), status, replaces, n.Text} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, " · ")
}

// Brief is what a notification says: what, which card, which merchant. Screens that
// others see as well show it, so it holds no amount and no label, and only what
// happened where the screen hides the rest.
func (n News) Brief(d Display) string {
	what := n.Type
	switch n.Kind {
	case NewsCode:
		what = n.codeReady()
	case NewsDeposit:
		what = "deposit credited"
	default:
	}
	if d.Private() {
		return what
	}
	if n.Last4 != "" {
		what += " · card " + string(n.Last4)
	}
	if n.Merchant != "" {
		what += " · " + string(n.Merchant)
	}
	return what
}

// Urgent reports whether the user is called for it.
func (n News) Urgent() bool { return n.Kind == NewsCode || n.Kind == NewsAlert }

func (n News) codeReady() string {
	if n.Replaces != "" {
		return "new code ready"
	}
	return "code ready"
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

func (n News) amount() string {
	if n.Amount == nil {
		return ""
	}
	if *n.Amount < 0 {
		return "-$" + (-*n.Amount).Grouped()
	}
	return "$" + n.Amount.Grouped()
}

// newsKept bounds what was not drained yet.
const newsKept = 1000

func codeType(s api.ChallengeStatus) string {
	if s == api.ChallengePending {
		return ""
	}
	return string(s)
}
