package accounts

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// What is dropped first where there is little room: the newest code, how long the
// money lasts, the wallet, the alerts.
func columns() []widget.Column {
	return []widget.Column{
		{Min: 1, Max: 1},
		{Title: lang.Column("account"), Min: 8, Max: 24, Weight: 2},
		{Title: lang.Column("mode"), Min: 7, Max: 17, Weight: 2},
		{Title: lang.Column("wallet"), Min: 10, Max: 16, Weight: 1, Align: widget.Right, Priority: 2},
		{Title: lang.Column("lasts"), Min: 7, Max: 18, Weight: 1, Align: widget.Right, Priority: 3},
		{Title: lang.Column("alerts"), Min: 6, Align: widget.Right, Priority: 1},
		{Title: lang.Column("codes"), Min: 5, Align: widget.Right},
		{Title: lang.Column("newest code"), Min: 22, Max: 40, Weight: 2, Priority: 4},
		{Title: lang.Column("state"), Min: 10, Weight: 4},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	codes := 0
	for _, r := range p.Rows() {
		if r.store != nil {
			codes += r.store.Codes.Waiting()
		}
	}
	text := fmt.Sprint(len(p.Rows()))
	if codes > 0 {
		text += " · " + p.Theme.Words.Tn(codes, "%d code", "%d codes")
	}
	f.Title = append(f.Title, pane.Note(p.Theme, text))
	if len(p.others.all) > 0 {
		f.Foot = []widget.Span{{Style: p.Theme.Faint, Text: p.Theme.Words.T("others: codes every 5s, the rest every minute")}}
	}
}

func (p *Pane) row(r row, w *widget.RowWriter) {
	t, d := p.Theme, p.Store.Privacy.Display()
	mark := " "
	if r.Here {
		mark = t.Glyphs.Check
	}
	w.Cell(t.Good, mark)
	w.Cell(t.Text, r.Name)
	style := t.Text
	if r.mode == "LIVE" {
		style = t.Bad
	}
	w.Cell(style, modeText(t.Words, r, w.Width()))
	wallet, lasts, alerts, codes, newest := "", "", "", "", ""
	cached := false
	if r.store != nil {
		if b, ok := r.store.Wallets.Balance(); ok {
			wallet = d.Dollars(b.Balance)
		}
		cached = r.store.Poll.Source(poll.Wallet).Cached
		if l := p.lasts[r.ID]; l.known && !d.Private() {
			lasts = pane.LastsRange(t.Words, l.runway)
		}
		if alerts = count(r.store.Alerts.Open()); alerts != "" && p.lasts[r.ID].alertsLack {
			alerts = "≥" + alerts
		}
		codes, newest = count(r.store.Codes.Waiting()), p.newest(r)
	}
	w.Cell(pane.Tone(t, cached, t.Gold), wallet)
	if widget.Width(lasts) > w.Width() {
		lasts, _, _ = strings.Cut(lasts, " (")
	}
	w.Cell(t.Text, lasts)
	w.Cell(t.Warn, alerts)
	w.Cell(t.Code, codes)
	w.Cell(t.Text, newest)
	style, text := p.status(r)
	if r.wrong != "" && widget.Width(text) > w.Width() {
		text, _, _ = strings.Cut(text, ": ") // The lines below say the rest.
	}
	w.Cell(style, text)
}

// modeText is whose money it is, and that nothing is written where there is room.
func modeText(w *lang.Words, r row, n int) string {
	text := w.T(r.mode)
	if text == "" {
		text = "–"
	}
	if long := w.Tf("%s read-only", text); r.ReadOnly && widget.Width(long) <= n {
		return long
	}
	return text
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// newest names the newest code of an account, without its digits.
func (p *Pane) newest(r row) string {
	c, ok := newest(r.store)
	if !ok {
		return ""
	}
	d := p.Store.Privacy.Display()
	return widget.Countdown(c.Left(r.store.ServerNow())) + " " + pane.Amount(p.Theme.Words, d, c) + " " + string(c.Merchant)
}

// status is what of an account can be read, and how old it is.
func (p *Pane) status(r row) (style, text string) {
	t := p.Theme
	switch {
	case r.wrong != "":
		return t.Bad, r.wrong
	case r.store == nil && r.opening:
		return t.Muted, t.Words.T("reading key…")
	case r.store == nil && r.Sandbox:
		return t.Faint, t.Words.T("not open")
	case r.store == nil:
		return t.Faint, t.Words.T("not followed")
	}
	h := r.store.Poll.Health()
	age := t.Words.AgeCoarse(h.Age)
	switch h.Link {
	case kernel.Live:
		if src := r.store.Poll.Source(poll.Wallet); src.Stale(r.store.Now()) {
			return t.Bad, t.Words.Tf("STALE %s", t.Words.AgeCoarse(src.Age(r.store.Now())))
		}
		if h.Age > 2*r.store.Poll.Source(poll.Codes).Every {
			return t.Warn, t.Words.Tf("live %s", age)
		}
		return t.Good, t.Words.T("live")
	case kernel.Connecting:
		return t.Muted, t.Words.T("connecting")
	case kernel.Late:
		return t.Warn, t.Words.Tf("late %s", age)
	case kernel.Limited:
		return t.Warn, t.Words.T("limited")
	case kernel.KeyRefused:
		return t.Bad, t.Words.T("key refused")
	default:
		return t.Bad, t.Words.Tf("OFFLINE since %s", pane.When(t.Words, h.Since, r.store.Now()))
	}
}

// detail says where the account under the cursor is, what its requests cost, and in
// full what is wrong with it or which code it has.
func (p *Pane) detail(r row, w, n int) []string {
	t, d := p.Theme, p.Store.Privacy.Display()
	var lines []string
	add := func(style, text string) {
		if text != "" && len(lines) < n {
			lines = append(lines, widget.Spans(w, widget.Span{Style: style, Text: " " + widget.Truncate(text, max(1, w-2))}))
		}
	}
	if r.wrong != "" {
		for _, part := range widget.Wrap(r.wrong, max(1, w-2)) {
			add(t.Bad, part)
		}
	}
	if r.store != nil {
		add(t.Warn, d.Sentence(r.store.Poll.Health().Text))
		if c, ok := newest(r.store); ok {
			add(t.Text, t.Words.Tf("code for %s %s, %s, %s left", string(c.Merchant), pane.Amount(t.Words, d, c), d.Text(r.store.Cards.Name(c.Card)), widget.Countdown(c.Left(r.store.ServerNow()))))
		}
	}
	where := t.Words.T(r.Where)
	if r.store != nil {
		used := r.store.Poll.Budget().Hour
		where = strings.TrimPrefix(where+t.Words.Tf(" · API %d%% of its hour", (used*100+poll.HourlyRequests-1)/poll.HourlyRequests), " · ")
	}
	add(t.Faint, where)
	return append(lines, widget.Blank(w, max(0, n-len(lines)))...)
}
