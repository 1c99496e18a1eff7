package state

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// FetchCards reads one page of the card list: the most recently used when
// Hot, else by age, oldest first, so that pages never shift under the reader.
type FetchCards struct {
	Seq  poll.Seq
	Hot  bool
	Page int
}

func (FetchCards) Effect() {}

// Lane implements kernel.Polled.
func (f FetchCards) Lane() (poll.Lane, poll.Seq) {
	if f.Hot {
		return poll.Hot, f.Seq
	}
	return poll.Sweep, f.Seq
}

// AtPage implements kernel.Paged.
func (f FetchCards) AtPage() int { return f.Page }

// Cost is that of a poll: later pages and the sweep can wait.
func (f FetchCards) Cost() kernel.Cost {
	if !f.Hot || f.Page > 1 {
		return kernel.Polling(f, budget.Low)
	}
	return kernel.Polling(f, budget.Middle)
}

func (f FetchCards) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	o := api.ListCardsOptions{Sort: "created_at", Order: "asc", Page: f.Page, PerPage: api.MaxPerPage}
	if f.Hot {
		o.Sort, o.Order = api.SortLastUsed, "desc"
	}
	page, err := on.API.ListCards(ctx, o)
	ev := CardsLoaded{
		FetchCards: f, Meta: on.Over(page.Unread...), Items: page.Data,
		Total: page.Pagination.Total, TotalPages: page.Pagination.TotalPages, Uncounted: page.Uncounted(),
	}
	if page.Uncounted() && page.Full() {
		ev.TotalPages = max(ev.TotalPages, f.Page+1)
	}
	return ev, err
}

// CardsLoaded is a page of cards.
type CardsLoaded struct {
	FetchCards
	kernel.Meta
	Items      []api.CardItem
	TotalPages int
	Total      int
	// Uncounted reports whether the answer did not say how many cards there are.
	Uncounted bool
}

func (ev CardsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Poll.Answer(ev.FetchCards, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return ev.merge(s) })
}

func (ev CardsLoaded) merge(s *Store) (kernel.Topic, []kernel.Effect) {
	var (
		topics  kernel.Topic
		effects []kernel.Effect
		had     = s.Cards.Len()
		found   bool // that a webhook tells of
	)
	if !ev.Hot && ev.Page == 1 {
		s.Cards.sweep++
	}
	for _, item := range ev.Items {
		var before cardlist.Row
		row := s.Cards.table.Get(item.ID)
		known := row != nil
		if known {
			before = *row
		}
		r, changed := s.Cards.upsert(item, ev.Seq)
		if changed {
			topics |= kernel.TopicCards
		}
		if r != nil {
			found = found || !known || r.Balance != before.Balance || r.Status() != before.Status()
			r.Read = cardlist.StampOf(ev.At)
			if known {
				s.recordStatus(&before, r.Status(), ev.At)
				s.Cards.changeStatus(r, before.Status(), ev.At)
			}
			resolved, forget := s.resolveByStatus(r)
			topics, effects = topics|resolved, append(effects, forget...)
		}
	}
	countNew(s, had)
	s.Cards.total = max(ev.Total, s.Cards.Len())
	if ev.Hot {
		s.Poll.Found(poll.Hot, ev.Meta, found && s.Cards.full)
		s.Poll.Answered(poll.Hot, ev.Meta)
		return topics, effects
	}
	if len(ev.Items)+len(ev.Unread) > 0 && ev.Page < ev.TotalPages {
		next := ev.FetchCards
		next.Page++
		next.Seq = s.Poll.Follow(poll.Sweep)
		return topics, append(effects, next)
	}
	s.Poll.SetPages(ev.Page)
	s.Cards.full = true
	for _, u := range s.Poll.Reading(poll.Sweep) {
		s.Cards.listed(u)
	}
	if s.forgetMissing(s.Cards.complete(ev)) {
		s.Cards.total = max(ev.Total, s.Cards.Len())
	}
	s.Poll.Answered(poll.Sweep, ev.Meta)
	return topics | kernel.TopicCards, effects
}

// listed marks a card that a sweep listed and could not read; any that it did not list may
// be one without an identifier.
func (ca *CardsTable) listed(u api.Unread) {
	for i, r := range ca.rows() {
		if r.Sweep < ca.sweep && (u.ID == "" || string(u.ID) == string(r.ID)) {
			ca.table.Own(i).Sweep = ca.sweep
		}
	}
}

// complete reports whether the sweep that ends with a page listed as many cards as
// the server says there are.
func (ca *CardsTable) complete(last CardsLoaded) bool {
	listed := 0
	for _, r := range ca.table.Rows() {
		if r.Sweep == ca.sweep {
			listed++
		}
	}
	return !last.Uncounted && last.Page >= last.TotalPages && listed >= last.Total
}

// forgetMissing removes the cards that two sweeps did not list, and of those
// of an earlier run that one complete sweep did not; it reports whether there were
// any. One that is being written to stays: what comes of it is to be seen.
func (s *Store) forgetMissing(whole bool) bool {
	b := s.Cards
	b.recalling = b.recalling && !whole
	return b.table.Filter(func(r *cardlist.Row) bool {
		_, busy := s.Ops.Pending(r.ID)
		return r.Sweep >= b.sweep-1 && (!whole || !r.Cached || r.Sweep >= b.sweep) || busy
	})
}

// FillCard requests the balance that a card is to be funded up to. What that
// takes is a Fund.
type FillCard struct{ Card api.CardID }

func (in FillCard) Check(s *Store) kernel.Verdict { return s.Ops.checkMoney(OpFund, in.Card, 0) }

func (FillCard) Least() team.Role { return team.Buyer }

func (in FillCard) About() api.CardID { return in.Card }

func (FillCard) WaitsForAPI() bool { return true }

// DuplicateCard asks for the particulars of a new card that is like another.
type DuplicateCard struct{ Card api.CardID }

func (in DuplicateCard) Check(s *Store) kernel.Verdict {
	v := s.Writable(kernel.Money)
	if _, ok := s.Cards.Get(in.Card); !ok && v.Reason == "" {
		v.Reason = s.Lang.T("no card is selected")
	}
	return v
}

func (DuplicateCard) Least() team.Role { return team.Lead }

func (in DuplicateCard) About() api.CardID { return in.Card }

func (DuplicateCard) WaitsForAPI() bool { return true }

// quoted is a label in a sentence.
func quoted(w *lang.Words, label string) string {
	if label == "" {
		return w.T("without label")
	}
	return string(api.Clean(label))
}

// SelectCard says which card the cursor is on, so that its summary is there
// when it is inspected. An empty id is none.
type SelectCard struct {
	Card api.CardID
	// At is when it went there: the store's clock is that of its last tick.
	At time.Time
}

func (in SelectCard) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Info.selectCard(in.Card, in.At)
	return 0, nil
}

func (SelectCard) WhileLocked() {}

// SetKeyCard says which card keys are about from now on: what is revealed of
// another is hidden, and its copy ring begins anew.
type SetKeyCard struct{ Card api.CardID }

func (in SetKeyCard) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Secrets.KeyCardChanged(in.Card)
}

func (SetKeyCard) WhileLocked() {}

// Refresh requests a card's and the wallet's balances anew, before money
// moves. An empty id is for many cards.
type Refresh struct{ Card api.CardID }

func (in Refresh) Start(s *Store) (kernel.Topic, []kernel.Effect) { return 0, s.Info.refresh(in.Card) }

func (s *Store) issueProblems(r api.CreateCardRequest) []Problem {
	var p problems
	p.add(cardcsv.BIN, checkBIN(s.Lang, s.BINs, r.BIN))
	p.add(cardcsv.Amount, s.checkFunding(r.Label, r.Amount))
	return append(p, restProblems(s.Core, s.BINs, r)...)
}

func (s *Store) updateProblems(in Write) []Problem {
	var p problems
	c := in.change()
	if c.Label != nil {
		p.add(cardcsv.Label, checkLabel(s.Lang, *c.Label))
	}
	if card, ok := s.Cards.Get(in.Card); ok {
		p.add(cardcsv.Limit, checkLimit(s.Lang, s.BINs, card.BIN, c.SpendingLimit))
	}
	if c.AllowedCategories != nil {
		p.add(cardcsv.Categories, checkCategories(s.Lang, *c.AllowedCategories))
	}
	p.add(cardcsv.AutoFreeze, checkThreshold(s.Lang, s.Lang.T("the automatic freeze"), c.AutoFreezeAt))
	known := s.Info.Settings(in.Card)
	p.add(FieldMetadata, checkMetadata(s.Lang, c.Metadata, known.Metadata))
	return p
}

// checkFunding validates what a new card is funded with.
func (s *Store) checkFunding(label string, amount api.USD) string {
	if why := checkBounds(s.Lang, amount); why != "" {
		return why
	}
	switch {
	case !s.Wallets.Live():
		return s.Lang.T("the wallet is not read yet: what it would hold afterwards is not known")
	case s.Wallets.Shortfall(amount) > 0:
		return s.WalletShort(s.Wallets.Shortfall(amount))
	}
	return s.Ops.guarded(label, amount)
}

// CardsKnown are cards that were read by themselves, for a program that is about
// some cards and polls no list. All says that it is about no others.
type CardsKnown struct {
	kernel.Meta
	Items []api.CardItem
	All   bool
}

func (ev CardsKnown) Apply(s *Store) (topics kernel.Topic, effects []kernel.Effect) {
	for _, item := range ev.Items {
		if r, _ := s.Cards.upsert(item, s.NextSeq()); r != nil {
			r.Read = cardlist.StampOf(ev.At)
			resolved, forget := s.resolveByStatus(r)
			topics, effects = topics|resolved, append(effects, forget...)
		}
	}
	s.Cards.total = max(s.Cards.total, s.Cards.Len())
	s.Cards.full = s.Cards.full || ev.All
	return topics | kernel.TopicCards, effects
}
