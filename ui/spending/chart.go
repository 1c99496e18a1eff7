package spending

import (
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/widget"
)

// The heights from which a line, and a chart, stand over the rows, the width that
// both need, that of the figures beside the chart, and the least that the summary's
// chart has there: else the figures stand over it.
const (
	lineFrom    = 9
	chartFrom   = 16
	aboveFrom   = 60
	factCells   = 40
	leastChart  = 30
	mostChart   = 10
	mostBrief   = 16
	leastBeside = 24
)

// drawAbove draws what stands over the rows: where there is room a chart with
// figures beside it, else one line, else nothing.
func (p *Pane) drawAbove() []string {
	w := p.W - 2
	switch {
	case p.Store == nil || p.W < aboveFrom && !p.brief || p.H < lineFrom:
		return nil
	case p.H < chartFrom:
		return []string{p.line(w)}
	}
	n := min((p.H-2)*2/5, mostChart)
	if p.brief {
		n = min((p.H-2)/3, mostBrief)
	}
	chart := w - factCells
	if p.brief && chart < leastChart {
		return p.stacked(w, n)
	}
	if p.Store.Privacy.Display().Private() {
		return widget.JoinHorizontal(p.facts(factCells, n), widget.Blank(chart, n))
	}
	return widget.JoinHorizontal(p.facts(factCells, n), p.bars(chart, n))
}

// chartMore is how many lines more than the figures the chart below them has at
// least.
const chartMore = 3

// stacked draws the figures over the chart, which has no room beside them.
func (p *Pane) stacked(w, n int) []string {
	facts := p.facts(w, min(len(p.figures()), n-chartMore))
	if p.Store.Privacy.Display().Private() {
		return facts
	}
	return slices.Concat(facts, p.bars(w, n))
}

// bars draws the chart in n lines, the last of which names the hours or days.
func (p *Pane) bars(w, n int) []string {
	return append(widget.Bars(p.values(), w, n-1, p.chartStyles()), widget.BarLabels(p.labels(), w, p.Theme.Faint))
}

func (p *Pane) chartStyles() widget.ChartStyles {
	return widget.ChartStyles{Bar: p.Theme.Bar, Partial: p.Theme.Faint, Label: p.Theme.Faint}
}

// values are the bars.
func (p *Pane) values() []widget.BarValue {
	out := make([]widget.BarValue, 0, len(p.charts))
	for i := range p.charts {
		b := &p.charts[i]
		out = append(out, widget.BarValue{Value: float64(b.Spent()), Partial: !p.whole(b)})
	}
	return out
}

// whole reports whether a bar is of a whole hour or day that was read. The first day is as a rule not.
func (p *Pane) whole(b *ledger.Bucket) bool {
	return b.Complete && (p.hourly() || b.Start.Equal(b.Start.Truncate(24*time.Hour)))
}

// hourly reports whether a bar is an hour.
func (p *Pane) hourly() bool { return p.over == ledger.Today || p.over == ledger.Last24h }

// labels are what stands below the bars: the hour here, or the UTC day.
func (p *Pane) labels() []string {
	out := make([]string, 0, len(p.charts))
	for _, b := range p.charts {
		switch p.over {
		case ledger.Today, ledger.Last24h:
			out = append(out, b.Start.Local().Format("15"))
		case ledger.Last7d:
			out = append(out, p.Theme.Words.Time(b.Start, "Mon 02"))
		default:
			out = append(out, p.Theme.Words.Time(b.Start, "Jan 02"))
		}
	}
	return out
}

// extremes are what the bars come to that are whole.
type extremes struct {
	average    api.USD
	most, last ledger.Bucket
	n          int
}

func (p *Pane) extremes() extremes {
	var out extremes
	sum := api.USD(0)
	for i := range p.charts[:max(0, len(p.charts)-1)] {
		b := &p.charts[i]
		if !p.whole(b) {
			continue
		}
		if out.n == 0 || b.Spent() > out.most.Spent() {
			out.most = *b
		}
		if out.n == 0 || b.Spent() < out.last.Spent() {
			out.last = *b
		}
		sum += b.Spent()
		out.n++
	}
	if out.n > 0 {
		out.average = (sum/api.USD(out.n) + api.Cent/2) / api.Cent * api.Cent
	}
	return out
}

// moment names a bar.
func (p *Pane) moment(at time.Time) string {
	if p.hourly() {
		return at.Local().Format("15:04")
	}
	return p.Theme.Words.Time(at, "Jan 2")
}

// fact is a figure with its name.
type fact struct {
	name, style, text string
	// more is what is said beside it.
	more string
}

// figures are those of the range, what matters most first.
func (p *Pane) figures() []fact {
	t, d, s, words := p.Theme, p.Store.Privacy.Display(), &p.sum, p.Theme.Words
	out := []fact{{words.T("spent"), t.Strong, p.atLeast(d.Dollars(s.Spent())), p.begin()}}
	if p.suggested != "" {
		out = append(out, fact{words.T("campaigns"), t.Warn, words.Tf("labels fit %s", strconv.Quote(p.suggested)), words.Tf("%s sets it", p.keys.Key(keymap.EditCampaigns))})
	}
	if s.Foreign > 0 {
		out = append(out, fact{words.T("other currencies"), t.Text, strconv.Itoa(int(s.Foreign)), words.T("not included")})
	}
	out = append(out, fact{words.Tc("column", "change"), t.Text, p.changed(s.Spent(), s.Before.Spent), p.against(p.span())})
	if x := p.extremes(); x.n > 0 {
		out = append(
			out, fact{words.T("average"), t.Text, d.Dollars(x.average), words.Tf(p.span().each, x.n)},
			fact{words.T("highest"), t.Text, d.Dollars(x.most.Spent()), p.moment(x.most.Start)},
			fact{words.T("lowest"), t.Text, d.Dollars(x.last.Spent()), p.moment(x.last.Start)},
		)
	}
	rules := p.Store.Alerts.Rules()
	lines := rules.Of(ledger.Account()).Rate
	text, style := p.declined(&s.Totals, ledger.Account())
	out = append(
		out, fact{words.T("declined"), style, text, p.atLeast(words.Tf("%d of %d", s.Declined, s.Attempts()))},
		fact{words.T("holds"), t.Text, p.held(s.Open), words.Tc("holds", "open")},
	)
	// The lines are those of 7 days.
	if next := decline.Next(p.Theme.Words, int(s.Declined), s.Attempts(), rules.RateFrom, lines); next != "" && p.over == ledger.Last7d && s.Coverage.Complete {
		out = append(out, fact{words.Tc("fact", "alert"), t.Muted, next, ""})
	}
	return out
}

// held is what is held, with its mark.
func (p *Pane) held(open ledger.Open) string {
	d := p.Store.Privacy.Display()
	if d.Private() {
		return d.Dollars(open.USD)
	}
	return open.Mark() + d.Dollars(open.USD)
}

// begin says when 24 hours or the UTC day began, at a full hour: of the hours it is that of the present one, so the
// day says which.
func (p *Pane) begin() string {
	if !p.hourly() || len(p.charts) == 0 {
		return ""
	}
	return p.Theme.Words.Tf("since %s", p.Theme.Words.Time(p.charts[0].Start.Local(), "Mon 15:04"))
}

// against says what a change is of, or why there is none.
func (p *Pane) against(s span) string {
	words := p.Theme.Words
	switch {
	case s.on == "":
		return words.T(s.why)
	case p.compared():
		return words.T(s.on)
	}
	return words.T(s.unread)
}

const nameCells = 10

// facts draws the figures, a line each.
func (p *Pane) facts(w, n int) []string {
	t := p.Theme
	lines := make([]string, 0, n)
	for _, f := range p.figures() {
		if len(lines) < n {
			lines = append(lines, widget.Spans(
				w-1, widget.Span{Style: t.Faint, Text: " " + widget.Fit(f.name, nameCells-1, widget.Left)},
				widget.Span{Style: f.style, Text: f.text}, widget.Span{Style: t.Faint, Text: " " + f.more},
			)+" ")
		}
	}
	return append(lines, widget.Blank(w, n-len(lines))...)
}

// lineBars is the width of the bars in a line.
const lineBars = 30

// line draws the figures in one line, with bars at its right.
func (p *Pane) line(w int) string {
	t := p.Theme
	spans := []widget.Span{{Text: " "}}
	room := w - lineBars - 1
	for i, f := range p.figures() {
		part := []widget.Span{{Style: t.Faint, Text: f.name + " "}, {Style: f.style, Text: f.text + "  "}}
		if i == 0 {
			part = part[1:]
		}
		if i < 3 && widget.SpansWidth(spans)+widget.SpansWidth(part) <= room {
			spans = append(spans, part...)
		}
	}
	if p.Store.Privacy.Display().Private() || room < leastBeside {
		return widget.Spans(w, spans...)
	}
	bars := widget.Bars(p.values(), lineBars, 1, p.chartStyles())
	return widget.JoinHorizontal([]string{widget.Spans(room, spans...)}, bars, []string{" "})[0]
}
