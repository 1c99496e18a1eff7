// Package bins holds the BINs that cards can be issued from.
package bins

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
)

// binsFresh is how long the BINs need no reading again.
const binsFresh = 10 * time.Minute

// Table holds the BINs.
type Table struct {
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

// Known reports whether they were read.
func (bi *Table) Known() bool { return !bi.okAt.IsZero() }

// All lists the BINs that cards can be issued from; known is false before
// they were read, and err is why that failed. The slice is the store's own.
func (bi *Table) All() (rows []api.BIN, known bool, err error) {
	return bi.rows, bi.Known(), bi.err
}

// Get finds a BIN.
func (bi *Table) Get(id api.BINID) (api.BIN, bool) {
	for _, b := range bi.rows {
		if b.ID == id {
			return b, true
		}
	}
	return api.BIN{}, false
}

// Load requests the BINs, unless they were read lately; anew says that this counts for nothing.
func (bi *Table) Load(anew bool) []kernel.Effect {
	if bi.asked || !anew && bi.Known() && !bi.stale && poll.Elapsed(bi.okAt, bi.Time) < binsFresh {
		return nil
	}
	bi.asked, bi.err = true, nil
	return []kernel.Effect{Fetch{}}
}

const (
	// binsEvery is how often the BINs are read without anybody asking for them: why a payment was declined rests
	// on their maxima. binsAgain is the pause after a read that failed.
	binsEvery = 24 * time.Hour
	binsAgain = time.Minute
)

// ReadAhead requests the BINs at the start and when they are old, where causes of declines are shown.
func (bi *Table) ReadAhead(now time.Time) []kernel.Effect {
	if bi.Cfg.Only != nil && bi.Cfg.PastDays == 0 || bi.asked || bi.ahead || !poll.Reached(now, bi.due) {
		return nil
	}
	bi.ahead = true
	return []kernel.Effect{Fetch{Ahead: true}}
}

func (bi *Table) loaded(ev Loaded) {
	*bi = Table{Core: bi.Core, rows: ev.Items, okAt: ev.At, due: ev.At.Add(binsEvery)}
}

func (bi *Table) failed(f Fetch, e kernel.Failure) {
	if f.Ahead { // It is tried again, and nobody waits for it.
		pause := binsAgain
		if kernel.RefusesRead(e.Err) { // Not for this account.
			pause = binsEvery
		}
		bi.ahead, bi.due = false, e.At.Add(max(e.Wait, pause))
		return
	}
	bi.asked, bi.err = false, e.Err
}

// Fetch reads the BINs. Ahead says that nobody waits for them.
type Fetch struct{ Ahead bool }

func (Fetch) Effect() {}

// Cost is a lane of its own.
func (f Fetch) Cost() kernel.Cost {
	if f.Ahead {
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("BINs")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("BINs")}
}

func (Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListBINs(ctx)
	return Loaded{Meta: on.Over(page.Unread...), Items: page.Data}, err
}

// Label is what the user waits for.
func (f Fetch) Label(bool) string {
	if f.Ahead {
		return ""
	}
	return lang.N("reading the BINs")
}

// Loaded are the BINs that cards can be issued from.
type Loaded struct {
	kernel.Meta
	Items []api.BIN
}

// Changed is that the BINs were read.
type Changed struct{}

// Rows are BINs for other programs, with how often their cards were refused
// over a range.
func Rows(bins []api.BIN, over ledger.Range, measured map[api.BINID]Declines) rows.Rows {
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

// Expire has the BINs read again when they are next needed.
func (bi *Table) Expire() { bi.stale = true }

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

func joined(list []api.Text) string {
	parts := make([]string, 0, len(list))
	for _, t := range list {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " ")
}

func (f Fetch) Failed(bi *Table, e kernel.Failure) kernel.Topic {
	bi.failed(f, e)
	if f.Ahead {
		return 0 // Nobody waits for them.
	}
	return kernel.TopicBINs
}

func (ev Loaded) Apply(bi *Table) (kernel.Topic, []kernel.Effect) {
	bi.loaded(ev)
	kernel.Tell(bi.Core, Changed{})
	return kernel.TopicBINs, nil
}

// Load requests the BINs that cards can be issued from, unless they were
// read lately; Anew asks whenever they were.
type Load struct{ Anew bool }

func (in Load) Start(bi *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicBINs, bi.Load(in.Anew)
}
