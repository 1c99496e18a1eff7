package state

import (
	"cmp"
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/wallets"
)

// SpendTable adds up what was spent, held and declined, by card, campaign, BIN,
// merchant, day and hour.
type SpendTable struct {
	*kernel.Core
	history  *HistoryTable
	cards    *CardsTable
	wallet   *wallets.Table
	poll     *kernel.Lanes
	others   *OthersTable
	ledger   *ledger.Ledger
	burns    *ledger.Burns
	balances campaign.Balances
	pace     pace
	past     pastReading
	kept     daysKept
	rule     campaign.Rule
	text     string         // of the rule
	named    campaign.Named // where metadata tells campaigns
	// told is the version of the cards that the ledger was told of, added the one
	// that balances is of.
	told, added uint64
	changed     bool // by what was read since the last update
	// declines are those that were read, with why they were.
	declines decline.Log
	facts    decline.Facts // of the one that is explained; reused
	// reading are those that are read in full without anybody opening them.
	reading declineReading
	// listed reports whether they were explained by the list of all cards.
	listed bool
}

// newSpendTable makes an empty table of one that refers to others.
func newSpendTable(sp SpendTable) *SpendTable {
	sp.ledger = ledger.New()
	sp.burns = ledger.NewBurns(sp.ledger, sp.spends)
	sp.reload()
	return &sp
}

// Spent24h returns what was spent on all cards in ledger.Last24h, USD. Complete reports whether all of it was read, and nothing of it was in another currency.
func (sp *SpendTable) Spent24h() (spent api.USD, complete bool) {
	sum := sp.ledger.Total(ledger.Account(), ledger.Last24h)
	return sum.Spent(), sum.Coverage.Complete && sum.Foreign == 0
}

// begin24h is when these 24 hours begin.
func (sp *SpendTable) begin24h() time.Time { return sp.ledger.Begin(ledger.Last24h) }

// Read24h reports whether all transactions of these 24 hours were read.
func (sp *SpendTable) Read24h() bool { return sp.ledger.Coverage(ledger.Last24h).Complete }

// spends reports whether a card can spend its balance.
func (sp *SpendTable) spends(id api.CardID) bool {
	card := sp.cards.get(id)
	return card != nil && card.Shown() == api.CardActive
}

// Ledger returns the sums. They are read only, and change with the store.
func (sp *SpendTable) Ledger() *ledger.Ledger { return sp.ledger }

// Campaign returns the campaign of a card with a label; empty for none, and while the
// metadata that tells it was not read.
func (sp *SpendTable) Campaign(id api.CardID, label api.Text) string {
	if sp.rule.ByMetadata() {
		return sp.named.Of(id)
	}
	return sp.rule.Of(label, nil)
}

// suggestFrom is of how many cards the labels are looked at for a pattern.
const suggestFrom = 1000

// SuggestCampaign returns the pattern of campaigns that labels show, where the default was not changed and does not fit
// them; empty otherwise.
func (sp *SpendTable) SuggestCampaign() string {
	if sp.text != "" && sp.text != campaign.Default {
		return ""
	}
	cards := sp.cards.All()
	labels := make([]api.Text, min(cards.Len(), suggestFrom))
	for i := range labels {
		labels[i] = cards.Row(i).Label
	}
	if found := campaign.Suggest(labels); found != campaign.Default {
		return found
	}
	return ""
}

// learn takes over what an answer says of a card's metadata. The answer changes the
// card in the list as well: whoever shows it looks again.
func (sp *SpendTable) learn(id api.CardID, metadata api.Metadata) {
	if sp.rule.ByMetadata() {
		sp.named.Set(id, sp.rule.Of("", metadata))
	}
}

// keepCampaigns adds to what the next run recalls which campaigns the metadata told, and
// recallCampaigns takes over those of an earlier run by the same rule: to read the
// metadata of all cards again takes a request each.
func (sp *SpendTable) keepCampaigns(snap *Snapshot) {
	if sp.rule.ByMetadata() {
		snap.CampaignRule, snap.Campaigns = sp.text, sp.named.All()
	}
}

func (sp *SpendTable) recallCampaigns(snap *Snapshot) {
	if sp.rule.ByMetadata() && snap.CampaignRule == sp.text {
		sp.named.Recall(snap.Campaigns)
	}
}

// onCards is what the cards hold.
func (sp *SpendTable) onCards() *campaign.Balances {
	changed, version, known := sp.cards.Changes(sp.added)
	sp.added = version
	all := sp.cards.All()
	set := func(i int) {
		r := all.Row(i)
		balance := r.Balance
		if r.Status() == api.CardTerminated {
			balance = 0
		}
		sp.balances.Set(i, sp.Campaign(r.ID, r.Label), balance, r.Shown() == api.CardActive)
	}
	if known {
		for _, i := range changed {
			set(int(i))
		}
		return &sp.balances
	}
	sp.balances.Reset()
	for i := range all.Len() {
		set(i)
	}
	return &sp.balances
}

// ActiveCards is how many cards are active: of the list, where an expired card is none. Until all of
// it was read it is what the wallet says, which may count those as well; false where it does not.
func (sp *SpendTable) ActiveCards() (int, bool) {
	if _, complete := sp.cards.Total(); complete {
		return sp.onCards().Cards(), true
	}
	if w, ok := sp.wallet.Balance(); ok && w.CardsActive != nil {
		return *w.CardsActive, true
	}
	return 0, false
}

// reload takes over another rule for campaigns.
func (sp *SpendTable) reload() {
	if sp.text == sp.Cfg.Campaign {
		return
	}
	// The configuration was checked: what is no rule tells no campaign.
	sp.rule, _ = campaign.Parse(sp.Cfg.Campaign)
	sp.text, sp.told, sp.added, sp.named = sp.Cfg.Campaign, 0, 0, campaign.Named{}
}

// add adds transactions, whatever they were read for. The ledger is told of the
// cards that have any: most of 100,000 have none, and would take their memory.
func (sp *SpendTable) add(page []api.Transaction) {
	for i := range page {
		sp.tellNew(page[i].CardID)
	}
	before := sp.ledger.Version()
	sp.ledger.Add(sp.ServerNow(), page)
	sp.changed = sp.changed || sp.ledger.Version() != before
}

// spread writes what cards spent in 24 hours, and when they were used, into their rows, where it changed.
func (sp *SpendTable) spread() (changed bool) {
	sp.ledger.EachMoved(func(id api.CardID) {
		if r := sp.cards.find(id); r != nil {
			changed = sp.write(r) || changed
		}
	})
	return changed
}

// write writes what a card spent in 24 hours, and when it was used last, into its row. An
// earlier run may have read of a later use.
func (sp *SpendTable) write(r *cardlist.Row) (changed bool) {
	before := *r
	r.Spent, r.Used = sp.ledger.Spent24h(r.ID), max(r.Used, cardlist.StampOf(sp.ledger.Used(r.ID)))
	return *r != before
}

// tellNew tells the ledger of a card that it does not have yet.
func (sp *SpendTable) tellNew(id api.CardID) {
	if r := sp.cards.get(id); r != nil && !sp.ledger.Holds(id) {
		sp.tell(r)
	}
}

// tell tells the ledger the BIN and the campaign of a card, and whether it is terminated.
func (sp *SpendTable) tell(r *cardlist.Row) {
	sp.ledger.Describe(r.ID, r.BIN(), sp.Campaign(r.ID, r.Label))
	sp.ledger.End(r.ID, r.Status() == api.CardTerminated)
}

// cover records that all transactions of a span were read; to is included. No figure is another when only the
// time went on.
func (sp *SpendTable) cover(from, to time.Time) {
	before := sp.ledger.ReadBack()
	sp.ledger.Cover(from, to)
	sp.changed = sp.changed || !sp.ledger.ReadBack().Equal(before)
}

// update tells the ledger of cards that changed, and of the time, and returns what changed since the last
// call.
func (sp *SpendTable) update(topics kernel.Topic) (changed kernel.Topic) {
	before := sp.ledger.Version()
	sp.ledger.Advance(sp.ServerNow())
	if topics&kernel.TopicCards != 0 {
		sp.describe()
	}
	if sp.spread() {
		changed |= kernel.TopicCards
	}
	if sp.changed || sp.ledger.Version() != before {
		sp.changed = false
		changed |= kernel.TopicSpend
	}
	return changed
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

const (
	// declineRecent is how long after a decline what is read tells about it: the card's
	// settings and what it held are not known of the past.
	declineRecent = 10 * time.Minute
	// declinePolled is how long after a decline every lane was polled, if nothing
	// slows it.
	declinePolled = 2 * time.Minute
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

// DeclineReason is why the API says that a transaction was declined, where it was read in full;
// empty where that is not known.
func (sp *SpendTable) DeclineReason(id api.TransactionID) string {
	if e := sp.declines.Get(id); e != nil {
		for _, reason := range e.Reasons() {
			return string(reason)
		}
	}
	return ""
}

// Storm returns the storm of retries that a decline is part of; nil for none.
func (sp *SpendTable) Storm(id api.TransactionID) *decline.Storm { return sp.declines.Storm(id) }

// addDeclines says why the declines of a page were, and tells the ledger of all of
// them, which may have been read before.
func (s *Store) addDeclines(page []api.Transaction) kernel.Topic {
	var topics kernel.Topic
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
// the recent ones, and the one that is looked at. A poll that brought nothing new
// tells about those that were made just before it.
func (s *Store) explainLately(changed kernel.Topic) kernel.Topic {
	newer, most := declineRecent, declinesRecent
	_, listed := s.Cards.Total()
	switch known := listed && !s.Spend.listed; {
	case changed&kernel.TopicBINs != 0, known: // A maximum tells about old declines as well, and so does that a card is terminated.
		newer, most, s.Spend.listed = ledger.Last30d.Span(), math.MaxInt, listed
	case changed&(kernel.TopicCards|kernel.TopicCodes|kernel.TopicInspector|kernel.TopicFeed) != 0:
	case changed&kernel.TopicHealth != 0:
		newer = declinePolled
	default:
		return 0
	}
	var topics kernel.Topic
	for e := range s.Spend.declines.Since(s.ServerNow().Add(-newer)) {
		if most--; most < 0 {
			break
		}
		if !e.Sure() {
			topics |= s.explainDecline(e)
		}
	}
	if e := s.Spend.declines.Get(s.Txns.Inspected()); e != nil {
		topics |= s.explainDecline(e)
	}
	return topics
}

func (s *Store) recent(e *decline.Explained) bool { return s.since(e) <= declineRecent }

// since is how long ago a transaction was declined.
func (s *Store) since(e *decline.Explained) time.Duration { return s.ServerNow().Sub(e.Row.CreatedAt) }

// explainDecline says why a transaction was declined, by what is known now.
func (s *Store) explainDecline(e *decline.Explained) kernel.Topic {
	f, before := &s.Spend.facts, e.Answer
	s.declineFacts(f, e)
	e.Explain(s.Lang, f)
	if e.Answer.Confidence == decline.NotKnown {
		if a, ok := s.Spend.declines.FromStorm(s.Lang, e.Row.ID, f); ok {
			e.Answer = a
		}
	}
	if a := &e.Answer; a.Confidence == decline.Stated && a.Cause == decline.MonthlyLimit && s.recent(e) && !s.Limits.ReadSince(e.Row.CardID, f.At) {
		s.Limits.want(e.Row.CardID)
	}
	if e.Answer == before {
		return 0
	}
	s.Spend.ledger.Explain(e.Row.ID, e.Answer.Cause)
	return kernel.TopicFeed | s.Alerts.Explained(e)
}

// declineFacts sets what is known about the time of a decline.
func (s *Store) declineFacts(f *decline.Facts, e *decline.Explained) {
	t := &e.Row
	*f = decline.Facts{At: t.CreatedAt, Amount: max(t.Amount, -t.Amount), Foreign: !t.InUSD(), Merchant: t.Merchant, BalanceAfter: t.BalanceAfter}
	if full, ok := s.Txns.Detail(t.ID); ok {
		f.DetailRead, f.Reasons, f.ThreeDS = true, full.Reasons(), full.ThreeDSStatus
		f.Merchant.MCC = cmp.Or(f.Merchant.MCC, full.MCC)
	}
	f.Challenges = s.Codes.About(t)
	row := s.Cards.get(t.CardID)
	if row == nil {
		return
	}
	f.Expires = row.Expires.Time()
	now := row.Status()
	if !readAfter(s.Core, row, f.At) {
		now = ""
	}
	f.Before, f.After, f.EarlierRun = s.History.statusAt(row.ID, f.At, now, s.Begun, s.Clock.Server)
	f.Ended = row.Status() == api.CardTerminated &&
		!s.Spend.ledger.Paid(row.ID, f.At) && !s.History.endedAfter(row.ID, f.At, s.Clock.Server)
	if bin, ok := s.BINs.Get(row.BIN()); ok {
		f.BINMaximum, f.BINMonthly = bin.MaxTransaction, bin.MaxMonthly
	}
	f.Updated = s.History.updatedBefore(row.ID, f.At, s.Clock.Server)
	limit, updated := s.History.updatedSince(row.ID, f.At, s.Clock.Server)
	if !updated {
		limit = s.Info.Settings(row.ID).Limit
	}
	if s.recent(e) {
		s.presentFacts(f, row, updated)
	}
	s.limitFacts(f, row, limit, s.recent(e))
	f.LimitLater = f.LimitLater || updated
}

// limitFacts are the limit that a card had at the time of a decline, as far as that is known, and what was used of it.
// A limit that was read later may have been another then: they are seldom changed.
func (s *Store) limitFacts(f *decline.Facts, row *cardlist.Row, limit *api.USD, recent bool) {
	if recent {
		f.Limit, f.LimitLater = limit, s.Limits.readAfter(row.ID, f.At)
	}
	m := &s.Limits.month
	if !m.on || f.At.Before(m.start) {
		return
	}
	since := s.Txns.SpentSince(row.ID, f.At)
	if !recent {
		from := s.Spend.ledger.Coverage(ledger.Last30d).Since
		if from.IsZero() || f.At.Before(from) {
			return
		}
		since = s.Spend.ledger.SpentSince(row.ID, f.At)
		f.Limit, f.LimitLater = limit, true
	}
	f.Month, f.MonthRead = m.sums[row.ID]-since, s.Limits.MonthWhole(row.ID)
}

// presentFacts are those that are known of the present only, and so of a decline that
// was made just now. What was changed from here since is not taken for what was so.
func (s *Store) presentFacts(f *decline.Facts, row *cardlist.Row, updated bool) {
	if before, after := s.statusAbout(row, f.At); before != "" || after != "" {
		if before != "" {
			f.Before, f.EarlierRun = before, false
		}
		f.After = cmp.Or(after, f.After)
	}
	f.Held = s.Spend.Funds(row.ID).Held
	f.Held.USD = max(0, f.Held.USD-s.Txns.HeldSince(row.ID, f.At))
	if known := s.Info.Settings(row.ID); !updated && known.Categories != nil {
		f.Categories, f.CategoriesKnown = *known.Categories, true
	}
}

// readAfter reports whether what the list has of a card was read after a time, on the server's clock.
func readAfter(c *kernel.Core, row *cardlist.Row, at time.Time) bool {
	return !row.Cached && c.Clock.Server(row.Read.Time()).After(at)
}

// statusAbout returns the statuses of a card that were read last before a time on the
// server's clock and first after it; empty for none.
func (s *Store) statusAbout(row *cardlist.Row, at time.Time) (before, after api.CardStatus) {
	var first StatusChange
	for _, changes := range [...][]StatusChange{s.Cards.changesOf(row.ID, at), s.History.statusChanges(row.ID, at, s.Clock.Server)} {
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
	switch {
	case row.Cached: // Nobody knows when it was read.
		return "", ""
	case !readAfter(s.Core, row, at):
		return now, ""
	}
	if !s.Txns.During(at) {
		return "", now
	}
	return now, now
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

// DeclinesByBIN counts what the cards of each BIN were asked to pay over a range.
func (sp *SpendTable) DeclinesByBIN(over ledger.Range) map[api.BINID]bins.Declines {
	out := make(map[api.BINID]bins.Declines)
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
