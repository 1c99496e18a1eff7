package state

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
)

// Problem is what is wrong with a request, and the field of its body
// it is about; an empty field is the request itself.
type Problem struct{ Field, Reason string }

// problems collects those there are.
type problems []Problem

func (p *problems) add(field, reason string) {
	if reason != "" {
		*p = append(*p, Problem{field, reason})
	}
}

// rowProblems are those of one card among many: what all of them move out of the
// wallet is not among them.
func rowProblems(c *kernel.Core, bi *bins.Table, r api.CreateCardRequest) []Problem {
	var p problems
	why := checkBIN(c.Lang, bi, r.BIN)
	if r.BIN != "" && why != "" { // It was not chosen from the list.
		why = c.Lang.Tf("no such BIN %q: b lists them", api.Clean(string(r.BIN)))
	}
	p.add(cardcsv.BIN, why)
	p.add(cardcsv.Amount, cmp.Or(checkBounds(c.Lang, r.Amount), c.Cfg.Guard.Refuse(c.Lang, r.Label, r.Amount, nil, c.Time)))
	return append(p, restProblems(c, bi, r)...)
}

// restProblems are those of all but the BIN and the amount.
func restProblems(c *kernel.Core, bi *bins.Table, r api.CreateCardRequest) []Problem {
	var p problems
	p.add(cardcsv.Label, checkLabel(c.Lang, r.Label))
	p.add(cardcsv.Limit, checkLimit(c.Lang, bi, r.BIN, r.SpendingLimit))
	p.add(cardcsv.Categories, checkCategories(c.Lang, r.AllowedCategories))
	p.add(cardcsv.AutoFreeze, checkThreshold(c.Lang, c.Lang.T("the automatic freeze"), r.AutoFreezeAt))
	p.add(FieldMetadata, checkMetadata(c.Lang, r.Metadata, nil))
	return p
}

// checkBIN validates a BIN as far as the BINs are known.
func checkBIN(w *lang.Words, bi *bins.Table, id api.BINID) string {
	if id == "" {
		return w.T("choose a BIN")
	}
	if _, ok := bi.Get(id); !ok && bi.Known() {
		return w.Tf("BIN %s is not offered", string(id))
	}
	return ""
}

// checkBounds validates an amount by itself.
func checkBounds(w *lang.Words, amount api.USD) string {
	switch {
	case amount < api.MinFunding:
		return w.Tf("at least %s", w.Dollars(api.MinFunding))
	case amount > api.MaxFunding:
		return w.Tf("at most %s at a time", w.Dollars(api.MaxFunding))
	case !amount.WholeCents():
		return w.T("at most two decimals")
	}
	return ""
}

// checkLabel refuses what the contract allows and no screen can show.
func checkLabel(w *lang.Words, label string) string {
	if n := len([]rune(label)); n > api.MaxLabel {
		return w.Tf("the label has %d characters, at most %d are allowed", n, api.MaxLabel)
	}
	if strings.ContainsFunc(label, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return w.T("the label holds a control character")
	}
	return ""
}

// checkLimit validates a monthly limit: the BIN's maximum is its monthly one
// (ASSUMED 4).
func checkLimit(w *lang.Words, bi *bins.Table, id api.BINID, limit *api.USD) string {
	if limit == nil {
		return ""
	}
	if bin, ok := bi.Get(id); ok && bin.MaxMonthly != nil && *limit > *bin.MaxMonthly {
		return w.Tf("the limit is above the BIN's %s a month", w.Dollars(*bin.MaxMonthly))
	}
	return checkThreshold(w, w.T("the limit"), limit)
}

func checkThreshold(w *lang.Words, what string, amount *api.USD) string {
	switch {
	case amount == nil:
	case *amount < 0:
		return w.Tf("%s is below 0", what)
	case !amount.WholeCents():
		return w.Tf("%s has more than two decimals", what)
	}
	return ""
}

// maxCategory bounds a category's word; the contract has no bound.
const maxCategory = 40

// checkCategories accepts merchant category codes of four digits, and words:
// the contract does not say which of both servers compare.
func checkCategories(w *lang.Words, list []string) string {
	for _, c := range list {
		digits := strings.Trim(c, "0123456789") == ""
		word := strings.IndexFunc(c, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-&/", r)
		}) < 0
		switch {
		case c == "":
			return w.T("an empty category")
		case digits && len(c) != 4:
			return w.Tf("%s: an MCC has four digits", c)
		case !word, len([]rune(c)) > maxCategory:
			return w.Tf("not a category: %s", api.Clean(c))
		}
	}
	return ""
}

// checkMetadata counts the keys there would be: metadata is merged with what
// a card has.
func checkMetadata(w *lang.Words, add map[string]string, has api.Metadata) string {
	n := len(has)
	for name := range add {
		if _, ok := has[api.Text(name)]; !ok {
			n++
		}
	}
	if n > api.MaxMetadata {
		return w.Tf("metadata has %d keys, at most %d are allowed", n, api.MaxMetadata)
	}
	return ""
}
