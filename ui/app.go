// Package ui is the program on the screen: one Bubble Tea model that owns the
// store, hands keys to panes and dialogs, and starts the store's effects.
package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/checkout"
	"github.com/cardtop/cardtop/ui/codes"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/find"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/reveal"
	"github.com/cardtop/cardtop/ui/spending"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/tty"
	"github.com/cardtop/cardtop/ui/txns"
	"github.com/cardtop/cardtop/ui/wallets"
)

// App is the root model. Its fields change in Update only.
type App struct {
	cfg   Config
	store *state.Store
	end   ending

	// What is drawn, and where.
	theme    theme.Theme
	colors   terminalColors
	terminal *tty.Session // nil where there is none
	w, h     int
	layout   layout.Layout
	focus    int // the slot that keys go to
	panes    panes
	panels   panels
	screens  screens
	dialogs  dialog.Stack
	frame    frame

	// What the user does.
	keys   input.KeyGuard
	cursor cursor
	mouse  mouse
	labels jumpLabels
	recent find.Recent // in the palette

	// What is under way.
	clock    clock
	reads    pendingReads
	news     newsQueue
	saving   saving
	mistakes mistakes
}

// mistakes are those of the configuration as it was last changed, a line each, and the notice about them.
type mistakes struct {
	lines  []string
	notice string
}

// panes are those that are always there.
type panes struct {
	slots  [layout.Slots]pane.Pane
	cards  *cards.Pane
	codes  *codes.Pane
	feed   *txns.Pane
	wallet *wallets.Pane
	spent  *spending.Summary
	zoomed bool // the focused one has all of the screen
}

// ending is how the program ends.
type ending struct {
	// asked reports whether the last key was to quit, where no question can be shown.
	asked   bool
	leaving bool     // nothing is drawn any more
	next    *Account // the account that the user switched to
	err     error
}

// terminalColors are what the terminal says of its colours.
type terminalColors struct {
	profile colorprofile.Profile
	dark    bool
}

// New makes the program; Err returns afterwards why it ended, if not by choice.
func New(cfg Config) (*App, error) {
	a := &App{cfg: cfg, store: cfg.Store, colors: terminalColors{colorprofile.TrueColor, true}}
	a.mouse.ours = !cfg.NoMouse
	a.frame.invalidate()
	if err := a.retheme(); err != nil {
		return nil, err
	}
	a.screens.others = accounts.NewOverview(cfg.Others)
	a.screens.others.Watch(cfg.Accounts)
	all := accounts.New(&a.theme, a.screens.others, accounts.Here{Mode: string(cfg.Mode), Profile: cfg.Profile}, func() []Account { return a.cfg.Accounts })
	a.screens.all = screenTable(&a.theme, cfg.Keys, func() []Setting { return a.cfg.Listed }, all)
	a.panels.reveal, a.panels.checkout = reveal.New(&a.theme, cfg.Vault), checkout.New(&a.theme, cfg.Keys)
	a.panes.cards, a.panes.codes, a.panes.feed = cards.New(&a.theme, cfg.Keys), codes.New(&a.theme), txns.New(&a.theme)
	a.panes.wallet, a.panes.spent = wallets.New(&a.theme, cfg.Keys), spending.NewSummary(&a.theme)
	a.panes.slots = [layout.Slots]pane.Pane{a.panes.cards, a.panes.codes, a.panes.feed, a.panes.wallet, a.panes.spent}
	if cfg.Turned {
		a.cursor.guard.RowChanged(cfg.Now())
	}
	a.sync(kernel.TopicAll)
	return a, nil
}

// Err is why the program ended, when the user did not end it.
func (a *App) Err() error { return a.end.err }

// Init starts the clock.
func (a *App) Init() tea.Cmd {
	now := a.cfg.Now()
	a.clock.used = now
	return a.clock.arm(now, now)
}

// pane returns the pane of a slot; the first holds the list, or the screen over
// it.
func (a *App) pane(slot int) pane.Pane {
	if sc, ok := a.screens.top(); ok && slot == layout.Main {
		return sc.pane
	}
	return a.panes.slots[slot]
}

// sync has the panes that read a changed part read the store again.
func (a *App) sync(changed kernel.Topic) {
	if changed == 0 {
		return
	}
	a.frame.invalidate()
	a.saving.note(changed)
	if changed&(kernel.TopicClock|kernel.TopicAlerts) != 0 {
		a.frame.alertsLack = a.store.Alerts.Open() > 0 && a.store.Alerts.AtLeast()
	}
	for slot, p := range a.panes.slots {
		if read := p.Reads() & changed; read != 0 && a.layout.Has(slot) {
			p.Sync(a.store, read)
		}
	}
	a.screens.sync(a.store, changed)
	a.dialogs.Sync(a.store, changed)
	if changed&(kernel.TopicSecrets|kernel.TopicCodes|kernel.TopicInspector) != 0 || len(a.lastingNotice(a.w)) != a.layout.For.Notice {
		a.relayout()
	}
}
