package state

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
)

func (in FreezeCard) check(s *Store) Verdict {
	return s.Ops.checkBeside(in.Card, Reversible, (*Op).setsStatus)
}
func (in FreezeCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in FreezeCard) card() api.CardID                 { return in.Card }
func (in FreezeCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card = OpFreeze, in.Card
	r.write, err = api.FreezeWrite(in.Card)
	return r, err
}

func (in UnfreezeCard) check(s *Store) Verdict {
	return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible))
}
func (in UnfreezeCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in UnfreezeCard) card() api.CardID                 { return in.Card }
func (UnfreezeCard) waitsForAPI() bool                   { return true }
func (in UnfreezeCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card = OpUnfreeze, in.Card
	r.write, err = api.UnfreezeWrite(in.Card)
	return r, err
}

func (in FundCard) check(s *Store) Verdict           { return s.Ops.checkMoney(OpFund, in.Card, in.Amount) }
func (in FundCard) ask(s *Store) Verdict             { return s.Ops.checkMoney(OpFund, in.Card, 0) }
func (in FundCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in FundCard) card() api.CardID                 { return in.Card }
func (in FundCard) amount() api.USD                  { return in.Amount }
func (in FundCard) labelIn(ca *CardsTable) string    { return ca.label(in.Card) }
func (FundCard) waitsForAPI() bool                   { return true }
func (in FundCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card, r.amount = OpFund, in.Card, in.Amount
	r.write, err = api.FundWrite(in.Card, in.Amount)
	return r, err
}

func (in FillCard) check(s *Store) Verdict      { return s.Ops.checkMoney(OpFund, in.Card, 0) }
func (FillCard) start(*Store) (Topic, []Effect) { return 0, nil }
func (in FillCard) card() api.CardID            { return in.Card }
func (FillCard) waitsForAPI() bool              { return true }

func (in WithdrawCard) check(s *Store) Verdict {
	return s.Ops.checkMoney(OpWithdraw, in.Card, in.Amount)
}

func (in WithdrawCard) ask(s *Store) Verdict             { return s.Ops.checkMoney(OpWithdraw, in.Card, 0) }
func (in WithdrawCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in WithdrawCard) card() api.CardID                 { return in.Card }
func (in WithdrawCard) amount() api.USD                  { return in.Amount }
func (in WithdrawCard) labelIn(ca *CardsTable) string    { return ca.label(in.Card) }
func (WithdrawCard) waitsForAPI() bool                   { return true }
func (in WithdrawCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card, r.amount = OpWithdraw, in.Card, in.Amount
	r.write, err = api.WithdrawWrite(in.Card, in.Amount)
	return r, err
}

func (IssueCard) ask(s *Store) Verdict                { return s.writable(Money) }
func (in IssueCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in IssueCard) amount() api.USD                  { return in.Request.Amount }
func (in IssueCard) labelIn(*CardsTable) string       { return in.Request.Label }
func (IssueCard) waitsForAPI() bool                   { return true }
func (in IssueCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.amount, r.name = OpIssue, in.Request.Amount, "a card "+quoted(in.Request.Label)
	r.write, err = api.CreateCardWrite(in.Request)
	return r, err
}

func (in UpdateCard) ask(s *Store) Verdict {
	return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Reversible))
}
func (in UpdateCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in UpdateCard) card() api.CardID                 { return in.Card }
func (UpdateCard) waitsForAPI() bool                   { return true }
func (in UpdateCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card = OpUpdate, in.Card
	r.write, err = api.UpdateCardWrite(in.Card, in.Change)
	return r, err
}

func (in TerminateCard) check(s *Store) Verdict {
	return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, Permanent))
}
func (in TerminateCard) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (in TerminateCard) card() api.CardID                 { return in.Card }
func (in TerminateCard) labelIn(ca *CardsTable) string    { return ca.label(in.Card) }
func (TerminateCard) waitsForAPI() bool                   { return true }
func (in TerminateCard) build(*WebhooksTable) (r request, err error) {
	r.kind, r.card = OpTerminate, in.Card
	r.write, err = api.TerminateWrite(in.Card)
	return r, err
}

func (in CreateWebhook) check(s *Store) Verdict           { return s.Ops.checkCreateWebhook(in) }
func (CreateWebhook) ask(s *Store) Verdict                { return s.writable(Reversible) }
func (in CreateWebhook) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (CreateWebhook) waitsForAPI() bool                   { return true }
func (in CreateWebhook) build(*WebhooksTable) (r request, err error) {
	r.kind, r.name = OpSubscribe, webhookName(in.URL)
	r.write, err = api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: in.Events})
	return r, err
}

func (in DeleteWebhook) check(s *Store) Verdict           { return s.Ops.checkDeleteWebhook(in) }
func (in DeleteWebhook) start(s *Store) (Topic, []Effect) { return s.begin(in) }
func (DeleteWebhook) waitsForAPI() bool                   { return true }
func (in DeleteWebhook) build(we *WebhooksTable) (r request, err error) {
	w, _ := we.Get(in.Webhook)
	r.kind, r.name = OpUnsubscribe, webhookName(string(w.URL))
	r.write, err = api.DeleteWebhookWrite(in.Webhook)
	return r, err
}

func (in RevealCard) check(s *Store) Verdict           { return s.Cards.checkDetails(in.Card) }
func (in RevealCard) start(s *Store) (Topic, []Effect) { return s.revealNext(in.Card) }
func (in RevealCard) hidden(s *Store) string {
	if s.Secrets.reveal.Card == in.Card {
		return ""
	}
	return "private: y copies the number, P shows what is hidden"
}

func (HideSecrets) check(*Store) Verdict { return Verdict{} }
func (in HideSecrets) start(s *Store) (Topic, []Effect) {
	topics, effects := s.Secrets.hide()
	if in.Forget {
		effects = append(effects, s.Secrets.wipe()...)
	}
	return topics, effects
}
func (HideSecrets) whileLocked() {}

func (in CopyNext) check(s *Store) Verdict           { return s.Cards.checkDetails(in.Card) }
func (in CopyNext) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyNext(in.Card) }

func (in CopyField) check(s *Store) Verdict           { return s.Cards.checkDetails(in.Card) }
func (in CopyField) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyChosen(in) }

func (in CopyWhole) check(s *Store) Verdict           { return s.Cards.checkDetails(in.Card) }
func (in CopyWhole) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyAll(in.Card) }

func (in ChooseField) check(s *Store) Verdict      { return s.Cards.checkDetails(in.Card) }
func (ChooseField) start(*Store) (Topic, []Effect) { return 0, nil }

func (in CopyCode) check(s *Store) Verdict           { return s.Clip.checkCode(in) }
func (in CopyCode) start(s *Store) (Topic, []Effect) { return s.Clip.copyCode(in) }

func (in CopyText) check(*Store) Verdict {
	if in.Text == "" {
		return Verdict{Reason: "there is no " + in.What + " to copy"}
	}
	return Verdict{}
}
func (in CopyText) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyText(in) }

func (in ArmCheckout) check(s *Store) Verdict { return s.Cards.checkAlive(in.Card) }
func (in ArmCheckout) start(s *Store) (Topic, []Effect) {
	s.Codes.arm(in.Card)
	return TopicCodes | TopicNotice, nil
}

func (PutAway) check(*Store) Verdict             { return Verdict{} }
func (PutAway) start(s *Store) (Topic, []Effect) { return s.Codes.putAway(), nil }

func (in ExportRows) check(*Store) Verdict        { return checkRows(in.Rows) }
func (ExportRows) start(*Store) (Topic, []Effect) { return 0, nil }

func (in WriteRows) check(*Store) Verdict { return checkRows(in.Rows) }
func (in WriteRows) start(*Store) (Topic, []Effect) {
	return TopicViews | TopicNotice, []Effect{SaveRows(in)}
}

func (in Examine) check(s *Store) Verdict {
	if _, ok := s.Ops.Unsettled(in.Card); !ok {
		return Verdict{Reason: "nothing is unconfirmed here"}
	}
	return Verdict{}
}
func (Examine) start(*Store) (Topic, []Effect) { return 0, nil }

func (in Judge) check(s *Store) Verdict { return s.Ops.checkJudge(in) }
func (in Judge) start(s *Store) (Topic, []Effect) {
	return TopicOps | TopicCards | TopicNotice, s.pass(in)
}

func (LookAgain) check(*Store) Verdict                { return Verdict{} }
func (in LookAgain) start(s *Store) (Topic, []Effect) { return 0, s.Ops.lookAgain(in.Op) }

func (ToggleDryRun) check(s *Store) Verdict           { return s.Ops.checkDryRun() }
func (ToggleDryRun) start(s *Store) (Topic, []Effect) { return s.Ops.SetDryRun(!s.Ops.DryRun()) }

func (Say) check(*Store) Verdict                { return Verdict{} }
func (in Say) start(s *Store) (Topic, []Effect) { return s.Notices.Add(in.Level, in.Text), nil }

func (TogglePrivacy) check(*Store) Verdict             { return Verdict{} }
func (TogglePrivacy) start(s *Store) (Topic, []Effect) { return s.togglePrivacy() }

func (LockScreen) check(*Store) Verdict             { return Verdict{} }
func (LockScreen) start(s *Store) (Topic, []Effect) { return s.lock() }
func (LockScreen) whileLocked()                     {}

func (UnlockScreen) check(*Store) Verdict { return Verdict{} }
func (UnlockScreen) start(s *Store) (Topic, []Effect) {
	topics, effects := s.unlock()
	s.Privacy.tellLost()
	return topics, effects
}
func (UnlockScreen) whileLocked() {}

func (InspectCard) check(*Store) Verdict { return Verdict{} }
func (in InspectCard) start(s *Store) (Topic, []Effect) {
	// What is revealed belongs to the card that was looked at before.
	topics, effects := s.Secrets.hide()
	return topics | TopicInspector, append(effects, s.Info.inspect(in)...)
}

func (SelectCard) check(*Store) Verdict { return Verdict{} }
func (in SelectCard) start(s *Store) (Topic, []Effect) {
	s.Info.selectCard(in.Card)
	return 0, nil
}
func (SelectCard) whileLocked() {}

func (TurnTo) check(*Store) Verdict                { return Verdict{} }
func (in TurnTo) start(s *Store) (Topic, []Effect) { return s.Secrets.turnTo(in.Card) }
func (TurnTo) whileLocked()                        {}

func (Refresh) check(*Store) Verdict                { return Verdict{} }
func (in Refresh) start(s *Store) (Topic, []Effect) { return 0, s.Info.refresh(in.Card) }

func (LoadOlder) check(*Store) Verdict                { return Verdict{} }
func (in LoadOlder) start(s *Store) (Topic, []Effect) { return s.Older.start(in) }

func (EndSearch) check(*Store) Verdict { return Verdict{} }
func (EndSearch) start(s *Store) (Topic, []Effect) {
	s.Older.endSearch()
	return TopicHealth | TopicFeed, nil
}

func (ReadRest) check(*Store) Verdict { return Verdict{} }
func (in ReadRest) start(s *Store) (Topic, []Effect) {
	s.Older.readRest(in)
	return TopicHealth, nil
}

func (EndRest) check(*Store) Verdict { return Verdict{} }
func (EndRest) start(s *Store) (Topic, []Effect) {
	s.Older.endRest()
	return TopicHealth, nil
}

func (WatchLimits) check(*Store) Verdict { return Verdict{} }
func (in WatchLimits) start(s *Store) (Topic, []Effect) {
	s.Limits.show(in.Shown)
	return TopicHealth, nil
}

func (in InspectTransaction) check(*Store) Verdict {
	if in.Transaction == "" && len(in.Among) > 0 {
		return Verdict{Reason: "this is no transaction: there is nothing to open"}
	}
	return Verdict{}
}
func (in InspectTransaction) start(s *Store) (Topic, []Effect) { return s.lookAt(in) }

func (StepTransaction) check(*Store) Verdict                { return Verdict{} }
func (in StepTransaction) start(s *Store) (Topic, []Effect) { return s.lookOn(in) }

func (FollowLink) check(s *Store) Verdict {
	if _, ok := s.nextLink(); !ok {
		return Verdict{Reason: "no other transaction belongs with this one"}
	}
	return Verdict{}
}
func (FollowLink) start(s *Store) (Topic, []Effect) { return s.followLink() }

func (LoadBINs) check(*Store) Verdict                { return Verdict{} }
func (in LoadBINs) start(s *Store) (Topic, []Effect) { return TopicBINs, s.BINs.load(in.Anew) }

func (LoadHistory) check(*Store) Verdict             { return Verdict{} }
func (LoadHistory) start(s *Store) (Topic, []Effect) { return TopicHistory, s.History.load() }

func (LoadAddresses) check(*Store) Verdict             { return Verdict{} }
func (LoadAddresses) start(s *Store) (Topic, []Effect) { return TopicWallet, s.Wallet.loadAddresses() }

func (ShowAddress) check(*Store) Verdict           { return Verdict{} }
func (ShowAddress) start(*Store) (Topic, []Effect) { return 0, nil }

func (in CopyAddress) check(s *Store) Verdict           { return s.Wallet.checkCopyAddress(in) }
func (in CopyAddress) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyAddress(in) }

func (in TrustAddress) check(s *Store) Verdict { return s.Wallet.checkTrust(in) }
func (in TrustAddress) start(s *Store) (Topic, []Effect) {
	return TopicWallet | TopicNotice, s.Wallet.trustAddress(in)
}

func (LoadWebhooks) check(*Store) Verdict             { return Verdict{} }
func (LoadWebhooks) start(s *Store) (Topic, []Effect) { return TopicWebhooks, s.Webhooks.load() }

func (ShowSigning) check(s *Store) Verdict { return s.Webhooks.checkSigning() }
func (ShowSigning) start(s *Store) (Topic, []Effect) {
	s.Webhooks.showSigning()
	return TopicSecrets, nil
}

func (ShowSigning) hidden(s *Store) string {
	if !s.Webhooks.Signing().ShownUntil.IsZero() {
		return ""
	}
	return "private: y copies the secret, P shows what is hidden"
}

func (CopySigningSecret) check(s *Store) Verdict { return s.Webhooks.checkSigning() }
func (CopySigningSecret) start(s *Store) (Topic, []Effect) {
	return TopicSecrets, s.Clip.copySigning()
}

func (DropSigning) check(*Store) Verdict             { return Verdict{} }
func (DropSigning) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Webhooks.dropSigning() }
func (DropSigning) whileLocked()                     {}

func (in RunCommand) start(s *Store) (Topic, []Effect) { return 0, []Effect{s.startCommand(in)} }

func (in NameTab) check(*Store) Verdict {
	if strings.TrimSpace(in.Filter) == "" {
		return Verdict{Reason: "no filter to save: / types one"}
	}
	return Verdict{}
}
func (NameTab) start(*Store) (Topic, []Effect) { return 0, nil }

func (in KeepTab) check(s *Store) Verdict {
	tabs := s.Views.Get(in.List).Tabs
	switch {
	case strings.TrimSpace(in.Tab.Name) == "":
		return Verdict{Reason: "a tab needs a name"}
	case len([]rune(in.Tab.Name)) > MaxTabName:
		return Verdict{Reason: fmt.Sprintf("at most %d characters", MaxTabName)}
	case tabNamed(tabs, in.Tab.Name) < 0 && len(tabs) >= MaxTabs:
		return Verdict{Reason: fmt.Sprintf("%d tabs are the most: delete one first", MaxTabs)}
	}
	return Verdict{}
}

func (in KeepTab) start(s *Store) (Topic, []Effect) {
	return TopicViews | TopicNotice, s.Views.keepTab(in)
}

func (in DropTab) check(s *Store) Verdict {
	if tabNamed(s.Views.Get(in.List).Tabs, in.Name) < 0 {
		return Verdict{Reason: "no tab is chosen here"}
	}
	return Verdict{}
}

func (in DropTab) start(s *Store) (Topic, []Effect) {
	return TopicViews | TopicNotice, s.Views.dropTab(in)
}

func (in ChooseTab) check(s *Store) Verdict {
	if len(s.Views.Get(in.List).Tabs) == 0 {
		return Verdict{Reason: "no tabs yet: t saves a filter as one"}
	}
	return Verdict{}
}
func (ChooseTab) start(*Store) (Topic, []Effect) { return 0, nil }

func (SetView) check(*Store) Verdict { return Verdict{} }
func (in SetView) start(s *Store) (Topic, []Effect) {
	return TopicViews | TopicNotice, s.Views.setView(in)
}

func (ChooseColumns) check(*Store) Verdict           { return Verdict{} }
func (ChooseColumns) start(*Store) (Topic, []Effect) { return 0, nil }

func (AckAlert) check(*Store) Verdict                { return Verdict{} }
func (in AckAlert) start(s *Store) (Topic, []Effect) { return s.Alerts.acknowledge(in.ID), nil }

func (SnoozeAlert) check(*Store) Verdict                { return Verdict{} }
func (in SnoozeAlert) start(s *Store) (Topic, []Effect) { return s.Alerts.snooze(in.ID), nil }

func (in RunPlan) check(s *Store) Verdict           { return s.Bulk.checkPlan(in.Plan) }
func (in RunPlan) start(s *Store) (Topic, []Effect) { return TopicOps, s.Bulk.runPlan(in.Plan) }
func (in RunPlan) waitsForAPI() bool                { return in.Plan != nil && in.Plan.Kind != BulkFreeze }

func (in PauseBatch) check(s *Store) Verdict           { return s.Bulk.checkBatch(in.ID, BatchRunning) }
func (in PauseBatch) start(s *Store) (Topic, []Effect) { return s.Bulk.pauseBatch(in.ID), nil }

func (in ResumeBatch) check(s *Store) Verdict           { return s.Bulk.checkResume(in.ID) }
func (in ResumeBatch) start(s *Store) (Topic, []Effect) { return s.resumeBatch(in.ID) }
func (ResumeBatch) waitsForAPI() bool                   { return true }

// check refuses a plan that is not on disk yet: there is nothing to remove.
func (in StopBatch) check(s *Store) Verdict {
	return s.Bulk.checkBatch(in.ID, BatchRunning, BatchPaused, BatchInterrupted)
}
func (in StopBatch) start(s *Store) (Topic, []Effect) { return s.stopBatch(in.ID) }

func (LoadSheet) check(*Store) Verdict                { return Verdict{} }
func (in LoadSheet) start(s *Store) (Topic, []Effect) { return TopicOps, s.Bulk.loadSheet(in.Path) }

func (in FreezeMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (FreezeMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (in UnfreezeMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (UnfreezeMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (UnfreezeMany) waitsForAPI() bool              { return true }

func (in FundMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (FundMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (FundMany) waitsForAPI() bool              { return true }

func (in WithdrawMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (WithdrawMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (WithdrawMany) waitsForAPI() bool              { return true }

func (in LimitMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (LimitMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (LimitMany) waitsForAPI() bool              { return true }

func (in LabelMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (LabelMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (LabelMany) waitsForAPI() bool              { return true }

func (in TerminateMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (TerminateMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (TerminateMany) waitsForAPI() bool              { return true }

func (in IssueMany) check(s *Store) Verdict      { return s.Bulk.checkMany(in) }
func (IssueMany) start(*Store) (Topic, []Effect) { return 0, nil }
func (IssueMany) waitsForAPI() bool              { return true }
