// Package decline says why a transaction was declined, what tells so and what to do
// about it: by the API's own words where it has some, else by what was known at that
// moment. What is a guess is called one.
package decline

import (
	"cmp"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/txlink"
)

// Cause is why a transaction was declined.
type Cause uint8

// The causes. Other is one that the API states and that is none of these.
const (
	Unknown Cause = iota
	Terminated
	Frozen
	Expired
	Category
	BINMaximum
	MonthlyLimit
	Balance
	Challenge
	Other
	// Causes is how many there are.
	Causes
)

// String is the name of the cause, the only one that it has: on screens, in alerts, reports and exports. The
// room of a column of transactions is its bound.
func (c Cause) String() string {
	switch c {
	case Terminated:
		return lang.N("card terminated")
	case Frozen:
		return lang.N("card frozen")
	case Expired:
		return lang.N("card expired")
	case Category:
		return lang.N("category blocked")
	case BINMaximum:
		return lang.N("over BIN max")
	case MonthlyLimit:
		return lang.N("monthly limit")
	case Balance:
		return lang.N("balance too low")
	case Challenge:
		return lang.N("3DS failed")
	case Other:
		return lang.N("the API's own words")
	default:
		return lang.N("cause not known")
	}
}

// Confidence is how sure a cause is.
type Confidence uint8

// The confidences. Stated: the API says so. Certain: all that could have been the
// cause was known, and this alone was. Likely: it is a guess.
const (
	NotKnown Confidence = iota
	Likely
	Certain
	Stated
)

// String is the confidence in a word or two.
func (c Confidence) String() string {
	switch c {
	case Stated:
		return lang.N("stated by the API")
	case Certain:
		return lang.N("certain")
	case Likely:
		return lang.N("likely")
	default:
		return lang.N("not known")
	}
}

// Fix is what can be done.
type Fix uint8

// The fixes.
const (
	NoFix          Fix = iota
	Fund               // the card, by the shortfall
	Unfreeze           // the card
	RaiseLimit         // edit the monthly limit
	AllowMCC           // edit the allowed categories
	IssueCard          // another card
	ChargeLess         // in parts, or with a card of another BIN
	AnswerCode         // try again and answer the challenge in time
	ReadDetails        // read the transaction: it may tell
	AskTheMerchant     // nothing is wrong with the card
	TryAgain           // it is no longer so
	Paid               // a later try went through
)

// Challenge3DS is a 3DS challenge of the card.
type Challenge3DS struct {
	Merchant  api.Text
	Amount    *api.USD
	Status    api.ChallengeStatus
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Facts are what was known when a transaction was declined. Amounts are USD. What is
// not known is nil or zero.
type Facts struct {
	At time.Time
	// Amount is 0 in another currency than USD: what it comes to is not known, and Foreign is true.
	Amount   api.USD
	Foreign  bool
	Merchant api.Merchant
	// Reasons are the API's own texts, the likeliest to state the cause first; DetailRead reports
	// whether the transaction's detail was read, which may have some. ThreeDS is the detail's
	// three_ds_status.
	Reasons    []api.Text
	ThreeDS    api.Text
	DetailRead bool

	// Before and After are the statuses read last before and first after it; empty
	// when there was none. Ended reports whether the card is terminated now and has paid for nothing since.
	Before, After api.CardStatus
	Ended         bool
	// EarlierRun says that Before is what another run of the program did, by a clock that may have been set since.
	EarlierRun bool
	// BalanceAfter is what the transaction says, Held what was held on the card.
	BalanceAfter *api.USD
	Held         txlink.Held
	// BINMaximum is the most of one transaction, BINMonthly that of a month.
	BINMaximum, BINMonthly *api.USD
	// Updated is when the settings were changed from here last before; zero for never.
	Updated time.Time
	// Limit is the monthly limit, and Month what was used of it then; MonthRead
	// reports whether all of the month was read. LimitLater says that it is the limit of now,
	// which may have been another then.
	Limit      *api.USD
	LimitLater bool
	// LimitMoved says that it was read before and after and was not the same: nobody knows which it was.
	LimitMoved bool
	Month      api.USD
	MonthRead  bool
	// Categories are the allowed categories as they were set from here, names or MCCs;
	// CategoriesKnown reports whether they were, none for all. Nothing reads them back: another
	// program may have changed them since.
	Categories      []api.Text
	CategoriesKnown bool
	Expires         time.Time
	// Challenges are those of the card about that time that were read. There may have been
	// others: only pending ones are asked for.
	Challenges []Challenge3DS
}

// Answer is why a transaction was declined.
type Answer struct {
	Cause      Cause
	Confidence Confidence
	// Evidence is what tells so, in words with figures.
	Evidence string
	Fix      Fix
	// Shortfall is what has to be added for the Fix, USD: to the balance, or to the
	// monthly limit. Most is the most of one transaction, where that is the cause.
	Shortfall, Most api.USD
	// Needs is the balance or the monthly limit that the payment takes, USD, where that was the cause; 0 where
	// it is not known. AtLeast says that it takes more than that: what was spent in other currencies counts as well.
	Needs   api.USD
	AtLeast bool
	// At is when it was declined, Asked what was asked for, USD; 0 in other currencies, and Merchant by whom.
	At       time.Time
	Asked    api.USD
	Merchant api.Text
	// Missing is what the balance is short of Needs now, USD; 0 where that is not known.
	Missing api.USD
	// Frozen reports whether the card is frozen now and the fix is to charge it again: that does not help before.
	Frozen bool
	// MCC is the category that is not allowed, where that is the cause.
	MCC api.Text
	// Said is what the API says; empty when it says nothing.
	Said api.Text
}

// String is the cause as it may be worded: a guess is called one.
func (a Answer) String() string { return a.Words(nil) }

// Words is String in the language of the screen.
func (a Answer) Words(w *lang.Words) string {
	if a.Confidence == Likely {
		return w.Tf("likely %s", a.name(w))
	}
	return a.name(w)
}

// name is the cause in the language of the screen. What the API said is quoted where that is all.
func (a Answer) name(w *lang.Words) string {
	if a.Cause == Other && a.Said != "" {
		return quoted(a.Said)
	}
	return w.T(a.Cause.String())
}

// Brief is Words, and empty when the cause is not known.
func (a Answer) Brief(w *lang.Words) string {
	if a.Cause == Unknown {
		return ""
	}
	return a.Words(w)
}

// Short is Brief where room is short: a guess ends in a question mark.
func (a Answer) Short(w *lang.Words) string {
	if a.Cause != Unknown && a.Confidence == Likely {
		return a.name(w) + "?"
	}
	return a.Brief(w)
}

// quotedMost bounds what is quoted, in characters: sentences of the API are in the evidence.
const quotedMost = 28

func quoted(text api.Text) string {
	short := []rune(string(text))
	if len(short) > quotedMost {
		short = append(short[:quotedMost-1], '…')
	}
	return `"` + string(short) + `"`
}

// Line is Brief with what the balance is short of.
func (a Answer) Line(w *lang.Words) string {
	if a.Cause != Balance || a.Shortfall <= 0 {
		return a.Brief(w)
	}
	return a.Brief(w) + " · " + w.Tf("%s short", w.Sum(w.Number(strings.TrimSuffix(a.Shortfall.Grouped(), ".00"))))
}

// ToAdd is what the balance is short of, USD: now, or then where that is not known.
func (a Answer) ToAdd() api.USD { return cmp.Or(a.Missing, a.Shortfall) }

// Advice is what to do, in words; empty for nothing.
func (a Answer) Advice(w *lang.Words) string {
	text := a.advice(w)
	if a.Frozen && a.Fix != Unfreeze {
		return w.Tf("unfreeze the card, then %s", text)
	}
	return text
}

func (a Answer) advice(w *lang.Words) string {
	switch a.Fix {
	case Fund:
		if short := a.ToAdd(); short > 0 {
			return w.Tf("fund %s", w.Dollars(short))
		}
		return w.T("fund the card")
	case Unfreeze:
		return w.T("unfreeze the card")
	case RaiseLimit:
		switch {
		case a.Needs > 0 && a.AtLeast:
			return w.Tf("raise the monthly limit above %s", w.Dollars(a.Needs))
		case a.Needs > 0:
			return w.Tf("raise the monthly limit to %s", w.Dollars(a.Needs))
		}
		return w.T("raise the monthly limit")
	case AllowMCC:
		if a.MCC != "" {
			return w.Tf("allow category %s", string(a.MCC))
		}
		return w.T("check the allowed categories")
	case IssueCard:
		return w.T("issue another card")
	case ChargeLess:
		if a.Most > 0 {
			return w.Tf("charge at most %s, or use another BIN", w.Dollars(a.Most))
		}
		return w.T("charge less, or use another BIN")
	case AnswerCode:
		return w.T("try again and answer the code")
	case ReadDetails:
		return w.T("open the transaction: it may say why")
	case AskTheMerchant:
		return w.T("ask the merchant or the issuer")
	case TryAgain:
		return a.solved(w)
	case Paid:
		return w.T("nothing: a later try went through")
	default:
		return ""
	}
}

// solved says that what was the cause is so no longer.
func (a Answer) solved(w *lang.Words) string {
	switch a.Cause {
	case Balance:
		return w.T("try again: the card has enough now")
	case Frozen:
		return w.T("try again: the card is not frozen now")
	case MonthlyLimit:
		if a.Needs == 0 {
			return w.T("try again: a new month has begun")
		}
		if a.AtLeast {
			return w.T("the limit may allow it now: try again, or ask the issuer")
		}
		return w.T("the limit allows it now: try again, or ask the issuer")
	case Category:
		return w.T("try again: the category is allowed now")
	default:
		return w.T("try again")
	}
}

// Fix returns what helps against a cause, as far as that alone tells.
func (c Cause) Fix() Fix { return fixOf(c, false) }

// fixOf returns what helps against a cause.
func fixOf(c Cause, detailRead bool) Fix {
	switch c {
	case Terminated, Expired:
		return IssueCard
	case Frozen:
		return Unfreeze
	case Category:
		return AllowMCC
	case BINMaximum:
		return ChargeLess
	case MonthlyLimit:
		return RaiseLimit
	case Balance:
		return Fund
	case Challenge:
		return AnswerCode
	case Other:
		return AskTheMerchant
	default:
		if !detailRead {
			return ReadDetails
		}
		return AskTheMerchant
	}
}
