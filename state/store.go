// Package state is what the dashboard knows and wants: a pure store.
//
// Events go in through Apply, what a person wants through Dispatch, the time
// through Tick; effects come out for the engine to run. The store does no
// I/O, reads no clock and starts no goroutine, so that everything it decides
// can be replayed. It is not safe for concurrent use: one loop owns it.
package state

import (
	"time"
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

// Store holds everything. The zero value is not ready; see New.
type Store struct {
	cfg     Config
	now     time.Time
	ticked  time.Time // the last tick
	started bool
	seq     Seq
	clock   serverClock

	attention Attention
	lanes     [laneCount]laneState
	answered  time.Time // when a lane last had an answer
	recovered time.Time // when an answer last brought all lanes back
	wants     []Effect

	budget      Budget
	stretch     [laneCount]float64 // of each lane's interval
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

// New makes an empty store.
func New(cfg Config) *Store {
	cfg.Reloadable = cfg.withDefaults()
	s := &Store{cfg: cfg, cards: newCardBook(), codes: newCodeBook(), feed: newFeed(), dry: cfg.DryRun, views: cfg.Views, privacy: privacy{on: cfg.Private}}
	if cfg.Private {
		s.cards.giveNumbers()
	}
	s.allot()
	return s
}

// Retune sets the settings that may change while the store is in use.
// Durations hold for what is revealed or copied from now on.
func (s *Store) Retune(r Reloadable) Topic {
	s.cfg.Reloadable = r.withDefaults()
	s.alerts.weighed, s.alerts.limited = 0, 0
	s.alarm(TopicAll)
	s.lateDeposits()
	s.judgeSheet()
	return TopicAll
}

// Now is the time of the last tick or event, this machine's clock.
func (s *Store) Now() time.Time { return s.now }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (s *Store) ServerNow() time.Time { return s.clock.server(s.now) }

// ReadOnly tells whether writes are refused.
func (s *Store) ReadOnly() bool { return s.cfg.ReadOnly }

// NoReveal tells whether numbers, CVVs and addresses are refused.
func (s *Store) NoReveal() bool { return s.cfg.NoReveal }

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
		s.now = m.At
	}
	if m.Budget.Hour > 0 || m.Budget.Pace > 0 {
		s.budget = m.Budget
		before := s.stretch
		s.allot()
		for i := range s.stretch {
			if s.stretch[i] < before[i] {
				s.moveUp(s.now) // What was planned when requests were short is due sooner.
				break
			}
		}
	}
	s.clock.hear(m.Clock)
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
	topics := s.expireIdle(now) | s.expireCodes(now) | s.expireCheckout(now) | s.feed.expire(s, s.clock.server(now)) | s.search.expire(s.clock.server(now))
	return topics | s.continueRest(now) | s.readLimits(now) | s.expireSecrets(now) | s.expireSigning(now) | s.expireNotice(now)
}
