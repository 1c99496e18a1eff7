package txns

import (
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Detail shows the transaction that is looked at.
type Detail struct {
	theme *theme.Theme
	keys  *keymap.Map
	store *state.Store
	shown txns.Detailed
	top   int // first line in sight
	// linked is what the transaction belongs with, code the challenge that
	// probably led to it; nil for none.
	linked []txlink.Related
	code   *codes.Ended
	// why is why it was declined; false when it was not, or nobody can tell.
	why      decline.Answer
	declined bool

	w, h    int
	dirty   bool
	focused bool
	lines   []string
	framing widget.Framing
}

var _ pane.Pane = (*Detail)(nil)

// NewDetail makes an empty pane.
func NewDetail(t *theme.Theme, keys *keymap.Map) *Detail { return &Detail{theme: t, keys: keys} }

// Context is where the pane's keys are looked up.
func (p *Detail) Context() keymap.Context { return keymap.Charge }

// Reads returns the parts of the store that the pane shows.
func (p *Detail) Reads() kernel.Topic {
	return kernel.TopicInspector | kernel.TopicFeed | kernel.TopicCards | kernel.TopicCodes | kernel.TopicOps | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Detail) SetSize(w, h int) { p.w, p.h, p.dirty = w, h, true }

// related are the parts of the store that decide what belongs with a
// transaction.
const related = kernel.TopicInspector | kernel.TopicFeed | kernel.TopicCards | kernel.TopicCodes

// Sync reads the store again. Another transaction begins at its top.
func (p *Detail) Sync(s *state.Store, changed kernel.Topic) {
	p.store, p.dirty = s, true
	before := p.shown.ID
	p.shown = s.Txns.Detailed()
	if p.shown.ID != before {
		p.top = 0
	}
	if p.shown.ID != before || changed&related != 0 {
		p.relate()
	}
}

// relate finds what belongs with the transaction.
func (p *Detail) relate() {
	p.linked, p.code = nil, nil
	p.why, p.declined = p.store.Insight.Decline(p.shown.ID)
	p.why = pane.StillHelps(p.store, p.Card(), p.why)
	if !p.shown.Known {
		return
	}
	p.linked = p.store.Txns.Linked(p.shown.Row)
	if e, ok := p.store.Codes.LikelyTransactionOf(p.shown.Row); ok {
		p.code = &e
	}
}

// fix is the key that helps against the decline, and what it asks for; nil for none.
func (p *Detail) fix() (keymap.Action, kernel.Intent) {
	if !p.declined {
		return "", nil
	}
	return pane.Fix(p.store, p.Card(), p.why)
}

// Act scrolls, goes to another transaction, or asks for something to be done
// with the card.
func (p *Detail) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	if p.scroll(a) || p.store == nil {
		return nil
	}
	switch a {
	case keymap.NextTransaction:
		return []kernel.Intent{txns.Step{By: 1}}
	case keymap.PrevTransaction:
		return []kernel.Intent{txns.Step{By: -1}}
	case keymap.FollowLink:
		return []kernel.Intent{txns.FollowLink{}}
	case keymap.CopyID:
		return []kernel.Intent{secrets.CopyText{What: p.theme.Words.T("transaction id"), Text: string(p.shown.ID)}}
	default:
	}
	if id := p.Card(); id != "" {
		if fix, in := p.fix(); in != nil && fix == a {
			return []kernel.Intent{in}
		}
		return pane.OnCard(p.store, id, a)
	}
	return nil
}

// Card is that of the transaction; empty while it is not known.
func (p *Detail) Card() api.CardID {
	if !p.shown.Known {
		return ""
	}
	return p.shown.Row.CardID
}

// Transaction is the one that is looked at.
func (p *Detail) Transaction() api.TransactionID { return p.shown.ID }

func (p *Detail) scroll(a keymap.Action) bool {
	page := max(1, p.h-3)
	switch a {
	case keymap.Up:
		p.top--
	case keymap.Down:
		p.top++
	case keymap.PageUp:
		p.top -= page
	case keymap.PageDown:
		p.top += page
	case keymap.First:
		p.top = 0
	case keymap.Last:
		p.top = len(p.text(max(1, p.w-2)))
	default:
		return false
	}
	return true
}

// Click does nothing: there is nothing to pick.
func (*Detail) Click(int, int) []kernel.Intent { return nil }

// View draws the transaction.
func (p *Detail) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", p.theme.Words.T("Transaction"), focused)
	var body []string
	if p.store != nil {
		f.Title = append(f.Title, p.place())
		text := p.text(max(1, p.w-2))
		room := max(0, p.h-2)
		p.top = max(0, min(p.top, len(text)-room))
		body = text[p.top:]
		f.Scroll = widget.Scroll{Offset: p.top, Visible: room, Total: len(text)}
	}
	f.Leave = []widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.T("esc back")}}
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// declined writes why the transaction was declined, what tells so, how sure that is,
// and what to do about it. What the API says is told as it is.
func (s *writer) declined() {
	p, t := s.p, s.p.theme
	if !p.declined {
		return
	}
	d, why := p.store.Privacy.Display(), p.why
	if d.Private() {
		why.MCC = "" // It tells the merchant.
	}
	style := t.Bad
	if why.Confidence <= decline.Likely {
		style = t.Warn
	}
	s.fact(t.Words.Tc("fact", "declined"), style, why.Words(t.Words))
	s.fact(t.Words.T("because"), t.Text, d.Text(why.Evidence)+sure(t.Words, why))
	advice := why.Advice(t.Words)
	fix, in := p.fix()
	switch {
	case why.Fix == decline.ReadDetails && p.shown.Err == nil:
		return // It is being read.
	case in != nil:
		advice = p.keys.Key(fix) + " " + advice
	}
	s.fact(t.Words.T("to do"), t.Info, d.Sentence(advice))
}

// sure says how sure the cause is, where the words do not.
func sure(w *lang.Words, why decline.Answer) string {
	if why.Confidence == decline.Certain {
		return w.T(" (certain)")
	}
	return ""
}

// place is where it stands among those that next and previous go through.
func (p *Detail) place() widget.Span {
	d := &p.shown
	if d.At == 0 || d.Of < 2 {
		return widget.Span{}
	}
	return pane.Note(p.theme, p.theme.Words.Tf("%d of %d", d.At, d.Of))
}

// text is all there is to say, in lines of w cells.
func (p *Detail) text(w int) []string {
	d := &p.shown
	s := writer{p: p, w: w}
	if !d.Known {
		s.note(p.theme.Muted, p.missing(d))
		return s.lines
	}
	s.known(&d.Row)
	s.declined()
	if d.Detail != nil {
		s.details(d.Detail)
	}
	s.link(&d.Row)
	s.fact("id", p.theme.Muted, string(d.Row.ID))
	if d.Detail == nil {
		s.gap()
		s.note(p.theme.Muted, p.missing(d))
		return s.lines
	}
	s.rest(d.Detail)
	return s.lines
}

// missing says why the rest is not there.
func (p *Detail) missing(d *txns.Detailed) string {
	if d.Err != nil {
		return "details not loaded: " + errtext.Explain(p.theme.Words, d.Err)
	}
	return p.theme.Words.T("loading details…")
}

// writer collects lines.
type writer struct {
	p     *Detail
	w     int
	lines []string
}

func (s *writer) gap() { s.lines = append(s.lines, widget.Spans(s.w)) }

func (s *writer) note(style, text string) {
	for _, part := range widget.Wrap(text, max(8, s.w-2)) {
		s.lines = append(s.lines, widget.Spans(s.w, widget.Span{Style: style, Text: " " + part}))
	}
}

// nameCells is the width of the names' column.
const nameCells = 11

// fact is a name and what it is, which goes on below where a line is too
// short. Nothing is left out because it is empty: then it is not told.
func (s *writer) fact(name, style, text string) {
	t := s.p.theme
	if text == "" {
		style, text = t.Faint, t.Words.T("not reported")
	}
	cells := max(nameCells, min(widget.Width(name)+1, s.names()+1))
	for _, part := range widget.Wrap(text, max(8, s.w-cells-2)) {
		s.lines = append(s.lines, widget.Spans(s.w,
			widget.Span{Style: t.Faint, Text: " " + widget.Fit(name, cells, widget.Left)}, widget.Span{Style: style, Text: part}))
		name = ""
	}
}

// names is the most that a name takes, in cells.
func (s *writer) names() int { return max(nameCells, s.w/3) - 1 }

// known writes the transaction's row.
func (s *writer) known(row *api.Transaction) {
	p, t := s.p, s.p.theme
	glyph, style := pane.Kind(t, row)
	s.fact(t.Words.T("what"), style, glyph+" "+pane.KindText(t.Words, row))
	amount := p.store.Privacy.Display().Transaction(row)
	if row.InUSD() {
		amount += " " + string(row.CurrencyCode())
	}
	s.fact(t.Words.T("amount"), pane.AmountStyle(p.store.Privacy.Display(), t, row), amount)
	if row.BalanceAfter != nil {
		s.fact(t.Words.T("balance"), t.Text, t.Words.Tf("%s on the card after it", p.store.Privacy.Display().Dollars(*row.BalanceAfter)))
	}
	m, d := row.Merchant, p.store.Privacy.Display()
	s.fact(t.Words.T("merchant"), t.Strong, d.Merchant(m.Name))
	var kind []string
	for _, part := range []string{d.Merchant(m.Category), d.Merchant(m.Country)} {
		if part != "" {
			kind = append(kind, part)
		}
	}
	if m.MCC != "" {
		kind = append(kind, "MCC "+d.Merchant(m.MCC))
	}
	s.fact("", t.Muted, strings.Join(kind, " · "))
	age := t.Words.AgeCoarse(max(0, p.store.ServerNow().Sub(row.CreatedAt)))
	s.fact(t.Words.T("time"), t.Text, t.Words.Tf("%s, %s ago", row.CreatedAt.Local().Format("2006-01-02 15:04:05"), age))
}

// link writes what it belongs to: its card, and the code that led to it.
func (s *writer) link(row *api.Transaction) {
	p, t := s.p, s.p.theme
	card := p.store.Cards.Name(row.CardID)
	if c, ok := p.store.Cards.Get(row.CardID); ok {
		card += "  " + pane.StatusWord(t.Words, c.Shown()) + "  " + p.store.Privacy.Display().Dollars(c.Balance)
	} else {
		card += " (" + string(row.CardID) + ")"
	}
	if words := pane.UnderWay(t, p.store, row.CardID); len(words) > 0 {
		card += "  " + words[0]
	}
	s.fact(t.Words.T("card"), t.Text, card)
	for _, l := range p.linked {
		s.fact(t.Words.T("linked"), t.Info, after(t.Words, pane.Linked(p.store, row, l), l.Row.CreatedAt.Sub(row.CreatedAt)))
	}
	if e := p.code; e != nil {
		text := t.Words.Tf("code of %s", pane.When(t.Words, e.CreatedAt, p.store.ServerNow()))
		if e.AmountKnown {
			text = t.Words.Tf("%s for %s", text, p.store.Privacy.Display().Dollars(e.Amount))
		}
		_, word, _ := pane.CodeEnd(t, e)
		s.fact(t.Words.T("3DS code"), t.Info, text+", "+word+" "+gap(t.Words, row.CreatedAt.Sub(e.EndedAt)))
	}
}

// gap is how long before or after something was.
func gap(w *lang.Words, d time.Duration) string {
	if d < 0 {
		return w.Tf("%s after it", w.AgeCoarse(-d))
	}
	return w.Tf("%s before it", w.AgeCoarse(d))
}

// after says of another transaction how long after this one it was, or before it.
func after(w *lang.Words, other string, d time.Duration) string {
	if d < 0 {
		return w.Tf("%s, %s before", other, w.AgeCoarse(-d))
	}
	return w.Tf("%s, %s after", other, w.AgeCoarse(d))
}

// details writes what only the details have.
func (s *writer) details(d *api.TransactionDetail) {
	t := s.p.theme
	if reason := string(d.DeclineReason); reason != "" && !strings.Contains(s.p.why.Evidence, reason) {
		s.fact(t.Words.T("reason"), t.Bad, strconv.Quote(reason)) // The cause has its own name.
	}
	if d.MCC != "" && d.MCC != d.Merchant.MCC {
		s.fact("MCC", t.Text, s.p.store.Privacy.Display().Merchant(d.MCC))
	}
	s.fact("3DS", t.Text, pane.Value(t.Words, string(d.ThreeDSStatus)))
}

// rest writes the steps it went through, those of the transaction's own day by
// the clock, and as it was found what this program
// has no name for.
func (s *writer) rest(d *api.TransactionDetail) {
	t := s.p.theme
	if len(d.Timeline) > 0 {
		s.gap()
		s.note(t.Header, t.Words.T("steps"))
		for i, step := range d.Timeline {
			after := ""
			if i > 0 {
				after = "  +" + t.Words.Age(max(0, step.At.Sub(d.Timeline[i-1].At)))
			}
			s.fact(pane.Time(t.Words, step.At, d.CreatedAt, s.names()), t.Text, pane.Value(t.Words, string(step.Status))+after)
		}
	}
	if len(d.Extra) > 0 {
		s.gap()
		s.note(t.Header, t.Words.T("other fields"))
		for _, f := range d.Extra {
			s.fact(string(f.Name), t.Muted, s.p.store.Privacy.Display().Text(string(f.Value)))
		}
	}
}
