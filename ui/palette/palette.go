// Package palette has the dialog that finds commands, cards and accounts by name.
package palette

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/find"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Command is what a key does.
type Command struct {
	keymap.Binding
	// Place is where the key works.
	Place string
	// Reason is why it cannot run now; empty when it can.
	Reason string
}

// Config is what the palette finds things with.
type Config struct {
	Theme *theme.Theme
	Keys  *keymap.Map
	Store *state.Store
	// Commands returns the commands as they are now.
	Commands func() []Command
	// Accounts are those to switch to. Gone: the current one ends when it is left.
	Accounts []dialog.Account
	Gone     bool
	// Own is what else there is to be found; commands and accounts are added to it.
	Own find.Own
	// Recent is what was chosen lately.
	Recent *find.Recent
}

// Palette lists every command, and finds whatever else has a name. Typing filters;
// enter runs the command under the cursor as if its key had been pressed, or goes
// to what is under it.
type Palette struct {
	cfg    Config
	table  *widget.Table
	filter *dialog.TextEntry
	all    []Command
	byID   map[string]int // the commands' places in all
	index  *find.Index
	rows   []found // the best match first
	told   bool    // the user tried to run one that cannot run
	// working: what is typed was not looked for everywhere; the rows are of before.
	working bool
	private bool
}

// found is a line of the list.
type found struct {
	find.Item
	find.Row
}

// NewPalette makes the list.
func NewPalette(c Config) *Palette {
	p := &Palette{cfg: c, filter: dialog.NewText(), all: c.Commands(), byID: make(map[string]int), private: c.Store.Privacy.Private()}
	p.filter.SetPlaceholder(c.Theme.Words.T("type to find commands, cards, transactions, …"))
	p.table = widget.NewTable(widget.TableConfig{Gap: 2, Empty: p.empty, Columns: []widget.Column{
		{Min: 16, Weight: 5},
		{Min: 14, Max: 26, Weight: 1, Priority: 1},
		{Min: 8, Max: 12, Weight: 1, Align: widget.Right},
	}})
	for i, cmd := range p.all {
		p.byID[cmd.id()] = i
		p.cfg.Own.Commands = append(p.cfg.Own.Commands, find.CommandText{
			ID: cmd.id(), Help: c.Theme.Words.T(cmd.Help), Action: string(cmd.Action), Place: cmd.Place, Words: c.Theme.Words.T(cmd.Words), Barred: cmd.Reason != "",
		})
	}
	for _, a := range c.Accounts {
		p.cfg.Own.Accounts = append(p.cfg.Own.Accounts, find.AccountText{ID: a.ID, Name: a.Name, Where: a.Where})
	}
	p.index = find.New(c.Store, p.cfg.Own)
	p.find()
	return p
}

// id identifies a command from one time that it is listed to the next.
func (c Command) id() string { return string(c.Context) + "/" + string(c.Action) }

// Sync updates which commands can run, and what is known of the rest. The rows stay,
// so that none comes under the cursor by itself; where names are hidden now, what
// was typed may be one, and goes.
func (p *Palette) Sync(s *state.Store, _ kernel.Topic) {
	p.cfg.Store, p.all = s, p.cfg.Commands()
	if private := s.Privacy.Private(); private != p.private {
		p.private = private
		p.filter.SetValue("")
		p.find()
	}
	for i := range p.rows {
		if row, ok := p.index.Row(p.rows[i].Item); ok {
			p.rows[i].Row = row
		}
	}
}

// find begins to look for the typed text. While nothing is typed there are the
// commands, after what was chosen lately.
func (p *Palette) find() {
	p.told = false
	p.index.Ask(p.filter.Value())
	if p.working = strings.TrimSpace(p.filter.Value()) != ""; p.working {
		return
	}
	items := slices.Clone(p.cfg.Recent.Items())
	for _, c := range p.all {
		if it := (find.Item{Kind: find.Command, ID: c.id()}); !slices.Contains(items, it) {
			items = append(items, it)
		}
	}
	p.list(items)
}

// work looks further for what was typed.
func (p *Palette) work(enough func() bool) (more bool) {
	if more = p.index.Work(enough); !more && p.working {
		p.working = false
		p.list(p.index.Found())
	}
	return more
}

// finish ends the search: a key acts on what was typed before it.
func (p *Palette) finish() {
	for p.working {
		p.work(func() bool { return false })
	}
}

// list shows items, without those that are gone or hidden.
func (p *Palette) list(items []find.Item) {
	p.rows = p.rows[:0]
	for _, it := range items {
		row, ok := p.index.Row(it)
		switch it.Kind {
		case find.Command:
			_, ok = p.byID[it.ID]
		case find.Account:
			row, ok = p.accountRow(it.ID)
		default:
		}
		if ok {
			p.rows = append(p.rows, found{it, row})
		}
	}
	p.table.SetRows(len(p.rows))
	p.table.Home()
}

func (p *Palette) account(id string) (dialog.Account, bool) {
	i := slices.IndexFunc(p.cfg.Accounts, func(a dialog.Account) bool { return a.ID == id })
	if i < 0 {
		return dialog.Account{}, false
	}
	return p.cfg.Accounts[i], true
}

func (p *Palette) accountRow(id string) (find.Row, bool) {
	a, ok := p.account(id)
	row := find.Row{Name: a.Name, Detail: p.cfg.Theme.Words.T(a.Where), Does: p.cfg.Theme.Words.T("switch to the profile")}
	if a.Here {
		row.Detail, row.Does = p.cfg.Theme.Words.T("current"), p.cfg.Theme.Words.T("it is open")
	}
	return row, ok
}

// picked is the row under the cursor.
func (p *Palette) picked() (found, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.rows) {
		return found{}, false
	}
	return p.rows[i], true
}

// command returns that of a row; false for a row of another kind.
func (p *Palette) command(r found) (Command, bool) {
	i, ok := p.byID[r.ID]
	if r.Kind != find.Command || !ok || i >= len(p.all) {
		return Command{}, false
	}
	return p.all[i], true
}

// Traits implements Dialog.
func (p *Palette) Traits() dialog.Traits {
	is := dialog.Traits{Context: keymap.Form, Typing: true, Commits: true, Public: true}
	if p.index.Working() {
		is.Work = p.work
	}
	return is
}

// Act moves, does what is under the cursor, or closes the list.
func (p *Palette) Act(a keymap.Action) dialog.Result {
	p.finish()
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.NextField:
		p.table.Move(1)
	case keymap.PrevField:
		p.table.Move(-1)
	case keymap.Confirm:
		if r, ok := p.picked(); ok {
			return p.enter(r)
		}
	default:
	}
	p.told = false
	return dialog.Result{}
}

// enter runs the command of a row, or goes to what it is.
func (p *Palette) enter(r found) dialog.Result {
	if c, ok := p.command(r); ok && c.Reason != "" {
		p.told = true
		return dialog.Result{}
	} else if ok {
		p.cfg.Recent.Add(r.Item)
		return dialog.Result{Close: true, Run: &c.Binding}
	}
	p.cfg.Recent.Add(r.Item)
	to, ok := p.account(r.ID)
	switch {
	case r.Kind != find.Account || !ok:
		return dialog.Result{Close: true, Ask: r.Ask}
	case to.Here:
		return dialog.Result{Close: true}
	}
	return accounts.SwitchTo(p.cfg.Theme, p.cfg.Store, p.cfg.Keys, to, p.cfg.Gone)
}

// Type filters.
func (p *Palette) Type(key, text string) dialog.Result {
	switch key {
	case "pgdown":
		p.finish()
		p.table.Page(1)
	case "pgup":
		p.finish()
		p.table.Page(-1)
	default:
		before := p.filter.Value()
		if p.filter.Key(key, text); p.filter.Value() != before {
			p.find()
		}
	}
	return dialog.Result{}
}

// Paste filters by the pasted text.
func (p *Palette) Paste(text string) {
	p.filter.Paste(text)
	p.find()
}

func (p *Palette) empty() string {
	if p.private {
		return p.cfg.Theme.Words.T("no match: names are hidden")
	}
	return p.cfg.Theme.Words.T("no match")
}

// View draws the box.
func (p *Palette) View(w, h int) []string {
	t := p.cfg.Theme
	w = min(w, 100)
	inner := w - 2
	// The box does not change its height with the number of matches.
	foot := footLines
	if h >= footFrom {
		foot++
	}
	rows := min(len(p.all), max(1, h-4-foot), 22)
	p.table.SetStyles(dialog.TableStyles(t))
	p.table.SetSize(inner, rows)
	p.filter.SetStyles(dialog.InputStyles(t))
	lines := []string{widget.FitLine(widget.Spans(3, widget.Span{Style: t.Accent, Text: " : "})+p.filter.View(max(1, inner-4), true), inner)}
	lines = append(lines, p.table.Draw(true, p.row)...)
	lines = append(lines, p.foot(inner, foot)...)
	verb := "enter " + t.Words.T("run")
	if r, ok := p.picked(); ok && r.Kind != find.Command {
		verb = "enter " + t.Words.T("go")
	}
	lines = append(lines, dialog.KeyLines(t, inner, verb, t.Glyphs.Up+t.Glyphs.Down+" "+t.Words.T("move"), "esc "+t.Words.T("back"))...)
	return dialog.Scrolled(t, t.Words.T("Find"), lines, w, p.table.Scroll())
}

// footLines describe the command under the cursor; there is one more from the
// height footFrom on.
const (
	footLines = 2
	footFrom  = 16
)

// foot draws in n lines why the command under the cursor cannot run, what it
// does and where its key works, or what else is under it: its row may cut them.
func (p *Palette) foot(w, n int) []string {
	var lines []string
	r, ok := p.picked()
	c, runs := p.command(r)
	switch {
	case !ok:
	case !runs:
		lines = dialog.Paragraph(w, p.cfg.Theme.Muted, r.Name+" ("+r.Does+")")
		if r.About != "" {
			lines = append(lines, dialog.Paragraph(w, p.cfg.Theme.Muted, r.About)...)
		}
	default:
		switch {
		case p.told && c.Reason != "":
			lines = dialog.Paragraph(w, p.cfg.Theme.Bad, p.cfg.Theme.Words.Tf("not now: %s", c.Reason))
		case c.Reason != "":
			lines = dialog.Paragraph(w, p.cfg.Theme.Warn, c.Reason)
		}
		lines = append(lines, dialog.Paragraph(w, p.cfg.Theme.Muted, p.cfg.Theme.Words.T(c.Help)+" ("+c.Place+")")...)
	}
	for len(lines) < n {
		lines = append(lines, widget.Spans(w))
	}
	return lines[:n]
}

// row draws what is found, what is known of it, and at the right the keys of a command or
// the kind of what is none.
func (p *Palette) row(i int, w *widget.RowWriter) {
	t, r := p.cfg.Theme, p.rows[i]
	c, ok := p.command(r)
	switch keys := strings.Join(c.Keys, " "); {
	case !ok:
		w.Cell(t.Text, pane.CutName(r.Name, w.Width()))
		w.Cell(t.Muted, r.Detail)
		w.Cell(t.Info, t.Words.T(r.Kind.String()))
	case c.Reason != "":
		w.Cell(t.Faint, t.Words.T(c.Help))
		w.Cell(t.Faint, c.Reason)
		w.Cell(t.Faint, keys)
	default:
		w.Cell(t.Text, t.Words.T(c.Help))
		w.Cell(t.Muted, c.Place)
		w.Cell(t.Key, keys)
	}
}
