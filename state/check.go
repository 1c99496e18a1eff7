package state

import (
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// Check tells whether an intent can be done now, why not, and what it can
// cost. It changes nothing.
func (s *Store) Check(in Intent) Verdict {
	v := s.notOffline(in, s.check(in))
	if v.Reason == "" && v.Danger >= Money {
		v.Again, v.TypeTwice = s.again(in)
	}
	return v
}

func (s *Store) check(in Intent) Verdict {
	switch in := in.(type) {
	case FreezeCard:
		return s.checkBeside(in.Card, Reversible, (*Op).setsStatus)
	case UnfreezeCard:
		return s.checkFresh(in.Card, s.checkWrite(in.Card, Reversible))
	case FundCard, FillCard, WithdrawCard:
		return s.checkTransfer(in)
	case IssueCard:
		return s.checkIssue(in)
	case UpdateCard:
		return s.checkUpdate(in)
	case TerminateCard:
		return s.checkFresh(in.Card, s.checkWrite(in.Card, Permanent))
	case RevealCard, CopyNext, CopyField, CopyWhole, ChooseField, ArmCheckout:
		return s.checkDetails(in)
	case ExportRows, WriteRows:
		return checkRows(in)
	case CopyCode:
		return s.checkCode(in)
	case Examine:
		return s.checkExamine(in)
	case Judge:
		return s.checkJudge(in)
	case ToggleDryRun:
		return s.checkDryRun()
	case InspectTransaction, FollowLink, TrustAddress, CopyAddress, CreateWebhook, DeleteWebhook, ShowSigning, CopySigningSecret, CopyText, NameTab, KeepTab,
		DropTab, ChooseTab:
		return s.checkScreen(in)
	case FreezeMany, UnfreezeMany, FundMany, WithdrawMany, LimitMany, LabelMany, TerminateMany, IssueMany,
		RunPlan, PauseBatch, ResumeBatch, StopBatch, LoadSheet:
		return s.checkBulk(in)
	case RunCommand:
		return s.checkCommand(in)
	case TogglePrivacy, LockScreen, UnlockScreen:
	case InspectCard, LoadOlder, EndSearch, ReadRest, EndRest, WatchLimits, HideSecrets, SelectCard, TurnTo, Refresh, PutAway, LoadBINs, LoadHistory, LookAgain, SetView, ChooseColumns,
		LoadAddresses, ShowAddress, StepTransaction, LoadWebhooks, DropSigning, AckAlert, SnoozeAlert, Say:
	}
	return Verdict{}
}

func (s *Store) checkExamine(in Examine) Verdict {
	if _, ok := s.Unanswered(in.Card); !ok {
		return Verdict{Reason: "nothing is unconfirmed here"}
	}
	return Verdict{}
}

// checkTransfer judges what moves money between a card and the wallet.
func (s *Store) checkTransfer(in Intent) Verdict {
	switch in := in.(type) {
	case FundCard:
		return s.checkMoney(OpFund, in.Card, in.Amount)
	case FillCard:
		return s.checkMoney(OpFund, in.Card, 0)
	case WithdrawCard:
		return s.checkMoney(OpWithdraw, in.Card, in.Amount)
	default:
		return Verdict{}
	}
}

func (s *Store) checkCode(in CopyCode) Verdict {
	_, ok := s.codeToCopy(in)
	switch {
	case ok:
		return Verdict{}
	case in.Challenge != "":
		return Verdict{Reason: "that code has ended: choose another"}
	}
	return Verdict{Reason: s.noCode()}
}

func (s *Store) checkWrite(id api.CardID, danger Danger) Verdict {
	return s.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which nobody knows.
func (s *Store) checkBeside(id api.CardID, danger Danger, inTheWay func(*Op) bool) Verdict {
	v := Verdict{Danger: danger}
	c, ok := s.Card(id)
	switch op, busy := s.pending(id, inTheWay); {
	case !ok:
		v.Reason = "no card is selected"
	case s.cfg.ReadOnly:
		v.Reason = readOnly
	case c.Status == api.CardTerminated:
		v.Reason = s.name(id) + " is terminated"
	case busy:
		v.Reason = s.busyText(op)
	}
	return v
}

// writable tells whether anything is written at all.
func (s *Store) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if s.cfg.ReadOnly {
		v.Reason = readOnly
	}
	return v
}

// readOnly is why nothing is written.
const readOnly = "read-only: writes are off"

// busyText tells which operation stands in the way.
func (s *Store) busyText(op Op) string {
	if op.Phase == Sending {
		return fmt.Sprintf("%s: the %s is still under way", s.opName(&op), op.Kind)
	}
	return fmt.Sprintf("%s: the %s before is unconfirmed", s.opName(&op), op.Kind)
}

// checkFresh refuses what must not rest on what an earlier run knew of a card.
// Freezing may: it only makes the card safer.
func (s *Store) checkFresh(id api.CardID, v Verdict) Verdict {
	if c, _ := s.Card(id); v.Reason == "" && c.Cached {
		v.Reason = s.name(id) + " is not read yet: what is shown of it is from the last run"
	}
	return v
}

// checkMoney judges an amount in USD; zero stands for one not typed yet.
func (s *Store) checkMoney(kind OpKind, id api.CardID, amount api.USD) Verdict {
	v := s.checkFresh(id, s.checkWrite(id, Money))
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := s.preview(kind, id, amount)
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
		c, _ := s.Card(id)
		v.Reason = s.guarded(string(c.Label), amount)
	}
	return v
}

// walletShort says what the wallet lacks, USD.
func walletShort(lacks api.USD) string { return "the wallet is $" + lacks.Grouped() + " short" }

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (s *Store) lacks(amount api.USD) api.USD { return amount - s.wallet.Balance }

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
func (s *Store) checkDetails(in Intent) Verdict {
	if _, arms := in.(ArmCheckout); s.cfg.NoReveal && !arms {
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
	c, ok := s.Card(id)
	switch {
	case !ok:
		return Verdict{Reason: "no card is selected"}
	case c.Status == api.CardTerminated:
		return Verdict{Reason: s.name(id) + " is terminated"}
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
		return s.notOffline(in, s.checkMoney(OpFund, in.Card, 0))
	case WithdrawCard:
		return s.notOffline(in, s.checkMoney(OpWithdraw, in.Card, 0))
	case UpdateCard:
		return s.notOffline(in, s.checkFresh(in.Card, s.checkWrite(in.Card, Reversible)))
	case CreateWebhook:
		return s.notOffline(in, s.writable(Reversible))
	case IssueCard:
		return s.notOffline(in, s.writable(Money))
	default:
		return s.Check(in)
	}
}

// Preview tells what moving an amount (USD) would do, by the balances last
// told in this run; ok is false while the wallet or the card is not known.
func (s *Store) Preview(in Intent) (p Preview, ok bool) {
	switch in := in.(type) {
	case FundCard:
		return s.preview(OpFund, in.Card, in.Amount)
	case WithdrawCard:
		return s.preview(OpWithdraw, in.Card, in.Amount)
	case IssueCard:
		return s.preview(OpIssue, "", in.Request.Amount)
	case TerminateCard:
		return s.preview(OpTerminate, in.Card, 0)
	default:
		return Preview{}, false
	}
}

func (s *Store) preview(kind OpKind, id api.CardID, amount api.USD) (Preview, bool) {
	c, ok := s.Card(id)
	if !s.wallet.live() || c.Cached || !ok && kind != OpIssue {
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
		WalletBefore: s.wallet.Balance, WalletAfter: s.wallet.Balance - amount,
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
	d, writes, err := s.draftOf(in)
	switch {
	case err != nil:
		return 0, nil, errors.New(explain(err))
	case writes:
		effects := s.begin(d)
		return TopicOps | TopicCards | s.tellTried(d), effects, nil
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
		topics, effects = s.hide()
		topics, effects = topics|TopicInspector, append(effects, s.inspect(in)...)
	case RevealCard, HideSecrets, CopyNext, CopyField, CopyWhole, CopyCode, CopyText:
		topics, effects = s.startSecret(in)
	case Say:
		topics = s.Tell(in.Level, in.Text)
	case TogglePrivacy, LockScreen, UnlockScreen:
		topics, effects = s.startPrivacy(in)
	case SelectCard:
		s.selectCard(in.Card)
	case TurnTo:
		topics, effects = s.turnTo(in.Card)
	case Refresh:
		effects = s.refresh(in.Card)
	case ArmCheckout:
		topics = TopicCodes | TopicNotice
		s.arm(in.Card)
	case PutAway:
		topics = s.putAway()
	case Judge:
		topics, effects = TopicOps|TopicCards|TopicNotice, s.pass(in)
	case LookAgain:
		effects = s.lookAgain(in.Op)
	case ToggleDryRun:
		topics, effects = s.SetDryRun(!s.dry)
	case LoadOlder, EndSearch, ReadRest, EndRest, WatchLimits, LoadBINs, LoadHistory, LoadAddresses, TrustAddress, CopyAddress, InspectTransaction, StepTransaction, FollowLink,
		LoadWebhooks, ShowSigning, CopySigningSecret, DropSigning, RunCommand:
		topics, effects = s.startScreen(in)
	case KeepTab, DropTab, SetView, WriteRows:
		topics, effects = TopicViews|TopicNotice, s.startView(in)
	case RunPlan, PauseBatch, ResumeBatch, StopBatch, LoadSheet:
		topics, effects = s.startBulk(in)
	case AckAlert, SnoozeAlert:
		topics = s.alertTold(in)
	default:
	}
	return topics, effects
}
