package rule

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

const (
	// passSlice is how many cards are compared with the rules at once, ruleless how many
	// where there is none, and passBeat how
	// long other work goes first until the next; passRest where no rule does anything by
	// itself: each time that the program wakes costs more than the comparison.
	passSlice = 500
	ruleless  = 2000
	passBeat  = 30 * time.Millisecond
	passRest  = time.Second
	// passEvery is how often all cards are compared at most, while a rule alerts, proposes
	// or acts; passRarely while none does.
	passEvery  = 5 * time.Second
	passRarely = 30 * time.Second
	// passLate is when they are compared although nothing changed: time passed. passIdle is that
	// where there is no rule: what is idle or expires is so for days.
	passLate = time.Minute
	passIdle = 10 * time.Minute
)

// Cards are what a pass compares.
type Cards interface {
	All() *cardlist.List
	// Changes returns the version of the cards.
	Changes(since uint64) (rows []int32, version uint64, ok bool)
	// Total reports whether the cards are complete.
	Total() (total int, complete bool)
}

// Pass is a comparison of all cards with the rules, some at a time.
type Pass struct {
	rules []*Status
	on    bool
	at    int       // the next card
	next  time.Time // when it goes on, or begins
	begun time.Time
	// cards and figures are the versions that the last one was made of.
	cards, figures uint64
	idle           Idle
	expiries       Expiries
}

// NewPass begins with other rules.
func NewPass(rules []*Status, now time.Time) Pass { return Pass{rules: rules, next: now} }

// Next is when there is something to compare.
func (p *Pass) Next() time.Time { return p.next }

// Soon has the next comparison begin, or go on, at once.
func (p *Pass) Soon(now time.Time) { p.next = now }

// Again is Soon, but lets a comparison that is under way take its time.
func (p *Pass) Again(now time.Time) {
	if !p.on {
		p.next = now
	}
}

// Anew is Soon, although nothing may have changed.
func (p *Pass) Anew(now time.Time) { p.next, p.begun = now, time.Time{} }

// Idle are the cards that were not used for long, as far as they were compared.
func (p *Pass) Idle() *Idle { return &p.idle }

// Expiries are the cards that expire, as far as they were compared.
func (p *Pass) Expiries() *Expiries { return &p.expiries }

// Begin reports whether cards are to be compared now: a comparison is under way, or one
// begins because something changed since the last. figures is the version of the
// ledger.
func (p *Pass) Begin(now time.Time, cards Cards, figures uint64) bool {
	if now.Before(p.next) {
		return false
	}
	if p.on {
		return true
	}
	if _, complete := cards.Total(); !complete {
		p.next = now.Add(time.Second) // A card that is not read yet would be missed.
		return false
	}
	_, version, _ := cards.Changes(p.cards)
	if version == p.cards && figures == p.figures && now.Sub(p.begun) < p.late() {
		p.next = now.Add(p.every())
		return false
	}
	p.on, p.at, p.begun, p.cards, p.figures = true, 0, now, version, figures
	for _, r := range p.rules {
		r.matches.Reset()
	}
	p.idle.Reset()
	return true
}

// Compare compares some cards, and reports whether all are compared. Cards that were
// not used for at least a time are idle; zero is none. days are those of Expiries. Times
// are this machine's, that of the subject the server's.
func (p *Pass) Compare(now time.Time, list *cardlist.List, of Subject, idle time.Duration, days []int) (over bool) {
	if p.at == 0 {
		p.expiries.reset(days, of.Now)
	}
	slice := passSlice
	if len(p.rules) == 0 {
		slice = ruleless
	}
	for end := min(p.at+slice, list.Len()); p.at < end; p.at++ {
		of.Card = list.At(p.at)
		p.idle.Add(&of, idle, len(days) > 0)
		p.expiries.add(&of.Card)
		for _, r := range p.rules {
			r.compare(&of, now)
		}
	}
	if p.at < list.Len() {
		p.next = now.Add(p.beat())
		return false
	}
	p.on = false
	p.next = p.begun.Add(p.every())
	if !p.next.After(now) {
		p.next = now.Add(p.beat())
	}
	return true
}

// beat is how long other work goes first until the next cards are compared.
func (p *Pass) beat() time.Duration {
	if slices.ContainsFunc(p.rules, (*Status).Lively) {
		return passBeat
	}
	return passRest
}

// every is how often all cards are compared at most.
func (p *Pass) every() time.Duration {
	switch {
	case slices.ContainsFunc(p.rules, (*Status).Lively):
		return passEvery
	case len(p.rules) > 0:
		return passRarely
	}
	return passLate
}

// late is when they are compared although nothing changed.
func (p *Pass) late() time.Duration {
	if len(p.rules) == 0 {
		return passIdle
	}
	return passLate
}

// Spending is what was spent, added up.
type Spending interface {
	Ledger() *ledger.Ledger
	// Burn is how fast it is spent, CardRunway how long the balance of a card lasts.
	Burn(scope ledger.Scope) (burn.Burn, bool)
	CardRunway(id api.CardID) (burn.Runway, bool)
	// Campaign is the campaign of a card with a label; empty for none.
	Campaign(id api.CardID, label api.Text) string
}

// FiguresOf returns the figures of what was spent. They hold until it changes.
func FiguresOf(s Spending) Figures { return figures{s, s.Ledger().Coverage(ledger.Last30d)} }

// figures reads of the sums what rules ask for.
type figures struct {
	sums    Spending
	covered ledger.Coverage
}

func (f figures) Left(c *cardlist.Card) Figure {
	r, ok := f.sums.CardRunway(c.ID)
	least, most := r.Bounds()
	return Figure{Least: least, Most: most, Known: ok}
}

func (f figures) Burn(c *cardlist.Card) Figure {
	b, ok := f.sums.Burn(ledger.OfCard(c.ID))
	least, most := b.Bounds()
	return Figure{Least: least, Most: most, Known: ok}
}

func (f figures) Declines(c *cardlist.Card) Figure {
	l := f.sums.Ledger()
	if !l.Coverage(ledger.Last7d).Complete {
		return Figure{}
	}
	sum := l.Total(ledger.OfCard(c.ID), ledger.Last7d)
	return PercentOf(int64(sum.Declined), int64(sum.Attempts()))
}

// Idle is how long an active card with a balance was not used.
func (f figures) Idle(c *cardlist.Card) Figure {
	if c.Status != api.CardActive || c.Balance <= 0 {
		return Figure{}
	}
	return Unused(c.LastUsed, c.CreatedAt, f.covered.Since, f.covered.Until)
}

func (f figures) Campaign(c *cardlist.Card) string { return f.sums.Campaign(c.ID, c.Label) }
