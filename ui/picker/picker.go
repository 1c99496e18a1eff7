// Package picker is the screen before there is an account: the list of those
// that the user may open.
package picker

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/tty"
	"github.com/cardtop/cardtop/ui/widget"
)

// Config is what a Picker is made of.
type Config struct {
	Keys     *keymap.Map
	Theme    string // as in ui.Settings
	Words    *lang.Words
	Accounts []dialog.Account
	// Profiles tests and stores an account to add; nil where that cannot be. It is
	// called from commands only.
	Profiles accounts.Profiles
	// Notice is a line for the user, empty for none.
	Notice string
	Now    func() time.Time
}

// Picker is the model: the list, or the form of an account to add. Its fields
// change in Update only.
type Picker struct {
	cfg      Config
	theme    theme.Theme
	profile  colorprofile.Profile
	dark     bool
	dialogs  dialog.Stack
	terminal *tty.Session // nil where there is none
	keys     input.KeyGuard
	w, h     int
	next     *dialog.Account
	err      error
}

const (
	// noticeFor is how long the line stands that says why a key did nothing, and
	// mostNotice how many lines it has at most.
	noticeFor  = 3 * time.Second
	mostNotice = 3
)

// readMsg says that it has stood for that long.
type readMsg struct{}

// New makes the picker.
func New(cfg Config) (*Picker, error) {
	p := &Picker{cfg: cfg, dark: true, profile: colorprofile.TrueColor}
	if err := p.retheme(); err != nil {
		return nil, err
	}
	p.pushList()
	return p, nil
}

func (p *Picker) pushList() {
	p.dialogs.Push(accounts.NewAccounts(&p.theme, nil, p.cfg.Keys, p.cfg.Accounts, false).Editable(p.cfg.Profiles), p.cfg.Now())
}

// top is the list, or the form over it.
func (p *Picker) top() dialog.Dialog {
	d, _ := p.dialogs.Top()
	return d
}

// Next is the account that was picked; nil when the user quit.
func (p *Picker) Next() *dialog.Account { return p.next }

// Err is why the program ended, when the user did not end it.
func (p *Picker) Err() error { return p.err }

// NewProgram puts a Picker on a terminal. What ends it is up to the caller,
// signals as well.
func NewProgram(p *Picker, on tty.Device) (*tty.Program, error) {
	program, err := tty.New(p, p.cfg.Now, on, nil)
	if err != nil {
		return nil, err
	}
	p.terminal, p.profile, p.dark = program.Session, program.Colors, !program.Light
	return program, p.retheme()
}

// jobMsg says that the job of the form is done.
type jobMsg struct{ done func() }

// Init waits for the size of the terminal.
func (p *Picker) Init() tea.Cmd { return nil }

// Update moves the cursor, picks or quits.
func (p *Picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
		p.terminal.Redraw()
	case tea.BackgroundColorMsg:
		p.dark = msg.IsDark()
		return p, p.restyle()
	case tea.ColorProfileMsg:
		p.profile = msg.Profile
		return p, p.restyle()
	case readMsg:
		p.cfg.Notice = ""
	case tea.KeyPressMsg:
		return p, p.onKey(msg)
	case tea.PasteMsg:
		p.top().Paste(msg.Content)
	case tty.CrashMsg:
		p.err = msg.Crash
		return p, tea.Quit
	case jobMsg:
		msg.done()
		if ready := p.top().Traits().Ready; ready != nil {
			if r, ok := ready(); ok {
				return p, p.settle(r)
			}
		}
	case input.HeldMsg:
		if _, ok := p.keys.Release(msg); ok {
			return p, p.settle(p.top().Act(keymap.Confirm))
		}
	}
	return p, nil
}

func (p *Picker) retheme() (err error) {
	p.theme, err = theme.For(p.cfg.Theme, p.dark, p.profile)
	p.theme.Words = p.cfg.Words
	return err
}

func (p *Picker) restyle() tea.Cmd {
	if p.err = p.retheme(); p.err != nil {
		return tea.Quit
	}
	return nil
}

// onKey does what a key asks for. One that picks or stores is held back: a second
// key makes it a paste.
func (p *Picker) onKey(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	onPurpose := p.keys.Press(key, msg.Key().IsRepeat, p.cfg.Now())
	act, bound := p.resolve(key)
	switch {
	case act != keymap.Confirm:
		return p.do(act, bound, key, msg.Key().Text)
	case p.keys.Fast():
		p.cfg.Notice = p.cfg.Words.T("keys this fast count as a paste, which does nothing: press one key")
		return tea.Tick(noticeFor, func(time.Time) tea.Msg { return readMsg{} })
	case onPurpose:
		return p.keys.Hold(msg)
	}
	return nil
}

// resolve finds what a key does; letters are the form's.
func (p *Picker) resolve(key string) (act keymap.Action, bound bool) {
	is := p.top().Traits()
	if is.Typing {
		return p.cfg.Keys.Resolve(key, keymap.Always, is.Keys())
	}
	return p.cfg.Keys.Resolve(key, keymap.Always, is.Keys(), keymap.Lists)
}

func (p *Picker) do(act keymap.Action, bound bool, key, text string) tea.Cmd {
	is := p.top().Traits()
	_, lists := p.top().(*accounts.Accounts)
	switch {
	case bound && act == keymap.Quit, lists && act == keymap.Cancel:
		return tea.Quit
	case bound && is.Move != nil && is.Move(act):
		return nil
	case bound:
		return p.settle(p.top().Act(act))
	}
	if quit, _ := p.cfg.Keys.Resolve(key, keymap.Global); lists && quit == keymap.Quit {
		return tea.Quit
	}
	return p.settle(p.top().Type(keymap.ByPosition(key), text))
}

// settle does what the list or the form asks for. The list comes back when the form
// is closed.
func (p *Picker) settle(r dialog.Result) tea.Cmd {
	if r.SwitchTo != nil {
		p.next = r.SwitchTo
		return tea.Quit
	}
	p.dialogs.Settle(r, p.cfg.Now())
	if p.top() == nil {
		p.pushList()
	}
	if r.Job == nil {
		return nil
	}
	return tty.Contain(func() tea.Msg { return jobMsg{r.Job(context.Background())} })
}

// View hands the list to the screen. The library itself draws nothing.
func (p *Picker) View() tea.View {
	if p.w > 0 && p.h > 0 {
		p.terminal.Show(screen.Frame{Lines: p.draw(), Width: p.w, Height: p.h, Title: "cardtop"})
	}
	return tea.View{}
}

// draw puts the list in the middle of an empty screen.
func (p *Picker) draw() []string {
	if p.w <= 0 || p.h <= 0 {
		return nil
	}
	title := widget.Spans(p.w, widget.Span{Style: p.theme.Strong, Text: " cardtop"}, widget.Span{Style: p.theme.Muted, Text: "  " + p.cfg.Words.T("which account?")})
	var foot []string
	if p.cfg.Notice != "" {
		foot = widget.Paragraph(p.theme.Warn, p.cfg.Notice, p.w, mostNotice)
	}
	lines := append([]string{title}, widget.Blank(p.w, max(0, p.h-1-len(foot)))...)
	lines = append(lines, foot...)
	if box := p.top().View(p.w-4, p.h-1-len(foot)); len(box) > 0 {
		lines = widget.Over(lines, box, max(0, (p.w-widget.LineWidth(box[0]))/2), max(1, (p.h-len(box))/2))
	}
	return widget.FitBlock(lines, p.w, p.h)
}
