package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/notify"
	"github.com/cardtop/cardtop/ui/tty"
)

// desktopLimit is how long a desktop may take to show a line, before the
// terminal is asked to.
const desktopLimit = time.Second

// newsQueue is the events that are not announced yet, and how the user is
// notified of them.
type newsQueue struct {
	queue   []news.News
	sending bool // some are being announced
	// away says that the user does not look at the terminal, noDesktop that the
	// desktop did not show a line since.
	away, noDesktop bool
}

// announcedMsg says that what was being announced has been.
type announcedMsg struct{}

// desktopMsg says that the desktop did not show a line.
type desktopMsg struct{ text string }

// setFocus notes whether the terminal has the focus.
func (q *newsQueue) setFocus(on bool) {
	q.away = !on
	if on {
		q.noDesktop = false
	}
}

// next returns the events to be announced next; none while others are.
func (q *newsQueue) next() []news.News {
	if q.sending || len(q.queue) == 0 {
		return nil
	}
	next := q.queue
	q.sending, q.queue = true, nil
	return next
}

// announced notes that what was taken has been announced.
func (q *newsQueue) announced() { q.sending = false }

// announce passes on what has happened since the last message: every event to
// Config.Announce, and what is urgent to a user who does not look at the
// terminal.
func (a *App) announce() tea.Cmd {
	news := a.store.News.Drain()
	if a.cfg.Announce != nil {
		a.news.queue = append(a.news.queue, news...)
	}
	return tea.Batch(a.announceNext(), a.notify(news))
}

// announceNext announces the events in their order, one after the other.
func (a *App) announceNext() tea.Cmd {
	news, announce := a.news.next(), a.cfg.Announce
	if news == nil {
		return nil
	}
	return tty.Contain(func() tea.Msg {
		for _, n := range news {
			announce(n)
		}
		return announcedMsg{}
	})
}

// notify notifies a user who does not look at the terminal: by the desktop of
// this machine where there is one, else by the terminal. Terminals that do not
// report the focus stay silent.
func (a *App) notify(n []news.News) tea.Cmd {
	text := a.urgent(n)
	switch {
	case text == "" || !a.news.away || a.cfg.Notify == "" || a.cfg.Notify == settings.NotifyOff:
	case a.cfg.Notify == settings.NotifyBell:
		a.terminal.Send(notify.Bell)
	case a.cfg.Notify == settings.NotifyTerminal || a.cfg.Desktop == nil || a.news.noDesktop:
		a.terminal.Send(a.cfg.Terminal.Sequence(text))
	default:
		a.terminal.Send(notify.Bell)
		return a.notifyDesktop(text)
	}
	return nil
}

// urgent is what of the news the user is notified of, in a line.
func (a *App) urgent(ns []news.News) string {
	text, more := "", 0
	for _, n := range ns {
		switch {
		case !n.Urgent():
		case text == "":
			text = n.Brief(a.store.Privacy.Display())
		default:
			more++
		}
	}
	if more > 0 {
		text += " · " + a.theme.Words.Tf("and %d more", more)
	}
	return text
}

// notifyDesktop has the desktop show a line.
func (a *App) notifyDesktop(text string) tea.Cmd {
	show := a.cfg.Desktop
	return tty.Contain(func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), desktopLimit)
		defer cancel()
		if show(ctx, notify.Clean(text)) != nil {
			return desktopMsg{text} // The terminal shows it, whatever the reason.
		}
		return nil
	})
}

// onDesktopFailed has the terminal show what the desktop did not, from now on
// until the user has been back.
func (a *App) onDesktopFailed(msg desktopMsg) {
	if a.news.away {
		a.news.noDesktop = true
		a.terminal.Send(a.cfg.Terminal.Line(msg.text))
	}
}

// DetectTerminal finds out by the environment how the terminal notifies.
func DetectTerminal(env func(string) string) notify.Terminal { return notify.Detect(env) }
