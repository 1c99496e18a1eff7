// Package alerts is the pane that shows what wants the user's attention. It
// takes the place of the card list.
package alerts

import (
	"cmp"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Where there is little room the time is dropped, then what is the matter: the line for the
// alert under the cursor says it.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("alert"), Min: 13, Max: 17, Weight: 3},
		{Title: lang.Column("card"), Min: 19, Weight: 2},
		{Title: lang.Column("what"), Min: 16, Weight: 4, Priority: 1},
		{Title: lang.Column("since"), Min: 5, Max: 5, Align: widget.Right, Priority: 2},
	}
}

// empty claims nothing of what was not read.
func (p *Pane) empty() string {
	words := p.Theme.Words
	switch unread := p.unread(); {
	case unread != "":
		return unread
	case p.lacks != "":
		return words.T("no alerts so far") + " · " + p.lacks
	}
	return words.T("no alerts")
}

// unread says what was never read of the cards and the wallet, which alerts
// are about; empty when all was.
func (p *Pane) unread() string {
	words, polls := p.Theme.Words, p.Store.Poll
	return cmp.Or(pane.Unread(words, polls.Source(poll.Hot), words.T("loading cards…")), pane.Unread(words, polls.Source(poll.Wallet), words.T("loading wallet…")))
}

// roomy is the width from which the title says what was not read yet.
const roomy = 60

func (p *Pane) frame(f *widget.Frame) {
	f.Title = append(f.Title, pane.Note(p.Theme, p.count()))
	if p.lacks != "" && p.W >= roomy { // Else the count alone says so.
		f.Title = append(f.Title, widget.Span{Style: p.Theme.Warn, Text: " · " + p.lacks})
	}
	if quiet := p.quiet(); quiet != "" {
		f.Title = append(f.Title, pane.Note(p.Theme, quiet))
	}
	f.Foot = []widget.Span{{Style: p.Theme.Faint, Text: p.Theme.Words.T("worst first, then newest") + " · " + p.edits()}}
}

// edits says which key edits what raises the alert under the cursor: the form of thresholds has those of most kinds.
func (p *Pane) edits() string {
	words := p.Theme.Words
	if a, ok := p.Picked(); ok {
		switch a.Kind {
		case alert.WalletLow, alert.BalanceLow, alert.RunsOut, alert.DeclineRate, alert.SpendSpike:
		default:
			return pane.Hint(p.keys, keymap.Global, keymap.OpenSettings, words.T("edits this setting"))
		}
	}
	return pane.Hint(p.keys, keymap.Alerts, keymap.AlertLines, words.T("edits these thresholds"))
}

func (p *Pane) count() string {
	open := p.Store.Alerts.Open()
	if len(p.Rows()) == 0 && p.unread() != "" {
		return p.Theme.Words.T("not read yet")
	}
	least := ""
	if p.lacks != "" {
		least = "≥"
	}
	if quiet := len(p.Rows()) - open; quiet > 0 {
		return least + p.Theme.Words.Tf("%d · %d seen or snoozed", open, quiet)
	}
	return least + fmt.Sprint(open)
}

// lacking says what was not read yet that would raise further alerts; empty when all was.
func lacking(s *state.Store) string {
	words, lacks := s.Words(), s.Alerts.Lacks()
	switch {
	case lacks.Past && lacks.Since.IsZero():
		return words.T("transactions not read yet")
	case lacks.Past:
		return words.Tf("transactions read since %s", pane.When(words, lacks.Since, s.ServerNow()))
	case lacks.Month:
		return words.T("spending of this month not read yet")
	case lacks.Limits > 0:
		return words.Tn(lacks.Limits, "limit of %d card not read yet", "limits of %d cards not read yet")
	}
	return ""
}

// quiet says until when nobody is called; empty outside of quiet hours.
func (p *Pane) quiet() string {
	held, quiet := p.Store.Alerts.Held()
	if !quiet {
		return ""
	}
	until := p.Store.Alerts.Rules().Quiet.Until()
	if held > 0 {
		return p.Theme.Words.Tf("quiet until %s, %d held", until, held)
	}
	return p.Theme.Words.Tf("quiet until %s", until)
}

func (p *Pane) row(a alert.Alert, w *widget.RowWriter) {
	t := p.Theme
	now := p.Store.Now()
	glyph, style := sign(t, &a)
	text := t.Text
	switch {
	case now.Before(a.Snoozed):
		glyph, style, text = t.Glyphs.Clock, t.Faint, t.Faint
	case a.Seen:
		glyph, style, text = t.Glyphs.Check, t.Faint, t.Faint
	}
	w.Cell(style, glyph+" "+kindText(t.Words, a.Kind))
	if a.Card != "" {
		pane.NameCell(p.Store, a.Card, w, text)
	} else {
		w.Cell(text, p.about(a))
	}
	w.Cell(text, p.what(a))
	since := t.Words.AgeOfRow(max(0, now.Sub(a.Since)))
	if a.AtLeast && since != t.Words.Tc("age", "now") {
		since = "≥" + since
	}
	w.Cell(t.Faint, since)
}

// about is what an alert is about that is about no card.
func (p *Pane) about(a alert.Alert) string {
	d := p.Store.Privacy.Display()
	switch {
	case a.Campaign != "":
		return p.Theme.Words.Tf("%s · campaign", d.Text(a.Campaign))
	case a.BIN != "":
		return "BIN " + d.Text(a.BIN)
	case a.Kind == alert.RunsOut:
		return p.Theme.Words.T("wallet")
	case a.Kind == alert.DeclineRate:
		return p.Theme.Words.T("account")
	}
	return ""
}

// what says what is the matter, and until when it is put off.
func (p *Pane) what(a alert.Alert) string {
	what := p.Store.Privacy.Display().Text(a.Shown)
	if p.Store.Now().Before(a.Snoozed) {
		what = p.Theme.Words.Tf("until %s: %s", a.Snoozed.Local().Format("15:04"), what)
	}
	return what
}

// detail says all of the alert under the cursor, however narrow the list is,
// and where there is room which setting raised it.
func (p *Pane) detail(a alert.Alert, w, n int) []string {
	var parts []string
	if n > 1 {
		parts = append(parts, kindText(p.Theme.Words, a.Kind))
		if a.Card != "" {
			parts = append(parts, p.Store.Cards.Name(a.Card))
		} else if about := p.about(a); about != "" {
			parts = append(parts, about)
		}
	}
	parts = append(parts, p.what(a))
	if a.Kind == alert.IdleCards && n > 1 {
		parts = append(parts, p.Theme.Words.T("without frozen cards"))
	}
	lines := p.faint(w, max(1, n-1), parts...)
	if by := setting(p.Theme.Words, &a); by != "" && n > 1 {
		lines = append(lines, p.faint(w, 1, p.Theme.Words.Tf("set by %s", by))...)
	}
	return lines
}

// faint is what parts say in at most n lines of w cells; the last shows that it
// is not all.
func (p *Pane) faint(w, n int, parts ...string) []string {
	const between = " · "
	var texts []string
	for _, part := range parts {
		last := len(texts) - 1
		if last >= 0 && widget.Width(texts[last]+between+part) < w {
			texts[last] += between + part
		} else {
			texts = append(texts, widget.Wrap(part, max(1, w-1))...)
		}
	}
	if len(texts) > n {
		if n < 1 {
			return nil
		}
		texts = texts[:n]
		texts[n-1] = widget.Truncate(texts[n-1], max(1, w-3)) + " …"
	}
	lines := make([]string, 0, len(texts))
	for _, text := range texts {
		lines = append(lines, widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + text}))
	}
	return lines
}

// Pane lists the alerts.
type Pane struct {
	pane.List[alert.Alert, alert.ID]

	keys *keymap.Map
	// lacks is what was not read yet that would raise further alerts; empty when all was.
	lacks string
	// done says that the user is done with the alert under the cursor: it goes
	// on to the one that takes its place.
	done bool
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[alert.Alert, alert.ID]{
		Name: lang.N("Alerts"), Columns: columns(), Key: func(a alert.Alert) alert.ID { return a.ID },
		List: func() []alert.Alert { return p.Store.Alerts.All() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Detail: p.detail, MostDetail: 3, Rest: p.rest,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Alerts }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicAlerts | kernel.TopicCards | kernel.TopicSpend | kernel.TopicHealth | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	if p.Store == nil || changed&kernel.TopicClock != 0 { // It counts all cards.
		p.lacks = lacking(s)
	}
	if p.done && changed&kernel.TopicAlerts != 0 {
		p.done = false
		p.UpdateNext(s)
		return
	}
	p.Update(s)
}

// Act moves the cursor, exports the list, acknowledges or snoozes the alert, or
// asks for something to be done with its card.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.Export {
		return []kernel.Intent{pane.ExportRows{Rows: p.Store.Alerts.Rows(p.Rows())}}
	}
	picked, ok := p.Picked()
	switch {
	case !ok && a == keymap.AlertLines:
		return []kernel.Intent{pane.EditAlerts{}}
	case !ok:
		return nil
	case a == keymap.Acknowledge:
		p.done = true
		return []kernel.Intent{alerts.Acknowledge{ID: picked.ID}}
	case a == keymap.Snooze:
		p.done = true
		return []kernel.Intent{alerts.Snooze{ID: picked.ID}}
	case a == keymap.AlertLines:
		return []kernel.Intent{pane.EditAlerts{Card: picked.Card, Campaign: picked.Campaign}}
	case picked.Card != "":
		return pane.OnCard(p.Store, picked.Card, a)
	case a == keymap.Inspect:
		return p.open(picked)
	}
	return nil
}

// open opens what an alert is about that is about no single card: the cards of the
// campaign or the BIN, or the plan that it proposes.
func (p *Pane) open(a alert.Alert) []kernel.Intent {
	filter := ""
	name, _ := a.Rule()
	days, soon := alert.DaysOf(&a)
	switch r, known := p.Store.Rules.Get(name); {
	case a.Kind == alert.IdleCards:
		return []kernel.Intent{state.ReviewIdle{}}
	case a.Kind == alert.Expired:
		filter = "status=expired"
	case soon:
		filter = "status!=expired expires<" + days + "d"
	case known && r.Action.Acts():
		return []kernel.Intent{state.ReviewRule{Name: name}}
	case known:
		filter = r.When
	case a.Campaign != "":
		filter = pane.Term("campaign", a.Campaign)
	case a.BIN != "":
		filter = pane.Term("bin", a.BIN)
	default:
		return []kernel.Intent{kernel.Say{Level: kernel.Info, Text: p.Theme.Words.T("this alert is about the account")}}
	}
	return []kernel.Intent{pane.ShowList{List: settings.CardList, Filter: filter}}
}

// Card is that of the alert under the cursor; empty where it is of none.
func (p *Pane) Card() api.CardID {
	picked, ok := p.Picked()
	if !ok {
		return ""
	}
	return picked.Card
}
