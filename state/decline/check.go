package decline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// verdict is what is known of one cause.
type verdict uint8

const (
	notKnown verdict = iota // whether it was so
	excluded                // it was not so
	possible                // something speaks for it
	held                    // it was so as far as is known
	exact                   // it was so
)

// finding is what one check found. Where it does not know, evidence says what is
// missing.
type finding struct {
	cause     Cause
	verdict   verdict
	evidence  string
	shortfall api.USD
	most      api.USD
	mcc       api.Text
}

// findings are those of all checks, in the order in which a purchase is most likely
// checked.
func (f *Facts) findings() []finding {
	return []finding{
		f.terminated(), f.frozen(), f.expired(), f.category(), f.binMaximum(), f.monthlyLimit(), f.balance(), f.challenge(),
	}
}

func (f *Facts) terminated() finding {
	out := finding{cause: Terminated}
	switch {
	case f.Before == api.CardTerminated:
		out.verdict, out.evidence = exact, "the card was terminated before"
	case f.After == api.CardTerminated:
		out.verdict, out.evidence = possible, "the card was read as terminated after it"
	case f.After != "":
		out.verdict = excluded // It is for good.
	default:
		out.evidence = "the status"
	}
	return out
}

func (f *Facts) frozen() finding {
	out := finding{cause: Frozen}
	before, after := f.Before == api.CardFrozen, f.After == api.CardFrozen
	switch {
	case before && after:
		out.verdict, out.evidence = exact, "the card was frozen before and after"
	case before && f.After == "":
		out.verdict, out.evidence = held, "the card was frozen before"
	case before:
		out.verdict, out.evidence = possible, "the card was frozen before, not after"
	case after:
		out.verdict, out.evidence = possible, "the card was read as frozen after it"
	case f.Before != "" && f.After != "":
		out.verdict = excluded
	default:
		out.evidence = "the status"
	}
	return out
}

func (f *Facts) expired() finding {
	switch {
	case f.Expires.IsZero():
		return finding{cause: Expired, evidence: "the expiry"}
	case f.At.Before(f.Expires):
		return finding{cause: Expired, verdict: excluded}
	default:
		return finding{cause: Expired, verdict: exact, evidence: "the card expired on " + f.Expires.UTC().Format("2 Jan 2006")}
	}
}

func (f *Facts) category() finding {
	m := f.Merchant
	same := func(allowed api.Text) bool {
		return strings.EqualFold(string(allowed), string(m.MCC)) || strings.EqualFold(string(allowed), string(m.Category))
	}
	switch {
	case !f.CategoriesKnown:
		return finding{cause: Category, evidence: "the allowed categories"}
	case len(f.Categories) == 0, slices.ContainsFunc(f.Categories, same):
		return finding{cause: Category, verdict: excluded}
	case m.MCC == "" && m.Category == "":
		return finding{cause: Category, evidence: "the category of the merchant"}
	}
	name := m.MCC
	if name == "" {
		name = m.Category
	}
	return finding{cause: Category, verdict: exact, mcc: name, evidence: fmt.Sprintf("category %s is not one of the %d allowed", name, len(f.Categories))}
}

func (f *Facts) binMaximum() finding {
	switch {
	case f.BINMaximum == nil || *f.BINMaximum <= 0:
		return finding{cause: BINMaximum, evidence: "the BIN maximum"}
	case f.Amount <= *f.BINMaximum:
		return finding{cause: BINMaximum, verdict: excluded}
	default:
		return finding{
			cause: BINMaximum, verdict: exact, most: *f.BINMaximum,
			evidence: fmt.Sprintf("asked $%s, the BIN allows $%s", f.Amount.Grouped(), f.BINMaximum.Grouped()),
		}
	}
}

// monthlyLimit: holds count against the limit as well (ASSUMED 29), but which are
// open is a guess.
func (f *Facts) monthlyLimit() finding {
	if f.Limit == nil || *f.Limit <= 0 {
		return finding{cause: MonthlyLimit, evidence: "the monthly limit"}
	}
	out := finding{cause: MonthlyLimit, shortfall: f.Month + f.Held + f.Amount - *f.Limit}
	used := fmt.Sprintf("$%s of $%s used", f.Month.Grouped(), f.Limit.Grouped())
	if f.Held > 0 {
		used += ", $" + f.Held.Grouped() + " held"
	}
	used += ", asked $" + f.Amount.Grouped()
	switch {
	case f.Month+f.Amount > *f.Limit && f.MonthRead:
		out.verdict, out.evidence = exact, used
	case out.shortfall > 0:
		out.verdict, out.evidence = held, used
	case f.MonthRead:
		out.verdict = excluded
	default:
		out.evidence = "what the month came to"
	}
	return out
}

func (f *Facts) balance() finding {
	if f.BalanceAfter == nil {
		return finding{cause: Balance, evidence: "the balance"}
	}
	out := finding{cause: Balance, shortfall: f.Amount + f.Held - *f.BalanceAfter}
	switch {
	case *f.BalanceAfter < f.Amount:
		out.verdict, out.evidence = exact, fmt.Sprintf("balance $%s, asked $%s", f.BalanceAfter.Grouped(), f.Amount.Grouped())
	case out.shortfall > 0:
		out.verdict, out.evidence = held, fmt.Sprintf("balance $%s, of which $%s held, asked $%s", f.BalanceAfter.Grouped(), f.Held.Grouped(), f.Amount.Grouped())
	default:
		out.verdict = excluded
	}
	return out
}

const (
	// challengeNear is how near to a decline a challenge has to be.
	challengeNear = 5 * time.Minute
	// challengeEnds is how near to the end of a challenge its decline comes.
	challengeEnds = 30 * time.Second
)

// challenge looks for one about that time that was not answered. An answered one for
// the same purchase is no cause.
func (f *Facts) challenge() finding {
	out := finding{cause: Challenge, evidence: "the 3DS challenges"}
	if f.ChallengesRead {
		out.verdict, out.evidence = excluded, ""
	}
	for i := range f.Challenges {
		c := &f.Challenges[i]
		near := func(t time.Time) bool { return !t.IsZero() && t.Sub(f.At).Abs() <= challengeNear }
		if c.Status == api.ChallengeCompleted || !near(c.CreatedAt) && !near(c.ExpiresAt) || c.CreatedAt.After(f.At) {
			continue
		}
		if !strings.EqualFold(string(c.Merchant), string(f.Merchant.Name)) {
			continue
		}
		amount := c.Amount != nil && *c.Amount == f.Amount
		ended := !c.ExpiresAt.IsZero() && f.At.Sub(c.ExpiresAt).Abs() <= challengeEnds
		v := possible
		switch {
		case amount && ended:
			v = exact
		case amount:
			v = held
		}
		if v > out.verdict {
			out.verdict = v
			out.evidence = fmt.Sprintf("a code for %s was asked for at %s and not answered", nameOf(c.Merchant), c.CreatedAt.UTC().Format("15:04:05 UTC"))
		}
	}
	return out
}

func nameOf(merchant api.Text) string {
	if merchant == "" {
		return "the merchant"
	}
	return string(merchant)
}
