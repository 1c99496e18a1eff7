package state

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
)

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

// withDefaults returns the settings with defaults where zero has no meaning.
func (r Reloadable) withDefaults() Reloadable {
	d := Defaults()
	r.CopyTemplate = cmp.Or(r.CopyTemplate, d.CopyTemplate)
	r.Reveal, r.CopyNumber = cmp.Or(r.Reveal, d.Reveal), cmp.Or(r.CopyNumber, d.CopyNumber)
	r.CopyCVV, r.CopyCode = cmp.Or(r.CopyCVV, d.CopyCVV), cmp.Or(r.CopyCode, d.CopyCode)
	return r
}

// Reloadable returns the settings in force.
func (s *Store) Reloadable() Reloadable { return s.cfg.Reloadable }
