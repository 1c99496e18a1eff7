// Package rules is the pane that shows the rules: what each matches, may do and did. It
// takes the place of the card list.
package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the rules in the order of the configuration.
type Pane struct {
	pane.List[*state.RuleStatus, string]
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[*state.RuleStatus, string]{
		Name: lang.N("Rules"), Columns: columns(), Key: func(r *state.RuleStatus) string { return r.Name },
		List: func() []*state.RuleStatus { return p.Store.Rules.All() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Detail: p.detail, MostDetail: 3,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Rules }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicRules | kernel.TopicOps }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, or asks for something to be done with the rule.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.NewRule {
		return []kernel.Intent{kernel.Say{Level: kernel.Info, Text: p.Theme.Words.T("add [[rules]] to the configuration; cardtop doctor shows the file, docs/CONFIG.md every setting")}}
	}
	r, ok := p.Picked()
	if !ok {
		return nil
	}
	switch a {
	case keymap.ReviewRule:
		return []kernel.Intent{state.ReviewRule{Name: r.Name}}
	case keymap.RuleCards:
		return []kernel.Intent{pane.ShowList{List: settings.CardList, Filter: r.When}}
	case keymap.StopRule:
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: rule.Off}}
	case keymap.SuggestRule:
		mode := rule.Suggest
		if r.Mode == rule.Suggest {
			mode = rule.Off
		}
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: mode}}
	case keymap.ActRule:
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: rule.Act}}
	default:
		return nil
	}
}

// What was done last is dropped first where there is little room, then what it does.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("rule"), Min: 8, Max: 24, Weight: 2},
		{Title: lang.Column("mode"), Min: 7, Max: 7},
		{Title: lang.Column("does"), Min: 12, Max: 18, Weight: 1, Priority: 2},
		{Title: lang.Column("cards"), Min: 5, Align: widget.Right},
		{Title: lang.Column("now"), Min: 9, Max: 16, Weight: 1, Align: widget.Right, Priority: 1},
		{Title: lang.Column("24 h"), Min: 18, Max: 26, Weight: 1, Align: widget.Right, Priority: 1},
		{Title: lang.Column("state"), Min: 12, Weight: 4, Priority: 3},
	}
}

// example is a rule that acts: it moves nothing until the user lets it.
const example = `[[rules]]
name = "topup"
when = "status=active left<1d"
fund_by = "100"
max_per_day = "500"`

func (p *Pane) empty() string {
	return p.Theme.Words.T("no rules: add [[rules]] to the configuration, such as") + "\n\n" + example
}

// NoRow says why the keys of a rule do nothing.
func (p *Pane) NoRow() string {
	return p.Theme.Words.T("no rules yet: add [[rules]] to the configuration first")
}

func (p *Pane) frame(f *widget.Frame) {
	text := fmt.Sprint(len(p.Rows()))
	if n := p.Store.Rules.Count(rule.Act); n > 0 {
		text += p.Theme.Words.Tf(" · %d act", n)
	}
	if n := p.Store.Rules.Count(rule.Suggest); n > 0 {
		text += p.Theme.Words.Tf(" · %d suggest", n)
	}
	f.Title = append(f.Title, pane.Note(p.Theme, text))
	f.Foot = []widget.Span{{Style: p.Theme.Faint, Text: p.Theme.Words.T("off at each start · [[rules]] in the config")}}
}

func (p *Pane) row(r *state.RuleStatus, w *widget.RowWriter) {
	t := p.Theme
	d := p.Store.Privacy.Display()
	w.Cell(t.Text, r.Name)
	w.Cell(p.modeStyle(r), p.mode(r))
	w.Cell(t.Text, d.Text(r.Does(p.Theme.Words)))
	cards, now := "–", ""
	if !r.Looked.IsZero() {
		cards = fmt.Sprint(r.Matching)
		if n, sum := r.Proposes(); n > 0 && r.Action.Moves() {
			now = d.Dollars(sum)
		} else if n > 0 {
			now = fmt.Sprint(n)
		}
	}
	w.Cell(t.Text, cards)
	w.Cell(t.Gold, now)
	w.Cell(t.Muted, p.used(r))
	style := t.Faint
	if r.Paused != "" {
		style = t.Warn
	}
	w.Cell(style, d.Text(p.status(r)))
}

// mode is the mode in a word; a rule that only alerts always does.
func (p *Pane) mode(r *state.RuleStatus) string {
	w := p.Theme.Words
	if !r.Action.Acts() {
		return w.Tc("rule", "alert")
	}
	switch r.Mode {
	case rule.Off:
		return w.Tc("rule", "off")
	case rule.Suggest:
		return w.Tc("rule", "suggest")
	case rule.Act:
		return w.Tc("rule", "act")
	default:
		return r.Mode.String()
	}
}

func (p *Pane) modeStyle(r *state.RuleStatus) string {
	switch {
	case r.Mode == rule.Act:
		return p.Theme.Warn
	case r.Mode == rule.Suggest, !r.Action.Acts():
		return p.Theme.Info
	}
	return p.Theme.Faint
}

// used is what the rule did in 24 hours, against its cap.
func (p *Pane) used(r *state.RuleStatus) string {
	d := p.Store.Privacy.Display()
	switch {
	case !r.Action.Acts():
		return ""
	case r.Action.Moves() && r.MaxDay > 0:
		return p.Theme.Words.Tf("%s of %s", d.Dollars(r.Used.Amount), d.Dollars(r.MaxDay))
	case r.Action.Moves():
		return d.Dollars(r.Used.Amount)
	case r.MaxActions > 0:
		return p.Theme.Words.Tf("%d of %d", r.Used.Actions, r.MaxActions)
	}
	return fmt.Sprint(r.Used.Actions)
}

// status is why the rule does nothing now, or what it did last.
func (p *Pane) status(r *state.RuleStatus) string {
	last := ""
	if r.Last != "" {
		last = p.Theme.Words.Tf("last: %s, %s", r.Last, pane.When(p.Theme.Words, r.LastAt, p.Store.Now()))
	}
	return cmp.Or(r.Paused, last)
}

// detail describes the rule under the cursor: its filter, its bounds, and what it
// waits for.
func (p *Pane) detail(r *state.RuleStatus, w, n int) []string {
	d := p.Store.Privacy.Display()
	line := func(style, text string) string {
		return widget.Spans(w, widget.Span{Style: style, Text: " " + widget.Truncate(text, max(1, w-2))})
	}
	lines := []string{line(p.Theme.Faint, p.Theme.Words.Tf("when %s", d.Text(r.When)))}
	if n > 1 {
		lines = append(lines, line(p.Theme.Faint, strings.Join(bounds(p.Theme.Words, d, r), " · ")))
	}
	if n > 2 {
		style := p.Theme.Faint
		if r.Paused != "" {
			style = p.Theme.Warn
		}
		lines = append(lines, line(style, d.Text(p.status(r))))
	}
	return lines
}

// bounds are the caps and the times of a rule.
func bounds(w *lang.Words, d display.Display, r *state.RuleStatus) []string {
	parts := []string{d.Text(r.Does(w))}
	add := func(on bool, text string) {
		if on {
			parts = append(parts, text)
		}
	}
	add(r.MaxDay > 0, w.Tf("at most %s a day", d.Dollars(r.MaxDay)))
	add(r.MaxCard > 0, w.Tf("%s a card", d.Dollars(r.MaxCard)))
	add(r.MaxActions > 0, w.Tf("%d cards a day", r.MaxActions))
	add(r.Action.Acts() && r.Cooldown > 0, w.Tf("again after %s", w.AgeCoarse(r.Cooldown)))
	add(!r.Between.All(), r.Between.String())
	add(r.Declines > 0, w.Tf("not from %d declines on", r.Declines))
	return parts
}
