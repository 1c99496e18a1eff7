package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
)

// retheme makes the styles anew; panes hold a pointer to them.
func (a *App) retheme() error {
	t, err := theme.For(a.cfg.Theme, a.colors.dark, a.colors.profile)
	if err != nil {
		return err
	}
	t.Still = a.cfg.ReducedMotion
	a.theme, a.frame.hints = t, hintLine{}
	return nil
}

// restyle makes the styles anew for a terminal that said more of its colours.
func (a *App) restyle() tea.Cmd {
	if err := a.retheme(); err != nil {
		a.end.err = err
		return tea.Quit
	}
	a.sync(state.TopicAll)
	return nil
}

// nextTheme puts the theme after this one in force, until the configuration
// says otherwise.
func (a *App) nextTheme() {
	all, before := theme.Choices(), a.cfg.Theme
	next := all[(slices.Index(all, cmp.Or(before, theme.Auto))+1)%len(all)]
	text, level := "theme "+next, state.Info
	if key := a.cfg.Keys.Key(keymap.Theme); key != "" {
		text += ", " + key + " next"
	}
	text += `; to keep it: theme = "` + next + `"`
	if a.cfg.Theme = next; next == theme.Auto {
		a.cfg.Theme = ""
	}
	if err := a.retheme(); err != nil {
		a.cfg.Theme = before
		text, level = err.Error(), state.Bad
	}
	a.sync(state.TopicAll | a.store.Notices.Add(level, text))
}
