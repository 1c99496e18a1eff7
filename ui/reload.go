package ui

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// ReloadMsg tells the program that the configuration has changed; it is sent
// by whoever watches the file.
type ReloadMsg struct {
	// Err says why the old settings stay in force, with file and line; the rest
	// is empty then.
	Err error
	// Mistakes are all of them, a line each with its place in the file.
	Mistakes []string
	Settings Settings
	// Restart names what has changed and takes a restart.
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
	a.mistakes = m.Mistakes
	if m.Err != nil {
		stays := "using the last valid settings"
		if key := a.cfg.Keys.Key(keymap.Configuration); len(m.Mistakes) > 0 && key != "" {
			stays += ", " + key + " shows all"
		}
		if !a.store.Privacy.Display().Private() { // A mistake may quote a label.
			stays += ": " + m.Err.Error()
		}
		a.sync(a.store.Notices.Add(state.Bad, stays))
		return
	}
	if old.NoMouse != a.cfg.NoMouse {
		a.mouse = !a.cfg.NoMouse
	}
	old.Keys.Take(a.cfg.Keys) // The panes have the old map.
	a.cfg.Keys = old.Keys
	changed := a.store.Retune(a.cfg.Reloadable)
	if len(m.Restart) == 0 {
		changed |= a.store.Notices.Add(state.Good, "configuration reloaded")
	} else {
		changed |= a.store.Notices.Add(state.Warn, "configuration reloaded; restart to apply "+strings.Join(m.Restart, ", "))
	}
	a.sync(changed)
}
