package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

// Tick sets the time and returns the effects that are due.
func (s *Store) Tick(now time.Time) (kernel.Topic, []kernel.Effect) {
	var topics kernel.Topic
	if s.Poll.Wake(now) {
		s.Poll.ForgetPages()
		topics = kernel.TopicAll
	}
	last := s.Time
	s.setNow(now)
	topics |= s.Cards.passExpiries() | s.Alerts.Remind(last, now)
	topics |= s.expire(now)
	topics, s.Wants = s.withFacts(topics, s.Wants)
	s.Others.share(now)
	s.Others.adoptOps(now)
	s.Bulk.findPlans(now)
	out := append([]kernel.Effect(nil), s.Wants...)
	s.Wants = s.Wants[:0]
	if !s.Started {
		s.Started, s.Begun = true, now
		s.Poll.Start(now, s.Cfg.Only)
		out = append(out, s.Insight.RecallDays()...)
		if s.Cfg.FindFundings {
			out = append(out, s.History.load()...)
		}
	}
	for _, lane := range s.Poll.Due(now) {
		out = append(out, s.fetchFor(lane, s.Poll.Follow(lane)))
	}
	out = append(out, s.BINs.ReadAhead(now)...)
	out = append(out, readTeam(s)...)
	ruled, begun := actOnRules(s)
	topics |= ruled
	out = append(out, begun...)
	changed, again := s.resend(now)
	out = append(append(out, again...), s.runBatches()...)
	topics |= changed
	topics |= s.Insight.Update(topics)
	return topics | s.Alerts.Update(topics), out
}

func (s *Store) fetchFor(lane poll.Lane, seq poll.Seq) kernel.Effect {
	switch rest := s.Poll.NextPage(lane).(type) {
	case FetchCards:
		rest.Seq = seq
		return rest
	case txns.Fetch:
		rest.Seq = seq
		return rest
	default:
	}
	switch lane {
	case poll.Codes:
		return codes.Fetch{Seq: seq, Armed: s.Poll.Armed()}
	case poll.Wallet:
		return wallets.Fetch{Seq: seq}
	case poll.Feed:
		return s.Txns.Fetch(seq)
	case poll.History:
		return s.Txns.FetchPast(seq)
	case poll.Hot:
		return FetchCards{Seq: seq, Hot: true, Page: 1}
	case poll.Sweep:
		return FetchCards{Seq: seq, Page: 1}
	default:
		return wallets.FetchDeposits{Seq: seq}
	}
}

// fail closes a lane's request and backs off.
func (s *Store) fail(lane poll.Lane, ev FetchFailed) {
	if page := kernel.PageOf(ev.Effect); page > 1 && kernel.RefusesRequest(ev.Err) {
		s.endPaging(lane, page-1, ev.Meta)
		return
	}
	s.Poll.SavePage(lane, ev.Effect)
	s.Poll.Fail(lane, poll.Failure{Sent: ev.Sent, At: ev.At, Err: ev.Err, RetryAfter: errtext.RetryAfter(ev.Err)})
}

// endPaging ends a list after the pages read so far: the next one is refused,
// as it would be on every try, and the ones before are known.
func (s *Store) endPaging(lane poll.Lane, pages int, m kernel.Meta) {
	switch lane {
	case poll.Sweep:
		s.Poll.SetPages(pages)
		s.Cards.full = true
	case poll.Feed:
		s.Txns.EndFeed(pages, m.At)
	default:
	}
	s.Poll.Answered(lane, m)
}

// NextWake returns when Tick next has something to do; zero for never.
func (s *Store) NextWake() time.Time {
	var wake time.Time
	earliest := func(t time.Time) {
		if !t.IsZero() && (wake.IsZero() || t.Before(wake)) {
			wake = t
		}
	}
	for _, wakes := range []func(func(time.Time)){
		s.Poll.NextDue, s.Others.wakes, s.Push.wakes, s.Secrets.Wakes, s.Notices.Wakes, s.Info.wakes, s.Txns.Wakes, s.Webhooks.Wakes,
		s.Past.Wakes, s.Limits.wakes, s.Insight.Wakes, s.Bulk.wakes, s.Ops.wakes, s.Rules.wakes, s.Team.Wakes,
	} {
		wakes(earliest)
	}
	return wake
}

// Reload sets the settings that may change while the store is in use.
// Durations hold for what is revealed or copied from now on.
func (s *Store) Reload(r settings.Reloadable) kernel.Topic {
	if r.Language != s.Cfg.Language {
		s.Lang = s.WordsIn(r.Language)
	}
	s.Cfg.Reloadable = r.WithDefaults()
	s.Insight.Reload()
	s.Info.eachMetadata(func(id api.CardID, m api.Metadata) { s.Insight.Learn(id, m) })
	s.Insight.Update(kernel.TopicCards)
	s.Alerts.Recheck()
	s.Bulk.validateFile()
	s.Rules.reload()
	return kernel.TopicAll
}

func (s *Store) setNow(now time.Time) {
	s.Time = now
	s.Poll.SetNow(now)
}

// Apply merges an event and returns which parts changed and what follows. Nil,
// the answer to an effect that is not run, changes nothing.
func (s *Store) Apply(ev kernel.Event) (kernel.Topic, []kernel.Effect) {
	if ev == nil {
		return 0, nil
	}
	s.applyMeta(ev.Head())
	expired := s.Cards.passExpiries()
	topics, effects := s.withFacts(s.features.Apply(ev))
	topics |= expired
	topics |= s.Poll.SayUnread(s.Notices, ev.Head().Unread)
	if read, ok := ev.(transactions); ok {
		s.Insight.Add(read.Transactions())
		s.Alerts.Changed(read.Transactions())
		topics |= s.Insight.AddDeclines(read.Transactions())
	}
	switch ev.(type) {
	case txns.Loaded, CardTransactionsLoaded, txns.OlderLoaded, txns.OneLoaded:
		s.Txns.ForgetLinks()
	default:
	}
	if s.Requests.Changed() {
		topics |= kernel.TopicRequests
	}
	topics |= s.Ops.checkLate(topics)
	topics |= s.Insight.ExplainLately(topics)
	topics, effects = s.withFacts(topics, effects)
	topics |= s.Insight.Update(topics)
	effects = append(effects, s.runBatches()...)
	return topics | s.Alerts.Update(topics), effects
}

// applyMeta merges what every answer has.
func (s *Store) applyMeta(m kernel.Meta) {
	if m.At.After(s.Time) {
		s.setNow(m.At)
	}
	if m.Budget.Hour > 0 || m.Budget.Pace > 0 {
		s.Poll.SetBudget(m.Budget)
	}
	s.Clock.Add(m.Clock)
	s.Requests.Add(m.Requests)
}

// expire ends what is over by the time, and requests what is due by it.
func (s *Store) expire(now time.Time) kernel.Topic {
	s.Info.refreshInspector(now)
	s.Wants = append(s.Wants, s.Txns.ReadDue(now)...)
	s.Insight.Tick(now)
	s.Info.readAhead(now)
	s.Privacy.FindRecording(now)
	s.Secrets.FindManagers(now)
	s.Ops.readLate(now)
	topics := followPush(s) | s.Privacy.ExpireIdle(now) | s.Codes.Tick(now) | s.Past.Expire(s.Clock.Server(now))
	return topics | s.Past.ContinueRest(now) | s.readLimits(now) | s.Secrets.Expire(now) | s.Webhooks.Expire(now) | s.Notices.Expire(now)
}

// FetchFailed is a read that brought nothing.
type FetchFailed struct {
	kernel.Meta
	Effect kernel.Effect
	Err    error
}

func (ev FetchFailed) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	if p, ok := ev.Effect.(kernel.Polled); ok {
		lane, seq := p.Lane()
		if !s.Poll.Current(lane, seq) {
			return 0, nil
		}
		s.fail(lane, ev)
		return kernel.TopicHealth | kernel.TopicAll, nil
	}
	return s.features.Failed(ev.Effect, kernel.Failure{At: ev.At, Err: ev.Err, Wait: errtext.RetryAfter(ev.Err)}), nil
}

// Deferred is a request that the request budget did not allow yet.
type Deferred struct {
	kernel.Meta
	Effect kernel.Effect
	Wait   time.Duration
}

func (ev Deferred) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	if p, ok := ev.Effect.(kernel.Polled); ok {
		if lane, seq := p.Lane(); s.Poll.Current(lane, seq) {
			s.Poll.Defer(lane, ev.Effect, ev.At, ev.Wait)
		}
		return kernel.TopicHealth, nil
	}
	return s.features.Failed(ev.Effect, kernel.Failure{At: ev.At, Err: errtext.LimitUsed(ev.Wait), Wait: ev.Wait, Deferred: true}), nil
}

func (ev UseShared) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	why := s.Others.shared(ev)
	if why == "" {
		return 0, nil
	}
	s.Notices.Say(kernel.Warn, why)
	return kernel.TopicNotice, nil
}

// snapshotRows bounds the transactions of a snapshot: some eighty screens of
// the feed, and no more, because the history is read anew at each start and
// the reading goes on from SeenTo whatever rows there are.
const snapshotRows = 2000

// Snapshot is what may be stored between runs so that the next one begins with
// a list: nothing in it opens or moves anything. Each part has the time of the
// answer it is from, on this machine's clock, zero for a part not read yet.
type Snapshot struct {
	At time.Time // when it was made

	// Cards may be the first of Total cards; the others follow as CardsRecalled.
	Cards   cardlist.List
	Total   int
	CardsAt time.Time // every card is at least as new
	// Order is the order in which the cards are worth most to the next run, by
	// their places; nil for their own.
	Order []int32

	Wallet   api.Wallet
	WalletAt time.Time

	Deposits   []api.Deposit
	DepositsAt time.Time

	// Transactions are the newest of the last 24 hours, oldest first, and need
	// not be all. SeenTo, on the server's clock, is up to where all there were
	// have been read.
	Transactions []api.Transaction
	SeenTo       time.Time
	FeedAt       time.Time

	// Campaigns are those that metadata told, by CampaignRule; empty where labels do.
	CampaignRule string
	Campaigns    []campaign.Name
}

// Snapshot returns what may be stored. It shares no memory that the store changes.
func (s *Store) Snapshot() Snapshot {
	snap := Snapshot{
		At: s.Time, Cards: s.Cards.table.Share(), Total: s.Cards.Len(), CardsAt: s.Poll.OKAt(poll.Sweep),
		Deposits: slices.Clone(s.Wallets.Deposits()), DepositsAt: s.Poll.OKAt(poll.Deposits),
	}
	if wallet, known := s.Wallets.Balance(); known {
		snap.Wallet, snap.WalletAt = wallet, s.Poll.OKAt(poll.Wallet)
	}
	if snap.Transactions, snap.SeenTo = s.Txns.Recent(snapshotRows); !snap.SeenTo.IsZero() {
		snap.FeedAt = s.Poll.OKAt(poll.Feed)
	}
	snap.CampaignRule, snap.Campaigns = s.Insight.Campaigns()
	return snap
}

// Recall begins with what an earlier run of the same account knew. It is for
// a store that has not ticked yet. Whatever this run reads counts for more:
// what is recalled is marked, moves no money, and is removed when the first complete
// sweep of the cards does not list it.
func (s *Store) Recall(snap Snapshot) {
	if s.Started {
		return
	}
	s.Poll.Restore(poll.Hot, snap.CardsAt)
	s.Poll.Restore(poll.Sweep, snap.CardsAt)
	s.Poll.Restore(poll.Wallet, snap.WalletAt)
	s.Poll.Restore(poll.Deposits, snap.DepositsAt)
	s.Poll.Restore(poll.Feed, snap.FeedAt)
	s.recallCards(&snap.Cards)
	s.Cards.table.Reset()
	if s.Cards.total = max(snap.Total, s.Cards.Len()); s.Cards.total > s.Cards.Len() {
		s.Cards.recalling = true
		s.Wants = append(s.Wants, RecallCards{})
	}
	s.Wallets.Recall(snap.Wallet, snap.Deposits, snap.WalletAt)
	s.recallFeed(snap.Transactions, snap.SeenTo)
	s.Insight.RecallCampaigns(snap.CampaignRule, snap.Campaigns)
}

// recallCards adds cards of an earlier run that this one has not read.
func (s *Store) recallCards(cards *cardlist.List) {
	defer countNew(s, s.Cards.Len())
	for i := range cards.Len() {
		r := cards.Row(i)
		if known := s.Cards.get(r.ID); known != nil {
			if r.Used > known.Used {
				s.Cards.find(r.ID).Used = r.Used
			}
			continue
		}
		s.Cards.recall(r)
	}
}

// countNew writes into the rows of cards that are new from a place on what their transactions
// add up to: these may have been read before.
func countNew(s *Store, from int) {
	for i := from; i < s.Cards.Len(); i++ {
		r := s.Cards.table.Own(i)
		s.Insight.Write(r)
		r.Month, _ = s.Limits.Month(r.ID)
	}
}

// RecallCards reads more of the cards of an earlier run from disk.
type RecallCards struct{}

func (RecallCards) Effect() {}

// CardsRecalled are more cards of an earlier run; More reports whether others
// follow.
type CardsRecalled struct {
	kernel.Meta
	Cards cardlist.List
	More  bool
}

// Apply adds what this run has not read. A complete sweep has: what it did not
// list is gone.
func (ev CardsRecalled) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	if !s.Cards.recalling {
		return 0, nil
	}
	s.recallCards(&ev.Cards)
	if ev.More {
		return kernel.TopicCards, []kernel.Effect{RecallCards{}}
	}
	s.Cards.recalling = false
	return kernel.TopicCards, nil
}

func (s *Store) recallFeed(rows []api.Transaction, readTo time.Time) {
	news := s.Txns.Recall(rows, readTo)
	s.Insight.Add(news)
	s.Insight.AddDeclines(news)
}
