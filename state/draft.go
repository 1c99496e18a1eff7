package state

import "github.com/cardtop/cardtop/api"

// request is what an intent would send, before it has a key.
type request struct {
	kind   OpKind
	card   api.CardID
	amount api.USD
	name   string
	label  string
	write  api.Write
	in     Intent
}

// buildRequest makes the request of an intent. An error says what is wrong
// with what was asked for.
func (we *WebhooksTable) buildRequest(in writer) (request, error) {
	r, err := in.build(we)
	r.in, r.label = in, we.cards.labelOf(in)
	if r.name == "" {
		r.name = we.cards.trueName(r.card)
	}
	return r, err
}

// quoted is a label in a sentence.
func quoted(label string) string {
	if label == "" {
		return "without label"
	}
	return string(api.Clean(label))
}

// check compares a new card with what is known of BINs and wallet.
func (in IssueCard) check(s *Store) Verdict {
	v := Verdict{Danger: Money}
	if s.cfg.ReadOnly {
		v.Reason = readOnly
		return v
	}
	if all := s.issueProblems(in.Request); len(all) > 0 {
		v.Reason = all[0].Reason
		if lacks := s.Wallet.lacks(in.Request.Amount); lacks > 0 && v.Reason == walletShort(lacks) {
			v.Short = lacks
		}
		return v
	}
	v.Reason = s.Ops.checkRequest(in)
	return v
}

func (in UpdateCard) check(s *Store) Verdict {
	v := s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible))
	if v.Reason != "" {
		return v
	}
	if all := s.updateProblems(in); len(all) > 0 {
		v.Reason = all[0].Reason
		return v
	}
	v.Reason = s.Ops.checkRequest(in)
	return v
}

// checkRequest is why a request cannot be built, or that the same one is under
// way; empty when neither is so.
func (ops *OpsTable) checkRequest(in writer) string {
	d, err := ops.webhooks.buildRequest(in)
	if err != nil {
		return explain(err)
	}
	if d.kind == OpIssue {
		if op, busy := ops.pendingIssue(d.write); busy {
			return ops.cards.busyText(op)
		}
	}
	return ""
}
