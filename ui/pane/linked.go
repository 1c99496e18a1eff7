package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/txlink"
)

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
