package state

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/rule"
)

// Plan makes the rows of an intent on many cards, by what is known now. It
// sends nothing and changes nothing; every row that is to be carried out gets
// the one key it will ever have.
func (s *Store) Plan(in Writes) *Plan {
	p := s.Outline(in)
	s.setKeys(p)
	return p
}

// Outline is Plan without keys: to be shown before it is planned.
func (s *Store) Outline(in Writes) *Plan {
	p := &Plan{Kind: in.Kind, Made: s.Time, Blocked: s.Bulk.noPlan(in)}
	// The first refusal of a money plan says something about the rest, and a
	// user should check before more moves. A freeze is in a hurry: one card
	// that cannot be frozen must not leave the others open.
	p.StopOnError = p.Kind.Danger() >= kernel.Money
	p.Share, p.Amount = in.Share, in.Amount
	switch in.Kind {
	case BulkFreeze:
		p.Rows = s.statusRows(in.Cards, api.CardFrozen)
	case BulkUnfreeze:
		p.Rows = s.statusRows(in.Cards, api.CardActive)
	case BulkFund:
		p.Rows = s.fundRows(p, in)
	case BulkWithdraw:
		p.Rows = s.withdrawRows(in)
	case BulkLimit:
		for _, id := range in.Cards {
			p.Rows = append(p.Rows, s.planRow(Update(id, api.UpdateCardRequest{SpendingLimit: &in.Amount})))
		}
	case BulkLabel:
		p.Rows = s.labelRows(in)
	case BulkTerminate:
		for _, id := range in.Cards {
			p.Rows = append(p.Rows, s.planRow(Terminate(id)))
		}
	case BulkIssue:
		p.Rows = s.issueRows(in)
	}
	s.close(p)
	return p
}

// PlanAgain makes a new plan of what a batch did not do: rows that were
// refused and rows that were not sent. Rows that may have acted are not among
// them, nor those that were planned again before. Every row gets a new key.
func (s *Store) PlanAgain(id PlanID) *Plan {
	b, ok := s.Bulk.Get(id)
	if !ok {
		return goneBatch(s.Lang)
	}
	return s.planOf(b, RowResult.undone, s.Lang.T("nothing was refused"))
}

// planOf plans some rows of a batch anew; none is the reason when there are none.
func (s *Store) planOf(b *Batch, which func(RowResult) bool, none string) *Plan {
	old := b.Plan
	var cards []api.CardID
	var rows []PlanRow
	var places []int
	for i, r := range b.Rows {
		if which(r) {
			cards, places = append(cards, old.Rows[i].Card), append(places, i)
			row := s.planRow(old.Rows[i].Write)
			if row.Line = old.Rows[i].Line; old.Kind == BulkIssue {
				row.Name = old.Rows[i].Name // No card has it yet.
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return &Plan{Kind: old.Kind, Blocked: none}
	}
	p := &Plan{Kind: old.Kind, Share: old.Share, Amount: old.Amount, Made: s.Time, StopOnError: old.StopOnError, Rule: old.Rule}
	switch {
	case old.Rule != "" && old.Share == ShareLevel:
		p.Rows = rows // The rule's caps are in their amounts.
	case old.Kind == BulkFund && old.Share == ShareLevel:
		p.Rows = s.fundRows(p, Writes{Kind: BulkFund, Cards: cards, Share: ShareLevel, Amount: old.Amount})
	case old.Kind == BulkWithdraw && old.Share != ShareEach:
		p.Rows = s.withdrawRows(Writes{Kind: BulkWithdraw, Cards: cards, Share: old.Share, Amount: old.Amount})
	default:
		// Shares of a sum and numbers of labels stay what they were.
		p.Share, p.Rows = ShareEach, rows
	}
	if s.Cfg.ReadOnly {
		p.Blocked = errtext.ReadOnly(s.Lang)
	}
	if b.Rows[places[0]].later() {
		p.Part = old.Part + 1
	}
	s.close(p)
	s.setKeys(p)
	p.again, p.rows = old.ID, places
	return p
}

// PlanRule makes a plan of what a rule proposes now.
func (s *Store) PlanRule(name string) *Plan {
	r, ok := s.Rules.Get(name)
	if !ok {
		return &Plan{Blocked: s.Lang.Tf("rule %s is not in the configuration any more", name)}
	}
	p := outlineRule(s, r, len(r.Proposals), false)
	s.setKeys(p)
	return p
}

// PlanIdle makes a plan that withdraws what the idle cards hold. Its rows say how long each was not used.
func PlanIdle(s *Store) *Plan {
	p := s.Plan(Writes{Kind: BulkWithdraw, Cards: s.Rules.Idle(), Share: ShareAll})
	figures := rule.FiguresOf(s.Insight)
	for i := range p.Rows {
		r := &p.Rows[i]
		c, _ := s.Cards.Get(r.Card)
		switch idle := figures.Idle(&c); {
		case c.Expired:
			r.About = s.Lang.T("expired")
		case idle.Known && idle.Most > idle.Least:
			r.About = s.Lang.Tf("idle ≥%s", s.Lang.AgeCoarse(time.Duration(idle.Least)))
		case idle.Known:
			r.About = s.Lang.Tf("idle %s", s.Lang.AgeCoarse(time.Duration(idle.Least)))
		}
	}
	return p
}

// outlineRule makes a plan of at most n of the proposals of a rule, without keys. One
// that nobody sees has no rows but those that run, and none that is to be confirmed
// twice.
func outlineRule(s *Store, r *RuleStatus, n int, unattended bool) *Plan {
	p := &Plan{Kind: bulkOf(r.Action), Made: s.Time, Rule: r.Name, StopOnError: r.Action.Moves(), Amount: r.Amount}
	if r.Action == rule.FundTo || r.Action == rule.WithdrawTo {
		p.Share = ShareLevel
	}
	if s.Cfg.ReadOnly {
		p.Blocked = errtext.ReadOnly(s.Lang)
	}
	if !r.Action.Acts() {
		p.Kind, p.Blocked = BulkFreeze, s.Lang.T("the rule only alerts")
	}
	for i := range r.Proposals {
		proposed := &r.Proposals[i]
		in := writeOfRule(r.Action, proposed)
		row := s.planRow(in)
		if proposed.Out != "" {
			row.Out = proposed.Out
		} else if v := s.Check(in); unattended && row.Out == "" {
			row.Out = v.Again
		}
		if row.Out != "" && unattended {
			continue
		}
		if row.Out == "" {
			if n == 0 {
				break
			}
			n--
		}
		p.Rows = append(p.Rows, row)
	}
	s.close(p)
	return p
}

// planUnattended makes the plan of a rule that acts: as many cards as the guardrails
// allow at once, and none that they want confirmed twice.
func planUnattended(s *Store, r *RuleStatus) *Plan {
	n, _ := r.Proposes()
	if most := s.Cfg.Guard.MaxBulk; most > 0 {
		n = min(n, most)
	}
	var p *Plan
	for ; n > 0; n /= 2 {
		if p = outlineRule(s, r, n, true); p.Blocked == "" || p.Totals().Cards == 0 {
			break
		}
	}
	s.setKeys(p)
	return p
}

func bulkOf(a rule.Action) BulkKind {
	switch a {
	case rule.FundTo, rule.FundBy:
		return BulkFund
	case rule.WithdrawTo:
		return BulkWithdraw
	default:
		return BulkFreeze
	}
}

func writeOfRule(a rule.Action, p *rule.Proposal) Write {
	switch bulkOf(a) {
	case BulkFund:
		return Fund(p.Card, p.Amount)
	case BulkWithdraw:
		return Withdraw(p.Card, p.Amount)
	default:
		return Freeze(p.Card)
	}
}

// planRow is the row of a write. What the wallet lacks is the plan's
// problem and not the row's.
func (s *Store) planRow(in Write) PlanRow {
	d, _ := s.Ops.buildRequest(in) // Check returns what is wrong with it.
	r := PlanRow{Card: d.card, Name: d.name, Write: in, Amount: d.amount}
	c, known := s.Cards.Get(d.card)
	r.Before, r.After = c.Balance, c.Balance
	switch d.kind {
	case OpFund:
		r.After += d.amount
		r.Frozen = c.Status == api.CardFrozen
	case OpWithdraw:
		r.After -= d.amount
	case OpTerminate:
		r.Amount, r.After = c.Balance, 0
	case OpIssue:
		r.After = d.amount
	default:
	}
	v := s.checkAlone(in)
	if v.Reason != "" && v.Shortfall == 0 {
		r.Out = s.Cards.ofRow(d.card, v.Reason)
	} else if why := s.Cards.notAmongMany(d.kind, d.card, v.Danger); why != "" {
		r.Out = why
	}
	if d.card != "" && !known {
		r.Out = s.Lang.T("the card is not in the list")
	}
	return r
}

// ofRow is a reason without the name of the card, which the row has.
func (ca *CardsTable) ofRow(id api.CardID, reason string) string {
	if id == "" {
		return reason
	}
	return strings.TrimLeft(strings.TrimPrefix(reason, ca.name(id)), ": ")
}

// statusRows freezes or unfreezes; cards that are as wanted are skipped.
func (s *Store) statusRows(cards []api.CardID, want api.CardStatus) []PlanRow {
	rows := make([]PlanRow, 0, len(cards))
	for _, id := range cards {
		r := s.planRow(Freeze(id))
		if want == api.CardActive {
			r = s.planRow(Unfreeze(id))
		}
		if c, ok := s.Cards.Get(id); ok && c.Status == want && r.Out == "" {
			r.Skip = s.Lang.Tf("already %s", s.Lang.T(string(want)))
		}
		rows = append(rows, r)
	}
	return rows
}

// labelRows names cards by a template. Only cards that can be named count.
func (s *Store) labelRows(in Writes) []PlanRow {
	rows := make([]PlanRow, 0, len(in.Cards))
	n := in.First
	for _, id := range in.Cards {
		c, _ := s.Cards.Get(id)
		label, err := label.Fill(in.Template, label.Parts{N: n, Label: string(c.Label), Last4: string(c.Last4)})
		r := s.planRow(Update(id, api.UpdateCardRequest{Label: &label}))
		switch {
		case err != nil:
			r.Out = err.Error()
		case r.Out == "":
			n++
			if label == string(c.Label) {
				r.Skip = s.Lang.T("already called so")
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// issueRows requests new cards, and marks the labels that are there already:
// perhaps the same file was issued before.
func (s *Store) issueRows(in Writes) []PlanRow {
	taken := make(map[string]bool)
	for _, c := range s.Cards.All().All() {
		if c.Status != api.CardTerminated && c.Label != "" {
			taken[string(c.Label)] = true
		}
	}
	rows := make([]PlanRow, 0, len(in.Rows))
	for _, row := range in.Rows {
		r := s.planRow(Issue(row.Request))
		r.Name, r.Line, r.Twin = quoted(s.Lang, row.Request.Label), row.Line, taken[row.Request.Label]
		rows = append(rows, r)
	}
	return rows
}

// close finds what blocks the whole plan.
func (s *Store) close(p *Plan) {
	p.compareLabels()
	s.Bulk.part(p)
	t := p.Totals()
	wallet, _ := s.Wallets.Balance()
	p.Wallet, p.WalletKnown = wallet.Balance, s.Wallets.Live()
	p.WalletEnd = p.Wallet
	switch {
	case p.fromWallet():
		p.WalletEnd -= t.Sum
	case p.Kind.Danger() >= kernel.Money:
		p.WalletEnd += t.Sum
	}
	switch {
	case p.Blocked != "":
	case p.Kind.Danger() >= kernel.Money && !p.WalletKnown:
		p.Blocked, p.Remedy = s.Lang.T("the wallet is not read yet: what it would hold afterwards is not known"), s.Lang.T("once it is, r refreshes the plan")
	case p.fromWallet() && s.Wallets.Shortfall(p.needs()) > 0:
		p.Blocked, p.Remedy = s.WalletShort(s.Wallets.Shortfall(p.needs())), lessOrMore(s.Core)
	case p.Kind == BulkIssue && t.Out > 0:
		// What is fixed and tried again must not issue the good rows twice.
		p.Blocked = s.Lang.Tn(t.Out, "%d card cannot be issued, and then none is", "%d cards cannot be issued, and then none is")
		p.Remedy = s.Lang.T("the first rows say why: fix them where they come from")
	case t.Cards == 0 && t.Out == 0:
		p.Blocked, p.Remedy = s.Lang.T("nothing is left to do"), s.Lang.T("the cards are as wanted already")
	case t.Cards == 0:
		p.Blocked, p.Remedy = s.Lang.T("nothing is left to do"), s.Lang.T("each row says why")
	case p.fromWallet():
		p.Blocked, p.Remedy = s.Bulk.guardedSum(p), lessMoney(s.Core)
	}
}

// setKeys sets the id and the keys of a plan that can be carried out.
func (s *Store) setKeys(p *Plan) {
	if p.Blocked != "" {
		return
	}
	p.ID = PlanID(s.Cfg.NewKey())
	for i := range p.Rows {
		if p.Rows[i].Runs() {
			p.Rows[i].Key = s.Cfg.NewKey()
		}
	}
}

// guardedSum returns why the guardrails refuse what the rows of a plan move
// together: the caps of the hour and the day, not those of a single operation,
// which each row meets by itself.
func (bu *BulkTable) guardedSum(p *Plan) string {
	g := bu.Cfg.Guard
	if !g.Sums() {
		return ""
	}
	moved := bu.ops.moved()
	for _, c := range g.Caps() {
		var sum api.USD
		for i := range p.Rows {
			if r := &p.Rows[i]; (r.Runs() || r.Later && p.allOrNothing()) && c.Applies(r.Write.LabelIn(bu.cards.label)) {
				sum += r.Amount
			}
		}
		if sum == 0 {
			continue
		}
		if why := c.RefuseSum(bu.Lang, sum, moved, bu.Time); why != "" {
			return why
		}
	}
	return ""
}

// fundRows returns the rows of a fund of many. A sum is divided to the cent among
// the cards that can be funded, and what does not divide goes to the first.
func (s *Store) fundRows(p *Plan, in Writes) []PlanRow {
	rows := make([]PlanRow, 0, len(in.Cards))
	for _, id := range in.Cards {
		// An amount of 0 asks only whether the card can be funded at all.
		r := s.planRow(Fund(id, 0))
		switch {
		case r.Out != "" || in.Share == ShareSplit:
		case in.Share == ShareLevel:
			r = s.fillRow(id, in.Amount)
		default:
			r = s.amountRow(Fund(id, in.Amount), in.Amount)
		}
		rows = append(rows, r)
	}
	if in.Share == ShareSplit {
		p.Blocked = s.divide(rows, in.Amount, p.Blocked)
	}
	return rows
}

// fillRow funds a card up to a balance.
func (s *Store) fillRow(id api.CardID, level api.USD) PlanRow {
	c, _ := s.Cards.Get(id)
	short := cents(level - c.Balance)
	if short > 0 && short < api.MinFunding || short <= 0 {
		r := s.planRow(Fund(id, 0))
		r.Skip = s.Lang.Tf("holds %s already", s.Lang.Dollars(c.Balance))
		if short > 0 {
			r.Skip = s.Lang.Tf("lacks less than %s", s.Lang.Dollars(api.MinFunding))
		}
		return r
	}
	return s.planRow(Fund(id, short))
}

// amountRow is the row of a write that moves an amount, which must be one.
func (s *Store) amountRow(in Write, amount api.USD) PlanRow {
	r := s.planRow(in)
	if amount <= 0 && r.Out == "" {
		r.Out = s.TooLittle()
	}
	return r
}

// divide splits a sum. A part that no card can have blocks the plan:
// leaving it away would move another sum than was asked for.
func (s *Store) divide(rows []PlanRow, sum api.USD, blocked string) string {
	var at []int
	for i := range rows {
		if rows[i].Runs() {
			at = append(at, i)
		}
	}
	switch {
	case blocked != "" || len(at) == 0:
		return blocked
	case sum <= 0:
		return s.TooLittle()
	case !sum.WholeCents():
		return s.Lang.T("at most two decimals")
	}
	n := api.USD(len(at))
	part, more := sum/api.Cent/n*api.Cent, sum/api.Cent%n
	for i, row := range at {
		amount := part
		if api.USD(i) < more {
			amount += api.Cent
		}
		line := rows[row].Line
		rows[row] = s.amountRow(Fund(rows[row].Card, amount), amount)
		rows[row].Line = line
		if out := rows[row].Out; out != "" && blocked == "" {
			blocked = s.Lang.Tf("a part of %s cannot be funded: %s", s.Lang.Dollars(amount), out)
		}
	}
	return blocked
}

// withdrawRows returns the rows of a withdrawal of many.
func (s *Store) withdrawRows(in Writes) []PlanRow {
	rows := make([]PlanRow, 0, len(in.Cards))
	for _, id := range in.Cards {
		c, _ := s.Cards.Get(id)
		amount := in.Amount
		switch in.Share {
		case ShareLevel:
			amount = cents(c.Balance - in.Amount)
		case ShareAll:
			amount = cents(c.Balance)
		case ShareEach, ShareSplit:
		}
		if in.Share != ShareEach && amount <= 0 {
			r := s.planRow(Withdraw(id, 0))
			if r.Out == "" {
				r.Skip = s.Lang.Tf("holds only %s", s.Lang.Dollars(c.Balance))
			}
			rows = append(rows, r)
			continue
		}
		rows = append(rows, s.amountRow(Withdraw(id, amount), amount))
	}
	return rows
}
