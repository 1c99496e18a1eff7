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
	if cause, ok := stated(f.Reason, all); ok {
		return f.stated(w, cause, all)
	}
	a := f.guess(w, all)
	a.Fix = fixOf(a.Cause, f.DetailRead)
	return a
}

// stated is the answer that the API gives, with the figures that are known of it.
func (f *Facts) stated(w *lang.Words, cause Cause, all []finding) Answer {
	a := Answer{Cause: cause, Confidence: Stated, Evidence: w.Tf("the API says \"%s\"", string(f.Reason)), Fix: fixOf(cause, f.DetailRead)}
	for _, found := range all {
		if found.cause == cause && found.verdict >= held {
			a.take(found)
			a.Evidence += "; " + found.evidence
		}
	}
	return a
}

func (a *Answer) take(found finding) {
	a.Shortfall, a.Most, a.MCC = max(0, found.shortfall), found.most, found.mcc
}

// guess tells the cause by what was known. It is certain when one cause is exact and
// all others are ruled out.
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
	a := Answer{Cause: found.cause, Confidence: Likely, Evidence: found.evidence}
	a.take(found)
	others := slices.Delete(slices.Clone(all), best, best+1)
	if found.verdict == exact && !slices.ContainsFunc(others, func(o finding) bool { return o.verdict != excluded }) {
		a.Confidence = Certain
	}
	return a
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

// remains tells the cause when nothing speaks for any: it is what is left when
// all but one are ruled out, or not known.
func (f *Facts) remains(w *lang.Words, all []finding) Answer {
	var open []finding
	for _, found := range all {
		if found.verdict == notKnown {
			open = append(open, found)
		}
	}
	if len(open) == 1 && !f.says() {
		return Answer{Cause: open[0].cause, Confidence: Likely, Evidence: w.Tf("nothing else was the matter; not known: %s", open[0].evidence)}
	}
	a := Answer{Evidence: w.T("nothing that is known was the matter")}
	var missing []string
	for _, o := range open {
		if !slices.Contains(missing, o.evidence) {
			missing = append(missing, o.evidence)
		}
	}
	if len(missing) > 0 {
		a.Evidence += w.Tf("; not known: %s", strings.Join(missing, ", "))
	}
	if f.says() {
		a.Evidence = w.Tf("the API says \"%s\"; %s", string(f.Reason), a.Evidence)
	}
	return a
}

// says reports whether the API gave a text, though one that tells no cause.
func (f *Facts) says() bool { return strings.TrimSpace(string(f.Reason)) != "" }

// phrase is what a text says when it has some words.
type phrase struct {
	words string
	cause Cause
}

// phrases are looked for in this order: what is more particular comes first.
func phrases() []phrase {
	return []phrase{
		{"3ds", Challenge},
		{"3d secure", Challenge},
		{"challenge", Challenge},
		{"authentication", Challenge},
		{"otp", Challenge},
		{"terminated", Terminated},
		{"card closed", Terminated},
		{"closed card", Terminated},
		{"frozen", Frozen},
		{"suspended", Frozen},
		{"card inactive", Frozen},
		{"inactive card", Frozen},
		{"card not active", Frozen},
		{"card paused", Frozen},
		{"card expired", Expired},
		{"expired card", Expired},
		{"card has expired", Expired},
		{"category", Category},
		{"mcc", Category},
		{"merchant type", Category},
		{"bin limit", BINMaximum},
		{"bin maximum", BINMaximum},
		{"transaction limit", BINMaximum},
		{"max transaction", BINMaximum},
		{"maximum transaction", BINMaximum},
		{"transaction maximum", BINMaximum},
		{"velocity", Other},
		{"daily limit", Other},
		{"count limit", Other},
		{"spending limit", MonthlyLimit},
		{"monthly limit", MonthlyLimit},
		{"spend limit", MonthlyLimit},
		{"insufficient funds", Balance},
		{"insufficient balance", Balance},
		{"not sufficient funds", Balance},
		{"not enough", Balance},
		{"low balance", Balance},
		{"balance too low", Balance},
		{"insufficient", Balance},
	}
}

// empty are texts that tell no cause.
func empty() []string {
	return []string{"", "declined", "decline", "card declined", "transaction declined", "unknown", "error", "do not honor", "do not honour", "generic decline", "other", "none", "null"}
}

// stated returns the cause that a text states; false when it states none. A limit that
// it does not name is the one that was passed, where that is known.
func stated(reason api.Text, all []finding) (Cause, bool) {
	text := words(string(reason))
	if slices.Contains(empty(), text) {
		return Unknown, false
	}
	for _, p := range phrases() {
		if strings.Contains(" "+text+" ", " "+p.words+" ") {
			return p.cause, true
		}
	}
	if strings.Contains(text, "limit") {
		passed := Other
		for _, found := range all {
			if (found.cause == BINMaximum || found.cause == MonthlyLimit) && found.verdict >= held {
				if passed != Other {
					return Other, true
				}
				passed = found.cause
			}
		}
		return passed, true
	}
	return Other, true
}

// words is a text in lower case with single spaces for what is neither letter nor
// digit.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < 0x80
	}), " ")
}
