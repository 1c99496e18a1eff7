package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/notify"
	"github.com/cardtop/cardtop/ui/pane"
	settingsui "github.com/cardtop/cardtop/ui/settings"
	"github.com/cardtop/cardtop/ui/txns"
)

// Setting is one of the configuration.
type Setting = settingsui.Row

// Mode says whose money is moved.
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
	Vault secrets.Vault
	// HoldScreen tells the clipboard's guard whether the terminal shows the
	// program. It blocks and is called from commands only.
	HoldScreen func(ctx context.Context, held bool) error
	// Stop stops the program until the shell brings it back; nil where that
	// cannot be. It blocks and is called from commands only.
	Stop func() error
	// Keep saves for the next run what may be on disk; nil saves nothing. It
	// blocks and is called from commands and from KeepLast.
	Keep func(state.Snapshot) error
	// ExportDir is the folder that files are exported to, for the user to read.
	ExportDir string
	// Settings may change while the program runs, by a ReloadMsg.
	Settings
	// NoMotion reports whether the environment asks for reduced motion.
	NoMotion bool
	// Announce receives every event, in their order and one at a time; it must
	// not block for long, and is called from commands only. It may be nil.
	Announce func(news.News)
	// Terminal is where notifications go, and Desktop shows a line on the user's
	// desktop; nil where none is in reach. It blocks for as long as its context,
	// and is called from commands only.
	Terminal notify.Terminal
	Desktop  func(ctx context.Context, line string) error
	// Profiles tests and stores the accounts of the configuration; nil where that
	// cannot be. It is called from commands only.
	Profiles accounts.Profiles
	// Others opens the accounts that are not on the screen; nil follows none.
	// Likewise.
	Others accounts.Source
	// File writes settings; nil where that cannot be. Likewise.
	File    settingsui.File
	Mode    Mode
	Profile string
	// Turned says that another account was on the screen until now, for which a
	// key may have been meant.
	Turned bool
	// Quiet is told when nobody has pressed a key for a while, every few minutes
	// as long as nobody does, and when somebody does again: what is done in between
	// need not be fast. It is called in Update and returns at once. It may be nil.
	Quiet func(quiet bool)
	// PlainKey says that the API key is in a plain file.
	PlainKey bool
	// Now is this machine's clock.
	Now func() time.Time
}

// Settings are what the user may change while the program runs.
type Settings struct {
	Keys *keymap.Map
	// Reloadable are those of the configuration file. The store was made with them.
	settings.Reloadable
	// Accounts are those the user may switch to, this one among them.
	Accounts []Account
	// Listed are the settings of the configuration, for their screen.
	Listed []Setting
}

// CheckColumns returns an error for a column that a list does not have.
func CheckColumns(list settings.ListName, chosen []settings.ShownColumn) error {
	names := cards.ColumnNames()
	if list == settings.FeedList {
		names = txns.ColumnNames()
	}
	for _, c := range chosen {
		if !slices.Contains(names, c.Name) {
			return fmt.Errorf("columns.%s: no column %q; there are %s", list, c.Name, strings.Join(names, ", "))
		}
	}
	return nil
}

// ReloadMsg says that the configuration has changed; it is sent by what watches
// the file.
type ReloadMsg struct {
	// Err says why the old settings stay in force, with file and line; the rest
	// is empty then.
	Err error
	// Mistakes are all of them, a line each with its place in the file.
	Mistakes []string
	Settings Settings
	// Restart names what has changed and needs a restart.
	Restart []string
}

// onReload applies the new settings, all of them or none.
func (a *App) onReload(m ReloadMsg) {
	old := a.cfg.Settings
	if m.Err == nil {
		a.cfg.Settings = m.Settings
		if m.Err = a.retheme(); m.Err != nil {
			a.cfg.Settings = old
		}
	}
	a.mistakes.lines = m.Mistakes
	if m.Err != nil {
		a.mistakes.notice = a.reloadFailed(m)
		a.sync(a.store.Notices.Say(kernel.Bad, a.mistakes.notice))
		return
	}
	if old.NoMouse != a.cfg.NoMouse {
		a.mouse.ours = !a.cfg.NoMouse
	}
	old.Keys.Take(a.cfg.Keys) // The panes have the old map.
	a.cfg.Keys = old.Keys
	a.screens.others.Watch(a.cfg.Accounts)
	changed := a.store.Reload(a.cfg.Reloadable)
	if len(m.Restart) == 0 {
		changed |= a.store.Notices.Replace(a.mistakes.notice, kernel.Good, a.theme.Words.T("configuration reloaded"))
	} else {
		changed |= a.store.Notices.Replace(a.mistakes.notice, kernel.Warn, a.theme.Words.Tf("configuration reloaded; restart to apply %s", strings.Join(m.Restart, ", ")))
	}
	a.mistakes.notice = ""
	a.sync(changed)
}

// reloadFailed says why the last valid settings stay in force.
func (a *App) reloadFailed(m ReloadMsg) string {
	text := a.theme.Words.T("using the last valid settings")
	if key := a.cfg.Keys.Key(keymap.Configuration); len(m.Mistakes) > 0 && key != "" {
		text = a.theme.Words.Tf("using the last valid settings, %s shows all", key)
	}
	if !a.store.Privacy.Display().Private() { // A mistake may quote a label.
		text += ": " + m.Err.Error()
	}
	return text
}

// editSetting opens the form of a setting, or says why it has none.
func (a *App) editSetting(edit pane.EditSetting) {
	name := edit.Name
	i := slices.IndexFunc(a.cfg.Listed, func(r Setting) bool { return r.Name == name })
	switch {
	case i < 0 || a.cfg.File == nil:
		a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("%s cannot be changed here", name)))
	case a.cfg.Listed[i].Fixed:
		a.sync(a.store.Notices.Say(kernel.Info, a.theme.Words.Tf("%s comes from %s, which the file does not change", name, a.cfg.Listed[i].From)))
	default:
		a.push(settingsui.NewEdit(&a.theme, a.cfg.Listed[i], edit.Value, a.cfg.File, a.cfg.Listed))
	}
}

// preview draws with a theme until the configuration says otherwise.
func (a *App) preview(name string) {
	before := a.cfg.Theme
	a.cfg.Theme = name
	if err := a.retheme(); err != nil {
		a.cfg.Theme = before
	}
	a.sync(kernel.TopicAll)
}

// speak shows a language until the configuration says otherwise.
func (a *App) speak(language string) {
	a.cfg.Language = language
	changed := a.store.Reload(a.cfg.Reloadable)
	if err := a.retheme(); err != nil {
		changed |= a.store.Notices.Say(kernel.Bad, err.Error())
	}
	a.sync(kernel.TopicAll | changed)
}
