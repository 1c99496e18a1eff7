package ui

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
)

// followTerminal is what the theme is called that follows the background.
const followTerminal = "auto"

// Themes lists what a theme may be called, in the order that a key goes
// through them.
func Themes() []string {
	return []string{followTerminal, AutoColorBlind, theme.Dark, theme.Light, theme.DarkColorBlind, theme.LightColorBlind, theme.Plain}
}

// nextTheme puts the theme after this one in force, until the configuration
// says otherwise.
func (a *App) nextTheme() {
	all, before := Themes(), a.cfg.Theme
	next := all[(slices.Index(all, cmp.Or(before, followTerminal))+1)%len(all)]
	text, level := "theme "+next+`; theme = "`+next+`" in the configuration keeps it`, state.Info
	if key := a.cfg.Keys.Key(keymap.Theme); key != "" {
		text = "theme " + next + ", " + key + ` next; theme = "` + next + `" in the configuration keeps it`
	}
	a.cfg.Theme = next
	if err := a.retheme(); err != nil {
		a.cfg.Theme = before
		text, level = err.Error(), state.Bad
	}
	a.sync(state.TopicAll | a.store.Notices.Add(level, text))
}
