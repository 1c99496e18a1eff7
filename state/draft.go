package state

import "github.com/cardtop/cardtop/api"

// draft is what an intent would send, before it has a key.
type draft struct {
	kind   OpKind
	card   api.CardID
	amount api.USD
	name   string
	label  string
	write  api.Write
	in     Intent
}

// draftOf builds the request of an intent; false when it sends none. An error
// tells what is wrong with what was asked for.
func (we *WebhooksTable) draftOf(in Intent) (d draft, writes bool, err error) {
	switch in := in.(type) {
	case FreezeCard:
		d = draft{kind: OpFreeze, card: in.Card}
		d.write, err = api.FreezeWrite(in.Card)
	case UnfreezeCard:
		d = draft{kind: OpUnfreeze, card: in.Card}
		d.write, err = api.UnfreezeWrite(in.Card)
	case FundCard:
		d = draft{kind: OpFund, card: in.Card, amount: in.Amount}
		d.write, err = api.FundWrite(in.Card, in.Amount)
	case WithdrawCard:
		d = draft{kind: OpWithdraw, card: in.Card, amount: in.Amount}
		d.write, err = api.WithdrawWrite(in.Card, in.Amount)
	case IssueCard:
		d = draft{kind: OpIssue, amount: in.Request.Amount}
		d.write, err = api.CreateCardWrite(in.Request)
	case UpdateCard:
		d = draft{kind: OpUpdate, card: in.Card}
		d.write, err = api.UpdateCardWrite(in.Card, in.Change)
	case CreateWebhook:
		d = draft{kind: OpSubscribe}
		d.write, err = api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: in.Events})
	case DeleteWebhook:
		d = draft{kind: OpUnsubscribe}
		d.write, err = api.DeleteWebhookWrite(in.Webhook)
	case TerminateCard:
		d = draft{kind: OpTerminate, card: in.Card}
		d.write, err = api.TerminateWrite(in.Card)
	default:
		return draft{}, false, nil
	}
	d.in, d.name, d.label = in, we.draftName(in, d.card), we.cards.labelOf(in)
	return d, true, err
}

// draftName calls what a draft is about.
func (we *WebhooksTable) draftName(in Intent, card api.CardID) string {
	switch in := in.(type) {
	case IssueCard:
		return "a card " + quoted(in.Request.Label)
	case CreateWebhook:
		return webhookName(in.URL)
	case DeleteWebhook:
		w, _ := we.Get(in.Webhook)
		return webhookName(string(w.URL))
	default:
		return we.cards.trueName(card)
	}
}

// quoted is a label in a sentence.
func quoted(label string) string {
	if label == "" {
		return "without label"
	}
	return string(api.Clean(label))
}

// Request shows what an intent would send: method, path and JSON body, the
// same bytes. It is empty for an intent that sends nothing, or nothing valid.
func (we *WebhooksTable) Request(in Intent) (method, path, body string) {
	d, writes, err := we.draftOf(in)
	if !writes || err != nil {
		return "", "", ""
	}
	return d.write.Method, d.write.Path, string(d.write.Body)
}

// checkIssue judges a new card by what is known of BINs and wallet.
func (s *Store) checkIssue(in IssueCard) Verdict {
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
	v.Reason = s.Ops.checkDraft(in)
	return v
}

// checkUpdate judges a change of a card.
func (s *Store) checkUpdate(in UpdateCard) Verdict {
	v := s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible))
	if v.Reason != "" {
		return v
	}
	if all := s.updateProblems(in); len(all) > 0 {
		v.Reason = all[0].Reason
		return v
	}
	v.Reason = s.Ops.checkDraft(in)
	return v
}

// checkDraft tells why a request cannot be built, or that the same one is
// under way.
func (ops *OpsTable) checkDraft(in Intent) string {
	d, _, err := ops.webhooks.draftOf(in)
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
