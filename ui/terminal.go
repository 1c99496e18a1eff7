package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/tty"
)

// NewProgram puts an App on a terminal. What ends it is up to the caller,
// signals as well.
func NewProgram(a *App, on tty.Device) (*tty.Program, error) {
	p, err := tty.New(Contained{App: a}, a.cfg.Now, on, leave)
	if err != nil {
		return nil, err
	}
	a.terminal, a.colors.profile, a.colors.dark = p.Session, p.Colors, !p.Light
	if err := a.retheme(); err != nil {
		return nil, err
	}
	a.sync(kernel.TopicAll)
	return p, nil
}

// leave blanks the last screen, however the end came.
func leave(m tea.Model) {
	if c, ok := m.(Contained); ok {
		c.end.leaving = true
		c.cfg.Vault.Wipe()
		c.blank()
	}
}

// Contained is the program with its panics caught: it quits, which restores
// the terminal, and Err says what happened.
type Contained struct{ *App }

// Update is App.Update, contained.
func (c Contained) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			c.end.err = tty.Caught(v)
			m, cmd = c, tea.Quit
		}
	}()
	if crash, ok := msg.(tty.CrashMsg); ok {
		c.end.err = crash.Crash
		return c, tea.Quit
	}
	_, cmd = c.App.Update(msg)
	return c, cmd
}

// View is App.View, contained. A screen that cannot be drawn is blank, which
// removes what was on it: the next message ends the program.
func (c Contained) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			c.end.err = tty.Caught(r)
			c.blank()
		}
	}()
	if c.end.leaving || c.end.err != nil {
		c.blank()
		return tea.View{}
	}
	return c.App.View()
}

// blank clears the screen.
func (a *App) blank() { a.terminal.Show(screen.Frame{Width: a.w, Height: a.h}) }

// onTerminal notes what the terminal says of itself.
func (a *App) onTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width == a.w && msg.Height == a.h { // Told by the system and by the terminal.
			return nil
		}
		return a.resize(msg.Width, msg.Height)
	case tea.FocusMsg:
		a.news.setFocus(true)
		a.store.Poll.SetAttention(poll.Focused, a.cfg.Now())
		a.terminal.RequestBackground()
	case tea.BlurMsg:
		a.news.setFocus(false)
		a.store.Poll.SetAttention(poll.Unfocused, a.cfg.Now())
		return a.dispatch(secrets.Hide{})
	case tea.BackgroundColorMsg:
		if a.colors.dark == msg.IsDark() {
			return nil
		}
		a.colors.dark = msg.IsDark()
		return a.restyle()
	case tea.ColorProfileMsg:
		a.colors.profile = msg.Profile
		return a.restyle()
	case tea.ModeReportMsg:
		a.terminal.Report(msg)
	}
	return nil
}

// resize lays the screen out anew. What the terminal shows of the old size is
// unknown.
func (a *App) resize(w, h int) tea.Cmd {
	a.w, a.h, a.labels = w, h, nil
	a.relayout()
	a.redraw()
	if a.unseen() {
		return a.dispatch(secrets.Hide{})
	}
	return nil
}

// redraw draws the complete screen anew.
func (a *App) redraw() {
	a.frame.invalidate()
	a.terminal.Redraw()
}

func cannotSuspend(w *lang.Words) string { return w.T("this system cannot suspend a program") }

// suspend stops the program until the shell brings it back. Nothing sensitive
// stays on the screen or in memory meanwhile.
func (a *App) suspend() tea.Cmd {
	if a.cfg.Stop == nil {
		a.sync(a.store.Notices.Say(kernel.Warn, cannotSuspend(a.theme.Words)))
		return nil
	}
	hidden := a.dispatch(secrets.Hide{Forget: true})
	return tea.Sequence(hidden, a.terminal.Suspend(a.cfg.Stop, a.cfg.HoldScreen))
}

// onResumed draws the complete screen: the terminal has shown the shell's.
func (a *App) onResumed(m tty.ResumedMsg) tea.Cmd {
	if m.Err != nil {
		a.sync(a.store.Notices.Say(kernel.Warn, m.Err.Error()))
	}
	if m.Width == 0 {
		return nil
	}
	return a.resize(m.Width, m.Height)
}

// retheme makes the styles anew; panes hold a pointer to them.
func (a *App) retheme() error {
	t, err := theme.For(a.cfg.Theme, a.colors.dark, a.colors.profile)
	if err != nil {
		return err
	}
	t.Still = a.cfg.Motion == settings.MotionReduced || a.cfg.Motion == settings.MotionAuto && a.cfg.NoMotion
	t.Words = a.store.WordsIn(a.cfg.Language)
	a.theme = t
	a.frame.restyled()
	return nil
}

// restyle makes the styles anew for a terminal that said more of its colours.
func (a *App) restyle() tea.Cmd {
	if err := a.retheme(); err != nil {
		a.end.err = err
		return tea.Quit
	}
	a.sync(kernel.TopicAll)
	return nil
}

// nextTheme puts the theme after this one in force, until the configuration
// says otherwise.
func (a *App) nextTheme() {
	all, before := theme.Choices(), a.cfg.Theme
	next := all[(slices.Index(all, cmp.Or(before, theme.Auto))+1)%len(all)]
	text, level := a.theme.Words.Tf("theme %s", next), kernel.Info
	if key := a.cfg.Keys.Key(keymap.Theme); key != "" {
		text = a.theme.Words.Tf("theme %s, %s next", next, key)
	}
	text = a.theme.Words.Tf("%s; to keep it: %s", text, `theme = "`+next+`"`)
	a.cfg.Theme = next
	if err := a.retheme(); err != nil {
		a.cfg.Theme = before
		text, level = err.Error(), kernel.Bad
	}
	a.sync(kernel.TopicAll | a.store.Notices.Say(level, text))
}
