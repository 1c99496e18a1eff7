package state

import (
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// InfoTable holds what is read of a card besides the list: the card screen, the
// summary of the selected one, settings.
type InfoTable struct {
	*kernel.Core
	cards     *CardsTable
	poll      *kernel.Lanes
	inspector inspector
	selected  selectedCard
	summaries summaries
	answers   answers
}

// Written is a card as the answer to the latest write on it said, the only
// place where categories and automatic freeze are; false when nothing was
// written to it in this session.
func (inf *InfoTable) Written(id api.CardID) (api.Card, bool) {
	c, ok := inf.answers[id]
	return c.Card, ok
}

// Settings puts together what the list, the summary and the answers to
// writes said of a card's settings, the latest of each.
func (inf *InfoTable) Settings(id api.CardID) Known {
	var k Known
	said, written := inf.answers[id]
	if written {
		k.AutoFreeze, k.Categories = new(kernel.OrZero(said.AutoFreezeAt)), new(said.AllowedCategories)
		k.Limit, k.Metadata = said.SpendingLimit, said.Metadata
	}
	if sum, ok := inf.summaries[id]; ok && sum.seq > said.seq {
		k.Limit, k.Metadata = sum.SpendingLimit, sum.Metadata
		if k.Metadata == nil {
			k.Metadata = api.Metadata{}
		}
	}
	if row := inf.cards.get(id); row != nil {
		k.Label = row.Label
		if k.Limit == nil && row.Limit > 0 {
			k.Limit = new(row.Limit)
		}
	}
	return k
}

// eachMetadata calls visit with the metadata that is known of cards.
func (inf *InfoTable) eachMetadata(visit func(api.CardID, api.Metadata)) {
	tell := func(id api.CardID) {
		if m := inf.Settings(id).Metadata; m != nil {
			visit(id, m)
		}
	}
	for id := range inf.answers {
		tell(id)
	}
	for id := range inf.summaries {
		tell(id)
	}
}

// Summary is what was last read of a card beyond the list, and when; false
// when it was not read lately.
func (inf *InfoTable) Summary(id api.CardID) (api.CardSummary, time.Time, bool) {
	m, ok := inf.summaries[id]
	return m.CardSummary, m.at, ok
}

func (inf *InfoTable) selectCard(id api.CardID, at time.Time) {
	inf.selected = selectedCard{card: id}
	if id != "" {
		inf.selected.due = inf.restFrom(at)
	}
}

// restFrom is when the cursor has rested on a card that it went to at a time.
func (inf *InfoTable) restFrom(at time.Time) time.Time {
	if at.Before(inf.Time) {
		at = inf.Time
	}
	return at.Add(restBefore)
}

// readAhead requests the summary of the card that the cursor rests on.
func (inf *InfoTable) readAhead(now time.Time) {
	sel := &inf.selected
	if sel.due.IsZero() || !poll.Reached(now, sel.due) {
		return
	}
	if m, ok := inf.summaries[sel.card]; ok && poll.Elapsed(m.at, now) < summaryFresh {
		sel.due = m.at.Add(summaryFresh)
		return
	}
	sel.due = now.Add(summaryFresh)
	if inf.poll.Attention() == poll.Unfocused || inf.inspector.card == sel.card || inf.Cfg.Only != nil {
		return
	}
	inf.Wants = append(inf.Wants, FetchSummary{Seq: inf.NextSeq(), Card: sel.card, Ahead: true})
}

// saveSummary holds a summary and removes the oldest beyond the bound.
func (inf *InfoTable) saveSummary(ev SummaryLoaded) {
	if ev.Seq < inf.answers[ev.Card].seq {
		return // A write has a newer value.
	}
	if inf.summaries == nil {
		inf.summaries = make(summaries)
	}
	inf.summaries[ev.Card] = summary{ev.Summary, ev.At, ev.Seq}
	if len(inf.summaries) <= summariesKept {
		return
	}
	oldest := ev.Card
	for id, m := range inf.summaries {
		if m.at.Before(inf.summaries[oldest].at) {
			oldest = id
		}
	}
	delete(inf.summaries, oldest)
}

// refresh reads what a money operation rests on; of many cards those that
// change are on the hot page.
func (inf *InfoTable) refresh(id api.CardID) []kernel.Effect {
	inf.poll.MakeDue(poll.Wallet)
	if id == "" {
		inf.poll.MakeDue(poll.Hot)
		return nil
	}
	return []kernel.Effect{FetchSummary{Seq: inf.NextSeq(), Card: id}}
}

// inspector is the inspected card.
type inspector struct {
	card    api.CardID
	summary *api.CardSummary
	txns    []api.Transaction
	txnsIn  bool
	past    txnlist.Paging
	seq     poll.Seq
	err     error
	okAt    time.Time
	due     time.Time
}

// addTrimmed adds the inspected card's rows that the feed removes, as far
// back as they count as read.
func (in *inspector) addTrimmed(gone []api.Transaction) {
	if in.past.Back.IsZero() {
		return
	}
	var rows []api.Transaction
	for _, t := range slices.Backward(gone) {
		if t.CardID == in.card && !t.CreatedAt.Before(in.past.Back) {
			rows = append(rows, t)
		}
	}
	if len(rows) > 0 {
		in.txns = txnlist.Merge(rows, in.txns)
	}
}

// inspectEvery is how often the inspected card is read while it is shown.
const inspectEvery = 15 * time.Second

// Inspected is what is known of the inspected card beyond the list.
type Inspected struct {
	Card api.CardID
	// Summary is nil until it has been read.
	Summary *api.CardSummary
	// Transactions are the card's rows as far back as they were read, newest
	// first; Loaded tells an empty
	// list from one not read yet.
	Transactions []api.Transaction
	Loaded       bool
	Err          error
	// Why says in words what Err is.
	Why string
	// Source is how old the summary is.
	Source poll.Source
}

// Inspected reports on the inspected card; its id is empty when there is
// none.
func (inf *InfoTable) Inspected() Inspected {
	in, why := inf.inspector, ""
	if in.err != nil {
		why = errtext.Explain(inf.Lang, in.err)
	}
	return Inspected{
		Card: in.card, Summary: in.summary, Transactions: in.txns, Loaded: in.txnsIn, Err: in.err, Why: why,
		Source: poll.Source{Every: inspectEvery, OKAt: in.okAt, Err: in.err},
	}
}

// inspect begins to read a card; of one that is only passed, at a time, nothing is asked for
// yet.
func (inf *InfoTable) inspect(id api.CardID, passed time.Time) []kernel.Effect {
	inf.inspector = inspector{card: id}
	if id == "" {
		return nil
	}
	if m, ok := inf.summaries[id]; ok {
		inf.inspector.summary, inf.inspector.okAt = &m.CardSummary, m.at
	}
	if !passed.IsZero() {
		inf.inspector.due = inf.restFrom(passed)
		return nil
	}
	return inf.reinspect()
}

// reinspect asks anew for what is shown of the inspected card.
func (inf *InfoTable) reinspect() []kernel.Effect {
	in := &inf.inspector
	if in.card == "" {
		return nil
	}
	in.seq, in.err, in.due = inf.NextSeq(), nil, inf.Time.Add(inspectEvery)
	return []kernel.Effect{FetchSummary{Seq: in.seq, Card: in.card}, FetchCardTransactions{Seq: in.seq, Card: in.card}}
}

func (inf *InfoTable) transactionsLoaded(ev CardTransactionsLoaded) kernel.Topic {
	if ev.Card != inf.inspector.card || ev.Seq != inf.inspector.seq {
		return 0
	}
	in := &inf.inspector
	gap := ev.More && !slices.ContainsFunc(ev.Items, func(t api.Transaction) bool {
		return slices.ContainsFunc(in.txns, func(held api.Transaction) bool { return held.ID == t.ID })
	})
	if gap || !in.txnsIn {
		// What was made since the last answer is more than a page.
		in.txns, in.past = nil, txnlist.Paging{}
	}
	in.txns, in.txnsIn = txnlist.Merge(in.txns, txnlist.NewestFirst(ev.Items)), true
	in.past.Reach(ev.Items)
	in.past.End = in.past.End || !ev.More
	return kernel.TopicInspector
}

// failed shows why the inspected card could not be read.
func (inf *InfoTable) failed(seq poll.Seq, e kernel.Failure) kernel.Topic {
	if inf.inspector.seq != seq {
		return 0
	}
	inf.inspector.err = e.Err
	return kernel.TopicInspector
}

// refreshInspector reads the inspected card again.
func (inf *InfoTable) refreshInspector(now time.Time) {
	if inf.inspector.card != "" && poll.Reached(now, inf.inspector.due) {
		inf.Wants = append(inf.Wants, inf.reinspect()...)
	}
}

// FetchSummary reads one card's summary. Ahead says that it is not waited for
// yet, Limit that it is read for the card's limit, Campaign for the metadata that
// tells its campaign.
type FetchSummary struct {
	Seq                    poll.Seq
	Card                   api.CardID
	Ahead, Limit, Campaign bool
	// Row is the key of the row of a plan that waits for it; empty for none.
	Row api.IdempotencyKey
}

func (FetchSummary) Effect() {}

// Read returns the effect that reads a card now. Its answer counts as one of the latest:
// who runs it applies that.
func (inf *InfoTable) Read(id api.CardID) FetchSummary {
	return FetchSummary{Seq: inf.NextSeq(), Card: id}
}

// Cost is counted with the card screen, or with what it is read for.
func (f FetchSummary) Cost() kernel.Cost {
	switch {
	case f.Row != "":
		return kernel.Cost{Priority: budget.Bulk, Lane: lang.N("writes")}
	case f.Campaign:
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("spending")}
	case f.Limit:
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("limits")}
	case f.Ahead:
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("inspector")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("inspector")}
}

func (f FetchSummary) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	summary, err := on.API.GetCard(ctx, f.Card)
	return SummaryLoaded{FetchSummary: f, Meta: on.Over(), Summary: summary}, err
}

// Label is what the user waits for.
func (FetchSummary) Label(asked bool) string { return readingCard(asked) }

// FetchCardTransactions reads one card's latest transactions.
type FetchCardTransactions struct {
	Seq  poll.Seq
	Card api.CardID
}

func (FetchCardTransactions) Effect() {}

// Cost is counted with the card screen.
func (FetchCardTransactions) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("inspector")}
}

func (f FetchCardTransactions) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListTransactions(ctx, api.ListTransactionsOptions{CardID: f.Card, PerPage: api.MaxPerPage})
	return CardTransactionsLoaded{FetchCardTransactions: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

// Label is what the user waits for.
func (FetchCardTransactions) Label(asked bool) string { return readingCard(asked) }

// readingCard is empty where the inspected card is read again by itself.
func readingCard(asked bool) string {
	if !asked {
		return ""
	}
	return lang.N("reading the card")
}

// SummaryLoaded is one card's summary.
type SummaryLoaded struct {
	FetchSummary
	kernel.Meta
	Summary api.CardSummary
}

// CardTransactionsLoaded is one card's latest transactions.
type CardTransactionsLoaded struct {
	FetchCardTransactions
	kernel.Meta
	Items []api.Transaction
	// More reports whether there may be older ones.
	More bool
}

// answers holds what the API says of a card only in answers to writes:
// its categories and automatic freeze cannot be read back.
type answers map[api.CardID]answered

func (b *answers) set(c api.Card, seq poll.Seq) {
	if *b == nil || len(*b) >= settingsKept {
		*b = make(answers)
	}
	(*b)[c.ID] = answered{c, seq}
}

// answered is a card as an answer to a write said, and when in the order of
// requests.
type answered struct {
	api.Card
	seq poll.Seq
}

// settingsKept bounds how many cards' settings are held.
const settingsKept = 4096

// Known is what is known of a card's settings. What the API has not said is
// nil: it can be changed all the same.
type Known struct {
	Label api.Text
	// Limit is USD a month, AutoFreeze USD, 0 for never.
	Limit, AutoFreeze *api.USD
	Categories        *[]api.Text
	Metadata          api.Metadata
}

const (
	// restBefore is how long the cursor rests on a card before its summary is
	// read ahead, summaryFresh how long a summary needs no reading again.
	restBefore   = 250 * time.Millisecond
	summaryFresh = time.Minute
	// summariesKept bounds how many summaries are held.
	summariesKept = 64
)

// selectedCard is the card under the cursor.
type selectedCard struct {
	card api.CardID
	due  time.Time // when its summary is read; zero for not
}

// summaries holds the summaries read lately.
type summaries map[api.CardID]summary

type summary struct {
	api.CardSummary
	at  time.Time
	seq poll.Seq
}

// Card is the inspected card; empty for none.
func (inf *InfoTable) Card() api.CardID { return inf.inspector.card }

// ReadErr is why the inspected card could not be read; nil when it was.
func (inf *InfoTable) ReadErr() error { return inf.inspector.err }

// Transactions are those in the inspected card's own list.
func (inf *InfoTable) Transactions() []api.Transaction { return inf.inspector.txns }

// Paging returns how far the transactions of the inspected card were read back, and
// whether the first of them were read.
func (inf *InfoTable) Paging(card api.CardID) (p *txnlist.Paging, begun bool) {
	in := &inf.inspector
	return &in.past, in.card == card && in.txnsIn
}

// AddOlder adds a page of the inspected card's past.
func (inf *InfoTable) AddOlder(items []api.Transaction) {
	inf.inspector.txns = txnlist.Merge(inf.inspector.txns, txnlist.NewestFirst(items))
}

// summaryOf returns the summary of a card that was read last; false for none.
func (inf *InfoTable) summaryOf(card api.CardID) (summary, bool) {
	sum, ok := inf.summaries[card]
	return sum, ok
}

// wakes calls at with the times at which the table has something to do.
func (inf *InfoTable) wakes(at func(time.Time)) {
	at(inf.selected.due)
	at(inf.inspector.due)
}

// AddTrimmed adds what the feed dropped to the inspected card.
func (inf *InfoTable) AddTrimmed(gone []api.Transaction) { inf.inspector.addTrimmed(gone) }

// Expiry is when a card expires; zero where it was not read.
func (inf *InfoTable) Expiry(card api.CardID) time.Time {
	m, _, _ := inf.Summary(card)
	return m.ExpiresAt
}
