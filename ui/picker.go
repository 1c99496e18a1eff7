package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// PickerConfig is what a Picker is made of.
type PickerConfig struct {
	Keys     *keymap.Map
	Theme    string // as in Settings
	Accounts []Account
	// Notice is a line for the person, empty for none.
	Notice string
	Now    func() time.Time
}

// Picker is the screen before there is an account: the list of those that a
// person may open. It asks nothing of any server. Its fields change in Update
// only.
type Picker struct {
	cfg     PickerConfig
	theme   theme.Theme
	profile colorprofile.Profile
	dark    bool
	list    *dialog.Accounts
	screen  *screen.Screen // nil where nobody looks
	fingers fingers
	w, h    int
	next    *Account
	err     error
}

// refusedFor is how long the line stands that says why a key did nothing.
const refusedFor = 3 * time.Second

// readMsg says that it has stood for that long.
type readMsg struct{}

// NewPicker makes the screen.
func NewPicker(cfg PickerConfig) (*Picker, error) {
	p := &Picker{cfg: cfg, dark: true, profile: colorprofile.TrueColor}
	if err := p.retheme(); err != nil {
		return nil, err
	}
	p.list = dialog.NewAccounts(&p.theme, nil, cfg.Keys, cfg.Accounts, false)
	return p, nil
}

// Next is the account that was picked; nil when the person quit.
func (p *Picker) Next() *Account { return p.next }

// Err is why the program ended, when it was not a person's choice.
func (p *Picker) Err() error { return p.err }

// Init waits for the size of the terminal.
func (p *Picker) Init() tea.Cmd { return nil }

// Update moves the cursor, picks or quits.
func (p *Picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
		if p.screen != nil {
			p.screen.Redraw()
		}
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
	case ripeMsg:
		if msg.n == p.fingers.n && p.fingers.waits {
			return p, p.pick()
		}
	}
	return p, nil
}

func (p *Picker) retheme() (err error) {
	p.theme, err = themeOn(p.cfg.Theme, p.dark, p.profile)
	return err
}

func (p *Picker) restyle() tea.Cmd {
	if p.err = p.retheme(); p.err != nil {
		return tea.Quit
	}
	return nil
}

// onKey does what a key asks for. One that picks waits for a second key, which
// would make it a paste.
func (p *Picker) onKey(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	onPurpose := p.fingers.press(key, msg.Key().IsRepeat, p.cfg.Now())
	act, bound := p.cfg.Keys.Resolve(key, keymap.Always, keymap.Dialog, keymap.Lists)
	if !bound {
		act, _ = p.cfg.Keys.Resolve(keymap.ByPosition(key), keymap.Lists, keymap.Global)
	}
	switch {
	case act != keymap.Confirm:
		return p.do(act)
	case p.fingers.hurried():
		p.cfg.Notice = hurried
		return tea.Tick(refusedFor, func(time.Time) tea.Msg { return readMsg{} })
	case onPurpose:
		return p.fingers.hold(msg)
	}
	return nil
}

func (p *Picker) do(act keymap.Action) tea.Cmd {
	switch act {
	case keymap.Quit, keymap.Cancel:
		return tea.Quit
	default:
		if !p.list.Move(act) {
			p.list.Act(act)
		}
		return nil
	}
}

// pick ends the program for the account under the cursor.
func (p *Picker) pick() tea.Cmd {
	p.fingers.take()
	p.next = p.list.Act(keymap.Confirm).SwitchTo
	return tea.Quit
}

// View hands the list to the screen. The library itself draws nothing.
func (p *Picker) View() tea.View {
	if p.screen != nil && p.w > 0 && p.h > 0 {
		p.screen.Show(screen.Frame{Lines: p.draw(), Width: p.w, Height: p.h, Title: "cardtop"})
	}
	return tea.View{}
}

// draw puts the list in the middle of an empty screen.
func (p *Picker) draw() []string {
	if p.w <= 0 || p.h <= 0 {
		return nil
	}
	title := widget.Spans(p.w, widget.Span{Style: p.theme.Strong, Text: " cardtop"}, widget.Span{Style: p.theme.Muted, Text: "  which account?"})
	var foot []string
	if p.cfg.Notice != "" {
		foot = whole(p.theme.Warn, p.cfg.Notice, p.w)
		foot = foot[:min(len(foot), mostFooter)]
	}
	lines := append([]string{title}, widget.Blank(p.w, max(0, p.h-1-len(foot)))...)
	lines = append(lines, foot...)
	if box := p.list.View(p.w-4, p.h-1-len(foot)); len(box) > 0 {
		lines = widget.Over(lines, box, max(0, (p.w-widget.LineWidth(box[0]))/2), max(1, (p.h-len(box))/2))
	}
	return widget.FitBlock(lines, p.w, p.h)
}
