// Package alert says what the user should know of: rules, what breaks them, and the
// list of alerts. It does no I/O and has no clock.
package alert

import (
	"cmp"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/ledger"
)

// Kind is what an alert is about.
type Kind uint8

// The kinds. Of alerts that are as bad and as old the earlier kind is first.
const (
	KeyRefused Kind = iota
	WalletLow
	RunsOut
	BalanceLow
	RetryStorm
	Declined
	DeclineRate
	SpendSpike
	NewCountry
	LimitUsed
	Expired
	ExpiresSoon
	DepositPending
	Ruled
	IdleCards
	kinds
)

// String is the kind in one or two words.
func (k Kind) String() string {
	switch k {
	case KeyRefused:
		return lang.N("key refused")
	case WalletLow:
		return lang.N("wallet low")
	case RunsOut:
		return lang.N("runs out")
	case BalanceLow:
		return lang.N("low balance")
	case RetryStorm:
		return lang.N("retry storm")
	case Declined:
		return lang.N("declined")
	case DeclineRate:
		return lang.N("decline rate")
	case SpendSpike:
		return lang.N("spend spike")
	case NewCountry:
		return lang.N("new country")
	case LimitUsed:
		return lang.N("limit used")
	case Expired:
		return lang.N("expired")
	case ExpiresSoon:
		return lang.N("expires soon")
	case Ruled:
		return lang.N("rule")
	case IdleCards:
		return lang.N("idle cards")
	default:
		return lang.N("deposit pending")
	}
}

// Kinds returns all kinds.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Severity is how bad an alert is.
type Severity uint8

// The severities, the worst first.
const (
	Critical Severity = iota // no card can pay, or none will soon
	Urgent                   // payments of a card or a campaign fail, or will soon
	Warning                  // something is wrong, and payments go on
	Info                     // it can wait
)

// Severity returns how bad it is.
func (a *Alert) Severity() Severity {
	switch a.Kind {
	case KeyRefused, WalletLow:
		return Critical
	case RunsOut:
		if a.Card == "" && a.Campaign == "" {
			return Critical
		}
		return Urgent
	case BalanceLow, LimitUsed, Declined, RetryStorm:
		return Urgent
	case NewCountry, ExpiresSoon, Ruled, IdleCards:
		return Info
	default:
		return Warning
	}
}

// compare orders alerts: the worst first, of these the one that began last. One that was there at the start
// began earlier than the others, nobody knows when: which was read first does not decide.
func (a *Alert) compare(b *Alert) int {
	switch bySeverity := cmp.Compare(a.Severity(), b.Severity()); {
	case bySeverity != 0:
		return bySeverity
	case a.AtLeast != b.AtLeast && b.AtLeast:
		return -1
	case a.AtLeast != b.AtLeast:
		return 1
	case !a.AtLeast && !a.Since.Equal(b.Since):
		return b.Since.Compare(a.Since)
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Level, a.Level), cmp.Compare(a.ID, b.ID))
}

// happened reports whether alerts of a kind are about what happened, so that only the
// user ends them; the others are about what is so.
func (k Kind) happened() bool { return k == RetryStorm || k == Declined || k == NewCountry }

// ID names what an alert is about: there is one at a time.
type ID string

// Alert is a condition that the user should know of until it is over or they
// have said that they do.
type Alert struct {
	ID   ID
	Kind Kind
	// Card is the card it is about; empty for none.
	Card api.CardID
	// Campaign and BIN are what it is about besides cards; empty for none.
	Campaign, BIN string
	// Since is when it began, this machine's clock; of declines, the latest.
	Since time.Time
	// AtLeast reports whether it was so when it was first checked: it began then or
	// before, is unknown when.
	AtLeast bool
	// Text says in a line what is the matter, for other programs, and Shown in the
	// language of the screen.
	Text, Shown string
	// say is the text in a language.
	say func(*lang.Words) string
	// Count is how many declines it stands for, Transaction the last of them.
	Count       int
	Transaction api.TransactionID
	// Level counts the lines of its rule that are crossed.
	Level int
	// Seen reports whether the user knows, Snoozed until when they are not reminded.
	Seen    bool
	Snoozed time.Time
}

// Rule is the name of the rule that it is about; false for none.
func (a *Alert) Rule() (name string, ok bool) {
	if a.Kind != Ruled {
		return "", false
	}
	return strings.CutPrefix(string(a.ID), "rule ")
}

// Quiet reports whether an alert is not to be reminded of now.
func (a *Alert) Quiet(now time.Time) bool { return a.Seen || now.Before(a.Snoozed) }

// of sets what an alert is about.
func (a Alert) of(s ledger.Scope) Alert {
	switch s.By {
	case ledger.ByCard:
		a.Card = api.CardID(s.Name)
	case ledger.ByCampaign:
		a.Campaign = s.Name
	case ledger.ByBIN:
		a.BIN = s.Name
	default:
	}
	return a
}

// idOf names an alert of a kind about a scope.
func idOf(k Kind, s ledger.Scope) ID {
	by := [...]string{ledger.ByAccount: "account", ledger.ByCard: "card", ledger.ByCampaign: "campaign", ledger.ByBIN: "bin", ledger.ByMerchant: "merchant"}[s.By]
	if s.Name == "" {
		return ID(k.String() + " " + by)
	}
	return ID(k.String() + " " + by + " " + s.Name)
}
