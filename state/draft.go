package state

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/api"
)

// draft is what an intent would send, before it has a key.
type draft struct {
	kind   OpKind
	card   api.CardID
	amount api.USD
	name   string
	write  api.Write
}

// draftOf builds the request of an intent; false when it sends none. An error
// tells what is wrong with what was asked for.
func (s *Store) draftOf(in Intent) (d draft, writes bool, err error) {
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
	case TerminateCard:
		d = draft{kind: OpTerminate, card: in.Card}
		d.write, err = api.TerminateWrite(in.Card)
	default:
		return draft{}, false, nil
	}
	d.name = s.name(d.card)
	if issue, ok := in.(IssueCard); ok {
		d.name = "a card " + quoted(issue.Request.Label)
	}
	return d, true, err
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
func (s *Store) Request(in Intent) (method, path, body string) {
	d, writes, err := s.draftOf(in)
	if !writes || err != nil {
		return "", "", ""
	}
	return d.write.Method, d.write.Path, string(d.write.Body)
}

// checkLabel refuses what the contract does not forbid and no screen bears.
func checkLabel(label string) string {
	if n := len([]rune(label)); n > api.MaxLabel {
		return fmt.Sprintf("the label has %d characters, at most %d are allowed", n, api.MaxLabel)
	}
	if strings.ContainsFunc(label, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return "the label holds a control character"
	}
	return ""
}

// checkIssue judges a new card by what is known of BINs and wallet.
func (s *Store) checkIssue(in IssueCard) Verdict {
	r := in.Request
	v := Verdict{Danger: Money}
	switch {
	case s.cfg.ReadOnly:
		v.Reason = readOnly
	case r.BIN == "":
		v.Reason = "choose a BIN"
	case r.Amount < api.MinFunding:
		v.Reason = "at least $" + api.MinFunding.Grouped()
	case r.Amount > api.MaxFunding:
		v.Reason = "at most $" + api.MaxFunding.Grouped() + " at a time"
	case r.Amount%api.Cent != 0:
		v.Reason = "at most two decimals"
	case !s.wallet.live():
		v.Reason = "the wallet is not read yet: what it would hold afterwards is not known"
	case s.wallet.Balance < r.Amount:
		v.Reason = "the wallet is $" + (r.Amount - s.wallet.Balance).Grouped() + " short"
	default:
		if v.Reason = s.checkBIN(r); v.Reason == "" {
			v.Reason = s.guarded(r.Amount)
		}
	}
	if v.Reason == "" {
		v.Reason = checkLabel(r.Label)
	}
	if v.Reason == "" {
		v.Reason = s.checkDraft(in)
	}
	return v
}

// checkBIN judges a new card by its BIN, as far as the BINs are known.
func (s *Store) checkBIN(r api.CreateCardRequest) string {
	if !s.bins.known() {
		return ""
	}
	bin, ok := s.BIN(r.BIN)
	switch {
	case !ok:
		return "the BIN " + string(r.BIN) + " is not offered any more"
	case r.SpendingLimit != nil && bin.MaxMonthly != nil && *r.SpendingLimit > *bin.MaxMonthly:
		return "the limit is above the BIN's $" + bin.MaxMonthly.Grouped() + " a month"
	}
	return ""
}

// checkUpdate judges a change of a card.
func (s *Store) checkUpdate(in UpdateCard) Verdict {
	v := s.checkFresh(in.Card, s.checkWrite(in.Card, Reversible))
	if v.Reason == "" && in.Change.Label != nil {
		v.Reason = checkLabel(*in.Change.Label)
	}
	if c, ok := s.Card(in.Card); ok && v.Reason == "" && in.Change.SpendingLimit != nil {
		v.Reason = s.checkBIN(api.CreateCardRequest{BIN: c.BIN, SpendingLimit: in.Change.SpendingLimit})
	}
	if v.Reason == "" {
		v.Reason = s.checkDraft(in)
	}
	return v
}

// checkDraft tells why a request cannot be built, or that the same one is
// under way.
func (s *Store) checkDraft(in Intent) string {
	d, _, err := s.draftOf(in)
	if err != nil {
		return explain(err)
	}
	if d.kind == OpIssue {
		if op, busy := s.pendingIssue(d.write); busy {
			return s.busyText(op)
		}
	}
	return ""
}
