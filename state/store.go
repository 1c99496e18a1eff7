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

// Store holds everything. The zero value is not ready; see New.
type Store struct {
	cfg     Config
	now     time.Time
	started bool
	seq     Seq
	clock   poll.ServerClock

	Poll   *poll.Table
	unread [poll.Lanes]Effect // the page to go on with after a failure; nil to start anew
	wants  []Effect

	shareDue    time.Time
	shareFailed bool
	around      around

	cards     cardBook
	codes     codeBook
	feed      feed
	wallet    walletBook
	addresses addressBook
	webhooks  webhookBook
	signing   Signing
	requests  requestBook
	bins      binBook
	settings  settingsBook
	inspector inspector
	search    search
	rest      restReading
	month     monthBook
	limits    limitsBook
	detail    detailBook
	links     links
	selected  selected
	summaries summaryBook
	checkout  Checkout
	statuses  []StatusChange // the oldest first
	past      pastBook
	ops       []*Op
	lastOp    OpID
	lastBegun OpID // of this session
	refusals  []Refusal
	undo      *undo
	dry       bool
	bulk      bulkBook
	running   map[string]bool // commands by their names
	sheet     SheetFile
	views     Views
	viewsLost bool

	held     held
	reveal   Reveal
	clip     Clip
	copying  copying
	noTool   bool // the last copy found no clipboard
	managers managerBook
	// uncopied is what was told of the last copy that failed.
	uncopied string
	notice   Notice
	later    Notice // told when the one before has had its time
	lasting  []lasting
	lookDue  time.Time // when a write of which nobody could tell is looked at again
	privacy  privacy
	alerts   alertBook
	news     []News
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

// New makes an empty store.
func New(cfg Config) *Store {
	s := &Store{cfg: cfg.whole(), Poll: poll.New(cfg.Rand), cards: newCardBook(), codes: newCodeBook(), feed: newFeed(), dry: cfg.DryRun, views: cfg.Views, privacy: privacy{on: cfg.Private}}
	if cfg.Private {
		s.cards.giveNumbers()
	}
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
	s.cfg.Alerts, s.alerts.weighed, s.alerts.limited = c.Alerts, 0, 0
	s.alarm(TopicAll)
	s.lateDeposits()
	s.cfg.Guard, s.cfg.CopyArmed, s.cfg.Reveal = c.Guard, c.CopyArmed, c.Reveal
	s.cfg.Commands = c.Commands
	s.cfg.CopyTemplate, s.cfg.IdleMask, s.cfg.IdleLock = c.CopyTemplate, c.IdleMask, c.IdleLock
	s.cfg.CopyNumber, s.cfg.CopyCVV, s.cfg.CopyCode = c.CopyNumber, c.CopyCVV, c.CopyCode
	s.judgeSheet()
	return TopicAll
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

// Now is the time of the last tick or event, this machine's clock.
func (s *Store) Now() time.Time { return s.now }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (s *Store) ServerNow() time.Time { return s.clock.Server(s.now) }

// ReadOnly tells whether writes are refused.
func (s *Store) ReadOnly() bool { return s.cfg.ReadOnly }

// NoReveal tells whether numbers, CVVs and addresses are refused.
func (s *Store) NoReveal() bool { return s.cfg.NoReveal }

func (s *Store) setNow(now time.Time) {
	s.now = now
	s.Poll.SetNow(now)
}

func (s *Store) nextSeq() Seq {
	s.seq++
	return s.seq
}

// Apply merges an event and tells which parts changed and what follows.
func (s *Store) Apply(ev Event) (Topic, []Effect) {
	topics, effects := s.apply(ev)
	switch ev.(type) {
	case TransactionsLoaded, CardTransactionsLoaded, OlderLoaded, TransactionLoaded:
		s.links = links{}
	default:
	}
	topics |= s.requests.take() | s.sawLate(topics)
	effects = append(effects, s.pump()...)
	return topics | s.alarm(topics), effects
}

func (s *Store) apply(ev Event) (Topic, []Effect) {
	switch ev := ev.(type) {
	case CardsLoaded:
		return s.read(ev.FetchCards, ev.Meta, func() (Topic, []Effect) { return s.cardsLoaded(ev) })
	case ChallengesLoaded:
		defer s.codes.wipeAll(ev.Items)
		return s.read(ev.FetchChallenges, ev.Meta, func() (Topic, []Effect) { return s.challengesLoaded(ev) })
	case ChallengeLoaded:
		s.hear(ev.Meta)
		topics, effects := s.challengeLoaded(ev)
		s.codes.wipe(ev.Item.OTP)
		return topics, effects
	case TransactionsLoaded:
		return s.read(ev.FetchTransactions, ev.Meta, func() (Topic, []Effect) { return s.transactionsLoaded(ev) })
	case WalletLoaded:
		return s.read(ev.FetchWallet, ev.Meta, func() (Topic, []Effect) { return s.walletLoaded(ev), nil })
	case DepositsLoaded:
		return s.read(ev.FetchDeposits, ev.Meta, func() (Topic, []Effect) { return s.depositsLoaded(ev), nil })
	case SummaryLoaded:
		s.hear(ev.Meta)
		return s.summaryLoaded(ev)
	case CardTransactionsLoaded:
		s.hear(ev.Meta)
		return s.cardTransactionsLoaded(ev), nil
	case DetailsLoaded:
		s.hear(ev.Meta)
		return s.detailsLoaded(ev)
	case FetchFailed:
		return s.fetchFailed(ev)
	case Deferred:
		return s.deferred(ev)
	case OpDone, OpFailed, OpForgotten:
		return s.outcome(ev)
	case DryRunSet:
		return s.dryRunSet(ev), nil
	case PlanKept, PlanDropped, PlansFound, SheetLoaded:
		return s.planEvent(ev)
	case Copied:
		return s.copied(ev), nil
	case UseShared:
		return s.useShared(ev), nil
	case MonthLoaded, BINsLoaded, OlderLoaded, TransactionLoaded, WebhooksLoaded, AddressesLoaded, PinsLoaded, PinsKept:
		return s.screenEvent(ev)
	case RecordingFound, ManagersFound, OperationsAdopted, HistoryLoaded, ViewsKept, RowsSaved, CommandDone:
		return s.fromMachine(ev)
	}
	return 0, nil
}

// read applies an answer of a lane, unless the lane has given up on it.
func (s *Store) read(e Effect, m Meta, apply func() (Topic, []Effect)) (Topic, []Effect) {
	s.hear(m)
	if !s.current(e) {
		return 0, nil
	}
	topics, effects := apply()
	return topics | TopicHealth, effects
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
	s.requests.add(m.Requests)
}

// expire lets go of what time has ended.
func (s *Store) expire(now time.Time) Topic {
	s.refreshInspector(now)
	s.refreshDetail(now)
	s.readAhead(now)
	s.askOutcomes(now)
	s.lookForRecording(now)
	s.lookForManagers(now)
	s.lookLate(now)
	topics := s.expireIdle(now) | s.expireCodes(now) | s.expireCheckout(now) | s.expireFeed(s.clock.Server(now)) | s.search.expire(s.clock.Server(now))
	return topics | s.continueRest(now) | s.readLimits(now) | s.expireSecrets(now) | s.expireSigning(now) | s.expireNotice(now)
}
