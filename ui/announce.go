package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/notify"
)

// Notify says how the terminal is used to reach a person who does not look at
// it.
type Notify uint8

// The ways; each contains the one before it.
const (
	NotifyOff Notify = iota
	NotifyBell
	NotifyTerminal
)

// announce hands on what has happened since the last message: to whoever was
// promised every event, and to a person who does not look at the terminal.
func (a *App) announce() tea.Cmd {
	news := a.store.TakeNews()
	if a.cfg.Announce != nil {
		a.untold = append(a.untold, news...)
	}
	if seq := a.call(news); seq != "" && a.screen != nil {
		a.screen.Send(seq) // Who takes nothing is not reached.
	}
	return a.tell()
}

// toldMsg says that the events handed on before are told.
type toldMsg struct{}

// tell hands the events on in their order, one after the other.
func (a *App) tell() tea.Cmd {
	if a.telling || len(a.untold) == 0 {
		return nil
	}
	tell, news := a.cfg.Announce, a.untold
	a.telling, a.untold = true, nil
	return contain(func() tea.Msg {
		for _, n := range news {
			tell(n)
		}
		return toldMsg{}
	})
}

// call is what the terminal is sent for a person who looks elsewhere. Terminals
// that do not tell whether they are looked at stay silent.
func (a *App) call(news []state.News) string {
	if !a.away || a.cfg.Notify == NotifyOff {
		return ""
	}
	text, more := "", 0
	for _, n := range news {
		switch {
		case !n.Urgent():
		case text == "":
			text = n.Brief(a.store.Display())
		default:
			more++
		}
	}
	if text == "" {
		return ""
	}
	if a.cfg.Notify == NotifyBell {
		return notify.Bell
	}
	if more > 0 {
		text += fmt.Sprintf(" · and %d more", more)
	}
	return a.cfg.Terminal.Sequence(text)
}

// DetectTerminal finds out by the environment how a terminal is told to notify.
func DetectTerminal(env func(string) string) notify.Terminal { return notify.Detect(env) }
