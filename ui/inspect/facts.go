package inspect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// facts are the lines above the timeline: what the list knows at once, the
// rest when the summary is in. What matters most comes first, because where
// there is little room the timeline gets half of it and the rest is scrolled to.
func (p *Pane) facts() []string {
	if p.store == nil {
		return nil
	}
	in := p.store.Info.Inspected()
	c, known := p.store.Cards.Get(in.Card)
	if !known && in.Summary == nil {
		return p.part(p.fact(p.theme.Words.T("card"), p.theme.Muted, p.theme.Words.T("not loaded")))
	}
	t, d, words := p.theme, p.store.Privacy.Display(), p.theme.Words
	status := pane.StatusWord(words, c.Shown())
	if doing := pane.UnderWay(t, p.store, in.Card); len(doing) > 0 {
		status += gap + doing[0]
	}
	if c.Cached {
		status += gap + words.T("from the last run")
	}
	if p.spending.lasts != "" {
		status += words.Tf("  lasts %s", p.spending.lasts)
	}
	first := slices.Concat(
		p.fact(words.T("balance"), pane.Tone(t, c.Cached, t.Strong), d.Dollars(c.Balance)+"  "+status),
		p.codes(),
		p.month(in),
	)
	lines := slices.Concat(
		p.fact(words.T("number"), t.Text, "•••• •••• •••• "+d.Last4(c)+"  "+string(c.Network)+"  BIN "+d.Text(string(c.BIN))),
		p.summary(in, c),
	)
	// Declines come before the days, that there were none after them.
	if declined := p.declined(); p.spending.sum.Declined > 0 {
		first = append(first, declined...)
	} else {
		lines = append(declined, lines...)
	}
	if text := moved(p.theme.Words, d, p.store.History.Past().Rows, in.Card, p.store.Now()); text != "" {
		lines = append(lines, p.fact(words.T("moved"), t.Text, text)...)
	}
	lines = append(lines, p.rules()...)
	if in.Summary != nil {
		lines = append(lines, p.metadata(in.Summary.Metadata)...)
	}
	return p.part(slices.Concat(first, p.monthOfDays(p.factLines()-len(first)-len(lines)), lines))
}

// factLines is how many facts there is room for.
func (p *Pane) factLines() int { return max(2, (p.h-2)/2) }

// part is as much of the facts as there is room for, from where they are
// scrolled to.
func (p *Pane) part(lines []string) []string {
	room := min(len(lines), p.factLines())
	p.above = max(0, min(p.above, len(lines)-room))
	p.below = len(lines) - room - p.above
	lines = lines[p.above : p.above+room]
	if p.h < roomyFrom {
		return lines
	}
	return append(lines, widget.Spans(max(0, p.w-2)))
}

// scroll scrolls the facts, while the cursor is on the newest row: down until
// all were in sight, and up before it leaves them. False when there is nothing
// to scroll that way.
func (p *Pane) scroll(a keymap.Action) bool {
	if a == keymap.First {
		p.above = 0
	}
	if at, _ := p.table.Cursor(); at > 0 {
		return false
	}
	page, before := p.factLines(), p.above
	switch a {
	case keymap.Down:
		p.above += min(1, p.below)
	case keymap.PageDown:
		p.above += min(page, p.below)
	case keymap.Up:
		p.above = max(0, p.above-1)
	case keymap.PageUp:
		p.above = max(0, p.above-page)
	default:
	}
	return p.above != before
}

// codesShown bounds the codes that are shown above the timeline, which lists
// them all.
const codesShown = 2

// codes are the card's codes that wait.
func (p *Pane) codes() []string {
	t, d := p.theme, p.store.Privacy.Display()
	own := slices.DeleteFunc(slices.Clone(p.store.Codes.All()), func(c codes.Code) bool { return c.Card != p.card })
	slices.SortStableFunc(own, func(x, y codes.Code) int { // What was replaced comes last.
		return cmp.Compare(rank(x.Replaced), rank(y.Replaced))
	})
	var lines []string
	for _, c := range own[:min(codesShown, len(own))] {
		digits := cmp.Or(widget.Group(c.Shown(d), 3), t.Words.Tc("code", "fetching"))
		code, text := t.Code, t.Text
		if c.Replaced {
			code, text = t.Faint, t.Faint
		}
		spans := []widget.Span{{Style: code, Text: digits}, {Text: "  "}, pane.Left(t, c.Left(p.store.ServerNow()))}
		if mark := pane.CodeMark(p.store, t, c); mark.Words != "" {
			spans = append(spans, widget.Span{Style: mark.Style, Text: "  " + mark.Words})
		}
		lines = append(lines, p.line(t.Words.T("code"), append(spans, widget.Span{Style: text, Text: "  " + pane.Amount(t.Words, d, c) + "  " + string(c.Merchant)})...))
	}
	return lines
}

func rank(replaced bool) int {
	if replaced {
		return 1
	}
	return 0
}

// The parts of the month's limit, in percent, from which it is told as a
// warning and as bad.
const (
	nearLimit = 75
	atLimit   = 90
)

// month draws what settled in this calendar month, against the limit.
func (p *Pane) month(in state.Inspected) []string {
	t, d := p.theme, p.store.Privacy.Display()
	switch {
	case !in.Loaded && in.Err != nil:
		return p.fact(t.Words.T("month"), t.Muted, t.Words.Tf("not loaded: %s", in.Why))
	case !in.Loaded && !p.whole:
		return p.fact(t.Words.T("month"), t.Muted, t.Words.T("loading transactions…"))
	}
	spent := d.Dollars(p.spent)
	if !p.whole {
		spent = "≥" + spent
	}
	if in.Summary == nil || in.Summary.SpendingLimit == nil || *in.Summary.SpendingLimit <= 0 {
		return p.fact(t.Words.T("month"), t.Text, t.Words.Tf("%s  limit unknown", spent))
	}
	return p.used(in.Card, spent, *in.Summary.SpendingLimit)
}

// barCells is the width of the bar of what the month used.
const barCells = 20

// used draws how much of the limit is spent, with a bar where there is room, and when it is reached where that is before the
// balance ends.
// Where figures are hidden neither a bar nor a colour shows them.
func (p *Pane) used(card api.CardID, spent string, limit api.USD) []string {
	t, d := p.theme, p.store.Privacy.Display()
	if d.Private() {
		return p.fact(t.Words.T("month"), t.Text, t.Words.Tf("%s  limit %s", spent, d.Dollars(limit)))
	}
	percent := max(0, 100*p.spent/limit)
	bar, style := t.Bar, t.Text
	switch {
	case percent >= atLimit:
		bar, style = t.Bad, t.Bad
	case percent >= nearLimit:
		bar, style = t.Warn, t.Warn
	}
	text, reached := t.Words.Tf("%s  limit %s  %d %%", spent, d.Dollars(limit), percent), ""
	if p.whole && limit > p.spent {
		if lasts, ok := p.store.Insight.LimitRunway(card, limit-p.spent); ok {
			reached = t.Words.Tf("  reached in %s", lasts.Short(t.Words))
		}
	}
	text += reached
	w := p.w - 2 - nameCells - barCells
	if w <= widget.Width(text) {
		return p.fact(t.Words.T("month"), style, t.Words.Tf("%s  %d %% of %s", spent, percent, d.Dollars(limit))+reached)
	}
	return widget.JoinHorizontal(
		[]string{widget.Spans(nameCells, p.name(t.Words.T("month")))},
		[]string{widget.Bar(float64(p.spent)/float64(limit), barCells, widget.BarStyles{Fill: bar, Rest: t.BarRest})},
		[]string{widget.Spans(w, widget.Span{Style: style, Text: " " + text})},
	)
}

// summary is what only the card's own resource has.
func (p *Pane) summary(in state.Inspected, c cardlist.Card) []string {
	t, d, w := p.theme, p.store.Privacy.Display(), p.theme.Words
	if in.Summary == nil {
		text := w.T("loading summary…")
		if in.Err != nil {
			text = w.Tf("not loaded: %s", in.Why)
		}
		return append(p.fact(w.T("spent"), t.Muted, text), p.fact(w.T("dates"), t.Muted, w.Tf("created %s", day(w, c.CreatedAt)))...)
	}
	s := in.Summary
	spent := w.T("unknown")
	if s.TotalSpent != nil {
		spent = w.Tf("%s total", d.Dollars(*s.TotalSpent))
	}
	if n := s.TransactionCount; n != nil {
		spent += w.Tn(*n, "  in %d transaction", "  in %d transactions")
	}
	dates := w.Tf("created %s  expires %s", day(w, s.CreatedAt), day(w, s.ExpiresAt))
	if s.LastUsedAt.IsZero() {
		dates += w.T("  never used")
	} else {
		dates += w.Tf("  used %s", w.Ago(p.store.ServerNow().Sub(s.LastUsedAt)))
	}
	return append(p.fact(w.T("spent"), t.Text, spent), p.fact(w.T("dates"), t.Muted, dates)...)
}

// rules are the settings that the API reports only in the response to a write; nothing before one.
func (p *Pane) rules() []string {
	k, d, w := p.store.Info.Settings(p.card), p.store.Privacy.Display(), p.theme.Words
	freeze, categories := w.T("auto-freeze not reported"), w.T("categories not reported")
	switch {
	case k.AutoFreeze == nil && k.Categories == nil:
		return nil
	case k.AutoFreeze == nil:
	case *k.AutoFreeze == 0:
		freeze = w.T("no auto-freeze")
	default:
		freeze = w.Tf("auto-freeze below %s", d.Dollars(*k.AutoFreeze))
	}
	switch {
	case k.Categories == nil:
	case len(*k.Categories) == 0:
		categories = w.T("all categories")
	default:
		names := make([]string, 0, len(*k.Categories))
		for _, c := range *k.Categories {
			names = append(names, string(c))
		}
		categories = w.Tf("only %s", strings.Join(names, ", "))
	}
	return p.fact(w.T("rules"), p.theme.Muted, freeze+"  "+categories)
}

func (p *Pane) metadata(all map[api.Text]api.Text) []string {
	if len(all) == 0 {
		return nil
	}
	pairs := make([]string, 0, len(all))
	for k, v := range all {
		pairs = append(pairs, string(k)+"="+string(v))
	}
	slices.Sort(pairs)
	return p.fact(p.theme.Words.Tc("fact", "metadata"), p.theme.Muted, p.store.Privacy.Display().Text(strings.Join(pairs, gap)))
}

// gap stands between the parts of a fact.
const gap = "  "

// nameCells is the width of the names' column.
const nameCells = 10

// fact is a name and its value; parts of it continue on the next line where one
// is too short.
func (p *Pane) fact(name, style, text string) []string {
	room := max(8, p.w-2-nameCells)
	var texts []string
	for part := range strings.SplitSeq(text, gap) {
		if n := len(texts) - 1; n >= 0 && widget.Width(texts[n]+gap+part) <= room {
			texts[n] += gap + part
		} else {
			texts = append(texts, widget.Wrap(part, room)...)
		}
	}
	lines := make([]string, 0, len(texts))
	for _, text := range texts {
		lines = append(lines, p.line(name, widget.Span{Style: style, Text: text}))
		name = ""
	}
	return lines
}

func (p *Pane) line(name string, spans ...widget.Span) string {
	return widget.Spans(max(0, p.w-2), append([]widget.Span{p.name(name)}, spans...)...)
}

func (p *Pane) name(text string) widget.Span {
	return widget.Span{Style: p.theme.Faint, Text: " " + widget.Fit(text, nameCells-1, widget.Left)}
}

func day(w *lang.Words, t time.Time) string {
	if t.IsZero() {
		return w.T("unknown")
	}
	return t.Format("2006-01-02")
}
