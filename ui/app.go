// Package ui is the program a person sees: one Bubble Tea model that owns
// the store, hands keys to panes and dialogs, and runs the store's effects
// as commands.
package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/checkout"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/feed"
	"github.com/cardtop/cardtop/ui/notify"
	"github.com/cardtop/cardtop/ui/otp"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/reveal"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/wallet"
)

// Mode is which world the money is in.
type Mode string

// The modes, as the words on the screen.
const (
	Sandbox Mode = "SANDBOX"
	Test    Mode = "TEST"
	Live    Mode = "LIVE"
)

// Config is what the program is made of.
type Config struct {
	Store *state.Store
	// Effects runs the store's effects.
	Effects Effects
	// Vault holds the details of a revealed card. They are read here to be drawn,
	// and wiped at the end; effects put them in.
	Vault state.Vault
	// HoldScreen is told when the terminal is the shell's for a while.
	HoldScreen HoldScreen
	// Stop stops the program until the shell brings it back; nil where that
	// cannot be. It blocks and is called from a command only.
	Stop func() error
	// Keep puts what may be kept on the disk for the next run; nil keeps
	// nothing. It blocks and is called from commands and from KeepLast.
	Keep func(state.Snapshot) error
	// ExportDir is the folder that exported files land in, for the person to read.
	ExportDir string
	// Settings may change while the program runs, by a ReloadMsg.
	Settings
	// Announce hears of every event, in their order and of one at a time; it must
	// not block for long, and is called from commands only. Nil: nobody does.
	Announce func(state.News)
	// Terminal is where notifications go, and Desktop shows a line where the
	// person sits; nil where no desktop is in reach. It blocks for as long as its
	// context, and is called from commands only.
	Terminal notify.Terminal
	Desktop  func(ctx context.Context, line string) error
	Mode     Mode
	Profile  string
	// Turned says that another account was on the screen until now, for which a
	// key may have been meant.
	Turned bool
	// PlainKey says that the API key is kept in a plain file.
	PlainKey bool
	// Now is this machine's clock.
	Now func() time.Time
}

// Settings are what a person may change while the program runs.
type Settings struct {
	Keys *keymap.Map
	// Theme names the theme; empty and AutoColorBlind follow the terminal's
	// background.
	Theme string
	// Presets are the amounts, in USD, that one key each puts into the fund
	// dialog.
	Presets []state.USD
	// ReducedMotion has nothing move but what is counted, as text.
	ReducedMotion bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Notify says how far events reach who does not look at the terminal.
	Notify Notify
	// Accounts are those a person may turn to, this one among them.
	Accounts []Account
	// Store is what Store.Retune takes; the store began with it.
	Store state.Config
}

// App is the root model. Its fields change in Update only.
type App struct {
	cfg   Config
	store *state.Store
	theme theme.Theme

	profile colorprofile.Profile
	dark    bool

	panes   [slots]pane.Pane
	screens screens
	otp     *otp.Pane
	reveal  *reveal.Panel
	caught  *checkout.Panel
	// largeCode says that there is room for the code that a checkout brought.
	largeCode bool
	selected  state.CardID // the card whose summary is read ahead
	keysOn    state.CardID // the card that keys are about
	// limitsShown says that the store was told that the list shows them.
	limitsShown bool
	slippedAt   time.Time    // when another took its place by itself
	untold      []state.News // not handed on yet
	telling     bool         // some are being handed on
	cards       *cards.Pane
	dialogs     dialog.Stack

	w, h     int
	standing int // the lines of what stays above the foot
	layout   layout
	focus    int

	wake      time.Time // when the pending tick fires
	tick      int       // its number; others are stale
	click     click
	fingers   fingers
	pacing    pacing
	issuing   issuing
	keeping   keeping
	errands   errands
	mistakes  []string       // in the configuration as it was last changed
	mouse     bool           // clicks are ours, not the terminal's
	away      bool           // the terminal is not looked at
	noDesktop bool           // the desktop did not show a line since
	shown     screen.Frame   // the last that was drawn
	screen    *screen.Screen // nil where nobody looks
	terminal  *tty
	hinted    hintLine
	dirty     bool
	targets   []target // of the labels on screen; nil while nobody jumps
	leaving   bool     // nothing is drawn any more
	next      *Account
	err       error
}

// New makes the program; Err tells afterwards why it ended, if not by choice.
func New(cfg Config) (*App, error) {
	a := &App{cfg: cfg, store: cfg.Store, dark: true, profile: colorprofile.TrueColor, dirty: true, mouse: !cfg.NoMouse}
	if err := a.retheme(); err != nil {
		return nil, err
	}
	a.screens.all, a.otp = screenTable(&a.theme, cfg.Keys), otp.New(&a.theme)
	a.reveal, a.caught = reveal.New(&a.theme, cfg.Vault), checkout.New(&a.theme, cfg.Keys)
	a.cards = cards.New(&a.theme, cfg.Keys)
	a.panes = [slots]pane.Pane{a.cards, a.otp, feed.New(&a.theme), wallet.New(&a.theme, cfg.Keys)}
	if cfg.Turned {
		a.slippedAt = cfg.Now()
	}
	a.sync(state.TopicAll)
	return a, nil
}

// Err is why the program ended, when it was not a person's choice.
func (a *App) Err() error { return a.err }

// Init starts the clock.
func (a *App) Init() tea.Cmd {
	return a.tickAt(a.cfg.Now())
}

// retheme builds the styles anew; panes hold a pointer to them.
func (a *App) retheme() error {
	t, err := themeOn(a.cfg.Theme, a.dark, a.profile)
	if err != nil {
		return err
	}
	t.Still = a.cfg.ReducedMotion
	a.theme, a.hinted = t, hintLine{}
	return nil
}

// themeOn makes the theme of a name for a terminal, whose background may be
// dark.
func themeOn(name string, dark bool, profile colorprofile.Profile) (theme.Theme, error) {
	switch {
	case name == "" && dark:
		name = theme.Dark
	case name == "":
		name = theme.Light
	case name == AutoColorBlind && dark:
		name = theme.DarkColorBlind
	case name == AutoColorBlind:
		name = theme.LightColorBlind
	}
	return theme.New(name, profile)
}

// AutoColorBlind is the colour-blind theme of the terminal's background.
const AutoColorBlind = "auto-colorblind"

// pane gives the pane of a slot; the first holds the list, or the screen over
// it.
func (a *App) pane(slot int) pane.Pane {
	if sc, ok := a.screens.top(); ok && slot == slotMain {
		return sc.pane
	}
	return a.panes[slot]
}

// sync makes the panes that read a changed part look at the store again.
func (a *App) sync(changed state.Topic) {
	if changed == 0 {
		return
	}
	a.dirty = true
	a.keeping.see(changed)
	for _, p := range a.panes {
		if p.Reads()&changed != 0 {
			p.Sync(a.store, changed)
		}
	}
	for _, i := range a.screens.stack {
		if p := a.screens.all[i].pane; p.Reads()&changed != 0 {
			p.Sync(a.store, changed)
		}
	}
	a.dialogs.Sync(a.store)
	if changed&(state.TopicSecrets|state.TopicCodes|state.TopicInspector) != 0 || len(a.lasting(a.w)) != a.standing {
		a.relayout()
	}
}

// leastMain is the least a pane keeps of its lines when panels stand below it.
const leastMain = 3

// relayout gives every pane its rectangle. Where there is no room for both
// panels the code stays in its pane or strip, which show it as well.
func (a *App) relayout() {
	lines := 0
	if a.store.Secrets.Reveal().Card != "" {
		lines = reveal.Height
	}
	a.standing = len(a.lasting(a.w))
	what := shown{focus: a.focus, codes: otp.Lines(a.store), panels: lines, standing: a.standing, screen: len(a.screens.stack) > 0}
	l := arrange(a.w, a.h, what)
	a.largeCode = false
	if _, ok := a.store.Codes.Caught(); ok {
		what.panels += checkout.Height(l.main(a.focus).w)
		with := arrange(a.w, a.h, what)
		if with.main(a.focus).h >= leastMain {
			l, a.largeCode = with, true
		}
	}
	a.dirty = true
	a.layout = l
	for slot, r := range l.panes {
		if r.w > 0 {
			a.pane(slot).SetSize(r.w, r.h)
		}
	}
}
