package rule

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Match is a card that a rule matches, as far as it matters to what is proposed.
type Match struct {
	Card    api.CardID
	Balance api.USD
	// Status is the one to show; see cardlist.Shown.
	Status api.CardStatus
	// Declines are those that Rule.Declines is about.
	Declines int
	// Out is why nothing may be done to the card now, whatever the rule; empty when
	// something may.
	Out string

	barred bool
}

// Proposal is what a rule would do to a card. Out is why it does not; empty when it
// does.
type Proposal struct {
	Card    api.CardID
	Balance api.USD
	Amount  api.USD
	Out     string
	// Whole reports whether Out is about the rule and not about the card.
	Whole bool
}

// urgent orders cards by which needs the rule first: the one with the least to be
// funded, with the most to be withdrawn from, and by id, so that the order is one.
func (r *Rule) urgent(a, b Match) int {
	by := cmp.Compare(a.Balance, b.Balance)
	if r.Action == WithdrawTo {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.Card, b.Card))
}

// Hindrance returns why nothing is proposed for any card, where that is the rule's and
// not a card's; empty when something is.
func Hindrance(all []Proposal) string {
	why := ""
	for i := range all {
		switch p := &all[i]; {
		case p.Out == "":
			return ""
		case p.Whole && why == "":
			why = p.Out
		}
	}
	return why
}

// Propose returns what a rule would do to cards it matches, most urgent first. wallet
// is what it may take from the wallet, USD. The caps hold for all proposals together.
// The time is local.
func (r *Rule) Propose(w *lang.Words, matches []Match, done []Done, wallet api.USD, now time.Time) []Proposal {
	matches = slices.Clone(matches)
	slices.SortFunc(matches, r.urgent)
	matches = slices.CompactFunc(matches, func(a, b Match) bool { return a.Card == b.Card })
	used := r.Use(done, now)
	out := make([]Proposal, 0, len(matches))
	for i := range matches {
		p := r.propose(w, &matches[i], &used, wallet, now)
		if p.Out == "" {
			used.add(p.Card, p.Amount, now, true)
			if r.Action.FromWallet() {
				wallet -= p.Amount
			}
		}
		out = append(out, p)
	}
	return out
}

func (r *Rule) propose(w *lang.Words, m *Match, used *Used, wallet api.USD, now time.Time) Proposal {
	p := Proposal{Card: m.Card, Balance: m.Balance}
	want := r.wants(m)
	switch {
	case !r.Between.Hold(now):
		p.Out, p.Whole = w.Tf("outside %s", r.Between.String()), true
	case m.Out != "":
		p.Out = m.Out
	case r.Declines > 0 && m.Declines >= r.Declines:
		p.Out = w.Tf("%d declines in 24 h", m.Declines)
	case m.Status == api.CardExpired && r.Action != WithdrawTo:
		p.Out = w.T("expired")
	case m.Status != api.CardActive && (r.Action != WithdrawTo || m.Status != api.CardFrozen && m.Status != api.CardExpired):
		p.Out = w.T("not active")
	case r.Action.Moves() && want <= 0:
		p.Out = w.T("holds enough")
	default:
		if p.Out = r.Admit(w, used, m.Card, 0, now); p.Out == "" {
			p.Amount, p.Out, p.Whole = r.fits(w, used, m.Card, want, wallet)
		}
		p.Whole = p.Whole || r.MaxActions > 0 && used.Actions >= r.MaxActions
	}
	if p.Out != "" {
		p.Amount = 0
	}
	return p
}

// bars reports whether propose has a reason of the card's own to do nothing to it, as far as
// is known of what the rule did.
func (r *Rule) bars(m *Match, used *Used, now time.Time) bool {
	own := Used{cards: used.cards}
	p := r.propose(nil, m, &own, math.MaxInt64, now)
	return p.Out != "" && !p.Whole
}

// wants is what the rule would move were there no caps, USD: whole cents.
func (r *Rule) wants(m *Match) api.USD {
	var want api.USD
	switch r.Action {
	case FundTo:
		want = r.Amount - m.Balance
	case FundBy:
		want = r.Amount
	case WithdrawTo:
		want = m.Balance - r.Amount
	default:
		return 0
	}
	if want -= want % api.Cent; r.Action.FromWallet() {
		if want < api.MinFunding {
			return 0 // A card lacks less than can be funded.
		}
		return min(want, api.MaxFunding)
	}
	return want
}

// fits reduces an amount to what caps and wallet leave of it. FundBy moves all of it or
// nothing.
func (r *Rule) fits(w *lang.Words, used *Used, id api.CardID, want, wallet api.USD) (amount api.USD, out string, whole bool) {
	if !r.Action.Moves() {
		return 0, "", false
	}
	least := api.Cent
	if r.Action.FromWallet() {
		least = api.MinFunding
	}
	if r.Action == FundBy {
		least = want
	}
	amount = r.room(used, id, want)
	amount -= amount % api.Cent
	if amount < least && r.room(used, "", want) >= least {
		return 0, w.T("max_per_card reached"), false
	}
	if amount < least {
		return 0, w.T("max_per_day reached"), true
	}
	if r.Action.FromWallet() {
		amount = min(amount, max(0, wallet-wallet%api.Cent))
	}
	if amount < least {
		return 0, w.T("the wallet does not hold it"), true
	}
	return amount, "", false
}

// maxTop bounds the cards that a rule proposes something for at once.
const maxTop = 200

// Matches are the cards that match, as far as they were compared.
type Matches struct {
	// N counts them, and Sum is what they hold, USD.
	N   int
	Sum api.USD
	// Top are those that need the rule most, at most 200: first those that something
	// can be done to, the most urgent first.
	Top []Match
}

// Reset begins anew.
func (m *Matches) Reset() { *m = Matches{Top: m.Top[:0]} }

// Add adds a card that matches a rule.
func (m *Matches) Add(r *Rule, card Match) {
	m.N++
	m.Sum += card.Balance
	i, known := slices.BinarySearchFunc(m.Top, card, r.first)
	if i >= maxTop || known {
		return
	}
	if len(m.Top) >= maxTop {
		m.Top = m.Top[:maxTop-1]
	}
	m.Top = slices.Insert(m.Top, i, card)
}

// first orders cards by which is to be proposed for: what nothing can be done to keeps no
// other card from the rule.
func (r *Rule) first(a, b Match) int {
	switch {
	case a.barred == b.barred:
		return r.urgent(a, b)
	case a.barred:
		return 1
	}
	return -1
}

// maxIdle bounds the idle cards that are named.
const maxIdle = 1000

// Idle are active cards with a balance that were not used for long, or have expired.
type Idle struct {
	// N counts them, Expired those that have expired, and Sum is what they hold, USD.
	N, Expired int
	Sum        api.USD
	// Cards are at most 1000 of them.
	Cards []api.CardID
}

// Reset begins anew.
func (d *Idle) Reset() { *d = Idle{Cards: d.Cards[:0]} }

// Add adds a card when it was not used for at least a time, zero is never, or has
// expired: nothing can be paid with it any more.
func (d *Idle) Add(s *Subject, least time.Duration, expired bool) {
	expired = s.Card.Expired && (expired || least > 0)
	if s.Card.Cached || s.Card.Status != api.CardActive || s.Card.Balance < api.Cent || least <= 0 && !expired {
		return
	}
	if f := s.Figures.Idle(&s.Card); !expired && (!f.Known || f.Least < int64(least)) {
		return
	}
	if expired {
		d.Expired++
	}
	d.N++
	d.Sum += s.Card.Balance
	if len(d.Cards) < maxIdle {
		d.Cards = append(d.Cards, s.Card.ID)
	}
}
