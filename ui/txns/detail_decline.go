package txns

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/decline"
)

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
