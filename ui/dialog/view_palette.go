package dialog

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
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

// Palette lists every command. Typing filters them; enter runs the one under the
// cursor as if its key had been pressed.
type Palette struct {
	theme  *theme.Theme
	table  *widget.Table
	filter *textEntry
	// list returns the commands as they are now.
	list func() []Command
	all  []Command
	rows []int // indexes into all, the best match first
	told bool  // the user tried to run one that cannot run
}

// NewPalette makes the list.
func NewPalette(t *theme.Theme, list func() []Command) *Palette {
	p := &Palette{theme: t, filter: newText(), list: list, all: list()}
	p.filter.SetPlaceholder("type to filter")
	p.table = widget.NewTable(widget.TableConfig{Gap: 2, Columns: []widget.Column{
		{Min: 8, Max: 12, Weight: 1},
		{Min: 16, Weight: 5},
		{Min: 14, Max: 26, Weight: 1, Priority: 1},
	}})
	p.find()
	return p
}

// Sync updates which commands can run.
func (p *Palette) Sync(*state.Store, state.Topic) { p.all = p.list() }

// find ranks the commands by the typed text.
func (p *Palette) find() {
	p.rows, p.told = p.rows[:0], false
	scores := make(map[int]int)
	for i, c := range p.all {
		if score, ok := rank(p.filter.Value(), c.Help, string(c.Action), c.Place); ok {
			scores[i] = score
			p.rows = append(p.rows, i)
		}
	}
	slices.SortStableFunc(p.rows, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	p.table.SetRows(len(p.rows))
	p.table.Home()
}

func (p *Palette) picked() (Command, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.rows) || p.rows[i] >= len(p.all) {
		return Command{}, false
	}
	return p.all[p.rows[i]], true
}

// Traits implements Dialog.
func (p *Palette) Traits() Traits {
	return Traits{Context: keymap.Form, Typing: true, Commits: true, Public: true}
}

// Act moves, runs the command under the cursor, or closes the list.
func (p *Palette) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.NextField:
		p.table.Move(1)
	case keymap.PrevField:
		p.table.Move(-1)
	case keymap.Confirm:
		c, ok := p.picked()
		if ok && c.Reason == "" {
			return Result{Close: true, Run: &c.Binding}
		}
		p.told = c.Reason != ""
		return Result{}
	default:
	}
	p.told = false
	return Result{}
}

// Type filters.
func (p *Palette) Type(key, text string) Result {
	switch key {
	case "pgdown":
		p.table.Page(1)
	case "pgup":
		p.table.Page(-1)
	default:
		before := p.filter.Value()
		if p.filter.Key(key, text); p.filter.Value() != before {
			p.find()
		}
	}
	return Result{}
}

// Paste filters by the pasted text.
func (p *Palette) Paste(text string) {
	p.filter.Paste(text)
	p.find()
}

// View draws the box.
func (p *Palette) View(w, h int) []string {
	t := p.theme
	w = min(w, 100)
	inner := w - 2
	// The box does not change its height with the number of matches.
	foot := footLines
	if h >= footFrom {
		foot++
	}
	rows := min(len(p.all), max(1, h-4-foot), 22)
	p.table.SetStyles(tableStyles(t))
	p.table.SetEmpty("no matching command")
	p.table.SetSize(inner, rows)
	p.filter.SetStyles(inputStyles(t))
	lines := []string{widget.FitLine(widget.Spans(3, widget.Span{Style: t.Accent, Text: " : "})+p.filter.View(max(1, inner-4), true), inner)}
	lines = append(lines, p.table.Draw(true, p.row)...)
	lines = append(lines, p.foot(inner, foot)...)
	lines = append(lines, keyLines(t, inner, "enter run", t.Glyphs.Up+t.Glyphs.Down+" move", "esc back")...)
	return scrolled(t, "Commands", lines, w, p.table.Scroll())
}

// footLines describe the command under the cursor; there is one more from the
// height footFrom on.
const (
	footLines = 2
	footFrom  = 16
)

// foot draws in n lines why the command under the cursor cannot run, what it
// does and where its key works: its row may cut them.
func (p *Palette) foot(w, n int) []string {
	var lines []string
	if c, ok := p.picked(); ok {
		switch {
		case p.told && c.Reason != "":
			lines = paragraph(w, p.theme.Bad, "not now: "+c.Reason)
		case c.Reason != "":
			lines = paragraph(w, p.theme.Warn, c.Reason)
		}
		lines = append(lines, paragraph(w, p.theme.Muted, c.Help+" ("+c.Place+")")...)
	}
	for len(lines) < n {
		lines = append(lines, widget.Spans(w))
	}
	return lines[:n]
}

func (p *Palette) row(i int, w *widget.RowWriter) {
	t := p.theme
	c := p.all[p.rows[i]]
	keys := ""
	for _, k := range c.Keys {
		if keys != "" {
			keys += " "
		}
		keys += k
	}
	if c.Reason != "" {
		w.Cell(t.Faint, keys)
		w.Cell(t.Faint, c.Help)
		w.Cell(t.Faint, c.Reason)
		return
	}
	w.Cell(t.Key, keys)
	w.Cell(t.Text, c.Help)
	w.Cell(t.Muted, c.Place)
}

// rank scores how well texts match what was typed, and reports whether they do:
// each word has to be in one of them, as it is or with its letters in order.
// Earlier texts score higher.
func rank(typed string, texts ...string) (score int, ok bool) {
	for word := range strings.FieldsSeq(strings.ToLower(typed)) {
		best := 0
		for i, text := range texts {
			best = max(best, fit(word, strings.ToLower(text))-i)
		}
		if best <= 0 {
			return 0, false
		}
		score += best
	}
	return score, true
}

// The scores of a match.
const (
	fitName    = 40  // the full text
	fitWhole   = 10  // a full word
	fitStart   = 100 // at the start
	fitWord    = 80  // at the start of a word
	fitWithin  = 60
	fitLetters = 30 // all letters in order
	fitGap     = 3  // subtracted for each letter in between
)

// fit scores one word in a text; 0 when it does not match.
func fit(word, text string) int {
	best := 0
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			break
		}
		best = max(best, fitAt(word, text, from+at))
		from += at + 1
	}
	if best > 0 {
		return best
	}
	return fitSpelt(word, text)
}

// fitAt scores a word at a place of a text.
func fitAt(word, text string, at int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+len(word):])
	score := fitWithin
	switch {
	case word == text:
		return fitStart + fitName
	case at == 0:
		score = fitStart
	case !unicode.IsLetter(before):
		score = fitWord
	default:
		return score
	}
	if !unicode.IsLetter(after) {
		score += fitWhole
	}
	return score
}

// fitSpelt scores the letters of a word that are in a text in their order.
func fitSpelt(word, text string) int {
	gaps, from := 0, -1
	for _, r := range word {
		next := strings.IndexRune(text[from+1:], r)
		if next < 0 {
			return 0
		}
		if from >= 0 {
			gaps += next
		}
		from += 1 + next
	}
	// Letters far apart match by chance.
	return max(0, fitLetters-fitGap*gaps)
}
