// Package wallets is the pane of the wallet, with the balance that
// cards are funded from, and the deposits that fill it.
package wallets

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// figures is how many lines the sums take above the deposits.
const figures = 3

// Pane shows the wallet's sums and the deposits, newest first.
type Pane struct {
	theme *theme.Theme
	keys  *keymap.Map
	store *state.Store
	table *widget.Table
	lasts lasts

	w, h    int
	dirty   bool
	moving  pane.Moving
	focused bool
	lines   []string
	framing widget.Framing
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{theme: t, keys: keys}
	p.table = widget.NewTable(widget.TableConfig{Gap: 2, Empty: p.empty, Columns: []widget.Column{
		{Title: lang.Column("what"), Min: 6},
		{Title: lang.Column("crypto"), Min: 12, Max: 22, Weight: 1, Align: widget.Right, Priority: 2},
		{Title: lang.Column("credited"), Min: 11, Align: widget.Right},
		{Title: lang.Column("progress"), Min: 8, Weight: 1},
		{Title: lang.Column("age"), Min: 4, Align: widget.Right, Priority: 1},
	}})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Wallet }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicWallet | kernel.TopicCards | kernel.TopicSpend | kernel.TopicTeam | kernel.TopicHealth | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, max(0, h-2-p.figures()))
}

// figures is how many lines of sums there is room for.
func (p *Pane) figures() int { return min(figures, max(1, p.h-4)) }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.store = s
	p.lasts.follow(s)
	p.table.SetRows(len(s.Wallets.Deposits()))
	p.dirty = p.dirty || changed&^pane.Passing != 0 || p.moving.Differ(p.moves)
}

// moves adds what time and polls change.
func (p *Pane) moves(m *pane.Moving) {
	m.Spans(p.source())
	m.Add(p.Lasts())
	m.Add(p.aloneLasts())
	m.Add(p.empty())
	deposits, now := p.store.Wallets.Deposits(), p.store.ServerNow()
	first, last := p.table.Range()
	for i := first; i < last; i++ {
		m.Add(p.age(&deposits[i], now))
	}
}

// source says how old the wallet is.
func (p *Pane) source() []widget.Span {
	return pane.Source(p.theme, p.store.Poll.Source(poll.Wallet), p.store.Now())
}

func (p *Pane) age(d *api.Deposit, now time.Time) string {
	return p.theme.Words.AgeOfRow(max(0, now.Sub(d.CreatedAt)))
}

// Act moves the cursor through the deposits.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	pane.Move(p.table, a)
	return nil
}

// RowAt reports whether there is a row on a line of the pane.
func (p *Pane) RowAt(y int) bool {
	_, ok := p.table.RowAt(y - 1 - p.figures())
	return ok
}

// Click puts the cursor on a deposit.
func (p *Pane) Click(_, y int) []kernel.Intent {
	if i, ok := p.table.RowAt(y - 1 - p.figures()); ok {
		p.table.SetCursor(i)
		p.dirty = true
	}
	return nil
}

// View draws the pane.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "4", p.theme.Words.T("Wallet"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		body = append(p.sums(), p.table.Draw(focused, p.row)...)
		f.Foot = p.source()
		p.moving.Note(p.moves)
	}
	f.Scroll = p.table.Scroll()
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// empty stands for the deposits. What is said of the wallet as well is said
// once.
func (p *Pane) empty() string {
	text := cmp.Or(pane.Unread(p.theme.Words, p.store.Poll.Source(poll.Deposits), p.theme.Words.T("loading deposits…")), pane.UnreadDeposits(p.store), pane.NoDeposits(p.theme.Words, p.keys))
	if text == p.unread() {
		return ""
	}
	return text
}

// unread says that the wallet was never read; empty when it was.
func (p *Pane) unread() string {
	return pane.Unread(p.theme.Words, p.store.Poll.Source(poll.Wallet), p.theme.Words.T("loading wallet…"))
}

// sums draws the wallet's figures, the one that matters most first.
func (p *Pane) sums() []string {
	t, inner := p.theme, p.w-2
	wallet, ok := p.store.Wallets.Balance()
	if !ok {
		lines := []string{widget.Spans(inner, widget.Span{Style: t.Muted, Text: " " + p.unread()})}
		return widget.FitBlock(lines, inner, p.figures())
	}
	cached, d := p.store.Poll.Source(poll.Wallet).Cached, p.store.Privacy.Display()
	tone := func(style string) string { return pane.Tone(t, cached, style) }
	figure := func(u *api.USD) widget.Span {
		if u == nil {
			return widget.Span{Style: t.Faint, Text: t.Words.T("unknown")}
		}
		return widget.Span{Style: tone(t.Text), Text: d.Dollars(*u)}
	}
	first := []widget.Span{
		{Style: t.Muted, Text: t.Words.T(" balance ")},
		{Style: tone(t.Strong), Text: d.Dollars(wallet.Balance)},
	}
	if wallet.PendingDeposits != nil && *wallet.PendingDeposits != 0 {
		first = append(first, widget.Span{Style: tone(t.Good), Text: t.Words.Tf("  +%s pending", d.Dollars(*wallet.PendingDeposits))})
	}
	if text := p.Lasts(); text != "" {
		for _, name := range [...]string{t.Words.T("  with the cards lasts "), t.Words.T("  lasts ")} {
			with := append(slices.Clone(first), widget.Span{Style: t.Muted, Text: name}, widget.Span{Style: tone(t.Text), Text: text})
			if widget.SpansWidth(with) <= inner {
				first = with
				break
			}
		}
	}
	second := []widget.Span{{Style: t.Muted, Text: t.Words.T(" on cards ")}, figure(wallet.CardsTotalBalance)}
	if n, known := p.store.Insight.ActiveCards(); known {
		second = append(second, widget.Span{Style: t.Muted, Text: t.Words.Tf(" · %d active", n)})
	}
	if text := p.aloneLasts(); text != "" {
		with := append(slices.Clone(second), widget.Span{Style: t.Muted, Text: t.Words.T("  wallet alone lasts ")}, widget.Span{Style: tone(t.Text), Text: text})
		if widget.SpansWidth(with) <= inner {
			second = with
		}
	}
	third := []widget.Span{
		{Style: t.Muted, Text: t.Words.T(" deposited ")},
		figure(wallet.TotalDeposited),
		{Style: t.Muted, Text: t.Words.T("  spent ")},
		figure(wallet.TotalSpent),
	}
	lines := []string{widget.Spans(inner, first...), widget.Spans(inner, second...), widget.Spans(inner, third...)}
	return widget.FitBlock(lines, inner, p.figures())
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t := p.theme
	d := &p.store.Wallets.Deposits()[i]
	glyph, style := pane.DepositGlyph(t, d)
	progress := pane.DepositWord(t.Words, d)
	if d.Status == api.DepositPending && d.Confirmations != nil {
		progress = t.Words.Tf("pending %d conf", *d.Confirmations)
	}
	cached, show := p.store.Poll.Source(poll.Deposits).Cached, p.store.Privacy.Display()
	style = pane.Tone(t, cached, style)
	w.Cell(style, glyph+" "+string(d.Currency))
	w.Cell(pane.Tone(t, cached, t.Muted), pane.Crypto(show, d.AmountCrypto, w.Width()))
	amount := d.CreditedUSD
	if amount == nil {
		amount = d.AmountUSD
	}
	if amount == nil {
		w.Cell(t.Faint, t.Words.T("unknown"))
	} else {
		w.Cell(pane.Tone(t, cached, t.Text), pane.Dollars(show, *amount, w))
	}
	w.Cell(style, progress)
	w.Cell(t.Faint, p.age(d, p.store.ServerNow()))
}
