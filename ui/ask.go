package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/alerts"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/export"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/plans"
	"github.com/cardtop/cardtop/ui/team"
	walletsui "github.com/cardtop/cardtop/ui/wallets"
	"github.com/cardtop/cardtop/ui/webhooks"
)

// want does what the user asked for: at once, or after a dialog has asked for
// its particulars or to confirm it.
func (a *App) want(in kernel.Intent, key string) tea.Cmd {
	v := a.store.Ask(in)
	if v.Reason != "" {
		a.sync(a.store.Notices.Say(kernel.Warn, v.Reason))
		return nil
	}
	if reason, yes := a.statusJustChanged(in); yes {
		a.sync(a.store.Notices.Say(kernel.Warn, reason))
		return nil
	}
	if edit, ok := in.(pane.EditSetting); ok {
		a.editSetting(edit)
		return nil
	}
	if cmd, done := a.askAccounts(in); done {
		return cmd
	}
	if many, ok := in.(state.Writes); ok {
		return a.askMany(many)
	}
	if cmd, asked := a.askRule(in); asked {
		return cmd
	}
	if cmd, shown := a.showWhat(in); shown {
		return cmd
	}
	if cmd, asked := a.ask(in, v, key); asked {
		return cmd
	}
	return a.dispatch(in)
}

// ask opens the dialog that an intent needs before it is dispatched: for its
// particulars, or to confirm it. False when it needs none.
func (a *App) ask(in kernel.Intent, v kernel.Verdict, key string) (tea.Cmd, bool) {
	switch in := in.(type) {
	case state.Write:
		return a.askWrite(in, key)
	case state.FillCard:
		return a.transfer(transferOf(a.theme.Words, in), key), true
	case state.DuplicateCard:
		return a.issue(in), true
	case codes.Arm:
		return a.arm(in, key), true
	case pane.EditAlerts, pane.NameTab, pane.ChooseColumns:
		a.push(a.formOf(in))
		return nil, true
	case pane.ChooseGroup:
		a.push(dialog.NewGroups(&a.theme, a.store, a.cfg.Keys, in))
		return nil, true
	case state.CreateWebhook:
		a.push(webhooks.NewWebhook(&a.theme, a.store))
		return nil, true
	case state.DeleteWebhook:
		a.push(webhooks.NewDeleteWebhook(&a.theme, a.store, in.Webhook))
		return nil, true
	case wallets.ShowAddress:
		a.push(walletsui.NewAddress(&a.theme, a.store, in.Currency))
		return a.dispatch(wallets.LoadAddresses{}), true
	case secrets.ChooseField:
		a.push(cards.NewChooseField(&a.theme, a.store, a.cfg.Keys, in.Card))
		return nil, true
	case pane.ExportRows:
		a.push(export.NewExport(&a.theme, in, a.cfg.ExportDir))
		return nil, true
	case commands.Run:
		return a.askCommand(in, key)
	case state.Examine:
		op, _ := a.store.Ops.Unsettled(in.Card)
		a.push(history.NewResolve(&a.theme, a.store, op.ID))
		return a.dispatch(state.ReadAgain{Op: op.ID}), true
	case state.SettleOperation, state.ApproveRequest, state.RefuseRequest:
		return a.askOfTeam(in, key)
	default:
	}
	if v.Danger >= kernel.Money || v.Again != "" || v.TypeTwice {
		a.confirm(in, a.theme.Words.Tf("Do it for %s", cardName(a.store, in)), a.theme.Words.T("Do it"), key)
		return nil, true
	}
	return nil, false
}

// arm arms the checkout of a card, and asks what is in the cart. A private screen
// does not ask.
func (a *App) arm(in codes.Arm, key string) tea.Cmd {
	cmd := a.dispatch(in)
	if a.store.Codes.Checkout().Card != in.Card || a.store.Privacy.Private() {
		return cmd
	}
	a.push(cards.NewCart(&a.theme, a.store, in.Card, a.cfg.Keys.Key(keymap.Fund), key))
	return tea.Batch(cmd, a.dispatch(bins.Load{}))
}

// formOf is the form of what is set on this machine alone.
func (a *App) formOf(in kernel.Intent) dialog.Dialog {
	switch in := in.(type) {
	case pane.EditAlerts:
		return alerts.NewAlertLines(&a.theme, a.store, in)
	case pane.NameTab:
		return dialog.NewTab(&a.theme, a.store, in)
	case pane.ChooseColumns:
		return dialog.NewColumns(&a.theme, a.store, in)
	default:
		return nil
	}
}

// askMany opens what an intent on many cards needs first: its particulars, or
// its plan.
func (a *App) askMany(in state.Writes) tea.Cmd {
	switch in.Kind {
	case state.BulkFund, state.BulkWithdraw, state.BulkLimit:
		a.push(plans.NewMany(&a.theme, a.store, in, a.panes.cards.Hidden()))
	case state.BulkIssue:
		a.push(plans.NewSeveral(&a.theme, a.store))
		return tea.Batch(a.dispatch(bins.Load{}), a.dispatch(state.Refresh{}))
	default:
		plan := plans.NewPlan(&a.theme, a.store, 0, func(s *state.Store) *state.Plan { return s.Plan(in) })
		a.push(plan.Unseen(a.panes.cards.Hidden()))
	}
	return a.dispatch(state.Refresh{})
}

// askRule opens what an intent about rules needs first: the name of one that is to act,
// its plan, or the one that withdraws from idle cards.
func (a *App) askRule(in kernel.Intent) (tea.Cmd, bool) {
	switch in := in.(type) {
	case state.SetRuleMode:
		if in.Mode == rule.Act {
			a.push(dialog.NewArmRule(&a.theme, a.store, in))
		}
		return nil, in.Mode == rule.Act
	case state.ReviewRule:
		return a.review("", func(s *state.Store) *state.Plan { return s.PlanRule(in.Name) }), true
	case state.ReviewIdle:
		note := ""
		if n, sum := a.store.Cards.OnFrozen(); n > 0 {
			w := a.theme.Words
			note = w.Tf("without frozen cards: %s hold %s", w.Tn(n, "%d card", "%d cards"), w.Dollars(sum))
		}
		return a.review(note, state.PlanIdle), true
	default:
		return nil, false
	}
}

// review opens a plan that the user did not ask for card by card, with a note on what it leaves out.
func (a *App) review(note string, plan func(*state.Store) *state.Plan) tea.Cmd {
	a.push(plans.NewPlan(&a.theme, a.store, 0, plan).Note(note))
	return a.dispatch(state.Refresh{})
}

// askWrite opens the dialog of a write to a card; false for a freeze, which needs none.
func (a *App) askWrite(w state.Write, key string) (tea.Cmd, bool) {
	switch w.Kind {
	case state.OpFund, state.OpWithdraw:
		return a.transfer(transferOf(a.theme.Words, w), key), true
	case state.OpIssue:
		return a.issue(w), true
	case state.OpUpdate:
		a.push(cards.NewEdit(&a.theme, a.store, w.Card).At(w.Field).With(kernel.OrZero(w.Change)))
	case state.OpTerminate:
		a.push(dialog.NewTerminate(&a.theme, a.store, w.Card))
	default:
		return nil, false
	}
	return a.dispatch(state.Refresh{Card: w.Card}), true
}

// issue asks for a new card's particulars: the BIN first, unless there are templates to
// begin with.
func (a *App) issue(in kernel.Intent) tea.Cmd {
	form := cards.NewIssue(&a.theme, a.store)
	a.push(form)
	switch in := in.(type) {
	case state.DuplicateCard:
		form.Like(in.Card)
		return tea.Batch(a.dispatch(bins.Load{}), a.dispatch(state.Refresh(in)))
	case state.Write:
		if in.Request != nil && in.Request.BIN != "" {
			form.Choose(in.Request.BIN)
		} else if !form.Templates() {
			a.push(form.Pick(2))
		}
	default:
	}
	return a.dispatch(bins.Load{})
}

// transferOf returns what an amount is asked for.
func transferOf(w *lang.Words, in kernel.Intent) cards.Transfer {
	switch in := in.(type) {
	case state.FillCard:
		return cards.Transfer{Verb: w.T("Fund"), Card: in.Card, TopUp: true}
	case state.Write:
		if in.Kind == state.OpWithdraw {
			return cards.Transfer{Verb: w.T("Withdraw"), Card: in.Card, Amount: in.Amount, Withdraw: true}
		}
		return cards.Transfer{Verb: w.T("Fund"), Card: in.Card, Amount: in.Amount}
	default:
		return cards.Transfer{}
	}
}

// transfer asks for an amount. Where a code waits for money, the shortfall is
// typed already.
func (a *App) transfer(what cards.Transfer, key string) tea.Cmd {
	if key != "" {
		what.Again = []string{key}
	}
	if shortfall, ok := a.store.Codes.CardShortfall(what.Card, what.Amount); ok && !what.Withdraw && !what.TopUp {
		what.Amount = shortfall.Amount
		what.Why = a.theme.Words.Tf("the code for %s %s needs this much more", shortfall.Merchant, a.store.Privacy.Display().Dollars(shortfall.Charge))
	}
	if cart, armed := a.store.Codes.ArmedCart(); armed && a.store.Codes.Checkout().Card == what.Card && !what.Withdraw && !what.TopUp && what.Why == "" {
		if short := cart.ToFund(); short > 0 && (what.Amount == 0 || what.Amount == short) {
			what.Amount, what.Why = short, a.theme.Words.Tf("the cart of %s needs this much more", a.store.Privacy.Display().Dollars(cart.Amount))
		}
	}
	what.Title = what.Verb + " " + a.store.Cards.Name(what.Card)
	what.Presets = a.cfg.Presets
	a.push(cards.NewAmount(&a.theme, a.store, what))
	return a.dispatch(state.Refresh{Card: what.Card})
}

// confirm asks before an intent whose particulars are known.
func (a *App) confirm(in kernel.Intent, title, verb, key string) {
	q := dialog.Question{Title: title, Verb: verb, Intent: in, Closes: 1, Waits: true}
	if key != "" {
		q.Again = []string{key}
	}
	if w, ok := in.(state.Write); ok && w.Change != nil {
		known := a.store.Info.Settings(w.Card)
		q.Lines = func(cells int) []string { return cards.Changes(&a.theme, known, *w.Change, cells) }
	}
	a.push(dialog.NewConfirm(&a.theme, a.store, q))
}

// askOfTeam asks about what waits for a lead. An operation is read again meanwhile.
func (a *App) askOfTeam(in kernel.Intent, key string) (tea.Cmd, bool) {
	settle, ok := in.(state.SettleOperation)
	switch {
	case !ok:
		return a.decide(in, key), true
	case settle.As != "":
		return nil, false
	}
	a.push(history.NewSettle(&a.theme, a.store, settle))
	return a.dispatch(state.SettleOperation{ID: settle.ID, As: state.ReadFirst}), true
}

// decide asks before a request is approved, with its figures read anew, or refused. The
// question stays until the hub has answered: it shows what changed meanwhile.
func (a *App) decide(in kernel.Intent, key string) tea.Cmd {
	words := a.theme.Words
	q := dialog.Question{Title: words.T("Refuse"), Verb: words.T("Refuse"), Intent: in, Closes: 1, Waits: true}
	id := ""
	switch in := in.(type) {
	case state.ApproveRequest:
		id, q.Title, q.Verb = in.ID, words.T("Approve"), words.Tf("Approve %s", a.store.Privacy.Display().Dollars(in.Amount))
		q.Above = func(w int) []string { return team.Request(&a.theme, a.store, id, w) }
	case state.RefuseRequest:
		id = in.ID
		q.Lines = func(w int) []string { return team.Request(&a.theme, a.store, id, w) }
	default:
	}
	if key != "" && key != "enter" { // Enter presses the button that is chosen.
		q.Again = []string{key}
	}
	q.Follow = func(s *state.Store) (bool, string) {
		d, _ := s.Team.Decision(id)
		return d.Sending, d.Why
	}
	a.push(dialog.NewConfirm(&a.theme, a.store, q))
	return a.dispatch(state.WatchTeam{On: true})
}

// askCommand asks before a user command that is to be confirmed.
func (a *App) askCommand(in commands.Run, key string) (tea.Cmd, bool) {
	c, _ := a.store.Commands.ByName(in.Name)
	if !c.Confirm {
		return nil, false
	}
	in.Line = c.Line
	q := dialog.Question{
		Title: a.theme.Words.Tf("Run %s", c.Name), Verb: a.theme.Words.T("Run it"), Intent: in, Closes: 1,
		Lines: func(w int) []string { return dialog.CommandLines(&a.theme, a.store, c.Where, in, w) },
	}
	if key != "" {
		q.Again = []string{key}
	}
	a.push(dialog.NewConfirm(&a.theme, a.store, q))
	return nil, true
}

// undo undoes the last change of this session. It asks first about what moves
// money, and about what the user may have forgotten.
func (a *App) undo(key string) tea.Cmd {
	in, why := a.store.UndoNext()
	if why != "" {
		a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("cannot undo: %s", why)))
		return nil
	}
	v := a.store.Check(in)
	if v.Danger < kernel.Money && v.Again == "" && !v.TypeTwice && !a.store.Ops.UndoAsks() {
		return a.dispatch(in)
	}
	verb := a.theme.Words.T("Undo it")
	amount, _ := state.AmountOf(in)
	switch state.KindOf(in) {
	case state.OpFreeze:
		verb = a.theme.Words.T("Freeze again")
	case state.OpUnfreeze:
		verb = a.theme.Words.T("Unfreeze again")
	case state.OpFund:
		verb = a.theme.Words.Tf("Fund %s", a.store.Privacy.Display().Dollars(amount))
	case state.OpWithdraw:
		verb = a.theme.Words.Tf("Withdraw %s", a.store.Privacy.Display().Dollars(amount))
	default:
	}
	a.confirm(in, a.theme.Words.Tf("Undo: %s", cardName(a.store, in)), verb, key)
	return nil
}

// cardName names the card that an intent is bound to.
func cardName(s *state.Store, in kernel.Intent) string {
	id, _ := state.CardOf(in)
	return s.Cards.Name(id)
}
