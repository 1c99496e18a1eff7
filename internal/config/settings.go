package config

import (
	"log/slog"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Settings is everything the configuration file can say. Amounts are USD,
// spans are whole seconds or minutes in the file, and a zero cap is no cap.
// A value is never changed after it was read; a reload gives a new one.
type Settings struct {
	DefaultProfile string // Profile to use when none is asked for; may be empty.
	Profiles       map[string]Profile
	LogLevel       slog.Level
	Theme          string // Name of a theme, or "auto".
	Motion         string // MotionAuto, MotionFull or MotionReduced.
	Mouse          bool   // Whether clicks and the wheel are the dashboard's.
	Reveal         time.Duration
	Clipboard      Clipboard
	Idle           Idle
	Confirm        Confirm
	Fund           Fund
	Copy           Copy
	Notifications  Notifications
	Guardrails     Guardrails
	Columns        Columns
	Alerts         Alerts
	Keys           []KeyBinding // In the order of the file.
	Commands       []Command    // Likewise.
}

// What may move on the screen: spinners and bars that shrink, or only what is
// counted in seconds. Auto asks the environment, which can say NO_MOTION.
const (
	MotionAuto    = "auto"
	MotionFull    = "full"
	MotionReduced = "reduced"
)

// Reduced tells whether only what is counted may move; asked says that the
// environment asks for that.
func (s *Settings) Reduced(asked bool) bool {
	return s.Motion == MotionReduced || s.Motion == MotionAuto && asked
}

// Profile is one account: where its API is and how its key is found.
type Profile struct {
	Name          string
	BaseURL       string // Ends in /v1; https, or http for loopback.
	APIKey        api.APIKey
	APIKeyCommand string // A shell line whose output is the key.
	ReadOnly      bool   // Every write is refused.
	NoReveal      bool   // No card's number, CVV or address is asked for.
	CAFile        string // PEM file of an extra certificate authority; a relative path starts at the configuration's directory.
}

// Clipboard says how long what was copied stays there.
type Clipboard struct {
	Number time.Duration
	CVV    time.Duration
	Code   time.Duration // The code's own expiry ends it sooner.
	Armed  bool          // Whether the code of an armed checkout is copied by itself.
	OSC52  bool          // Whether the terminal may be asked to copy.
}

// Idle says what happens when nobody touches the keyboard. Zero is never.
type Idle struct {
	Mask time.Duration
	Lock time.Duration
}

// Confirm says which amounts are typed twice before they move.
type Confirm struct {
	TypeTwice api.USD // On LIVE, amounts from this one on; zero asks always.
}

// Fund holds the amounts that one key puts into the fund dialog.
type Fund struct {
	Presets []api.USD // Each 1.00 to 5000.00, the contract's bounds of a funding.
}

// Copy says what the copy of a whole card looks like.
type Copy struct {
	Template string // Text with fields of TemplateFields in braces.
}

// NotifyLevel says how far an event reaches while the terminal is not looked at.
type NotifyLevel string

// The levels; each contains the ones before it.
const (
	NotifyOff      NotifyLevel = "off"
	NotifyBell     NotifyLevel = "bell"
	NotifyTerminal NotifyLevel = "terminal" // A notification by the terminal (OSC 9, 99, 777).
	NotifyDesktop  NotifyLevel = "desktop"  // By the desktop, or where there is none by the terminal.
	NotifyCommand  NotifyLevel = "command"  // The command of Notifications.OnEvent.
)

// Notifications says who is told of events.
type Notifications struct {
	Level   NotifyLevel
	OnEvent string // A shell line that gets one event as JSON on standard input, without secrets.
}

// Guardrails bounds what the dashboards of a profile can do on this machine.
// It binds the client; the server does not know it. The caps hold for what
// leaves the wallet, by funding and issuing: what goes back is never held up.
type Guardrails struct {
	Rules
	// Live holds on LIVE: what is set replaces the rule of that name, patterns of
	// labels are added.
	Live Rules
}

// Rules are guardrails of one mode or of all.
type Rules struct {
	Caps
	MaxBulk       int         // Most cards that one bulk plan changes at once; freezing is not held up.
	ConfirmLabels []string    // Cards whose label matches one of these patterns ask a second time; * stands for any text.
	Labels        []LabelCaps // In the order of the file; all that fit hold.
}

// Caps bound what leaves the wallet; zero is none.
type Caps struct {
	MaxOperation api.USD // Most that one operation takes from the wallet.
	MaxHour      api.USD // Most that all take in a rolling hour.
	MaxDay       api.USD // Most that all take in a rolling day.
}

// LabelCaps are the caps of all cards together whose label matches a pattern.
type LabelCaps struct {
	Labels string // A label in which * stands for any text.
	Caps
}

// Columns are those that lists show; none are the list's own.
type Columns struct {
	Cards        []Column
	Transactions []Column
}

// Column is one of them, Width cells wide; 0 is its own width. Whether there is
// one of that name is for the list to say.
type Column struct {
	Name  string
	Width int
}

// Alerts says what a person is alerted to. A balance that was low is so no
// more a tenth above its limit.
type Alerts struct {
	Wallet   api.USD       // The wallet is low below; zero is never.
	Cards    api.USD       // An active card is low below; zero is never.
	Low      []LowBalance  // Limits for some cards, in the order of the file; the first that fits holds.
	Limit    []int         // Parts of their monthly limit, in percent, that active cards alert at, ascending; empty is never.
	Declines bool          // Whether a declined payment alerts.
	Deposit  time.Duration // How long a deposit may be pending; zero is as long as it likes.
}

// LowBalance is the limit of the cards that a pattern fits.
type LowBalance struct {
	Cards string // A label in which * stands for any text, or a card's last four digits or id.
	Below api.USD
}

// KeyBinding is one line of the keys table, as it is in the file. Whether the
// action and the keys exist is for the keymap to say, with the position.
type KeyBinding struct {
	Action string
	Keys   []string // Empty: the action has no key.
	Line   int      // From 1.
	Column int      // From 1, in bytes.
}

// Defaults returns the settings of an empty file.
func Defaults() Settings {
	return Settings{
		LogLevel: slog.LevelInfo,
		Theme:    "auto",
		Motion:   MotionAuto,
		Mouse:    true,
		Reveal:   15 * time.Second,
		Clipboard: Clipboard{
			Number: 30 * time.Second,
			CVV:    20 * time.Second,
			Code:   30 * time.Second,
			Armed:  true,
		},
		Idle:          Idle{Mask: 5 * time.Minute, Lock: 15 * time.Minute},
		Confirm:       Confirm{TypeTwice: 500 * api.Dollar},
		Fund:          Fund{Presets: []api.USD{25 * api.Dollar, 50 * api.Dollar, 100 * api.Dollar, 250 * api.Dollar}},
		Copy:          Copy{Template: "{number}|{month}|{year}|{cvv}|{name}"},
		Notifications: Notifications{Level: NotifyDesktop},
		Guardrails:    Guardrails{Rules: Rules{MaxBulk: 50}},
		Alerts:        Alerts{Cards: 10 * api.Dollar, Limit: []int{75, 90, 100}, Declines: true, Deposit: time.Hour},
	}
}

// TemplateFields are the names that a copy template may hold in braces.
func TemplateFields() []string {
	return []string{"number", "last4", "month", "year", "year2", "cvv", "name", "address", "label"}
}
