package wallets

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// What is dropped first where there is little room: the hash, what was sent in dollars,
// the fee, the age, what was sent.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("deposit"), Min: 9},
		{Title: lang.Column("sent"), Min: 10, Max: 22, Weight: 3, Align: widget.Right, Priority: 1},
		{Title: lang.Column("worth"), Min: 9, Align: widget.Right, Priority: 4},
		{Title: lang.Column("fee"), Min: 6, Align: widget.Right, Priority: 3},
		{Title: lang.Column("credited"), Min: 10, Align: widget.Right},
		{Title: lang.Column("progress"), Min: 16, Max: 24, Weight: 3},
		{Title: lang.Column("age"), Min: 4, Align: widget.Right, Priority: 2},
		{Title: lang.Column("hash"), Min: 24, Max: 68, Weight: 4, Priority: 5},
	}
}

func (p *Deposits) frame(f *widget.Frame) {
	f.Title = append(f.Title, p.count())
	f.Foot = pane.Source(p.Theme, p.Store.Poll.Source(poll.Deposits), p.Store.Now())
}

func (p *Deposits) count() widget.Span {
	pending := 0
	rows := p.Store.Wallets.Deposits()
	if p.Store.Poll.Source(poll.Deposits).OKAt.IsZero() {
		return pane.Note(p.Theme, p.Theme.Words.T("not read yet"))
	}
	for i := range rows {
		if rows[i].Status == api.DepositPending {
			pending++
		}
	}
	text := fmt.Sprint(len(rows))
	if pending > 0 {
		text += p.Theme.Words.Tf(" · %d pending", pending)
	}
	return pane.Note(p.Theme, text)
}

func (p *Deposits) empty() string {
	src := p.Store.Poll.Source(poll.Deposits)
	switch {
	case src.OKAt.IsZero() && src.Err != nil:
		return p.Theme.Words.Tf("deposits not loaded: %s, retrying", errtext.Explain(p.Theme.Words, src.Err))
	case src.OKAt.IsZero():
		return p.Theme.Words.T("loading deposits…")
	}
	if why := pane.UnreadDeposits(p.Store); why != "" {
		return why
	}
	return p.Theme.Words.Tf("no deposits yet: %s", pane.Hint(p.keys, keymap.Deposits, keymap.ShowAddress, p.Theme.Words.T("shows where to send one")))
}

// addressesFrom is the height from which there is room for the addresses.
const addressesFrom = 18

// addresses are a line for each currency, where there is room. One that
// changed is told whatever the room.
func (p *Deposits) addresses() []string {
	if p.Store == nil {
		return nil
	}
	list, known, err := p.Store.Wallets.Addresses()
	t, w := p.Theme, p.W-2
	line := func(spans ...widget.Span) string { return widget.Spans(max(0, w), spans...) }
	var out []string
	for _, a := range list {
		name := strings.ToUpper(string(a.Currency))
		if a.Trust == wallets.TrustChanged {
			out = append(out, line(widget.Span{Style: t.BadgeBad, Text: t.Words.Tf(" %s ADDRESS CHANGED ", name)},
				widget.Span{Style: t.Bad, Text: t.Words.T(" check it before sending: enter")}))
			continue
		}
		if p.H < addressesFrom {
			continue
		}
		out = append(out, line(widget.Span{Style: t.Strong, Text: " " + widget.Fit(name, 5, widget.Left)},
			widget.Span{Style: t.Text, Text: widget.Fit(string(a.Network), 9, widget.Left) + " "},
			widget.Span{Style: t.Muted, Text: widget.Fit(t.Words.Tf("from %s", string(a.Min)), 12, widget.Left) + " " + p.Store.Privacy.Display().Text(fitting(string(a.Address), w-besides))}))
	}
	switch {
	case p.H < addressesFrom && len(out) == 0:
		return nil
	case !known && err != nil:
		out = append(out, line(widget.Span{Style: t.Warn, Text: t.Words.Tf(" no addresses, %s: %s", pane.Hint(p.keys, keymap.Deposits, keymap.ShowAddress, t.Words.T("retries")), errtext.Explain(t.Words, err))}))
	case !known:
		out = append(out, line(widget.Span{Style: t.Muted, Text: " " + t.Words.T("loading addresses…")}))
	}
	return append(out, line())
}

// besides is what stands before an address, in cells.
const besides = 29

// fitting is an address in groups, or its two ends where all of it has no room.
func fitting(address string, w int) string {
	if whole := widget.Group(address, 4); len(whole) <= w {
		return whole
	}
	return ends(address)
}

// ends are the two ends of an address, which users compare.
func ends(address string) string {
	const shown = 8
	if len(address) <= 2*shown {
		return widget.Group(address, 4)
	}
	return widget.Group(address[:shown], 4) + " … " + widget.Group(address[len(address)-shown:], 4)
}

func (p *Deposits) row(deposit api.Deposit, w *widget.RowWriter) {
	t, d := p.Theme, &deposit
	cached := p.Store.Poll.Source(poll.Deposits).Cached
	tone := func(style string) string { return pane.Tone(t, cached, style) }
	glyph, style := pane.DepositGlyph(t, d)
	amount := func(u *api.USD, style string) {
		if u == nil {
			w.Cell(t.Faint, t.Words.T("unknown"))
			return
		}
		w.Cell(tone(style), p.Store.Privacy.Display().Amount(*u))
	}
	w.Cell(tone(style), glyph+" "+strings.ToUpper(string(d.Currency)))
	w.Cell(tone(t.Muted), pane.Crypto(p.Store.Privacy.Display(), d.AmountCrypto, w.Width()))
	amount(d.AmountUSD, t.Muted)
	amount(d.FeeUSD, t.Muted)
	amount(d.CreditedUSD, t.Text)
	if p.Store.Wallets.TooSmall(d) && d.Status == api.DepositPending {
		w.Cell(tone(t.Warn), t.Words.T("below minimum"))
	} else {
		p.progress(d, w, tone(style))
	}
	w.Cell(t.Faint, t.Words.AgeOfRow(max(0, p.Store.ServerNow().Sub(d.CreatedAt))))
	w.Cell(t.Faint, p.Store.Privacy.Display().Text(string(d.TxHash)))
}

// barCells is the width of the bar of confirmations.
const barCells = 8

// progress draws how far a deposit has come. The bar is measured by what
// deposits of its currency needed so far, and not there before one has.
func (p *Deposits) progress(d *api.Deposit, w *widget.RowWriter, style string) {
	needed, known := p.Store.Wallets.Needed(d.Currency)
	words, fraction := progressWords(p.Theme.Words, d, needed, known)
	if known && d.Status == api.DepositPending && d.Confirmations != nil && w.Width() >= barCells+1+widget.Width(words) {
		w.Span(style, widget.BarText(fraction, barCells)+" ")
	}
	w.Span(style, words)
	w.EndCell()
}

func progressWords(w *lang.Words, d *api.Deposit, needed int, known bool) (words string, fraction float64) {
	switch {
	case d.Status == api.DepositConfirmed:
		return pane.DepositWord(w, d), 1
	case d.Status != api.DepositPending:
		return pane.DepositWord(w, d), 0
	case d.Confirmations == nil:
		return pane.DepositWord(w, d), 0
	case !known:
		return w.Tf("%d confirmed", *d.Confirmations), 0
	}
	return w.Tf("%d of %d", *d.Confirmations, needed), float64(*d.Confirmations) / float64(needed)
}

// detail draws of the deposit under the cursor what the columns have no room
// for.
func (p *Deposits) detail(d api.Deposit, w, n int) []string {
	hash := p.Theme.Words.T("no transaction hash yet")
	if d.TxHash != "" {
		hash = p.Theme.Words.Tf("hash %s", p.Store.Privacy.Display().Text(string(d.TxHash)))
	}
	if n == 1 {
		hash = p.sent(d) + " · " + hash
	}
	first := []widget.Span{{Style: p.Theme.Muted, Text: " " + hash}}
	if p.Store.Wallets.TooSmall(&d) {
		first = append([]widget.Span{{Style: p.Theme.Warn, Text: p.Theme.Words.Tf(" below the %s: may never be credited ·", p.least(d.Currency))}}, first...)
	}
	lines := []string{widget.Spans(w, first...)}
	if n > 1 {
		lines = append(lines, widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + p.story(d)}))
	}
	return lines
}

// least is the smallest deposit of a currency that counts; empty while that
// is not known.
func (p *Deposits) least(c api.Currency) string {
	least, known := p.Store.Wallets.Minimum(c)
	if !known {
		return ""
	}
	return p.Theme.Words.Tf("minimum %s %s", p.Theme.Words.Number(string(least)), strings.ToUpper(string(c)))
}

// story is the deposit in words.
func (p *Deposits) story(d api.Deposit) string {
	parts := []string{p.sent(d), p.Theme.Words.Tf("seen %s", pane.When(p.Theme.Words, d.CreatedAt, p.Store.ServerNow()))}
	switch {
	case d.Status == api.DepositConfirmed && !d.ConfirmedAt.IsZero():
		parts = append(parts, p.Theme.Words.Tf("confirmed %s", pane.When(p.Theme.Words, d.ConfirmedAt, p.Store.ServerNow())))
	case d.Status == api.DepositExpired:
		parts = append(parts, p.Theme.Words.T("expired, not credited"))
	}
	if d.Confirmations != nil {
		parts = append(parts, p.Theme.Words.Tn(*d.Confirmations, "%d confirmation", "%d confirmations"))
	}
	if text := p.least(d.Currency); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(append(parts, string(d.ID)), " · ")
}

// sent is all of what was sent, to the last digit.
func (p *Deposits) sent(d api.Deposit) string {
	return p.Store.Privacy.Display().Crypto(string(d.AmountCrypto)) + " " + strings.ToUpper(string(d.Currency))
}
