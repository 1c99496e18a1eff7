package decline

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cart"
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
	needs     api.USD // The balance or the limit that would have done; 0 where that was there.
	most      api.USD
	mcc       api.Text
}

// findings are those of all checks, in the order in which a purchase is most likely
// checked.
func (f *Facts) findings(w *lang.Words) []finding {
	return []finding{
		f.terminated(w), f.frozen(w), f.expired(w), f.category(w), f.binMaximum(w), f.monthlyLimit(w), f.balance(w), f.challenge(w),
	}
}

func (f *Facts) terminated(w *lang.Words) finding {
	out := finding{cause: Terminated}
	switch {
	case f.After != "" && f.After != api.CardTerminated:
		out.verdict = excluded // It is for good.
	case f.Before == api.CardTerminated && f.EarlierRun:
		out.verdict, out.evidence = held, w.T("the card was terminated before")
	case f.Before == api.CardTerminated:
		out.verdict, out.evidence = exact, w.T("the card was terminated before")
	case f.Ended && f.Before == "" && f.BalanceAfter != nil && *f.BalanceAfter <= 0: // That takes what is on the card.
		out.verdict, out.evidence = held, w.T("the card is terminated, and was empty")
	case f.After == api.CardTerminated:
		out.evidence = w.T("whether the card, which is terminated now, was terminated then")
	default:
		out.evidence = w.T("status")
	}
	return out
}

// frozen is never exact: anybody may have unfrozen the card between two readings of its status. A
// card that is frozen later says nothing: cards are frozen because of declines.
func (f *Facts) frozen(w *lang.Words) finding {
	out := finding{cause: Frozen}
	before, after := f.Before == api.CardFrozen, f.After == api.CardFrozen
	switch {
	case before && after:
		out.verdict, out.evidence = held, w.T("the card was frozen before and after")
	case before && f.After == "":
		out.verdict, out.evidence = held, w.T("the card was frozen before")
	case before:
		out.verdict, out.evidence = possible, w.T("the card was frozen before, not after")
	case after && f.Before == "":
		out.evidence = w.T("whether the card, which is frozen now, was frozen then")
	case after:
		out.evidence = w.T("status")
	case f.Before != "" && f.After != "":
		out.verdict = excluded
	default:
		out.evidence = w.T("status")
	}
	return out
}

func (f *Facts) expired(w *lang.Words) finding {
	switch {
	case f.Expires.IsZero():
		return finding{cause: Expired, evidence: w.T("expiry date")}
	case f.At.Before(f.Expires):
		return finding{cause: Expired, verdict: excluded}
	default:
		return finding{cause: Expired, verdict: exact, evidence: w.Tf("the card expired on %s", f.Expires.UTC().Format("2 Jan 2006"))}
	}
}

func (f *Facts) category(w *lang.Words) finding {
	m := f.Merchant
	same := func(allowed api.Text) bool {
		return strings.EqualFold(string(allowed), string(m.MCC)) || strings.EqualFold(string(allowed), string(m.Category))
	}
	switch {
	case !f.CategoriesKnown:
		return finding{cause: Category, evidence: w.T("allowed categories")}
	case len(f.Categories) == 0, slices.ContainsFunc(f.Categories, same):
		return finding{cause: Category, verdict: excluded}
	case m.MCC == "" && m.Category == "":
		return finding{cause: Category, evidence: w.T("category of the merchant")}
	}
	name := m.MCC
	if name == "" {
		name = m.Category
	}
	return finding{cause: Category, verdict: held, mcc: name, evidence: w.Tf("category %s is not one of the %d allowed", name, len(f.Categories))}
}

func (f *Facts) binMaximum(w *lang.Words) finding {
	switch {
	case f.Foreign:
		return finding{cause: BINMaximum, evidence: w.T("amount in USD")}
	case f.BINMaximum == nil || *f.BINMaximum <= 0:
		return finding{cause: BINMaximum, evidence: w.T("BIN maximum")}
	case f.Amount <= *f.BINMaximum:
		return finding{cause: BINMaximum, verdict: excluded}
	default:
		return finding{
			cause: BINMaximum, verdict: exact, most: *f.BINMaximum,
			evidence: w.Tf("asked %s, the BIN allows %s", w.Dollars(f.Amount), w.Dollars(*f.BINMaximum)),
		}
	}
}

// monthlyLimit is never exact: the limit that was read may have been another then. Holds count
// against it as well (ASSUMED 29), but which are open is a guess.
func (f *Facts) monthlyLimit(w *lang.Words) finding {
	if f.Foreign {
		return finding{cause: MonthlyLimit, evidence: w.T("amount in USD")}
	}
	out := finding{cause: MonthlyLimit, needs: f.Month + f.Held.USD + f.Amount, evidence: w.T("monthly limit")}
	if f.Limit == nil || *f.Limit <= 0 || f.LimitMoved {
		return out
	}
	out.shortfall = out.needs - *f.Limit
	used := w.Tf("%s of %s used", w.Dollars(f.Month), w.Dollars(*f.Limit))
	if f.Held.USD > 0 {
		used += w.Tf(", %s held", f.Held.Mark()+w.Dollars(f.Held.USD))
	}
	used += w.Tf(", asked %s", w.Dollars(f.Amount))
	switch {
	case out.shortfall > 0:
		out.verdict, out.evidence = held, used
	case f.LimitLater:
	case f.MonthRead:
		out.verdict = excluded
	default:
		out.evidence = w.T("spend of the month")
	}
	return out
}

func (f *Facts) balance(w *lang.Words) finding {
	switch {
	case f.Foreign:
		return finding{cause: Balance, evidence: w.T("amount in USD")}
	case f.BalanceAfter == nil:
		return finding{cause: Balance, evidence: w.T("balance")}
	}
	funds := cart.Funds{Balance: *f.BalanceAfter, Held: f.Held}
	out := finding{cause: Balance, shortfall: funds.Short(f.Amount), evidence: w.Tf("%s, asked %s", funds.Words(w), w.Dollars(f.Amount))}
	if out.shortfall > 0 {
		out.needs = *f.BalanceAfter + out.shortfall
	}
	switch {
	case *f.BalanceAfter < f.Amount:
		out.verdict = exact
	case out.shortfall > 0:
		out.verdict = held
	default:
		out.verdict = excluded
	}
	return out
}

const (
	// ChallengeNear is how near to a decline a challenge has to be.
	ChallengeNear = 5 * time.Minute
	// challengeEnds is how near to the end of a challenge its decline comes.
	challengeEnds = 30 * time.Second
)

// Near reports whether a challenge was made or ended at about the time of a decline: only
// then it may have led to it.
func Near(decline, made, ended time.Time) bool {
	near := func(t time.Time) bool { return !t.IsZero() && t.Sub(decline).Abs() <= ChallengeNear }
	return near(made) || near(ended)
}

// challenge looks for one about that time that was not answered. An answered one for
// the same purchase is no cause.
func (f *Facts) challenge(w *lang.Words) finding {
	out := finding{cause: Challenge, evidence: w.T("3DS challenges")}
	switch f.ThreeDS {
	case "not_required", "authenticated":
		return finding{cause: Challenge, verdict: excluded}
	case "failed":
		out.verdict, out.evidence = exact, w.T("the API says that 3DS failed")
	}
	for i := range f.Challenges {
		c := &f.Challenges[i]
		if c.Status == api.ChallengeCompleted || !Near(f.At, c.CreatedAt, c.ExpiresAt) || c.CreatedAt.After(f.At) {
			continue
		}
		if !strings.EqualFold(string(c.Merchant), string(f.Merchant.Name)) {
			continue
		}
		amount := !f.Foreign && c.Amount != nil && *c.Amount == f.Amount
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
			out.evidence = w.Tf("a code for %s was asked for at %s and not answered", nameOf(w, c.Merchant), c.CreatedAt.Local().Format(time.TimeOnly))
		}
	}
	return out
}

func nameOf(w *lang.Words, merchant api.Text) string {
	if merchant == "" {
		return w.T("the merchant")
	}
	return string(merchant)
}

// Explain says why a transaction was declined.
func Explain(w *lang.Words, f *Facts) Answer {
	all := f.findings(w)
	a, ok := f.stated(w, all)
	if !ok {
		a = f.guess(w, all)
		a.Fix = fixOf(a.Cause, f.DetailRead)
		if a.Cause == Unknown && f.After == api.CardTerminated {
			a.Fix = IssueCard // Another try is declined.
		}
	}
	f.bound(w, &a)
	if a.At, a.Merchant = f.At, f.Merchant.Name; !f.Foreign {
		a.Asked = f.Amount
	}
	return a
}

// bound keeps an answer from asking for money that would not help: a payment above the maximum of
// the BIN is declined whatever is on the card.
func (f *Facts) bound(w *lang.Words, a *Answer) {
	if a.Fix == RaiseLimit && f.BINMonthly != nil && *f.BINMonthly > 0 && a.Needs > *f.BINMonthly {
		a.Fix, a.Shortfall, a.Needs = IssueCard, 0, 0
		a.Evidence += "; " + w.Tf("the BIN allows %s a month", w.Dollars(*f.BINMonthly))
		return
	}
	over := f.binMaximum(w)
	if over.verdict != exact || a.Fix != Fund && a.Fix != RaiseLimit {
		return
	}
	a.Fix, a.Shortfall, a.Most = ChargeLess, 0, over.most
	a.Evidence += "; " + over.evidence
}

// stated is the answer that the API gives, with the figures that are known of it; false when it
// gives none. What states a cause counts before the API's own words, which are quoted.
func (f *Facts) stated(w *lang.Words, all []finding) (Answer, bool) {
	var said sense
	var text api.Text
	for _, reason := range f.Reasons {
		if s := senseOf(reason); text == "" && s != (sense{}) || said.cause == Other && !said.limit && s.cause != Other && s.cause != Unknown {
			said, text = s, reason
		}
	}
	if text == "" {
		return Answer{}, false
	}
	a := Answer{Cause: said.cause, Confidence: Stated, Said: text}
	if found, ok := passed(all); said.limit && ok {
		a.Cause = found.cause
		if found.verdict != exact {
			a.Confidence = Likely
		}
	}
	a.Evidence, a.Fix = w.Tf("the API says \"%s\"", string(text)), fixOf(a.Cause, f.DetailRead)
	f.figures(&a, all)
	if text := f.reserved(w, &a); text != "" {
		a.Evidence += "; " + text
	}
	return a, true
}

// figures gives an answer of the API those that are known of its cause.
func (f *Facts) figures(a *Answer, all []finding) {
	for _, found := range all {
		switch {
		case found.cause != a.Cause:
		case found.verdict >= held:
			a.take(found)
			a.Evidence += "; " + found.evidence
		case found.verdict == notKnown && f.MonthRead: // Whatever the limit was then.
			a.Needs = found.needs
		}
	}
}

// reserved says what a balance that covers the amount leaves: that the API calls it too low can only be
// for holds, even where none of them is known.
func (f *Facts) reserved(w *lang.Words, a *Answer) string {
	if a.Cause != Balance || a.Shortfall > 0 || f.Foreign || f.BalanceAfter == nil || *f.BalanceAfter < f.Amount {
		return ""
	}
	return w.Tf("balance %s, asked %s: holds left less than that available", w.Dollars(*f.BalanceAfter), w.Dollars(f.Amount))
}

// passed returns the one limit that was passed, as far as is known; false for none or several.
func passed(all []finding) (limit finding, ok bool) {
	for _, found := range all {
		if (found.cause == BINMaximum || found.cause == MonthlyLimit) && found.verdict >= held {
			if ok {
				return finding{}, false
			}
			limit, ok = found, true
		}
	}
	return limit, ok
}

func (a *Answer) take(found finding) {
	a.Shortfall, a.Most, a.MCC, a.Needs = max(0, found.shortfall), found.most, found.mcc, found.needs
}

// guess tells the cause by what was known. It is certain when one cause is exact and
// all that may have been checked before are ruled out.
func (f *Facts) guess(w *lang.Words, all []finding) Answer {
	best := -1
	for i := range all {
		if all[i].verdict >= possible && (best < 0 || all[i].before(&all[best])) {
			best = i
		}
	}
	if best < 0 {
		return f.remains(w, all)
	}
	found := all[best]
	a := Answer{Cause: found.cause, Confidence: Likely, Evidence: f.quote(w, found.evidence)}
	a.take(found)
	others := slices.Delete(slices.Clone(all), best, best+1)
	if found.verdict == exact && !slices.ContainsFunc(others, func(o finding) bool { return o.verdict != excluded && found.cause.comesAfter(o.cause) }) {
		a.Confidence = Certain
	}
	return a
}

// comesAfter reports whether a purchase may have been declined for another cause before this one was
// checked. What the card is stops every purchase, whatever else was the matter.
func (c Cause) comesAfter(other Cause) bool {
	return c > Expired || other <= Expired
}

// before reports whether a finding is the likelier cause. What is only possible is
// behind what was so; a challenge of the very purchase shows that the card had passed
// the checks.
func (o *finding) before(than *finding) bool {
	rank := func(f *finding) int {
		switch {
		case f.verdict == exact && f.cause == Challenge:
			return 3
		case f.verdict >= held:
			return 2
		default:
			return 1
		}
	}
	return rank(o) > rank(than)
}

// remains says that nothing speaks for any cause, and what is not known. An issuer may decline
// for reasons of its own: that one cause alone could not be checked makes it no likelier.
func (f *Facts) remains(w *lang.Words, all []finding) Answer {
	a := Answer{Evidence: w.T("nothing known explains it")}
	var missing []string
	for _, o := range all {
		if o.verdict == notKnown && !slices.Contains(missing, o.evidence) {
			missing = append(missing, o.evidence)
		}
	}
	if len(missing) > 0 {
		a.Evidence += w.Tf("; not known: %s", strings.Join(missing, ", "))
	}
	a.Evidence = f.quote(w, a.Evidence)
	return a
}

// quote puts what the API says before evidence of ours.
func (f *Facts) quote(w *lang.Words, evidence string) string {
	for _, reason := range f.Reasons {
		if strings.TrimSpace(string(reason)) != "" {
			return w.Tf("the API says \"%s\"; %s", string(reason), evidence)
		}
	}
	return evidence
}
