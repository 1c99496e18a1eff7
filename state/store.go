// Package state is what the dashboard knows and wants: a pure store.
//
// Events go in through Apply, what a person wants through Dispatch, the time
// through Tick; effects come out for the engine to run. The store does no
// I/O, reads no clock and starts no goroutine, so that everything it decides
// can be replayed. It is not safe for concurrent use: one loop owns it.
package state

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Topic is a set of parts of the store. Views redraw when a part they read
// has changed.
type Topic uint32

// The parts.
const (
	TopicCards Topic = 1 << iota
	TopicCodes
	TopicFeed
	TopicWallet
	TopicInspector
	TopicOps
	TopicSecrets
	TopicNotice
	TopicHealth
	TopicBINs
	TopicHistory
	TopicViews
	TopicWebhooks
	TopicRequests
	TopicAlerts
	// TopicClock changes with every second.
	TopicClock
	TopicAll Topic = 1<<iota - 1
)

// Config is what a store is made with.
type Config struct {
	// NewKey mints an idempotency key, once for each operation.
	NewKey func() api.IdempotencyKey
	// Rand gives a number in [0, 1) for the jitter of retries.
	Rand func() float64
	// Only limits polling to these lanes; nil polls all.
	Only []Lane
	// ReadOnly refuses every write. DryRun begins in a dry run.
	ReadOnly, DryRun bool
	// NoReveal refuses to ask for what is secret of a card, read-only or not.
	NoReveal bool
	// Shared says that other programs may use the same key: they tell each other
	// what they spend.
	Shared bool
	// Guard bounds what may be done.
	Guard Guard
	// Views are how the lists were last seen, Columns those of lists whose
	// columns nobody chose.
	Views   Views
	Columns map[ListName][]ShownColumn
	// Profile is the name of the account, Commands are a person's own.
	Profile  string
	Commands []Command
	// Alerts say what a person is alerted to.
	Alerts AlertRules
	// FindPlans looks for plans that an earlier run left in the middle.
	FindPlans bool
	// CopyArmed copies the code that an armed checkout waits for by itself.
	CopyArmed bool
	// Private begins with everything hidden that belongs to the account.
	Private bool
	// IdleMask and IdleLock are after how long without a key or the mouse the
	// screen hides what is on it, and locks; zero is never.
	IdleMask, IdleLock time.Duration
	// FindRecording looks for what records the screen.
	FindRecording bool
	// FindManagers looks for clipboard managers that keep what they see.
	FindManagers bool
	// Durations after which secrets leave; zero means the default.
	Reveal, CopyNumber, CopyCVV, CopyCode time.Duration
	// CopyTemplate is what the copy of a whole card looks like: text with
	// template fields in braces. Empty is DefaultCopyTemplate.
	CopyTemplate string
}

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

// Defaults of the durations in Config.
const (
	DefaultReveal     = 15 * time.Second
	DefaultCopyNumber = 30 * time.Second
	DefaultCopyCVV    = 20 * time.Second
	DefaultCopyCode   = 30 * time.Second
)

// DefaultCopyTemplate is what account tools import.
const DefaultCopyTemplate = "{number}|{month}|{year}|{cvv}|{name}"

// New returns an empty store.
func New(cfg Config) *Store {
	c := &core{cfg: cfg.whole()}
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

// whole puts the defaults in.
func (c Config) whole() Config {
	c.CopyTemplate = cmp.Or(c.CopyTemplate, DefaultCopyTemplate)
	c.Reveal = orDefault(c.Reveal, DefaultReveal)
	c.CopyNumber = orDefault(c.CopyNumber, DefaultCopyNumber)
	c.CopyCVV = orDefault(c.CopyCVV, DefaultCopyCVV)
	c.CopyCode = orDefault(c.CopyCode, DefaultCopyCode)
	return c
}

// Retune puts another configuration in force, as far as it may change while
// the store is in use: guardrails, alerts, a person's own commands, what is
// copied and when the screen hides and locks, and durations, which hold for what is shown or copied from now
// on.
func (s *Store) Retune(c Config) Topic {
	c = c.whole()
	s.cfg.Alerts, s.Alerts.weighed, s.Alerts.limited = c.Alerts, 0, 0
	s.Alerts.alarm(TopicAll)
	s.Alerts.lateDeposits()
	s.cfg.Guard, s.cfg.CopyArmed, s.cfg.Reveal = c.Guard, c.CopyArmed, c.Reveal
	s.cfg.Commands = c.Commands
	s.cfg.CopyTemplate, s.cfg.IdleMask, s.cfg.IdleLock = c.CopyTemplate, c.IdleMask, c.IdleLock
	s.cfg.CopyNumber, s.cfg.CopyCVV, s.cfg.CopyCode = c.CopyNumber, c.CopyCVV, c.CopyCode
	s.Bulk.judgeSheet()
	return TopicAll
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
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
