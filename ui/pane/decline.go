package pane

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
)

// Cause is why a transaction was declined, in a few words, with what the balance is
// short of; empty when it is not known.
func Cause(d display.Display, a decline.Answer) string {
	if a.Cause == decline.Balance && a.Shortfall > 0 {
		return a.Brief(d.Words()) + " · " + d.Shortfall(a.Shortfall)
	}
	return a.Brief(d.Words())
}

// StillHelps is an answer with what helps against the decline as the card is now: one that is terminated is not
// funded, unfrozen, changed or charged any more, and what is mended by now is not mended again.
func StillHelps(s *state.Store, card api.CardID, a decline.Answer) decline.Answer {
	c, known := s.Cards.Get(card)
	if !known {
		return a
	}
	if a.Asked > 0 && s.Txns.PaidSince(card, a.Merchant, a.Asked, a.At) {
		a.Fix = decline.Paid
		return a
	}
	mended := false
	switch a.Fix {
	case decline.Fund:
		mended = a.Needs > 0 && c.Balance >= a.Needs
		a.Missing = max(0, a.Needs-c.Balance)
	case decline.Unfreeze:
		mended = c.Status != api.CardFrozen
	case decline.RaiseLimit:
		a = raise(s, &c, a)
	case decline.AllowMCC:
		set := s.Info.Settings(card)
		mended = a.MCC != "" && set.Categories != nil && (len(*set.Categories) == 0 || slices.Contains(*set.Categories, a.MCC))
	case decline.ChargeLess, decline.AnswerCode, decline.AskTheMerchant, decline.TryAgain, decline.Paid:
	default:
		return a // The card is not charged again.
	}
	if c.Status == api.CardTerminated || c.Shown() == api.CardExpired {
		a.Fix = decline.IssueCard
		return a
	}
	if mended {
		a.Fix = decline.TryAgain
	}
	a.Frozen = c.Status == api.CardFrozen && a.Fix != decline.AskTheMerchant && a.Fix != decline.IssueCard
	return a
}

// raise is an answer with what helps against a monthly limit by what of the month is used now. Without a limit of its
// own the BIN's holds for a card, and none is raised above that.
func raise(s *state.Store, c *cardlist.Card, a decline.Answer) decline.Answer {
	if now := s.ServerNow().UTC(); !a.At.IsZero() && (a.At.UTC().Month() != now.Month() || a.At.UTC().Year() != now.Year()) {
		a.Fix, a.Needs = decline.TryAgain, 0
		return a
	}
	if a.Asked > 0 && s.Limits.MonthRead() {
		a.Needs = c.Month + s.Insight.Funds(c.ID).Held.USD + a.Asked
	}
	a.Needs, a.AtLeast = wholeCents(a.Needs), !s.Limits.MonthWhole(c.ID)
	limit, most := limitOf(s, c)
	refused := a.Needs > 0 && s.Ops.RefusedLimit(c.ID, a.Needs, a.At)
	older := a.Confidence == decline.Stated && !s.Limits.ReadSince(c.ID, a.At) // It may have been lowered since.
	switch {
	case most > 0 && a.Needs > most:
		a.Fix = decline.IssueCard
	case limit == nil, older: // No figure is known to raise it.
		a.Needs = 0
	case *limit == 0: // The BIN's own, which nobody knows.
		a.Fix, a.Needs = decline.AskTheMerchant, 0
	case a.Needs > 0 && *limit >= a.Needs:
		a.Fix = decline.TryAgain
	case refused:
		a.Fix, a.Needs = decline.AskTheMerchant, 0
	case most > 0 && *limit >= most:
		a.Fix = decline.AskTheMerchant
	}
	return a
}

// limitOf returns the monthly limit of a card and the maximum of its BIN, USD. A card without a limit of its own has the BIN's.
// limit is nil if it is not known, most is 0 if the BIN is not known.
func limitOf(s *state.Store, c *cardlist.Card) (limit *api.USD, most api.USD) {
	if bin, ok := s.BINs.Get(c.BIN); ok && bin.MaxMonthly != nil {
		most = *bin.MaxMonthly
	}
	limit = s.Info.Settings(c.ID).Limit
	if limit == nil && s.Limits.LimitRead(c.ID) {
		limit = &most
	}
	return limit, most
}

// Fix is the key that does what helps against a decline, and what it then asks for.
// None when no key does.
func Fix(s *state.Store, card api.CardID, a decline.Answer) (keymap.Action, kernel.Intent) {
	if _, known := s.Cards.Get(card); !known {
		return "", nil
	}
	key, in := fix(s, card, a)
	if in != nil && s.Ask(in).Reason != "" { // It would only be refused, such as beside a change that is not confirmed.
		return "", nil
	}
	return key, in
}

func fix(s *state.Store, card api.CardID, a decline.Answer) (keymap.Action, kernel.Intent) {
	if a.Frozen {
		return keymap.Freeze, state.Unfreeze(card)
	}
	switch a.Fix {
	case decline.Fund:
		return keymap.Fund, state.Fund(card, fundable(a.ToAdd()))
	case decline.RaiseLimit:
		in := state.Write{Kind: state.OpUpdate, Card: card, Field: cardcsv.Limit}
		if a.Needs > 0 && !a.AtLeast {
			in.Change = &api.UpdateCardRequest{SpendingLimit: new(wholeCents(a.Needs))}
		}
		return keymap.Edit, in
	case decline.AllowMCC:
		in := state.Write{Kind: state.OpUpdate, Card: card, Field: cardcsv.Categories}
		if known := s.Info.Settings(card).Categories; known != nil && a.MCC != "" {
			in.Change = &api.UpdateCardRequest{AllowedCategories: allowedToo(*known, a.MCC)}
		}
		return keymap.Edit, in
	default:
	}
	return "", nil
}

// fundable is the least that a card can be funded with that makes up for what it is
// short of, USD; 0 for an unknown amount.
func fundable(short api.USD) api.USD {
	if short <= 0 {
		return 0
	}
	return max(api.MinFunding, wholeCents(short))
}

// wholeCents rounds up to cents, the least that a request has.
func wholeCents(u api.USD) api.USD { return (u + api.Cent - 1) / api.Cent * api.Cent }

// allowedToo is a list of categories with one more.
func allowedToo(list []api.Text, mcc api.Text) *[]string {
	out := make([]string, 0, len(list)+1)
	for _, name := range append(list[:len(list):len(list)], mcc) {
		out = append(out, string(name))
	}
	return &out
}
