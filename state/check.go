package state

import (
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// Check tells whether an intent can be done now, why not, and what it can
// cost. It changes nothing.
func (s *Store) Check(in Intent) Verdict {
	v := s.Ops.notOffline(in, s.check(in))
	if v.Reason == "" && v.Danger >= Money {
		v.Again, v.TypeTwice = s.again(in)
	}
	return v
}

func (s *Store) check(in Intent) Verdict {
	switch in := in.(type) {
	case FreezeCard:
		return s.Ops.checkBeside(in.Card, Reversible, (*Op).setsStatus)
	case UnfreezeCard:
		return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible))
	case FundCard, FillCard, WithdrawCard:
		return s.Ops.checkTransfer(in)
	case IssueCard:
		return s.checkIssue(in)
	case UpdateCard:
		return s.checkUpdate(in)
	case TerminateCard:
		return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Permanent))
	case RevealCard, CopyNext, CopyField, CopyWhole, ChooseField, ArmCheckout:
		return s.Cards.checkDetails(in)
	case ExportRows, WriteRows:
		return checkRows(in)
	case CopyCode:
		return s.Clip.checkCode(in)
	case Examine:
		return s.checkExamine(in)
	case Judge:
		return s.Ops.checkJudge(in)
	case ToggleDryRun:
		return s.Ops.checkDryRun()
	case InspectTransaction, FollowLink, TrustAddress, CopyAddress, CreateWebhook, DeleteWebhook, ShowSigning, CopySigningSecret, CopyText, NameTab, KeepTab,
		DropTab, ChooseTab:
		return s.checkScreen(in)
	case FreezeMany, UnfreezeMany, FundMany, WithdrawMany, LimitMany, LabelMany, TerminateMany, IssueMany,
		RunPlan, PauseBatch, ResumeBatch, StopBatch, LoadSheet:
		return s.Bulk.checkBulk(in)
	case RunCommand:
		return s.checkCommand(in)
	case TogglePrivacy, LockScreen, UnlockScreen:
	case InspectCard, LoadOlder, EndSearch, ReadRest, EndRest, WatchLimits, HideSecrets, SelectCard, TurnTo, Refresh, PutAway, LoadBINs, LoadHistory, LookAgain, SetView, ChooseColumns,
		LoadAddresses, ShowAddress, StepTransaction, LoadWebhooks, DropSigning, AckAlert, SnoozeAlert, Say:
	}
	return Verdict{}
}

func (s *Store) checkExamine(in Examine) Verdict {
	if _, ok := s.Ops.Unsettled(in.Card); !ok {
		return Verdict{Reason: "nothing is unconfirmed here"}
	}
	return Verdict{}
}

// checkTransfer judges what moves money between a card and the wallet.
func (ops *OpsTable) checkTransfer(in Intent) Verdict {
	switch in := in.(type) {
	case FundCard:
		return ops.checkMoney(OpFund, in.Card, in.Amount)
	case FillCard:
		return ops.checkMoney(OpFund, in.Card, 0)
	case WithdrawCard:
		return ops.checkMoney(OpWithdraw, in.Card, in.Amount)
	default:
		return Verdict{}
	}
}

func (cl *ClipTable) checkCode(in CopyCode) Verdict {
	_, ok := cl.codes.codeToCopy(in)
	switch {
	case ok:
		return Verdict{}
	case in.Challenge != "":
		return Verdict{Reason: "that code has ended: choose another"}
	}
	return Verdict{Reason: cl.noCode()}
}

func (ops *OpsTable) checkWrite(id api.CardID, danger Danger) Verdict {
	return ops.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which nobody knows.
func (ops *OpsTable) checkBeside(id api.CardID, danger Danger, inTheWay func(*Op) bool) Verdict {
	v := Verdict{Danger: danger}
	c, ok := ops.cards.Get(id)
	switch op, busy := ops.pending(id, inTheWay); {
	case !ok:
		v.Reason = "no card is selected"
	case ops.cfg.ReadOnly:
		v.Reason = readOnly
	case c.Status == api.CardTerminated:
		v.Reason = ops.cards.name(id) + " is terminated"
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// writable tells whether anything is written at all.
func (c *core) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.cfg.ReadOnly {
		v.Reason = readOnly
	}
	return v
}

// readOnly is why nothing is written.
const readOnly = "read-only: writes are off"

// busyText tells which operation stands in the way.
func (ca *CardsTable) busyText(op Op) string {
	if op.Phase == Sending {
		return fmt.Sprintf("%s: the %s is still under way", ca.opName(&op), op.Kind)
	}
	return fmt.Sprintf("%s: the %s before is unconfirmed", ca.opName(&op), op.Kind)
}

// checkFresh refuses what must not rest on what an earlier run knew of a card.
// Freezing may: it only makes the card safer.
func (ca *CardsTable) checkFresh(id api.CardID, v Verdict) Verdict {
	if c, _ := ca.Get(id); v.Reason == "" && c.Cached {
		v.Reason = ca.name(id) + " is not read yet: what is shown of it is from the last run"
	}
	return v
}

// checkMoney judges an amount in USD; zero stands for one not typed yet.
func (ops *OpsTable) checkMoney(kind OpKind, id api.CardID, amount api.USD) Verdict {
	v := ops.cards.checkFresh(id, ops.checkWrite(id, Money))
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := ops.wallet.preview(kind, id, amount)
	switch {
	case !ok:
		v.Reason = "the wallet is not read yet: what it would hold afterwards is not known"
	case amount%api.Cent != 0:
		v.Reason = "at most two decimals"
	case amount < 0:
		v.Reason = tooLittle
	case kind == OpFund && amount < api.MinFunding:
		v.Reason = "at least $" + api.MinFunding.Grouped()
	case kind == OpFund && amount > api.MaxFunding:
		v.Reason = "at most $" + api.MaxFunding.Grouped() + " at a time"
	case kind == OpFund && p.WalletAfter < 0:
		v.Reason, v.Short = walletShort(-p.WalletAfter), -p.WalletAfter
	case kind == OpWithdraw && p.CardAfter < 0:
		v.Reason = "the card is $" + (-p.CardAfter).Grouped() + " short"
	case kind.Takes():
		c, _ := ops.cards.Get(id)
		v.Reason = ops.guarded(string(c.Label), amount)
	}
	return v
}

// walletShort says what the wallet lacks, USD.
func walletShort(lacks api.USD) string { return "the wallet is $" + lacks.Grouped() + " short" }

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (w *WalletTable) lacks(amount api.USD) api.USD { return amount - w.wallet.Balance }

// tooLittle refuses an amount of nothing or less.
const tooLittle = "the amount must be more than 0"

// AmountOf gives what an intent would move, USD; false when it moves nothing.
func AmountOf(in Intent) (api.USD, bool) {
	switch in := in.(type) {
	case FundCard:
		return in.Amount, true
	case WithdrawCard:
		return in.Amount, true
	case IssueCard:
		return in.Request.Amount, true
	default:
		return 0, false
	}
}

// CardOf gives the card that an intent is bound to; false when it is bound to
// none.
func CardOf(in Intent) (api.CardID, bool) {
	switch in := in.(type) {
	case FreezeCard:
		return in.Card, true
	case UnfreezeCard:
		return in.Card, true
	case FundCard:
		return in.Card, true
	case FillCard:
		return in.Card, true
	case WithdrawCard:
		return in.Card, true
	case UpdateCard:
		return in.Card, true
	case TerminateCard:
		return in.Card, true
	default:
		return "", false
	}
}

// noReveal is why nothing secret of a card is asked for.
const noReveal = "reveal is off: no number, CVV or address is shown or copied"

// checkDetails judges what needs a card's details, or the card alive.
func (ca *CardsTable) checkDetails(in Intent) Verdict {
	if _, arms := in.(ArmCheckout); ca.cfg.NoReveal && !arms {
		return Verdict{Reason: noReveal, Remedy: "start without --no-reveal, on a profile whose reveal is not false"}
	}
	var id api.CardID
	switch in := in.(type) {
	case RevealCard:
		id = in.Card
	case CopyNext:
		id = in.Card
	case CopyField:
		id = in.Card
	case CopyWhole:
		id = in.Card
	case ChooseField:
		id = in.Card
	case ArmCheckout:
		id = in.Card
	default:
	}
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return Verdict{Reason: "no card is selected"}
	case c.Status == api.CardTerminated:
		return Verdict{Reason: ca.name(id) + " is terminated"}
	}
	return Verdict{}
}

// Ask tells whether a person may be asked for the particulars of an intent:
// what Check tells before any of them is known.
func (s *Store) Ask(in Intent) Verdict {
	if why := s.refusedByPrivacy(in); why != "" {
		return Verdict{Reason: why}
	}
	switch in := in.(type) {
	case FundCard:
		return s.Ops.notOffline(in, s.Ops.checkMoney(OpFund, in.Card, 0))
	case WithdrawCard:
		return s.Ops.notOffline(in, s.Ops.checkMoney(OpWithdraw, in.Card, 0))
	case UpdateCard:
		return s.Ops.notOffline(in, s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible)))
	case CreateWebhook:
		return s.Ops.notOffline(in, s.writable(Reversible))
	case IssueCard:
		return s.Ops.notOffline(in, s.writable(Money))
	default:
		return s.Check(in)
	}
}

// Preview tells what moving an amount (USD) would do, by the balances last
// told in this run; ok is false while the wallet or the card is not known.
func (s *Store) Preview(in Intent) (p Preview, ok bool) {
	switch in := in.(type) {
	case FundCard:
		return s.Wallet.preview(OpFund, in.Card, in.Amount)
	case WithdrawCard:
		return s.Wallet.preview(OpWithdraw, in.Card, in.Amount)
	case IssueCard:
		return s.Wallet.preview(OpIssue, "", in.Request.Amount)
	case TerminateCard:
		return s.Wallet.preview(OpTerminate, in.Card, 0)
	default:
		return Preview{}, false
	}
}

func (w *WalletTable) preview(kind OpKind, id api.CardID, amount api.USD) (Preview, bool) {
	c, ok := w.cards.Get(id)
	if !w.wallet.live() || c.Cached || !ok && kind != OpIssue {
		return Preview{}, false
	}
	switch kind {
	case OpFund, OpIssue:
	case OpWithdraw:
		amount = -amount
	case OpTerminate:
		amount = -c.Balance
	default:
		return Preview{}, false
	}
	return Preview{
		CardBefore: c.Balance, CardAfter: c.Balance + amount,
		WalletBefore: w.wallet.Balance, WalletAfter: w.wallet.Balance - amount,
	}, true
}

// Dispatch starts what an intent asks for. What Check would refuse is
// refused here too.
func (s *Store) Dispatch(in Intent) (Topic, []Effect, error) {
	if why := s.refusedByPrivacy(in); why != "" {
		return 0, nil, errors.New(why)
	}
	if v := s.Check(in); v.Reason != "" {
		return 0, nil, errors.New(v.Reason)
	}
	if moved, ok := AmountOf(in); ok && moved <= 0 {
		return 0, nil, errors.New(tooLittle)
	}
	if _, many := in.(Many); many {
		return 0, nil, errNotPlanned
	}
	d, writes, err := s.Webhooks.draftOf(in)
	switch {
	case err != nil:
		return 0, nil, errors.New(explain(err))
	case writes:
		effects := s.Ops.begin(d)
		return TopicOps | TopicCards | s.Ops.tellTried(d), effects, nil
	}
	topics, effects := s.start(in)
	return topics, effects, nil
}

// start does what an intent asks for that writes nothing.
func (s *Store) start(in Intent) (Topic, []Effect) {
	var (
		topics  Topic
		effects []Effect
	)
	switch in := in.(type) {
	case InspectCard:
		// What is revealed belongs to what was looked at before.
		topics, effects = s.Secrets.hide()
		topics, effects = topics|TopicInspector, append(effects, s.Info.inspect(in)...)
	case RevealCard, HideSecrets, CopyNext, CopyField, CopyWhole, CopyCode, CopyText:
		topics, effects = s.startSecret(in)
	case Say:
		topics = s.Notices.Add(in.Level, in.Text)
	case TogglePrivacy, LockScreen, UnlockScreen:
		topics, effects = s.startPrivacy(in)
	case SelectCard:
		s.Info.selectCard(in.Card)
	case TurnTo:
		topics, effects = s.Secrets.turnTo(in.Card)
	case Refresh:
		effects = s.Info.refresh(in.Card)
	case ArmCheckout:
		topics = TopicCodes | TopicNotice
		s.Codes.arm(in.Card)
	case PutAway:
		topics = s.Codes.putAway()
	case Judge:
		topics, effects = TopicOps|TopicCards|TopicNotice, s.pass(in)
	case LookAgain:
		effects = s.Ops.lookAgain(in.Op)
	case ToggleDryRun:
		topics, effects = s.Ops.SetDryRun(!s.Ops.dry)
	case LoadOlder, EndSearch, ReadRest, EndRest, WatchLimits, LoadBINs, LoadHistory, LoadAddresses, TrustAddress, CopyAddress, InspectTransaction, StepTransaction, FollowLink,
		LoadWebhooks, ShowSigning, CopySigningSecret, DropSigning, RunCommand:
		topics, effects = s.startScreen(in)
	case KeepTab, DropTab, SetView, WriteRows:
		topics, effects = TopicViews|TopicNotice, s.Views.startView(in)
	case RunPlan, PauseBatch, ResumeBatch, StopBatch, LoadSheet:
		topics, effects = s.startBulk(in)
	case AckAlert, SnoozeAlert:
		topics = s.Alerts.alertTold(in)
	default:
	}
	return topics, effects
}
