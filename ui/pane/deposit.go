package pane

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// DepositWord is a deposit's state in a word; one that is not known is shown as sent.
func DepositWord(w *lang.Words, d *api.Deposit) string {
	switch d.Status {
	case api.DepositPending:
		return w.Tc("deposit", "pending")
	case api.DepositConfirmed:
		return w.Tc("deposit", "confirmed")
	case api.DepositExpired:
		return w.Tc("deposit", "expired")
	}
	return string(d.Status)
}

// DepositGlyph returns the glyph and the style of a deposit's state.
func DepositGlyph(t *theme.Theme, d *api.Deposit) (glyph, style string) {
	switch d.Status {
	case api.DepositPending:
		return t.Glyphs.Pending, t.Warn
	case api.DepositConfirmed:
		return t.Glyphs.Check, t.Good
	case api.DepositExpired:
		return t.Glyphs.Cross, t.Faint
	}
	return t.Glyphs.Unknown, t.Warn
}

// Crypto is an amount in n cells. Where its decimals have no room it ends in an
// ellipsis, and where its whole units have none it is only that: what is there
// to read is never another amount.
func Crypto(d display.Display, amount api.Crypto, n int) string {
	text := d.Crypto(string(amount))
	if d.Private() || widget.Width(text) <= n {
		return text
	}
	whole, decimals, _ := strings.Cut(string(amount), ".")
	if strings.Trim(whole+decimals, "0123456789") != "" || len(whole)+len(".")+1 > n {
		return "…"
	}
	return widget.Truncate(text, n)
}

// Linked says what a transaction has to do with one that it belongs with, and
// how sure that is.
func Linked(s *state.Store, t *api.Transaction, l txlink.Related) string {
	w, d := s.Words(), s.Privacy.Display()
	text := w.Tf(link(t, l), d.Size(&l.Row), When(w, l.Row.CreatedAt, s.ServerNow()))
	if l.Told {
		return text
	}
	if !l.Same {
		text = w.Tf("%s, not the same amount", text)
	}
	if l.Of > 1 {
		text = w.Tf("%s, one of %d", text, l.Of)
	}
	if !l.Same || l.Of > 1 {
		return w.Tf("perhaps %s", text)
	}
	return w.Tf("likely %s", text)
}

// link is the format of what a transaction has to do with another, by the amount and the
// time of that one.
func link(t *api.Transaction, l txlink.Related) string {
	switch {
	case l.Row.Type == api.TransactionAuthorization && t.Type == api.TransactionSettlement:
		return lang.N("settles the hold of %s, %s")
	case l.Row.Type == api.TransactionAuthorization:
		return lang.N("began with the hold of %s, %s")
	case l.Row.Type == api.TransactionSettlement && t.Type == api.TransactionAuthorization:
		return lang.N("settled by %s, %s")
	case l.Row.Type == api.TransactionSettlement:
		return lang.N("refunds %s, %s")
	case l.Row.Type == api.TransactionRefund:
		return lang.N("refunded by %s, %s")
	default:
		return lang.N("goes with %s, %s")
	}
}

// Passing are the parts of the store that change with every second and every
// poll. They change few words on the screen: a pane is drawn again when one of them
// is another.
const Passing = kernel.TopicClock | kernel.TopicHealth

// Moving are the words of a pane that time and polls change, as they were drawn.
type Moving struct{ drawn, now []string }

// Note keeps the words that a pane draws. list adds them one by one.
func (m *Moving) Note(list func(*Moving)) {
	m.now = m.now[:0]
	list(m)
	m.drawn, m.now = m.now, m.drawn
}

// Differ reports whether a word is another than it was drawn.
func (m *Moving) Differ(list func(*Moving)) bool {
	m.now = m.now[:0]
	list(m)
	return !slices.Equal(m.now, m.drawn)
}

// Add adds a word.
func (m *Moving) Add(word string) { m.now = append(m.now, word) }

// Spans adds the words of spans, and how they are drawn.
func (m *Moving) Spans(spans []widget.Span) {
	for _, s := range spans {
		m.now = append(m.now, s.Style, s.Text)
	}
}
