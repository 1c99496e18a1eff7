// Package settings is what a store is made with: its configuration, of which a part may
// change while it is in use.
package settings

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rule"
)

// Config is what a store is made with.
type Config struct {
	// Reloadable are the settings that Reload replaces.
	Reloadable
	// NewKey returns a new idempotency key, one for each operation.
	NewKey func() api.IdempotencyKey
	// Rand returns a number in [0, 1) for the jitter of retries.
	Rand func() float64
	// Only limits polling to these lanes; nil polls all.
	Only []poll.Lane
	// PastDays is how many of the last UTC days, today among them, are read for the sums
	// of spending where Only limits polling; 0 reads no past. Without Only all are.
	PastDays int
	// ReadOnly refuses every write. DryRun starts in a dry run.
	ReadOnly, DryRun bool
	// NoReveal refuses to fetch card secrets, read-only or not.
	NoReveal bool
	// Hub reports whether the account is a hub's: others are told which codes are used.
	Hub bool
	// Background polls slowly, for an account that is not the one on the screen. No
	// digits of its codes are held.
	Background bool
	// Shared reports whether other programs may use the same key: they share what
	// they spend of its request budget.
	Shared bool
	// Views are the saved views of the lists, Columns the default columns of a
	// list.
	Views   Views
	Columns map[ListName][]ShownColumn
	// Locale is the language that the environment of the screen asks for; empty where
	// scripts read what the store words.
	Locale string
	// Profile is the name of the account.
	Profile string
	// FindPlans finds plans that an earlier run left unfinished.
	FindPlans bool
	// KeepDays reads past days of the sums of spending from disk, and keeps them
	// there.
	KeepDays bool
	// FindFundings reads the history at the start, for the rate at which the wallet
	// is moved to cards.
	FindFundings bool
	// RuleTotal is the most that rules move out of the wallet in this run, USD; 0 is
	// as their own caps say.
	RuleTotal api.USD
	// Push opens an address for webhooks, registers it, and has lanes rest while
	// deliveries tell of what is new.
	Push bool
	// Screen is the screen that the store is drawn on; nil for a program without one.
	Screen *Screen
}

// Screen is what a store needs to know of the screen that it is drawn on. A store without
// a screen is never private and never locked: nobody could unlock it.
type Screen struct {
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
	// Language is that of the screen, or one that follows the environment.
	Language string
	// Motion is what may move on the screen.
	Motion Motion
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Presets are amounts in USD, each on a key of the fund dialog.
	Presets []api.USD
	// Templates are what the forms of new cards start with, in the order of the file.
	Templates []label.CardTemplate
	// Notify is how events reach a user who is away from the terminal. OnEvent is
	// the shell line of NotifyCommand, which reads one event as JSON, without
	// secrets.
	Notify  NotifyLevel
	OnEvent string
	// Guard bounds what may be done.
	Guard guard.Guard
	// Alerts are the rules that alert the user.
	Alerts alert.Rules
	// Rules are in the order of the file.
	Rules []rule.Rule
	// Commands are user commands, in the order of the file.
	Commands []Command
	// CopyArmed copies the code of an armed checkout without a key.
	CopyArmed bool
	// CopyTemplate is the text of the copy of a whole card, with template fields in
	// braces.
	CopyTemplate string
	// IdleMask and IdleLock are how long after the last key or mouse event the
	// screen is redacted, and locked; zero is never. A store without a screen has no use for them.
	IdleMask, IdleLock time.Duration
	// Campaign is how the campaign of a card is told; see campaign.Parse.
	Campaign string
	// SpendHourly is how many requests an hour may read past transactions for the
	// sums of spending; 0 is none.
	SpendHourly int
	// Reveal is how long a revealed card stays on the screen; the others are how
	// long what was copied stays on the clipboard, a code until its expiry at most.
	Reveal, CopyNumber, CopyCVV, CopyCode time.Duration
}

// WithDefaults returns the settings with defaults where zero has no meaning.
func (r Reloadable) WithDefaults() Reloadable {
	d := Defaults()
	r.Campaign = cmp.Or(r.Campaign, d.Campaign)
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
		Language:     lang.Auto,
		Motion:       MotionAuto,
		Presets:      []api.USD{25 * api.Dollar, 50 * api.Dollar, 100 * api.Dollar, 250 * api.Dollar},
		Notify:       NotifyDesktop,
		Guard:        guard.Guard{MaxBulk: 50, TypeTwice: 500 * api.Dollar},
		Alerts:       alert.Defaults(),
		CopyArmed:    true,
		CopyTemplate: "{number}|{month}|{year}|{cvv}|{name}", // What account tools import.
		Campaign:     campaign.Default,
		SpendHourly:  1000,
		IdleMask:     5 * time.Minute,
		IdleLock:     15 * time.Minute,
		Reveal:       15 * time.Second,
		CopyNumber:   30 * time.Second,
		CopyCVV:      20 * time.Second,
		CopyCode:     30 * time.Second,
	}
}

// Command is a user command, which a shell of this machine runs.
type Command struct {
	Name string
	// Line is what the shell gets, with the names of variables in braces.
	Line  string
	Where Where
	// Confirm reports whether it is asked for before it runs, Reads that it changes
	// nothing.
	Confirm, Reads bool
}

// Where is what has to be under the cursor for a command.
type Where uint8

// The places.
const (
	OnCard Where = iota
	OnTransaction
	Anywhere
)

// ListName names a list that has views.
type ListName string

// The lists.
const (
	CardList ListName = "cards"
	FeedList ListName = "transactions"
)

// View is how the user wants to see a list. Its slices are shared and not
// changed.
type View struct {
	// Sort is the column that it is sorted by, Desc with the largest on top;
	// empty is the list's own.
	Sort string
	Desc bool
	// Columns are those shown, in their order; none are the list's own.
	Columns []ShownColumn
	// Group is what rows are put together by; empty is nothing.
	Group string
	// Tabs are filters saved under a name.
	Tabs []Tab
}

// ShownColumn is a column of a list, Width cells wide; 0 is its own width.
type ShownColumn struct {
	Name  string
	Width int
}

// Tab is a filter saved under a name.
type Tab struct{ Name, Filter string }

// MaxTabs bounds the tabs of a list.
const MaxTabs = 12

// Views are the views of all lists that the user changed.
type Views map[ListName]View

// MaxTabName bounds a tab's name, in code points.
const MaxTabName = 16

// Setting is a value in the configuration file: the parts of its name, and what is written
// of it as TOML.
type Setting struct {
	Path  []string
	Value string
}
