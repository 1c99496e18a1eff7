package insight

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
)

const (
	// pastEvery is the pause between two requests for the past while the hour has
	// some left.
	pastEvery = time.Second
	// pastAgain is the pause after a request that failed, pastIdle the one when
	// there is nothing to read.
	pastAgain = 30 * time.Second
	pastIdle  = time.Minute
	// pastCards is how many requests come to one for the metadata of a card while
	// there are pages to read.
	pastCards = 3
)

// Fetch reads a page of the past for the ledger: what was made from From to To
// (UTC, both included), newest first.
type Fetch struct {
	Seq      poll.Seq
	From, To time.Time
	Page     int
}

func (Fetch) Effect() {}

// Cost has a line of its own.
func (Fetch) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.Low, Lane: lang.N("spending")}
}

func (f Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
	return Loaded{Fetch: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

func (f Fetch) Failed(sp *Table, e kernel.Failure) kernel.Topic {
	r := &sp.past
	switch {
	case !r.answered(f.Seq):
	case kernel.RefusesRequest(e.Err):
		r.plan.Refused(f.listed())
	default:
		r.due = e.At.Add(max(e.Wait, pastAgain))
	}
	return 0
}

// SummaryFailed goes on without the metadata of a card that the API refuses to tell,
// and asks for it again after other failures.
func (sp *Table) SummaryFailed(seq poll.Seq, card api.CardID, e kernel.Failure) {
	switch {
	case !sp.past.answered(seq):
	case kernel.RefusesRequest(e.Err):
		if sp.rule.ByMetadata() { // What is known already stays.
			sp.named.Set(card, sp.named.Of(card))
		}
	default:
		sp.past.due = e.At.Add(max(e.Wait, pastAgain))
	}
}

// SummaryRead ends the wait for the metadata of a card.
func (sp *Table) SummaryRead(seq poll.Seq) { sp.past.answered(seq) }

// listed is the page in the terms of the ledger.
func (f Fetch) listed() ledger.Page {
	return ledger.Page{Span: ledger.Span{From: f.From, To: f.To}, Number: f.Page}
}

// Loaded is a page of the past. More says that it was full.
type Loaded struct {
	Fetch
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev Loaded) Transactions() []api.Transaction { return ev.Items }

func (ev Loaded) Apply(sp *Table) (kernel.Topic, []kernel.Effect) {
	r := &sp.past
	if !r.answered(ev.Seq) {
		return 0, nil
	}
	if whole, ok := r.plan.Loaded(ev.listed(), ev.Items, ev.More); ok {
		sp.Cover(whole.From, whole.To)
	}
	return 0, nil
}

// Tick requests what is due.
func (sp *Table) Tick(now time.Time) {
	sp.readDeclines(now)
	sp.readPast(now)
	sp.keepDays(now)
}

// readPast requests what is read next when it is due.
func (sp *Table) readPast(now time.Time) {
	r := &sp.past
	days := ledger.Days
	if sp.Cfg.Only != nil {
		days = sp.Cfg.PastDays
	}
	if days == 0 || sp.Cfg.SpendHourly == 0 || sp.kept.loading || !sp.needs.Lanes.Done(poll.History) {
		r.due = time.Time{}
		return
	}
	if r.asked != 0 || !poll.Reached(now, r.due) {
		return
	}
	page, pages := r.plan.Next(sp.ledger, sp.readTo(), days)
	card, cards := sp.unnamed()
	if !pages && !cards {
		r.due, r.card, r.round = now.Add(pastIdle), 0, 0
		return
	}
	if free, ok := r.quota.Take(now, sp.Cfg.SpendHourly); !ok {
		r.due = free
		return
	}
	r.due = now.Add(sp.pastPause())
	r.asked = sp.NextSeq()
	r.turn++
	if cards && (!pages || r.turn%pastCards == 0) {
		sp.Wants = append(sp.Wants, sp.needs.Summary(r.asked, card))
		return
	}
	sp.Wants = append(sp.Wants, Fetch{Seq: r.asked, From: page.From, To: page.To, Page: page.Number})
}

// readTo is up to when the past is read: what comes later the feed reads by itself.
func (sp *Table) readTo() time.Time {
	if known := sp.ledger.Known(); len(known) > 0 {
		return known[len(known)-1].To
	}
	return sp.ServerNow()
}

// unnamed returns a card whose metadata tells its campaign and was not read: those with
// transactions first, then what is not terminated, last what an earlier run read.
func (sp *Table) unnamed() (api.CardID, bool) {
	const rounds = 3
	r, all := &sp.past, sp.needs.Cards.List()
	if !sp.rule.ByMetadata() {
		return "", false
	}
	for ; r.round < rounds; r.card, r.round = 0, r.round+1 {
		for ; r.card < all.Len(); r.card++ {
			row := all.Row(r.card)
			known, spends, over := sp.named.Known(row.ID), sp.ledger.Holds(row.ID), row.Status() == api.CardTerminated
			switch {
			case r.round == 0 && !known && spends, r.round == 1 && !known && !over, r.round == 2 && sp.named.Recalled(row.ID) && (spends || !over):
				return row.ID, true
			}
		}
	}
	return "", false
}

// pastPause is longer while the terminal is unfocused, and while requests are throttled.
func (sp *Table) pastPause() time.Duration {
	pause := pastEvery
	if sp.needs.Lanes.Attention() == poll.Unfocused {
		pause *= 4
	}
	return time.Duration(float64(pause) * sp.needs.Lanes.Throttle(poll.Sweep))
}

// Wakes calls at with the times at which the table has something to do.
func (sp *Table) Wakes(at func(time.Time)) {
	if sp.past.asked == 0 {
		at(sp.past.due)
	}
	if r := &sp.reading; len(r.alerting) > 0 {
		at(r.due)
	}
}

// pastReading reads in the background what the ledger lacks of its days, and where
// metadata tells campaigns, that of the cards.
type pastReading struct {
	plan  ledger.Backfill
	quota poll.Quota
	due   time.Time
	asked poll.Seq
	turn  int // counts requests
	// card is the place of the card that is looked at next, round how often all were
	// looked at.
	card, round int
}

// answered reports whether an answer is the one that is waited for, and ends the
// wait.
func (r *pastReading) answered(seq poll.Seq) bool {
	if seq != r.asked {
		return false
	}
	r.asked = 0
	return true
}

const (
	// keepEvery is how often days are looked for to be written, keepStep the pause after
	// each of them: with 100,000 cards a day takes as long as a few frames. keepAgain is
	// the pause after a write that failed.
	keepEvery = time.Minute
	keepStep  = 250 * time.Millisecond
	keepAgain = 10 * time.Minute
)

// RecallDays requests the days that earlier runs kept.
func (sp *Table) RecallDays() []kernel.Effect {
	if !sp.Cfg.KeepDays {
		return nil
	}
	sp.kept.loading = true
	return []kernel.Effect{LoadDays{}}
}

// keepDays requests that a day is written when one has changed.
func (sp *Table) keepDays(now time.Time) {
	k := &sp.kept
	if !sp.Cfg.KeepDays || k.loading || k.saving || k.version == sp.ledger.Version() || !poll.Reached(now, k.due) {
		return
	}
	k.due, k.version = now.Add(keepEvery), sp.ledger.Version()
	if e, ok := sp.Unsaved(); ok {
		k.saving = true
		sp.Wants = append(sp.Wants, e)
	}
}

// Unsaved is the effect that writes a day that is not on disk as it is; false when all
// are.
func (sp *Table) Unsaved() (SaveDays, bool) {
	if !sp.Cfg.KeepDays || sp.kept.loading {
		return SaveDays{}, false
	}
	days, versions := sp.kept.Changed(sp.ledger, 1)
	return SaveDays{Days: days, Versions: versions}, len(days) > 0
}

// LoadDays reads more of the days that earlier runs kept.
type LoadDays struct{}

func (LoadDays) Effect() {}

// DaysLoaded are days that earlier runs kept, or parts of them; More reports whether others follow.
// What cannot be read is left out: the API has it.
type DaysLoaded struct {
	kernel.Meta
	Days []ledger.Closed
	More bool
}

func (ev DaysLoaded) Apply(sp *Table) (kernel.Topic, []kernel.Effect) {
	if !sp.kept.loading {
		return 0, nil
	}
	for i := range ev.Days {
		d := &ev.Days[i]
		for _, r := range d.Rows {
			if r.Card >= 0 && int(r.Card) < len(d.Cards) {
				sp.tellNew(d.Cards[r.Card])
			}
		}
	}
	sp.kept.Restore(sp.ledger, sp.ServerNow(), ev.Days...)
	if ev.More {
		return 0, []kernel.Effect{LoadDays{}}
	}
	sp.kept.loading = false
	return 0, nil
}

// SaveDays writes days to disk.
type SaveDays struct {
	Days     []ledger.Closed
	Versions []ledger.DayVersion
}

func (SaveDays) Effect() {}

// DaysSaved confirms that days were written, or says why not.
type DaysSaved struct {
	kernel.Meta
	Versions []ledger.DayVersion
	Err      error
}

func (ev DaysSaved) Apply(sp *Table) (kernel.Topic, []kernel.Effect) {
	k := &sp.kept
	k.saving = false
	if ev.Err == nil {
		k.Saved(ev.Versions...)
		k.failing = false
		k.due, k.version = ev.At.Add(keepStep), 0
		return 0, nil
	}
	k.due, k.version = ev.At.Add(keepAgain), 0
	if k.failing {
		return 0, nil
	}
	k.failing = true
	sp.needs.Notices.Say(kernel.Warn, sp.Lang.Tf("the next start will read the spending of past days again: %s", ev.Err.Error()))
	return kernel.TopicNotice, nil
}

// daysKept are the days of the ledger that are over, on disk.
type daysKept struct {
	ledger.Kept
	// loading reports whether those of earlier runs are being read, saving whether
	// some are being written.
	loading, saving bool
	due             time.Time
	version         uint64 // of the ledger when it was last looked at
	failing         bool   // the user was told
}
