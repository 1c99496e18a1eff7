package state

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
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
func (bi *BINsTable) rowProblems(r api.CreateCardRequest) []Problem {
	var p problems
	why := bi.checkBIN(r.BIN)
	if r.BIN != "" && why != "" { // It was not chosen from the list.
		why = bi.Lang.Tf("no such BIN %q: b lists them", api.Clean(string(r.BIN)))
	}
	p.add(cardcsv.BIN, why)
	p.add(cardcsv.Amount, cmp.Or(checkBounds(bi.Lang, r.Amount), bi.Cfg.Guard.Refuse(bi.Lang, r.Label, r.Amount, nil, bi.Time)))
	return append(p, bi.restProblems(r)...)
}

// restProblems are those of all but the BIN and the amount.
func (bi *BINsTable) restProblems(r api.CreateCardRequest) []Problem {
	var p problems
	p.add(cardcsv.Label, checkLabel(bi.Lang, r.Label))
	p.add(cardcsv.Limit, bi.checkLimit(r.BIN, r.SpendingLimit))
	p.add(cardcsv.Categories, checkCategories(bi.Lang, r.AllowedCategories))
	p.add(cardcsv.AutoFreeze, checkThreshold(bi.Lang, bi.Lang.T("the automatic freeze"), r.AutoFreezeAt))
	p.add(FieldMetadata, checkMetadata(bi.Lang, r.Metadata, nil))
	return p
}

// checkBIN validates a BIN as far as the BINs are known.
func (bi *BINsTable) checkBIN(id api.BINID) string {
	if id == "" {
		return bi.Lang.T("choose a BIN")
	}
	if _, ok := bi.Get(id); !ok && bi.known() {
		return bi.Lang.Tf("BIN %s is not offered", string(id))
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
func (bi *BINsTable) checkLimit(id api.BINID, limit *api.USD) string {
	if limit == nil {
		return ""
	}
	if bin, ok := bi.Get(id); ok && bin.MaxMonthly != nil && *limit > *bin.MaxMonthly {
		return bi.Lang.Tf("the limit is above the BIN's %s a month", bi.Lang.Dollars(*bin.MaxMonthly))
	}
	return checkThreshold(bi.Lang, bi.Lang.T("the limit"), limit)
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

// binsFresh is how long the BINs need no reading again.
const binsFresh = 10 * time.Minute

// BINsTable holds the BINs.
type BINsTable struct {
	*kernel.Core

	rows  []api.BIN
	okAt  time.Time
	err   error
	asked bool
	stale bool // one of them was refused
	// ahead reports whether they are being read without anybody asking, due is when they are next.
	ahead bool
	due   time.Time
}

func (bi *BINsTable) known() bool { return !bi.okAt.IsZero() }

// All lists the BINs that cards can be issued from; known is false before
// they were read, and err is why that failed. The slice is the store's own.
func (bi *BINsTable) All() (rows []api.BIN, known bool, err error) {
	return bi.rows, bi.known(), bi.err
}

// Get finds a BIN.
func (bi *BINsTable) Get(id api.BINID) (api.BIN, bool) {
	for _, b := range bi.rows {
		if b.ID == id {
			return b, true
		}
	}
	return api.BIN{}, false
}

func (bi *BINsTable) load(anew bool) []kernel.Effect {
	if bi.asked || !anew && bi.known() && !bi.stale && poll.Elapsed(bi.okAt, bi.Time) < binsFresh {
		return nil
	}
	bi.asked, bi.err = true, nil
	return []kernel.Effect{FetchBINs{}}
}

const (
	// binsEvery is how often the BINs are read without anybody asking for them: why a payment was declined rests
	// on their maxima. binsAgain is the pause after a read that failed.
	binsEvery = 24 * time.Hour
	binsAgain = time.Minute
)

// readAhead requests the BINs at the start and when they are old, where causes of declines are shown.
func (bi *BINsTable) readAhead(now time.Time) []kernel.Effect {
	if bi.Cfg.Only != nil && bi.Cfg.PastDays == 0 || bi.asked || bi.ahead || !poll.Reached(now, bi.due) {
		return nil
	}
	bi.ahead = true
	return []kernel.Effect{FetchBINs{Ahead: true}}
}

func (bi *BINsTable) loaded(ev BINsLoaded) {
	*bi = BINsTable{Core: bi.Core, rows: ev.Items, okAt: ev.At, due: ev.At.Add(binsEvery)}
}

func (bi *BINsTable) failed(f FetchBINs, e kernel.Failure) {
	if f.Ahead { // It is tried again, and nobody waits for it.
		pause := binsAgain
		if refusesRead(e.Err) { // Not for this account.
			pause = binsEvery
		}
		bi.ahead, bi.due = false, e.At.Add(max(e.Wait, pause))
		return
	}
	bi.asked, bi.err = false, e.Err
}

// FetchBINs reads the BINs. Ahead says that nobody waits for them.
type FetchBINs struct{ Ahead bool }

func (FetchBINs) Effect() {}

// Cost is a lane of its own.
func (f FetchBINs) Cost() kernel.Cost {
	if f.Ahead {
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("BINs")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("BINs")}
}

func (FetchBINs) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListBINs(ctx)
	return BINsLoaded{Meta: on.Over(page.Unread...), Items: page.Data}, err
}

// Label is what the user waits for.
func (f FetchBINs) Label(bool) string {
	if f.Ahead {
		return ""
	}
	return lang.N("reading the BINs")
}

// BINsLoaded are the BINs that cards can be issued from.
type BINsLoaded struct {
	kernel.Meta
	Items []api.BIN
}

// BINRows are BINs for other programs, with how often their cards were refused
// over a range.
func BINRows(bins []api.BIN, over ledger.Range, measured map[api.BINID]Declines) rows.Rows {
	list := slices.Clone(bins)
	declines := make([]Declines, 0, len(list))
	for i := range list {
		declines = append(declines, measured[list[i].ID])
	}
	return rows.Rows{
		What: "BINs", N: len(list),
		Columns: []string{
			"bin", "network", "type", "country", "3ds", "acceptance_rate", "max_transaction", "max_monthly",
			"cards", "asked_" + over.String(), "declined_" + over.String(), "wallets", "best_for",
		},
		Row: func(i int) []rows.Cell {
			b, d := &list[i], declines[i]
			return []rows.Cell{
				rows.Text(b.ID), rows.Text(b.Network), rows.Text(b.Type), rows.Text(b.IssuerCountry), rows.Text(strconv.FormatBool(b.ThreeDS)),
				rows.Percent(b.AcceptanceRate), rows.Maybe(b.MaxTransaction), rows.Maybe(b.MaxMonthly),
				rows.Count(d.Cards), rows.Count(d.Asked), rows.Count(d.Declined), rows.Text(phoneWallets(b.Wallets)), rows.Text(joined(b.BestFor)),
			}
		},
	}
}

func phoneWallets(list []api.PhoneWallet) string {
	var names []api.Text
	for _, w := range list {
		if w.Supported {
			names = append(names, w.Name)
		}
	}
	return joined(names)
}

// expire has the BINs read again when they are next needed.
func (bi *BINsTable) expire() { bi.stale = true }

// Declines counts how often the cards of a BIN were asked to pay over a range, and how often
// that was refused, whatever the reason.
type Declines struct {
	Declined, Asked int
	// Cards is how many cards of the BIN are not terminated.
	Cards int
}

// Rate is the part refused in percent; false when nothing was asked.
func (d Declines) Rate() (percent float64, ok bool) {
	if d.Asked == 0 {
		return 0, false
	}
	return 100 * float64(d.Declined) / float64(d.Asked), true
}

// DeclinesByBIN counts what the cards of each BIN were asked to pay over a range.
func (sp *SpendTable) DeclinesByBIN(over ledger.Range) map[api.BINID]Declines {
	out := make(map[api.BINID]Declines)
	for _, r := range sp.cards.rows() {
		if r.Status() != api.CardTerminated {
			d := out[r.BIN()]
			d.Cards++
			out[r.BIN()] = d
		}
	}
	table, _ := sp.ledger.Table(ledger.ByBIN, over, nil)
	for i := range table {
		row := &table[i]
		bin, _ := sp.ledger.Name(ledger.ByBIN, row.Place)
		d := out[api.BINID(bin)]
		d.Asked, d.Declined = row.Now.Attempts(), int(row.Now.Declined)
		out[api.BINID(bin)] = d
	}
	return out
}

func joined(list []api.Text) string {
	parts := make([]string, 0, len(list))
	for _, t := range list {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " ")
}
