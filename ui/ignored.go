package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
)

// Why a key, a paste or a click does nothing.
const (
	doubled    = "a held key or a double press acts once: press it again in a moment"
	hurried    = "keys that come at once are taken for a paste, which does nothing: press it by itself"
	justOpened = "the question has just opened: read it, then press again"
	noField    = "pasted text goes into an open field, and none is open"
	noPaste    = "pasted text answers nothing: keys do"
	noClick    = "the mouse presses no button: tab and enter do"
)

// ignore says why what a person did has no effect.
func (a *App) ignore(why string) tea.Cmd {
	a.sync(a.store.Notices.Add(state.Info, why))
	return nil
}

// ignoredPress says why a key that was not pressed on purpose does nothing.
func (a *App) ignoredPress() tea.Cmd {
	if a.fingers.pasted() {
		return a.ignore(hurried)
	}
	return a.ignore(doubled)
}

// pasteInto puts pasted text into the field of a dialog that can be seen.
func (a *App) pasteInto(d dialog.Dialog, text string) tea.Cmd {
	switch {
	case a.covered(d):
		return a.coveredKey()
	case d.Traits().Question && !d.Traits().Typing:
		return a.ignore(noPaste)
	}
	d.Paste(text)
	return nil
}
