package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
)

// Write is a request that changes a card, as a value. What its kind needs, moves and sends is in kindOf.
type Write struct {
	Kind OpKind
	// Card is empty for an issue.
	Card api.CardID
	// Amount is what is funded or withdrawn, USD; 0 while it is not known.
	Amount api.USD
	// Change is what an update changes, Request the card that is issued; nil for other kinds, and while they are not known.
	Change  *api.UpdateCardRequest
	Request *api.CreateCardRequest
	// Field is the one that the form of an update begins with; empty for the first.
	Field string
	// Seen is the card as the user was shown it before an update; nil if it was not shown.
	Seen *Known
}

// Freeze suspends a card's transactions.
func Freeze(card api.CardID) Write { return Write{Kind: OpFreeze, Card: card} }

// Unfreeze enables a card's transactions again.
func Unfreeze(card api.CardID) Write { return Write{Kind: OpUnfreeze, Card: card} }

// Fund moves an amount (USD) from the wallet to a card; 0 for one that is still asked for.
func Fund(card api.CardID, amount api.USD) Write {
	return Write{Kind: OpFund, Card: card, Amount: amount}
}

// Withdraw moves an amount (USD) from a card to the wallet; 0 for one that is still asked for.
func Withdraw(card api.CardID, amount api.USD) Write {
	return Write{Kind: OpWithdraw, Card: card, Amount: amount}
}

// Terminate ends a card for good. What is on it goes back to the wallet.
func Terminate(card api.CardID) Write { return Write{Kind: OpTerminate, Card: card} }

// Update changes a card's label, limit, categories, automatic freeze or metadata: only what the change names.
func Update(card api.CardID, change api.UpdateCardRequest) Write {
	return Write{Kind: OpUpdate, Card: card, Change: &change}
}

// Issue creates a card and funds it from the wallet.
func Issue(request api.CreateCardRequest) Write { return Write{Kind: OpIssue, Request: &request} }

// flow is which way the money of a write goes.
type flow uint8

const (
	still    flow = iota
	toCard        // an amount that was asked for, from the wallet
	fromCard      // an amount that was asked for, to the wallet
	toNew         // from the wallet to a card that is issued
	rest          // what is on a card, to the wallet
)

// kind is what is particular to a kind of write.
type kind struct {
	verb string // as the history and commands say it
	noun func(*lang.Words) string
	role team.Role
	flow flow
	// late reports whether it may act late: it only makes cards safer.
	late bool
	// labelled reports whether guardrails go by the label of its card.
	labelled bool
	check    func(*Store, Write) kernel.Verdict
	build    func(Write) (api.Write, error)
}

// kindOf is the table of the kinds. Registrations and deletions of webhooks are intents of their own.
func kindOf(k OpKind) kind {
	switch k {
	case OpFreeze:
		return kind{
			verb: lang.N("freeze"), noun: func(w *lang.Words) string { return w.Tc("operation", "freeze") }, role: team.Buyer, late: true,
			check: func(s *Store, w Write) kernel.Verdict {
				return s.Ops.checkBeside(w.Card, kernel.Reversible, (*Op).setsStatus)
			},
			build: func(w Write) (api.Write, error) { return api.FreezeWrite(w.Card) },
		}
	case OpUnfreeze:
		return kind{
			verb: lang.N("unfreeze"), noun: func(w *lang.Words) string { return w.Tc("operation", "unfreeze") }, role: team.Buyer,
			check: func(s *Store, w Write) kernel.Verdict {
				return s.Cards.checkFresh(w.Card, s.Ops.checkWrite(w.Card, kernel.Reversible))
			},
			build: func(w Write) (api.Write, error) { return api.UnfreezeWrite(w.Card) },
		}
	case OpFund:
		return kind{
			verb: lang.N("fund"), noun: func(w *lang.Words) string { return w.Tc("operation", "fund") }, role: team.Buyer, flow: toCard, labelled: true,
			check: func(s *Store, w Write) kernel.Verdict { return s.Ops.checkMoney(OpFund, w.Card, w.Amount) },
			build: func(w Write) (api.Write, error) { return api.FundWrite(w.Card, w.Amount) },
		}
	case OpWithdraw:
		return kind{
			verb: lang.N("withdraw"), noun: func(w *lang.Words) string { return w.Tc("operation", "withdrawal") }, role: team.Lead, flow: fromCard, labelled: true,
			check: func(s *Store, w Write) kernel.Verdict { return s.Ops.checkMoney(OpWithdraw, w.Card, w.Amount) },
			build: func(w Write) (api.Write, error) { return api.WithdrawWrite(w.Card, w.Amount) },
		}
	case OpIssue:
		return kind{
			verb: lang.N("issue"), noun: func(w *lang.Words) string { return w.Tc("operation", "issue") }, role: team.Lead, flow: toNew, labelled: true,
			check: (*Store).checkIssue,
			build: func(w Write) (api.Write, error) { return api.CreateCardWrite(w.request()) },
		}
	case OpUpdate:
		return kind{
			verb: lang.N("update"), noun: func(w *lang.Words) string { return w.Tc("operation", "update") }, role: team.Lead,
			check: (*Store).checkUpdate,
			build: func(w Write) (api.Write, error) { return api.UpdateCardWrite(w.Card, w.change()) },
		}
	case OpTerminate:
		return kind{
			verb: lang.N("terminate"), noun: func(w *lang.Words) string { return w.Tc("operation", "termination") }, role: team.Lead, flow: rest, labelled: true,
			check: func(s *Store, w Write) kernel.Verdict {
				return s.Cards.checkFresh(w.Card, s.Ops.checkLease(w.Card, s.Ops.checkWrite(w.Card, kernel.Permanent)))
			},
			build: func(w Write) (api.Write, error) { return api.TerminateWrite(w.Card) },
		}
	case OpSubscribe:
		return kind{verb: lang.N("subscribe"), noun: func(w *lang.Words) string { return w.Tc("operation", "registration") }, role: team.Admin}
	case OpUnsubscribe:
		return kind{verb: lang.N("unsubscribe"), noun: func(w *lang.Words) string { return w.Tc("operation", "deletion") }, role: team.Admin}
	}
	return kind{verb: lang.N("unknown"), noun: func(w *lang.Words) string { return w.Tc("operation", "operation") }, role: team.Admin}
}

// Verb is what a kind of operation does, as the history and commands say it.
func (k OpKind) Verb() string { return kindOf(k).verb }

// String names an operation in a sentence.
func (k OpKind) String() string { return k.Noun(nil) }

// Noun is String in the language of the screen.
func (k OpKind) Noun(w *lang.Words) string { return kindOf(k).noun(w) }

// Least is the least role of a team that may ask for it.
func (k OpKind) Least() team.Role { return kindOf(k).role }

// FromWallet reports whether operations of a kind move their amount out of the wallet.
func (k OpKind) FromWallet() bool { return kindOf(k).flow == toCard || kindOf(k).flow == toNew }

// moves reports whether an operation moves an amount that was asked for between a card and the wallet.
func (k OpKind) moves() bool { return kindOf(k).flow == toCard || kindOf(k).flow == fromCard }

// MovesWallet reports whether an operation changes what the wallet holds.
func (k OpKind) MovesWallet() bool { return kindOf(k).flow != still }

// WriteOf is a write of a kind by its verb; false for a verb of another.
func WriteOf(verb string, card api.CardID) (Write, bool) {
	for kind := OpFreeze; kind <= OpTerminate; kind++ {
		if kind.Verb() == verb {
			return Write{Kind: kind, Card: card}, true
		}
	}
	return Write{}, false
}

// KindOf is the kind of operation that an intent begins; 0 for none.
func KindOf(in kernel.Intent) OpKind {
	switch in := in.(type) {
	case Write:
		return in.Kind
	case CreateWebhook:
		return OpSubscribe
	case DeleteWebhook:
		return OpUnsubscribe
	}
	return 0
}

func (in Write) Check(s *Store) kernel.Verdict {
	if check := kindOf(in.Kind).check; check != nil {
		return check(s, in)
	}
	return kernel.Verdict{Danger: kernel.Permanent, Reason: s.Lang.T("no card is selected")}
}

func (in Write) Ask(s *Store) kernel.Verdict {
	switch {
	case in.Kind.moves():
		return s.Ops.checkMoney(in.Kind, in.Card, 0)
	case in.Kind == OpUpdate:
		return s.checkUpdatable(in)
	case in.Kind == OpIssue:
		return s.Writable(kernel.Money)
	}
	return s.Check(in)
}

func (in Write) Least() team.Role { return in.Kind.Least() }

func (in Write) About() api.CardID { return in.Card }

func (in Write) WaitsForAPI() bool { return !kindOf(in.Kind).late }

// Moves is the amount that it moves, USD; false for a kind that moves none that is asked for.
func (in Write) Moves() (api.USD, bool) {
	if in.Kind == OpIssue {
		return in.request().Amount, true
	}
	return in.Amount, in.Kind.moves()
}

func (in Write) LabelIn(of func(api.CardID) string) string {
	switch {
	case !kindOf(in.Kind).labelled:
		return ""
	case in.Kind == OpIssue:
		return in.request().Label
	}
	return of(in.Card)
}

func (in Write) build(*OpsTable) (r request, err error) {
	r.kind, r.card = in.Kind, in.Card
	r.amount, _ = in.Moves()
	switch {
	case in.Kind == OpIssue:
		r.name = newCard + quoted(nil, in.request().Label)
	case in.change().SpendingLimit != nil:
		r.seen = in.Seen
	}
	build := kindOf(in.Kind).build
	if build == nil {
		return r, errNotPlanned
	}
	r.write, err = build(in)
	return r, err
}

func (in Write) change() api.UpdateCardRequest { return kernel.OrZero(in.Change) }

func (in Write) request() api.CreateCardRequest { return kernel.OrZero(in.Request) }

// Complete reports whether it has all that its kind sends, and nothing else.
func (in Write) Complete() bool {
	issues, changes := in.Kind == OpIssue, in.Kind == OpUpdate
	return in.Kind >= OpFreeze && in.Kind <= OpTerminate && issues == (in.Card == "") && issues == (in.Request != nil) && changes == (in.Change != nil)
}

// SetsLabel is the label that it gives a card; false where it gives none.
func (in Write) SetsLabel() (string, bool) {
	label := in.request().Label
	if in.Kind == OpUpdate {
		label = kernel.OrZero(in.change().Label)
	}
	return label, label != ""
}

// checkIssue compares a new card with what is known of BINs and wallet.
func (s *Store) checkIssue(in Write) kernel.Verdict {
	v := kernel.Verdict{Danger: kernel.Money}
	if s.Cfg.ReadOnly {
		v.Reason = errtext.ReadOnly(s.Lang)
		return v
	}
	if all := s.issueProblems(in.request()); len(all) > 0 {
		v.Reason = all[0].Reason
		if short := s.Wallets.Shortfall(in.request().Amount); short > 0 && v.Reason == s.WalletShort(short) {
			v.Shortfall = short
		}
		return v
	}
	v.Reason = s.Ops.checkRequest(in)
	return v
}

// checkUpdatable checks whether a card can be changed at all.
func (s *Store) checkUpdatable(in Write) kernel.Verdict {
	return s.Cards.checkFresh(in.Card, s.Ops.checkWrite(in.Card, kernel.Reversible))
}

func (s *Store) checkUpdate(in Write) kernel.Verdict {
	v := s.checkUpdatable(in)
	if v.Reason != "" {
		return v
	}
	if v.Reason = s.changedSinceSeen(in); v.Reason != "" {
		return v
	}
	if all := s.updateProblems(in); len(all) > 0 {
		v.Reason = all[0].Reason
		return v
	}
	v.Reason = s.Ops.checkRequest(in)
	return v
}

// changedSinceSeen explains that a field to be changed has another value than the user was shown; empty if not.
func (s *Store) changedSinceSeen(in Write) string {
	if in.Seen == nil {
		return ""
	}
	was, is, c, w := in.Seen, s.Info.Settings(in.Card), in.change(), s.Lang
	switch {
	case c.Label != nil && was.Label != is.Label:
		return w.Tf("the label was changed meanwhile, to %s: look again", string(is.Label))
	case c.SpendingLimit == nil || equalUSD(was.Limit, is.Limit):
		return ""
	case was.Limit == nil:
		return w.Tf("the monthly limit is %s, which was not known: look again", w.Dollars(*is.Limit))
	case is.Limit == nil:
		return w.T("the card has no monthly limit of its own any more: look again")
	}
	return w.Tf("the monthly limit was changed meanwhile, to %s: look again", w.Dollars(*is.Limit))
}

func equalUSD(a, b *api.USD) bool { return a == b || a != nil && b != nil && *a == *b }
