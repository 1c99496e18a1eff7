// Package state is the store: what is known of the account, and what the user
// has asked for. It is pure: no I/O, no clock, no goroutine, so that all it
// decides can be replayed. It is not safe for concurrent use: one loop owns it.
//
// Intents go in: what the user wants, bound to the id it was asked for. Ask and
// Check say whether an intent can be done and what it can cost, Dispatch starts
// it. Events go in by Apply: the results of effects. The time goes in by Tick.
// Effects come out of all three: requests and other work for the engine, each
// with a sequence by which late answers are dropped.
//
// A Store is a struct of tables, each with its own methods; see Store for their
// order. An intent, an effect or an event is a type beside the table it is
// about, with its handler as a method. message.go has the interfaces of
// intents and events, core.go what the tables share and what an effect is. Read
// them in this order: store.go, core.go, message.go, then a table such as card.go
// with its card_*.go, then op.go and ops.go, which every write goes through, then
// bulk_plan.go and bulk_batch.go.
//
// What needs no table is in packages below this one: poll, cardlist, txnlist,
// txlink, rows, guard, label, copytext and errtext.
package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
)

// Store holds all tables, one for each part. The zero value is not ready; see
// New. A table refers only to those above it in this list, and uses them by their
// methods.
type Store struct {
	*core
	Requests *RequestsTable
	Notices  *NoticesTable
	Privacy  *PrivacyTable
	BINs     *BINsTable
	Views    *ViewsTable
	History  *HistoryTable
	Cards    *CardsTable
	News     *NewsTable
	Poll     *PollTable
	Wallet   *WalletTable
	Webhooks *WebhooksTable
	Limits   *LimitsTable
	Spend    *SpendTable
	Txns     *TxnsTable
	Alerts   *AlertsTable
	Info     *InfoTable
	Older    *OlderTable
	Codes    *CodesTable
	Secrets  *SecretsTable
	Clip     *ClipTable
	Ops      *OpsTable
	Commands *CommandsTable
	Bulk     *BulkTable
}

// Tick sets the time and returns the effects that are due.
func (s *Store) Tick(now time.Time) (Topic, []Effect) {
	var topics Topic
	if s.Poll.Wake(now) {
		s.Poll.nextPages, topics = [poll.Lanes]Effect{}, TopicAll
	}
	last := s.now
	s.setNow(now)
	topics |= s.Alerts.remind(last, now)
	topics |= s.expire(now)
	s.Poll.share(now)
	s.Poll.adoptOps(now)
	s.Bulk.findPlans(now)
	out := append([]Effect(nil), s.wants...)
	s.wants = s.wants[:0]
	if !s.started {
		s.started = true
		s.Poll.Start(now, s.cfg.Only)
		out = append(out, s.Spend.recallDays()...)
		if s.cfg.FindFundings {
			out = append(out, s.History.load()...)
		}
	}
	for _, lane := range s.Poll.Due(now) {
		out = append(out, s.fetchFor(lane, s.Poll.follow(lane)))
	}
	changed, again := s.resend(now)
	out = append(append(out, again...), s.runBatches()...)
	topics |= changed
	topics |= s.Spend.update(topics)
	return topics | s.Alerts.update(topics), out
}

func (s *Store) fetchFor(lane Lane, seq Seq) Effect {
	switch rest := s.Poll.nextPages[lane].(type) {
	case FetchCards:
		rest.Seq = seq
		return rest
	case FetchTransactions:
		rest.Seq = seq
		return rest
	default:
	}
	switch lane {
	case LaneCodes:
		return FetchChallenges{Seq: seq, Armed: s.Poll.Armed()}
	case LaneWallet:
		return FetchWallet{Seq: seq}
	case LaneFeed:
		s.Txns.feed.begin(s.now, s.ServerNow())
		return FetchTransactions{Seq: seq, From: s.Txns.feed.overlapFrom(s.ServerNow()), Page: 1}
	case LaneHistory:
		return FetchTransactions{Seq: seq, From: s.ServerNow().Add(-feedWindow), Page: 1, History: true}
	case LaneHot:
		return FetchCards{Seq: seq, Hot: true, Page: 1}
	case LaneSweep:
		return FetchCards{Seq: seq, Page: 1}
	default:
		return FetchDeposits{Seq: seq}
	}
}

// fail closes a lane's request and backs off.
func (s *Store) fail(lane Lane, ev FetchFailed) {
	if page := pageOf(ev.Effect); page > 1 && refusesRequest(ev.Err) {
		s.endPaging(lane, page-1, ev.Meta)
		return
	}
	s.Poll.savePage(lane, ev.Effect)
	s.Poll.Fail(lane, poll.Failure{Sent: ev.Sent, At: ev.At, Err: ev.Err, RetryAfter: errtext.RetryAfter(ev.Err)})
}

// endPaging ends a list after the pages read so far: the next one is refused,
// as it would be on every try, and the ones before are known.
func (s *Store) endPaging(lane Lane, pages int, m Meta) {
	switch lane {
	case LaneSweep:
		s.Poll.SetPages(pages)
		s.Cards.full = true
	case LaneFeed:
		s.Txns.endFeed(pages, m.At)
	default:
	}
	s.Poll.succeed(lane, m)
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
		s.Poll.wakes, s.Secrets.wakes, s.Notices.wakes, s.Info.wakes, s.Txns.wakes, s.Webhooks.wakes,
		s.Older.wakes, s.Limits.wakes, s.Spend.wakes, s.Bulk.wakes, s.Ops.wakes,
	} {
		wakes(earliest)
	}
	return wake
}

// New returns an empty store.
func New(cfg Config) *Store {
	cfg.Reloadable = cfg.withDefaults()
	c := &core{cfg: cfg}
	s := &Store{core: c}
	s.Requests = &RequestsTable{core: c}
	s.Notices = &NoticesTable{core: c}
	s.Privacy = &PrivacyTable{core: c, notices: s.Notices, on: cfg.Private}
	s.BINs = &BINsTable{core: c}
	s.Views = &ViewsTable{core: c, notices: s.Notices, views: cfg.Views}
	s.History = &HistoryTable{core: c}
	s.Cards = newCardsTable(c, s)
	s.News = &NewsTable{core: c, cards: s.Cards}
	s.Poll = &PollTable{core: c, Table: poll.New(cfg.Rand), privacy: s.Privacy}
	s.Wallet = &WalletTable{core: c, notices: s.Notices, cards: s.Cards, news: s.News, poll: s.Poll}
	s.Webhooks = &WebhooksTable{core: c, notices: s.Notices, cards: s.Cards, poll: s.Poll}
	s.Limits = &LimitsTable{core: c, cards: s.Cards, poll: s.Poll}
	s.Spend = newSpendTable(c, s)
	s.Txns = &TxnsTable{core: c, cards: s.Cards, poll: s.Poll, limits: s.Limits, feed: newFeed()}
	s.Alerts = &AlertsTable{core: c, cards: s.Cards, news: s.News, poll: s.Poll, wallet: s.Wallet, limits: s.Limits}
	s.Info = &InfoTable{core: c, cards: s.Cards, poll: s.Poll, txns: s.Txns}
	s.Older = &OlderTable{core: c, poll: s.Poll, txns: s.Txns, info: s.Info}
	s.Codes = &CodesTable{core: c, notices: s.Notices, cards: s.Cards, news: s.News, poll: s.Poll, txns: s.Txns, codes: newCodeList()}
	s.Secrets = &SecretsTable{core: c, notices: s.Notices, webhooks: s.Webhooks}
	s.Clip = &ClipTable{core: c, privacy: s.Privacy, notices: s.Notices, cards: s.Cards, poll: s.Poll, wallet: s.Wallet, webhooks: s.Webhooks, codes: s.Codes, secrets: s.Secrets}
	s.Ops = &OpsTable{
		core: c, notices: s.Notices, bins: s.BINs, history: s.History, cards: s.Cards, news: s.News, poll: s.Poll,
		wallet: s.Wallet, webhooks: s.Webhooks, txns: s.Txns, info: s.Info, dry: cfg.DryRun,
	}
	s.Commands = &CommandsTable{core: c, privacy: s.Privacy, notices: s.Notices}
	s.Bulk = &BulkTable{core: c, notices: s.Notices, bins: s.BINs, cards: s.Cards, poll: s.Poll, wallet: s.Wallet, ops: s.Ops}
	return s
}

// Reloadable returns the settings in force.
func (s *Store) Reloadable() Reloadable { return s.cfg.Reloadable }

// Reload sets the settings that may change while the store is in use.
// Durations hold for what is revealed or copied from now on.
func (s *Store) Reload(r Reloadable) Topic {
	s.cfg.Reloadable = r.withDefaults()
	s.Spend.reload()
	s.Info.eachMetadata(func(id api.CardID, m api.Metadata) { s.Spend.learn(id, m) })
	s.Spend.update(TopicCards)
	s.Alerts.recheck()
	s.Bulk.validateFile()
	return TopicAll
}

func (s *Store) setNow(now time.Time) {
	s.now = now
	s.Poll.SetNow(now)
}

// Apply merges an event and returns which parts changed and what follows. Nil,
// the answer to an effect that is not run, changes nothing.
func (s *Store) Apply(ev Event) (Topic, []Effect) {
	if ev == nil {
		return 0, nil
	}
	s.applyMeta(ev.meta())
	topics, effects := ev.apply(s)
	if read, ok := ev.(transactions); ok {
		s.Spend.add(read.transactions())
		topics |= s.addDeclines(read.transactions())
	}
	switch ev.(type) {
	case TransactionsLoaded, CardTransactionsLoaded, OlderLoaded, TransactionLoaded:
		s.Txns.forgetLinks()
	default:
	}
	topics |= s.Requests.changed() | s.Ops.checkLate(topics)
	topics |= s.explainLately(topics)
	topics |= s.Spend.update(topics)
	effects = append(effects, s.runBatches()...)
	return topics | s.Alerts.update(topics), effects
}

// applyMeta merges what every answer has.
func (s *Store) applyMeta(m Meta) {
	if m.At.After(s.now) {
		s.setNow(m.At)
	}
	if m.Budget.Hour > 0 || m.Budget.Pace > 0 {
		s.Poll.SetBudget(m.Budget)
	}
	s.clock.Add(m.Clock)
	s.Requests.add(m.Requests)
}

// expire ends what is over by the time, and requests what is due by it.
func (s *Store) expire(now time.Time) Topic {
	s.Info.refreshInspector(now)
	s.Txns.refreshDetail(now)
	s.Txns.readAhead(now)
	s.Info.readAhead(now)
	s.Codes.readEnded(now)
	s.Privacy.findRecording(now)
	s.Clip.findManagers(now)
	s.Ops.readLate(now)
	s.Spend.readPast(now)
	s.Spend.keepDays(now)
	topics := s.expireIdle(now) | s.Codes.expire(now) | s.Codes.expireCheckout(now) | s.Txns.expire(s.clock.Server(now)) | s.Older.search.expire(s.clock.Server(now))
	return topics | s.Older.continueRest(now) | s.readLimits(now) | s.Secrets.expire(now) | s.Webhooks.expireSigning(now) | s.Notices.expire(now)
}
