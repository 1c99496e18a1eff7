package state

import "github.com/cardtop/cardtop/api"

// fundRows gives the rows of a FundMany. A sum is divided to the cent among
// the cards that can be funded, and what does not divide goes to the first.
func (s *Store) fundRows(p *Plan, in FundMany) []PlanRow {
	rows := make([]PlanRow, 0, len(in.Cards))
	for _, id := range in.Cards {
		// An amount of 0 asks only whether the card can be funded at all.
		r := s.planRow(FundCard{Card: id})
		switch {
		case r.Out != "" || in.Share == ShareSplit:
		case in.Share == ShareLevel:
			r = s.fillRow(id, in.Amount)
		default:
			r = s.amountRow(FundCard{Card: id, Amount: in.Amount}, in.Amount)
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
	lacks := cents(level - c.Balance)
	if lacks > 0 && lacks < api.MinFunding || lacks <= 0 {
		r := s.planRow(FundCard{Card: id})
		r.Skip = "holds $" + c.Balance.Grouped() + " already"
		if lacks > 0 {
			r.Skip = "lacks less than $" + api.MinFunding.Grouped()
		}
		return r
	}
	return s.planRow(FundCard{Card: id, Amount: lacks})
}

// amountRow is the row of an intent that moves an amount, which must be one.
func (s *Store) amountRow(in Intent, amount api.USD) PlanRow {
	r := s.planRow(in)
	if amount <= 0 && r.Out == "" {
		r.Out = tooLittle
	}
	return r
}

// divide shares a sum out. A part that no card can take blocks the plan:
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
		return tooLittle
	case !sum.WholeCents():
		return "at most two decimals"
	}
	n := api.USD(len(at))
	part, more := sum/api.Cent/n*api.Cent, sum/api.Cent%n
	for i, row := range at {
		amount := part
		if api.USD(i) < more {
			amount += api.Cent
		}
		line := rows[row].Line
		rows[row] = s.amountRow(FundCard{Card: rows[row].Card, Amount: amount}, amount)
		rows[row].Line = line
		if out := rows[row].Out; out != "" && blocked == "" {
			blocked = "a part of $" + amount.Grouped() + " cannot be funded: " + out
		}
	}
	return blocked
}

// withdrawRows gives the rows of a WithdrawMany.
func (s *Store) withdrawRows(in WithdrawMany) []PlanRow {
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
			r := s.planRow(WithdrawCard{Card: id})
			if r.Out == "" {
				r.Skip = "holds only $" + c.Balance.Grouped()
			}
			rows = append(rows, r)
			continue
		}
		rows = append(rows, s.amountRow(WithdrawCard{Card: id, Amount: amount}, amount))
	}
	return rows
}

// cents leaves away what is less than a cent.
func cents(amount api.USD) api.USD { return amount - amount%api.Cent }
