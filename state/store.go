// Package state is what the dashboard knows and wants: a pure store.
//
// Events go in through Apply, what a person wants through Dispatch, the time
// through Tick; effects come out for the engine to run. The store does no
// I/O, reads no clock and starts no goroutine, so that everything it decides
// can be replayed. It is not safe for concurrent use: one loop owns it.
package state

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// Store holds everything, a table for each part. The zero value is not ready;
// see New. A table refers to those above it in this list only.
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

// Tick tells the store the time and asks what is due.
func (s *Store) Tick(now time.Time) (Topic, []Effect) {
	var topics Topic
	if s.Poll.Wake(now) {
		s.Poll.unread, topics = [poll.Lanes]Effect{}, TopicAll
	}
	last := s.now
	s.setNow(now)
	topics |= s.Alerts.remind(last, now)
	topics |= s.expire(now)
	s.Poll.share(now)
	s.Poll.lookAround(now)
	s.Bulk.findPlans(now)
	out := append([]Effect(nil), s.wants...)
	s.wants = s.wants[:0]
	if !s.started {
		s.started = true
		s.Poll.Start(now, s.cfg.Only)
	}
	for _, lane := range s.Poll.Due(now) {
		out = append(out, s.fetchFor(lane, s.Poll.follow(lane)))
	}
	changed, again := s.resend(now)
	out = append(append(out, again...), s.pump()...)
	topics |= changed
	return topics | s.Alerts.alarm(topics), out
}

// NextWake tells when the store next has something to do.
func (s *Store) NextWake() time.Time {
	var wake time.Time
	earliest := func(t time.Time) {
		if !t.IsZero() && (wake.IsZero() || t.Before(wake)) {
			wake = t
		}
	}
	s.Poll.NextDue(earliest)
	earliest(s.Secrets.reveal.Until)
	earliest(s.Notices.notice.Until)
	earliest(s.Info.selected.due)
	earliest(s.Info.inspector.due)
	earliest(s.Txns.detail.due)
	earliest(s.Webhooks.signing.Until)
	earliest(s.Webhooks.signing.ShownUntil)
	earliest(s.Poll.shareDue)
	earliest(s.Poll.around.due)
	earliest(s.Older.rest.due)
	if s.Limits.limits.asked == 0 {
		earliest(s.Limits.limits.due)
	}
	earliest(s.Bulk.bulk.due)
	earliest(s.Ops.lookDue)
	for _, b := range s.Bulk.bulk.list {
		earliest(s.Bulk.bulkWake(b))
	}
	for _, op := range s.Ops.ops {
		earliest(op.retryAt)
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
	s.Txns = &TxnsTable{core: c, cards: s.Cards, poll: s.Poll, limits: s.Limits, feed: newFeed()}
	s.Alerts = &AlertsTable{core: c, cards: s.Cards, news: s.News, poll: s.Poll, wallet: s.Wallet, limits: s.Limits}
	s.Info = &InfoTable{core: c, cards: s.Cards, poll: s.Poll, txns: s.Txns}
	s.Older = &OlderTable{core: c, poll: s.Poll, txns: s.Txns, info: s.Info}
	s.Codes = &CodesTable{core: c, notices: s.Notices, cards: s.Cards, news: s.News, poll: s.Poll, txns: s.Txns, codes: newCodeBook()}
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

// Retune sets the settings that may change while the store is in use.
// Durations hold for what is revealed or copied from now on.
func (s *Store) Retune(r Reloadable) Topic {
	s.cfg.Reloadable = r.withDefaults()
	s.Alerts.recheck()
	s.Bulk.judgeSheet()
	return TopicAll
}

func (s *Store) setNow(now time.Time) {
	s.now = now
	s.Poll.SetNow(now)
}

// Apply merges an event and returns which parts changed and what follows. Nil,
// the answer to what nobody runs, changes nothing.
func (s *Store) Apply(ev Event) (Topic, []Effect) {
	if ev == nil {
		return 0, nil
	}
	s.hear(ev.meta())
	topics, effects := ev.apply(s)
	switch ev.(type) {
	case TransactionsLoaded, CardTransactionsLoaded, OlderLoaded, TransactionLoaded:
		s.Txns.links = links{}
	default:
	}
	topics |= s.Requests.take() | s.Ops.sawLate(topics)
	effects = append(effects, s.pump()...)
	return topics | s.Alerts.alarm(topics), effects
}

// hear takes from an answer what every answer tells.
func (s *Store) hear(m Meta) {
	if m.At.After(s.now) {
		s.setNow(m.At)
	}
	if m.Budget.Hour > 0 || m.Budget.Pace > 0 {
		s.Poll.SetBudget(m.Budget)
	}
	s.clock.Add(m.Clock)
	s.Requests.add(m.Requests)
}

// expire lets go of what time has ended.
func (s *Store) expire(now time.Time) Topic {
	s.Info.refreshInspector(now)
	s.Txns.refreshDetail(now)
	s.Info.readAhead(now)
	s.Codes.askOutcomes(now)
	s.Privacy.lookForRecording(now)
	s.Clip.lookForManagers(now)
	s.Ops.lookLate(now)
	topics := s.expireIdle(now) | s.Codes.expire(now) | s.Codes.expireCheckout(now) | s.Txns.expire(s.clock.Server(now)) | s.Older.search.expire(s.clock.Server(now))
	return topics | s.Older.continueRest(now) | s.readLimits(now) | s.Secrets.expire(now) | s.Webhooks.expireSigning(now) | s.Notices.expire(now)
}
