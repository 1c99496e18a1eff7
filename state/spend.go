package state

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
)

// SpendTable adds up what was spent, held and declined, by card, campaign, BIN,
// merchant, day and hour.
type SpendTable struct {
	*core
	cards  *CardsTable
	wallet *WalletTable
	poll   *PollTable
	ledger *ledger.Ledger
	past   pastReading
	kept   daysKept
	rule   campaign.Rule
	text   string // of the rule
	told   uint64 // the version of the cards that the ledger was told of
	// declines are those that were read, with why they were.
	declines decline.Log
}

// Ledger returns the sums. They are read only, and change with the store.
func (sp *SpendTable) Ledger() *ledger.Ledger { return sp.ledger }

// Campaign returns the campaign of a card with a label; empty for none.
func (sp *SpendTable) Campaign(label api.Text) string { return sp.rule.Of(label, nil) }

// Burn returns how fast a scope spends; false while that is not known, and where
// too little was spent in the last day.
func (sp *SpendTable) Burn(scope ledger.Scope) (burn.Burn, bool) {
	trace := sp.ledger.Trace(scope)
	if week, first, ok := sp.ledger.Week(scope); ok {
		if shape, ok := burn.ShapeOf(&week, first); ok {
			trace.Shape = &shape
		}
	}
	return burn.Of(&trace)
}

// CardRunway returns how long the balance of an active card lasts; false while
// that is not known, and where too little was spent in the last day.
func (sp *SpendTable) CardRunway(id api.CardID) (burn.Runway, bool) {
	card := sp.cards.get(id)
	if card == nil || card.Status() != api.CardActive {
		return burn.Runway{}, false
	}
	return sp.runway(ledger.OfCard(id), card.Balance)
}

// CampaignRunway returns how long the balances of the active cards of a campaign
// last; false as of a card.
func (sp *SpendTable) CampaignRunway(name string) (burn.Runway, bool) {
	balance := sp.balances(func(card *cardlist.Row) bool {
		return card.Status() == api.CardActive && sp.Campaign(card.Label) == name
	})
	return sp.runway(ledger.Scope{By: ledger.ByCampaign, Name: name}, balance)
}

// WalletRunway returns how long the wallet lasts with what can be withdrawn from
// cards; false as of a card, and while the wallet is not known.
func (sp *SpendTable) WalletRunway() (burn.Runway, bool) {
	wallet, ok := sp.wallet.Balance()
	if !ok {
		return burn.Runway{}, false
	}
	balance := sp.balances(func(card *cardlist.Row) bool { return card.Status() != api.CardTerminated })
	return sp.runway(ledger.Account(), wallet.Balance+balance)
}

// balances adds up the balances of cards, USD.
func (sp *SpendTable) balances(counts func(*cardlist.Row) bool) (sum api.USD) {
	for _, card := range sp.cards.rows() {
		if counts(card) {
			sum += card.Balance
		}
	}
	return sum
}

// runway returns how long a balance lasts (USD), of which a part is held.
func (sp *SpendTable) runway(scope ledger.Scope, balance api.USD) (burn.Runway, bool) {
	b, ok := sp.Burn(scope)
	if !ok {
		return burn.Runway{}, false
	}
	return b.Runway(balance - sp.ledger.Total(scope, ledger.Last30d).Open), true
}

// reload takes over another rule for campaigns.
func (sp *SpendTable) reload() {
	if sp.text == sp.cfg.Campaign {
		return
	}
	// The configuration was checked: what is no rule tells no campaign.
	sp.rule, _ = campaign.Parse(sp.cfg.Campaign)
	sp.text, sp.told = sp.cfg.Campaign, 0
}

// add adds transactions, whatever they were read for. The ledger is told of the
// cards that have any: most of 100,000 have none, and would take their memory.
func (sp *SpendTable) add(page []api.Transaction) {
	for i := range page {
		sp.tellNew(page[i].CardID)
	}
	sp.ledger.Add(sp.ServerNow(), page)
}

// tellNew tells the ledger of a card that it does not have yet.
func (sp *SpendTable) tellNew(id api.CardID) {
	if r := sp.cards.get(id); r != nil && !sp.ledger.Holds(id) {
		sp.tell(r)
	}
}

// tell tells the ledger the BIN and the campaign of a card.
func (sp *SpendTable) tell(r *cardlist.Row) {
	sp.ledger.Describe(r.ID, r.BIN(), sp.Campaign(r.Label))
}

// cover records that all transactions of a span were read; to is included.
func (sp *SpendTable) cover(from, to time.Time) { sp.ledger.Cover(from, to) }

// update tells the ledger of cards that changed, and of the time.
func (sp *SpendTable) update(topics Topic) Topic {
	before := sp.ledger.Version()
	sp.ledger.Advance(sp.ServerNow())
	if topics&TopicCards != 0 {
		sp.describe()
	}
	if sp.ledger.Version() == before {
		return 0
	}
	return TopicSpend
}

// describe tells the ledger of its cards that are new in the list or have another
// label.
func (sp *SpendTable) describe() {
	changed, version, known := sp.cards.Changes(sp.told)
	sp.told = version
	all := sp.cards.All()
	tell := func(i int) {
		if r := all.Row(i); sp.ledger.Holds(r.ID) {
			sp.tell(r)
		}
	}
	if !known {
		for i := range all.Len() {
			tell(i)
		}
		return
	}
	for _, i := range changed {
		tell(int(i))
	}
}

// pastReading reads in the background what the ledger lacks of its days.
type pastReading struct {
	plan  ledger.Backfill
	quota poll.Quota
	due   time.Time
	asked Seq
}

const (
	// pastEvery is the pause between two requests for the past while the hour has
	// some left.
	pastEvery = time.Second
	// pastAgain is the pause after a request that failed, pastIdle the one when
	// there is nothing to read.
	pastAgain = 30 * time.Second
	pastIdle  = time.Minute
)

// FetchSpend reads a page of the past for the ledger: what was made from From to To
// (UTC, both included), newest first.
type FetchSpend struct {
	Seq      Seq
	From, To time.Time
	Page     int
}

func (FetchSpend) effect() {}

// Cost has a line of its own.
func (FetchSpend) Cost() Cost { return Cost{Priority: budget.Low, Lane: "spending"} }

func (f FetchSpend) failed(s *Store, e failure) Topic {
	r := &s.Spend.past
	if f.Seq != r.asked {
		return 0
	}
	r.asked = 0
	if refusesRequest(e.err) {
		r.plan.Refused(f.listed())
		return 0
	}
	r.due = e.at.Add(max(e.wait, pastAgain))
	return 0
}

// listed is the page in the terms of the ledger.
func (f FetchSpend) listed() ledger.Page {
	return ledger.Page{Span: ledger.Span{From: f.From, To: f.To}, Number: f.Page}
}

// SpendLoaded is a page of the past. More says that it was full.
type SpendLoaded struct {
	FetchSpend
	Meta
	Items []api.Transaction
	More  bool
}

func (ev SpendLoaded) transactions() []api.Transaction { return ev.Items }

func (ev SpendLoaded) apply(s *Store) (Topic, []Effect) {
	r := &s.Spend.past
	if ev.Seq != r.asked {
		return 0, nil
	}
	r.asked = 0
	if whole, ok := r.plan.Loaded(ev.listed(), ev.Items, ev.More); ok {
		s.Spend.cover(whole.From, whole.To)
	}
	return 0, nil
}

// readPast requests the next page of what the ledger lacks when it is due. What the
// feed reads by itself is left to it.
func (sp *SpendTable) readPast(now time.Time) {
	r := &sp.past
	if sp.cfg.Only != nil || sp.cfg.SpendHourly == 0 || sp.kept.loading || !sp.poll.Done(LaneHistory) {
		r.due = time.Time{}
		return
	}
	if r.asked != 0 || !poll.Reached(now, r.due) {
		return
	}
	until := sp.ServerNow()
	if known := sp.ledger.Known(); len(known) > 0 {
		until = known[len(known)-1].To
	}
	page, ok := r.plan.Next(sp.ledger, until)
	if !ok {
		r.due = now.Add(pastIdle)
		return
	}
	if free, ok := r.quota.Take(now, sp.cfg.SpendHourly); !ok {
		r.due = free
		return
	}
	r.due = now.Add(sp.pastPause())
	r.asked = sp.nextSeq()
	sp.wants = append(sp.wants, FetchSpend{Seq: r.asked, From: page.From, To: page.To, Page: page.Number})
}

// pastPause is longer while the terminal is unfocused, and while requests are throttled.
func (sp *SpendTable) pastPause() time.Duration {
	pause := pastEvery
	if sp.poll.Attention() == Unfocused {
		pause *= 4
	}
	return time.Duration(float64(pause) * sp.poll.Throttle(LaneSweep))
}

// wakes calls at with the times at which the table has something to do.
func (sp *SpendTable) wakes(at func(time.Time)) {
	if sp.past.asked == 0 {
		at(sp.past.due)
	}
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

const (
	// keepEvery is the pause between two writes, keepAgain the one after a write
	// that failed.
	keepEvery = time.Minute
	keepAgain = 10 * time.Minute
)

// recallDays requests the days that earlier runs kept.
func (sp *SpendTable) recallDays() []Effect {
	if !sp.cfg.KeepDays {
		return nil
	}
	sp.kept.loading = true
	return []Effect{LoadDays{}}
}

// keepDays requests that days are written when some have changed.
func (sp *SpendTable) keepDays(now time.Time) {
	k := &sp.kept
	if !sp.cfg.KeepDays || k.loading || k.saving || k.version == sp.ledger.Version() || !poll.Reached(now, k.due) {
		return
	}
	k.due, k.version = now.Add(keepEvery), sp.ledger.Version()
	if e, ok := sp.Unsaved(); ok {
		k.saving = true
		sp.wants = append(sp.wants, e)
	}
}

// Unsaved is the effect that writes the days that are not on disk as they are; false
// when all are.
func (sp *SpendTable) Unsaved() (SaveDays, bool) {
	if !sp.cfg.KeepDays || sp.kept.loading {
		return SaveDays{}, false
	}
	days, versions := sp.kept.Changed(sp.ledger)
	return SaveDays{Days: days, Versions: versions}, len(days) > 0
}

// LoadDays reads more of the days that earlier runs kept.
type LoadDays struct{}

func (LoadDays) effect() {}

// DaysLoaded are days that earlier runs kept; More reports whether others follow.
// What cannot be read is left out: the API has it.
type DaysLoaded struct {
	Meta
	Days []ledger.Closed
	More bool
}

func (ev DaysLoaded) apply(s *Store) (Topic, []Effect) {
	sp := s.Spend
	if !sp.kept.loading {
		return 0, nil
	}
	for i := range ev.Days {
		for _, id := range ev.Days[i].Cards {
			sp.tellNew(id)
		}
	}
	sp.kept.Restore(sp.ledger, sp.ServerNow(), ev.Days...)
	if ev.More {
		return 0, []Effect{LoadDays{}}
	}
	sp.kept.loading = false
	return 0, nil
}

// SaveDays writes days to disk.
type SaveDays struct {
	Days     []ledger.Closed
	Versions []ledger.DayVersion
}

func (SaveDays) effect() {}

// DaysSaved confirms that days were written, or says why not.
type DaysSaved struct {
	Meta
	Versions []ledger.DayVersion
	Err      error
}

func (ev DaysSaved) apply(s *Store) (Topic, []Effect) {
	k := &s.Spend.kept
	k.saving = false
	if ev.Err == nil {
		k.Saved(ev.Versions...)
		k.failing = false
		return 0, nil
	}
	k.due, k.version = ev.At.Add(keepAgain), 0
	if k.failing {
		return 0, nil
	}
	k.failing = true
	s.Notices.say(Warn, "the next start will read the spending of past days again: "+ev.Err.Error())
	return TopicNotice, nil
}

const (
	// declineRecent is how long after a decline what is read tells about it: the card's
	// settings and what it held are not known of the past.
	declineRecent = 10 * time.Minute
	// declinesRecent bounds how many are explained again with what was read since.
	declinesRecent = 100
)

// Decline returns why a transaction was declined, as far as that is known; false when
// it is none, or one of so long ago that it is not held.
func (sp *SpendTable) Decline(id api.TransactionID) (decline.Answer, bool) {
	if e := sp.declines.Get(id); e != nil {
		return e.Answer, true
	}
	return decline.Answer{}, false
}

// Storm returns the storm of retries that a decline is part of; nil for none.
func (sp *SpendTable) Storm(id api.TransactionID) *decline.Storm { return sp.declines.Storm(id) }

// addDeclines says why the declines of a page were, and tells the ledger of all of
// them, which may have been read before.
func (s *Store) addDeclines(page []api.Transaction) Topic {
	var topics Topic
	for _, e := range s.Spend.declines.Add(page) {
		topics |= s.explainDecline(e)
	}
	for i := range page {
		if e := s.Spend.declines.Get(page[i].ID); e != nil {
			s.Spend.ledger.Explain(e.Row.ID, e.Answer.Cause)
		}
	}
	return topics
}

// explainLately explains those declines again that what has changed may tell about:
// the recent ones, and the one that is looked at.
func (s *Store) explainLately(changed Topic) Topic {
	if changed&(TopicCards|TopicCodes|TopicInspector|TopicBINs|TopicFeed|TopicHealth) == 0 {
		return 0
	}
	var topics Topic
	for _, e := range s.Spend.declines.Latest(declinesRecent) {
		if s.recent(e) && e.Answer.Confidence < decline.Certain {
			topics |= s.explainDecline(e)
		}
	}
	if e := s.Spend.declines.Get(s.Txns.detail.id); e != nil {
		topics |= s.explainDecline(e)
	}
	return topics
}

func (s *Store) recent(e *decline.Explained) bool {
	return s.ServerNow().Sub(e.Row.CreatedAt) <= declineRecent
}

// explainDecline says why a transaction was declined, by what is known now.
func (s *Store) explainDecline(e *decline.Explained) Topic {
	if !e.Explain(s.declineFacts(e)) {
		return 0
	}
	s.Spend.ledger.Explain(e.Row.ID, e.Answer.Cause)
	return TopicFeed | s.Alerts.explained(e)
}

// declineFacts are what is known about the time of a decline.
func (s *Store) declineFacts(e *decline.Explained) *decline.Facts {
	t := &e.Row
	f := &decline.Facts{At: t.CreatedAt, Amount: max(t.Amount, -t.Amount), Merchant: t.Merchant, BalanceAfter: t.BalanceAfter}
	if full, ok := s.Txns.detail.read[t.ID]; ok {
		f.DetailRead, f.Reason = true, full.Reason()
		f.Merchant.MCC = cmp.Or(f.Merchant.MCC, full.MCC)
	}
	if sum, ok := s.Info.summaryOf(t.CardID); ok {
		f.Expires = sum.ExpiresAt
	}
	f.Challenges, f.ChallengesRead = s.Codes.challengesAbout(t)
	row := s.Cards.get(t.CardID)
	if row == nil {
		return f
	}
	if bin, ok := s.BINs.Get(row.BIN()); ok {
		f.BINMaximum = bin.MaxTransaction
	}
	if s.recent(e) {
		s.presentFacts(f, row)
	}
	return f
}

// presentFacts are those that are known of the present only, and so of a decline that
// was made just now. What was changed from here since is not taken for what was so.
func (s *Store) presentFacts(f *decline.Facts, row *cardlist.Row) {
	f.Before, f.After = s.statusAbout(row, f.At)
	if s.changedSince(row.ID, f.At) {
		return
	}
	known := s.Info.Settings(row.ID)
	if f.Limit = known.Limit; f.Limit == nil && row.Limit > 0 {
		limit := row.Limit
		f.Limit = &limit
	}
	if known.Categories != nil {
		f.Categories, f.CategoriesKnown = *known.Categories, true
	}
	f.Held = s.Spend.ledger.Total(ledger.OfCard(row.ID), ledger.Last30d).Open
	if m := &s.Limits.month; m.on && !f.At.Before(m.start) {
		f.Month, f.MonthRead = m.sums[row.ID], s.Limits.MonthRead()
		for _, later := range s.Txns.transactionsSince(row.ID, f.At) {
			f.Month -= spent(later)
		}
	}
}

// changedSince reports whether the settings of a card were written from here after a
// time, on the server's clock.
func (s *Store) changedSince(id api.CardID, at time.Time) bool {
	for i := len(s.History.past.rows) - 1; i >= 0; i-- {
		r := &s.History.past.rows[i]
		if s.clock.Server(r.At).Before(at) {
			return false
		}
		if r.Card == id && r.Action == OpUpdate.Verb() {
			return true
		}
	}
	return false
}

// statusAbout returns the statuses of a card that were read last before a time on the
// server's clock and first after it; empty for none.
func (s *Store) statusAbout(row *cardlist.Row, at time.Time) (before, after api.CardStatus) {
	var first StatusChange
	for _, changes := range [...][]StatusChange{s.Codes.changesOf(row.ID, at), s.History.statusChanges(row.ID, at, s.clock.Server)} {
		for _, c := range changes {
			if first.At.IsZero() || c.At.Before(first.At) {
				first = c
			}
		}
	}
	if !first.At.IsZero() {
		return first.From, first.To
	}
	now := row.Status()
	if read := s.clock.Server(row.Read.Time()); row.Cached || row.Read == 0 || !read.After(at) {
		return now, ""
	}
	if !s.Txns.during(at) {
		return "", now
	}
	return now, now
}
