package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/notify"
)

// announce hands on what has happened since the last message: to whoever was
// promised every event, and to a person who does not look at the terminal.
func (a *App) announce() tea.Cmd {
	news := a.store.News.Drain()
	if a.cfg.Announce != nil {
		a.untold = append(a.untold, news...)
	}
	return tea.Batch(a.tell(), a.call(news))
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

// call calls a person who looks elsewhere: by the desktop where they sit at this
// machine, else by the terminal. Terminals that do not tell whether they are
// looked at stay silent.
func (a *App) call(news []state.News) tea.Cmd {
	text := a.urgent(news)
	switch {
	case text == "" || !a.away || a.cfg.Notify == "" || a.cfg.Notify == state.NotifyOff:
		return nil
	case a.cfg.Notify == state.NotifyBell:
		return a.send(notify.Bell)
	case a.cfg.Notify == state.NotifyTerminal || a.cfg.Desktop == nil || a.noDesktop:
		return a.send(a.cfg.Terminal.Sequence(text))
	}
	a.send(notify.Bell)
	return a.onDesktop(text)
}

// send writes a sequence to the terminal between two frames. Who takes nothing
// is not reached.
func (a *App) send(seq string) tea.Cmd {
	if a.screen != nil {
		a.screen.Send(seq)
	}
	return nil
}

// urgent is what of the news a person is called for, in a line.
func (a *App) urgent(news []state.News) string {
	text, more := "", 0
	for _, n := range news {
		switch {
		case !n.Urgent():
		case text == "":
			text = n.Brief(a.store.Privacy.Display())
		default:
			more++
		}
	}
	if more > 0 {
		text += fmt.Sprintf(" · and %d more", more)
	}
	return text
}

// desktopLimit is how long a desktop may take to show a line, before the
// terminal is asked to.
const desktopLimit = time.Second

// desktopMsg says that the desktop did not show a line.
type desktopMsg struct{ text string }

// onDesktop has the desktop show a line.
func (a *App) onDesktop(text string) tea.Cmd {
	show := a.cfg.Desktop
	return contain(func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), desktopLimit)
		defer cancel()
		if show(ctx, notify.Clean(text)) != nil {
			return desktopMsg{text} // The terminal shows it, whatever the reason.
		}
		return nil
	})
}

// offDesktop shows by the terminal what the desktop did not, and asks that no
// more until the person has been back.
func (a *App) offDesktop(msg desktopMsg) tea.Cmd {
	if !a.away {
		return nil
	}
	a.noDesktop = true
	return a.send(a.cfg.Terminal.Line(msg.text))
}

// DetectTerminal finds out by the environment how a terminal is told to notify.
func DetectTerminal(env func(string) string) notify.Terminal { return notify.Detect(env) }
