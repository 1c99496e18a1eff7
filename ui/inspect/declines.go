package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// declines are those of a card with one cause. A guess is likely.
type declines struct {
	cause  decline.Cause
	n      int
	likely bool
	latest latest
}

// latest is the latest decline of a cause, as far as it is in the timeline.
type latest struct {
	at     time.Time
	answer decline.Answer
}

// declinesOf counts the declines of a card in 7 days by their causes, most first. A
// cause is sure when it is for each of them.
func declinesOf(s *state.Store, card api.CardID, timeline []state.TimelineEntry) []declines {
	counts, _ := s.Insight.Ledger().Declines(ledger.OfCard(card), ledger.Last7d)
	begin := s.Insight.Ledger().Begin(ledger.Last7d)
	var sure [decline.Causes]int
	var last [decline.Causes]latest
	for i := range timeline {
		t := timeline[i].Transaction
		if t == nil || t.CreatedAt.Before(begin) {
			continue
		}
		why, ok := s.Insight.Decline(t.ID)
		if !ok {
			continue
		}
		if why.Confidence >= decline.Certain {
			sure[why.Cause]++
		}
		if l := &last[why.Cause]; t.CreatedAt.After(l.at) {
			*l = latest{t.CreatedAt, why}
		}
	}
	var out []declines
	for i, n := range counts {
		if cause := decline.Cause(i); n > 0 {
			if last[i].at.IsZero() {
				last[i].answer = decline.Answer{Cause: cause, Fix: cause.Fix()}
			}
			out = append(out, declines{cause, n, cause != decline.Unknown && sure[i] < n, last[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b declines) int { return cmp.Compare(b.n, a.n) })
	return out
}

// declined draws which part of the payments was declined, and the declines of 7 days
// by their causes with what helps against each.
func (p *Pane) declined() []string {
	s, t := &p.spending, p.theme
	if s.sum.Attempts() == 0 {
		return nil
	}
	var rates []string
	for _, of := range []struct {
		sum  *ledger.Sum
		days int
	}{{&s.week, 7}, {&s.fortnight, 14}, {&s.sum, 30}} {
		if of.sum.Attempts() > 0 {
			rates = append(rates, t.Words.Tf("%s of %s in %d d", rate(t.Words, of.sum), p.atLeast(of.sum, fmt.Sprint(of.sum.Attempts())), of.days))
		}
	}
	if s.toLine != "" && s.week.Declined > 0 {
		rates[0] += ", " + t.Words.Tf("alert: %s", s.toLine)
	}
	lines := p.fact(t.Words.T("declined"), t.Text, strings.Join(rates, gap))
	for _, of := range s.declines {
		why := decline.Answer{Cause: of.cause}
		if of.likely {
			why.Confidence = decline.Likely
		}
		spans := []widget.Span{{Style: t.Warn, Text: fmt.Sprintf("%d %s", of.n, why.Words(t.Words))}}
		if help := p.help(of.latest); help != "" {
			spans = append(spans, widget.Span{Style: t.Info, Text: gap + help})
		}
		lines = append(lines, p.line("", spans...))
	}
	return lines
}

func rate(w *lang.Words, s *ledger.Sum) string {
	return w.Number(fmt.Sprintf("%.1f %%", 100*float64(s.Declined)/float64(max(1, s.Attempts()))))
}

// help is what can be done against the latest decline of a cause, with its key where one does it.
func (p *Pane) help(of latest) string {
	why := pane.StillHelps(p.store, p.card, of.answer)
	d := p.store.Privacy.Display()
	if d.Private() {
		why.MCC = "" // It tells the merchant.
	}
	advice := d.Sentence(why.Advice(p.theme.Words))
	if key, in := pane.Fix(p.store, p.card, why); in != nil {
		return p.keys.Key(key) + " " + advice
	}
	return advice
}
