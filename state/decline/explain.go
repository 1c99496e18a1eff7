package decline

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

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
