package state

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// core is what all tables share: the configuration, the time, the numbers of
// requests and the effects that wait for the next tick.
type core struct {
	cfg     Config
	now     time.Time // of the last tick or event, this machine's clock
	started bool
	seq     Seq
	clock   poll.ServerClock
	wants   []Effect
}

// confirmsLabel tells whether cards of a label are confirmed twice.
func (c *core) confirmsLabel(label string) bool {
	for _, pattern := range c.cfg.Guard.ConfirmLabels {
		if matchLabel(pattern, label) {
			return true
		}
	}
	return false
}

// writable tells whether anything is written at all.
func (c *core) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.cfg.ReadOnly {
		v.Reason = readOnly
	}
	return v
}

// begunAt says when an operation was asked for.
func (c *core) begunAt(op *Op) string { return "asked for at " + clockOf(op.At, c.now) }

// Now is the time of the last tick or event, this machine's clock.
func (c *core) Now() time.Time { return c.now }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (c *core) ServerNow() time.Time { return c.clock.Server(c.now) }

// ReadOnly tells whether writes are refused.
func (c *core) ReadOnly() bool { return c.cfg.ReadOnly }

// NoReveal tells whether numbers, CVVs and addresses are refused.
func (c *core) NoReveal() bool { return c.cfg.NoReveal }

func (c *core) nextSeq() Seq {
	c.seq++
	return c.seq
}

// Config is what a store is made with.
type Config struct {
	// Reloadable are the settings that Retune replaces.
	Reloadable
	// NewKey returns a new idempotency key, one for each operation.
	NewKey func() api.IdempotencyKey
	// Rand returns a number in [0, 1) for the jitter of retries.
	Rand func() float64
	// Only limits polling to these lanes; nil polls all.
	Only []Lane
	// ReadOnly refuses every write. DryRun starts in a dry run.
	ReadOnly, DryRun bool
	// NoReveal refuses to fetch card secrets, read-only or not.
	NoReveal bool
	// Shared reports whether other programs may use the same key: they share what
	// they spend of its request budget.
	Shared bool
	// Views are the saved views of the lists, Columns the default columns of a
	// list.
	Views   Views
	Columns map[ListName][]ShownColumn
	// Profile is the name of the account.
	Profile string
	// FindPlans finds plans that an earlier run left unfinished.
	FindPlans bool
	// Private starts with everything redacted that belongs to the account.
	Private bool
	// FindRecording finds programs that record the screen.
	FindRecording bool
	// FindManagers finds clipboard managers that store what is copied.
	FindManagers bool
}

// Reloadable are the settings that may change while the program runs. The
// configuration file is decoded into it; a reload replaces it at once, in the
// store and on the screen. A value is never changed after it was decoded.
type Reloadable struct {
	// Theme is the name of a theme, or one that follows the terminal's background.
	Theme string
	// Motion is what may move on the screen.
	Motion Motion
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Presets are amounts in USD, each on a key of the fund dialog.
	Presets []api.USD
	// Notify is how events reach a user who is away from the terminal. OnEvent is
	// the shell line of NotifyCommand, which reads one event as JSON, without
	// secrets.
	Notify  NotifyLevel
	OnEvent string
	// Guard bounds what may be done.
	Guard Guard
	// Alerts are the rules that alert the user.
	Alerts AlertRules
	// Commands are user commands, in the order of the file.
	Commands []Command
	// CopyArmed copies the code of an armed checkout without a key.
	CopyArmed bool
	// CopyTemplate is the text of the copy of a whole card, with template fields in
	// braces.
	CopyTemplate string
	// IdleMask and IdleLock are how long after the last key or mouse event the
	// screen is redacted, and locked; zero is never.
	IdleMask, IdleLock time.Duration
	// Reveal is how long a revealed card stays on the screen; the others are how
	// long what was copied stays on the clipboard, a code until its expiry at most.
	Reveal, CopyNumber, CopyCVV, CopyCode time.Duration
}

// withDefaults returns the settings with defaults where zero has no meaning.
func (r Reloadable) withDefaults() Reloadable {
	d := Defaults()
	r.CopyTemplate = cmp.Or(r.CopyTemplate, d.CopyTemplate)
	r.Reveal, r.CopyNumber = cmp.Or(r.Reveal, d.Reveal), cmp.Or(r.CopyNumber, d.CopyNumber)
	r.CopyCVV, r.CopyCode = cmp.Or(r.CopyCVV, d.CopyCVV), cmp.Or(r.CopyCode, d.CopyCode)
	return r
}

// Motion is what may move on the screen besides text that counts seconds.
type Motion string

// The settings of motion.
const (
	MotionAuto    Motion = "auto" // As the environment says.
	MotionFull    Motion = "full"
	MotionReduced Motion = "reduced" // No spinner and no shrinking bar.
)

// NotifyLevel is how an event reaches a user who is away from the terminal. The
// zero value is NotifyOff.
type NotifyLevel string

// The levels; each includes those before it.
const (
	NotifyOff      NotifyLevel = "off"
	NotifyBell     NotifyLevel = "bell"
	NotifyTerminal NotifyLevel = "terminal" // A notification by the terminal (OSC 9, 99, 777).
	NotifyDesktop  NotifyLevel = "desktop"  // By the desktop, or without one by the terminal.
	NotifyCommand  NotifyLevel = "command"  // And Reloadable.OnEvent is run.
)

// Defaults returns the settings of an empty configuration file. They are
// nowhere else.
func Defaults() Reloadable {
	return Reloadable{
		Theme:        "auto",
		Motion:       MotionAuto,
		Presets:      []api.USD{25 * api.Dollar, 50 * api.Dollar, 100 * api.Dollar, 250 * api.Dollar},
		Notify:       NotifyDesktop,
		Guard:        Guard{MaxBulk: 50, TypeTwice: 500 * api.Dollar},
		Alerts:       AlertRules{Cards: 10 * api.Dollar, Limit: []int{75, 90, 100}, Declines: true, Deposit: time.Hour},
		CopyArmed:    true,
		CopyTemplate: "{number}|{month}|{year}|{cvv}|{name}", // What account tools import.
		IdleMask:     5 * time.Minute,
		IdleLock:     15 * time.Minute,
		Reveal:       15 * time.Second,
		CopyNumber:   30 * time.Second,
		CopyCVV:      20 * time.Second,
		CopyCode:     30 * time.Second,
	}
}

// Reloadable returns the settings in force.
func (s *Store) Reloadable() Reloadable { return s.cfg.Reloadable }

// Words of the contract, for those who read the store: views import the
// store and never the client.
type (
	// CardID identifies a card.
	CardID = api.CardID
	// ChallengeID identifies a 3DS challenge.
	ChallengeID = api.ChallengeID
	// TransactionID identifies a transaction.
	TransactionID = api.TransactionID
	// Text is sanitised text of the server's.
	Text = api.Text
	// USD is an amount in US dollars.
	USD = api.USD
	// Secret holds bytes that must not be printed.
	Secret = api.Secret
	// TransactionType is the kind of a transaction.
	TransactionType = api.TransactionType
	// Transaction is a row of the feed.
	Transaction = api.Transaction
	// ChallengeStatus is the state of a 3DS challenge.
	ChallengeStatus = api.ChallengeStatus
	// TransactionDetail is a transaction in full.
	TransactionDetail = api.TransactionDetail
	// WebhookID identifies a webhook.
	WebhookID = api.WebhookID
	// SigningSecret is the secret a webhook's deliveries are signed with.
	SigningSecret = api.SigningSecret
	// DepositID identifies a deposit.
	DepositID = api.DepositID
	// Deposit is a crypto deposit.
	Deposit = api.Deposit
	// Currency is the code of a crypto currency.
	Currency = api.Currency
	// Crypto is an amount in the unit of a crypto currency.
	Crypto = api.Crypto
	// CardRequest is what a new card is asked for with.
	CardRequest = api.CreateCardRequest
	// CardChange is what is changed of a card.
	CardChange = api.UpdateCardRequest
	// BIN is a range of card numbers that cards can be issued from.
	BIN = api.BIN
	// BINID identifies a BIN.
	BINID = api.BINID
	// CardStatus is the state of a card.
	CardStatus = api.CardStatus
)

// States and kinds that views tell apart.
const (
	CardActive     = api.CardActive
	CardFrozen     = api.CardFrozen
	CardTerminated = api.CardTerminated

	DepositPending   = api.DepositPending
	DepositConfirmed = api.DepositConfirmed
	DepositExpired   = api.DepositExpired

	ChallengePending   = api.ChallengePending
	ChallengeCompleted = api.ChallengeCompleted
	ChallengeExpired   = api.ChallengeExpired

	Authorization = api.TransactionAuthorization
	Settlement    = api.TransactionSettlement
	Refund        = api.TransactionRefund
	Decline       = api.TransactionDecline

	MinFunding  = api.MinFunding
	MaxFunding  = api.MaxFunding
	MaxLabel    = api.MaxLabel
	MaxMetadata = api.MaxMetadata

	Dollar = api.Dollar
	Cent   = api.Cent
)

// NewSecret holds text that must not be printed.
func NewSecret(text string) Secret { return api.NewSecret(text) }
