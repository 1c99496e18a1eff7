package state

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// CardsTable holds the cards in the order they were first seen.
type CardsTable struct {
	*kernel.Core
	privacy *kernel.Privacy
	notices *kernel.Notices

	table *cardlist.Table
	total int // as the server counts
	full  bool
	// recalling reports whether cards of an earlier run are still being read.
	recalling bool
	sweep     int32 // the number of the one under way
	// numbered reports whether cards have numbers, last is the one given last.
	numbered bool
	last     int32
	begun    OpID // the newest operation begun here
	// statusAt is when a status was read that differs from the one shown before,
	// this machine's clock, of the few cards of which one was.
	statusAt map[api.CardID]time.Time
	// statuses are the changes of status that were seen, the oldest first.
	statuses []cardlist.StatusChange
}

// checkFresh refuses what must not rest on what an earlier run knew of a card.
// Freezing may: it only makes the card safer.
func (ca *CardsTable) checkFresh(id api.CardID, v kernel.Verdict) kernel.Verdict {
	if c, _ := ca.Get(id); v.Reason == "" && c.Cached {
		v.Reason = ca.Lang.Tf("%s is not read yet: what is shown of it is from the last run", ca.name(id))
	}
	return v
}

// UnknownStatus says that the status of a card is one that this program does not know;
// empty when it is not. What that lets a card do is known to nobody here.
func (ca *CardsTable) UnknownStatus(id api.CardID) string {
	if c, ok := ca.Get(id); ok && !c.Status.Known() {
		return ca.Lang.Tf("%s has the unknown status “%s”", ca.name(id), string(c.Status))
	}
	return ""
}

// notAmongMany is why money of a card is not moved, nor the card ended, among many others; empty
// when nothing is in the way.
func (ca *CardsTable) notAmongMany(kind OpKind, id api.CardID, danger kernel.Danger) string {
	c, ok := ca.Get(id)
	switch {
	case !ok || danger < kernel.Money:
	case !c.Status.Known():
		return ca.Lang.Tf("unknown status “%s”: not among many cards", string(c.Status))
	case c.Expired && kind == OpFund:
		return ca.Lang.Tf("expired on %s: not among many cards", ca.Lang.Day(c.ExpiresAt))
	}
	return ""
}

// ExpiredText says that a card has expired and when; empty when it has not, as far as
// is known, or has ended anyway.
func (ca *CardsTable) ExpiredText(id api.CardID) string {
	c, ok := ca.Get(id)
	if !ok || !c.Expired || c.Status == api.CardTerminated {
		return ""
	}
	return ca.Lang.Tf("%s expired on %s: its charges are declined", ca.name(id), ca.Lang.Day(c.ExpiresAt))
}

// setExpiry records when a card expires, from any answer that has it, and reports
// whether that was not known. It never changes, so no answer is too old.
func (ca *CardsTable) setExpiry(id api.CardID, at time.Time) bool {
	return ca.table.SetExpiry(id, at, ca.ServerNow())
}

// undated returns a card whose expiry is to be read by itself; see cardlist.Table.Undated.
func (ca *CardsTable) undated(skip map[api.CardID]bool) (api.CardID, bool) {
	return ca.table.Undated(skip)
}

// passExpiries marks the cards that have expired since.
func (ca *CardsTable) passExpiries() kernel.Topic {
	if ca.table.Expire(ca.ServerNow()) {
		return kernel.TopicCards
	}
	return 0
}

// CheckDetails refuses what needs a card's details where reveal is off or the
// card has none.
func (ca *CardsTable) CheckDetails(id api.CardID) kernel.Verdict {
	if ca.Cfg.NoReveal {
		return kernel.Verdict{Reason: errtext.NoReveal(ca.Lang), Remedy: ca.Lang.T("start without --no-reveal, on a profile whose reveal is not false")}
	}
	return ca.CheckAlive(id)
}

// CheckAlive refuses a card that is not known or terminated.
func (ca *CardsTable) CheckAlive(id api.CardID) kernel.Verdict {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return kernel.Verdict{Reason: ca.Lang.T("no card is selected")}
	case c.Status == api.CardTerminated:
		return kernel.Verdict{Reason: ca.Lang.Tf("%s is terminated", ca.name(id))}
	}
	return kernel.Verdict{}
}

// name is a card's name in a sentence: by its label and last digits, or by its
// place when those are hidden.
func (ca *CardsTable) name(id api.CardID) string {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return ca.Lang.T("an unknown card")
	case ca.privacy.Private():
		return c.Alias()
	}
	return cardlist.Name(c.Label, c.Last4)
}

// trueName is a card's label and last digits, for what is stored.
func (ca *CardsTable) trueName(id api.CardID) string {
	if c, ok := ca.Get(id); ok {
		return cardlist.Name(c.Label, c.Last4)
	}
	return "an unknown card"
}

// Name is a card's label and last digits, as far as they may be shown.
func (ca *CardsTable) Name(id api.CardID) string { return ca.name(id) }

// OnScreen calls a card as the list does, or as a record does that is
// older than the list.
func (ca *CardsTable) OnScreen(id api.CardID, recorded string) string {
	if c, ok := ca.Get(id); ok && ca.privacy.Private() {
		return c.Alias()
	}
	if ca.privacy.Private() {
		return ca.Lang.T("a card")
	}
	return recorded
}

func (ca *CardsTable) label(id api.CardID) string {
	c, _ := ca.Get(id)
	return string(c.Label)
}

func newCardsTable(c *kernel.Core, privacy *kernel.Privacy, notices *kernel.Notices) *CardsTable {
	t := &CardsTable{Core: c, privacy: privacy, notices: notices, table: cardlist.New()}
	if privacy.Private() {
		t.numberCards()
	}
	return t
}

// All lists all cards in the order they were first seen. The table is the
// store's own: it is read only.
func (ca *CardsTable) All() *cardlist.List { return ca.table.List() }

// Get finds a card.
func (ca *CardsTable) Get(id api.CardID) (cardlist.Card, bool) {
	if r := ca.table.Get(id); r != nil {
		return r.Card(), true
	}
	return cardlist.Card{}, false
}

// StatusChangedAt is when another status of a card was read than the one that was
// shown before, this machine's clock; zero for never.
func (ca *CardsTable) StatusChangedAt(id api.CardID) time.Time {
	return ca.statusAt[id]
}

// Row is a card's place among Cards.
func (ca *CardsTable) Row(id api.CardID) (int, bool) {
	return ca.table.Place(id)
}

// Changes returns the places among Cards that may have changed since a
// version, 0 for all there ever were, and the version now. Places are listed
// once or more; those that came in between are among them. False says that
// this is not known: every place may hold another card.
func (ca *CardsTable) Changes(since uint64) (rows []int32, version uint64, ok bool) {
	return ca.table.Changes(since)
}

// Total is how many cards the server says there are; complete reports
// whether all of them have been read at least once in this run.
func (ca *CardsTable) Total() (total int, complete bool) { return ca.total, ca.full }

// OnFrozen is how many frozen cards hold money, and how much, USD. They are not idle: a frozen card is
// kept from being used.
func (ca *CardsTable) OnFrozen() (n int, sum api.USD) {
	for _, r := range ca.rows() {
		if r.Shown() == api.CardFrozen && r.Balance > 0 {
			n++
			sum += r.Balance
		}
	}
	return n, sum
}

// get returns a card's row for reading; nil for none.
func (ca *CardsTable) get(id api.CardID) *cardlist.Row { return ca.table.Get(id) }

// find returns a card's row for writing; nil for none.
func (ca *CardsTable) find(id api.CardID) *cardlist.Row { return ca.table.Find(id) }

// rows returns all rows with their places, for reading.
func (ca *CardsTable) rows() iter.Seq2[int, *cardlist.Row] { return ca.table.Rows() }

// Len is how many cards are known.
func (ca *CardsTable) Len() int { return ca.table.Len() }

// add adds a card that was not known.
func (ca *CardsTable) add(c cardlist.Card) *cardlist.Row {
	r := ca.table.Add(c)
	r.After = uint32(ca.begun)
	if ca.numbered {
		ca.last++
		r.Number = ca.last
	}
	return r
}

// numberCards numbers the cards from now on, the oldest first.
func (ca *CardsTable) numberCards() {
	if ca.numbered {
		return
	}
	ca.numbered = true
	oldest := make([]int, ca.table.Len())
	for i := range oldest {
		oldest[i] = i
	}
	slices.SortFunc(oldest, func(x, y int) int {
		return cmp.Or(cmp.Compare(ca.table.Row(x).Created, ca.table.Row(y).Created), cmp.Compare(ca.table.Row(x).ID, ca.table.Row(y).ID))
	})
	for _, i := range oldest {
		ca.last++
		ca.table.Own(i).Number = ca.last
	}
}

// upsert merges a list item that was asked for with seq. It returns the card
// when the item is newer, and whether that changed it.
func (ca *CardsTable) upsert(item api.CardItem, seq poll.Seq) (merged *cardlist.Row, changed bool) {
	r := ca.table.Find(item.ID)
	if r == nil {
		r = ca.add(cardlist.Card{ID: item.ID})
		r.NoLabel = true
	}
	r.Sweep = ca.sweep
	before := *r
	ca.setExpiry(item.ID, item.ExpiresAt)
	if seq <= r.Fence {
		return nil, false
	}
	r.Fence = seq - 1
	before.Fence = r.Fence
	r.Kind, r.Last4 = cardlist.KindOf(item.BIN, item.Network, item.Status), cardlist.Last4Of(item.Last4)
	r.Balance, r.Created, r.Cached = item.Balance, cardlist.StampOf(item.CreatedAt), false
	setLabel(r, item.Label, item.NoLabel)
	return r, *r != before
}

// setLabel takes over the label of an answer. One that an answer does not say stays.
func setLabel(r *cardlist.Row, label api.Text, none bool) {
	if none {
		return
	}
	r.NoLabel = false
	if r.Label != label { // Else the one that is held stays.
		r.Label = label
	}
}

// unlabelled says that no answer said the label of a card, where guardrails go by it; empty else.
func (ca *CardsTable) unlabelled(id api.CardID) string {
	if r := ca.get(id); r == nil || !r.NoLabel || !ca.Cfg.Guard.ByLabel() {
		return ""
	}
	return ca.Lang.Tf("the API does not say the label of %s, which guardrails go by: try again later", ca.name(id))
}

// changeStatus records that the status is not the one that was shown; empty for none.
func (ca *CardsTable) changeStatus(r *cardlist.Row, shown api.CardStatus, at time.Time) {
	if shown == "" || shown == r.Status() {
		return
	}
	if ca.statusAt == nil {
		ca.statusAt = make(map[api.CardID]time.Time)
	}
	ca.statusAt[r.ID] = at
}

// setNewestOp sets the newest operation begun here: cards read from now on are
// newer.
func (ca *CardsTable) setNewestOp(id OpID) { ca.begun = id }

// MarkCompared marks the balance of a card as compared with the limits of the
// alerts, and reports whether it was before.
func (ca *CardsTable) MarkCompared(i int) (before bool) {
	r := ca.table.Own(i)
	before, r.Compared = r.Compared, true
	return before
}

// MarkJudged marks a card as compared with the rules of the alerts that are about
// spending, and reports whether it was before.
func (ca *CardsTable) MarkJudged(id api.CardID) (before bool) {
	i, ok := ca.Row(id)
	if !ok {
		return false
	}
	r := ca.table.Own(i)
	before, r.Judged = r.Judged, true
	return before
}

// recall adds a card with what an earlier run knew of it: what was sent and when
// it was read was that run's.
func (ca *CardsTable) recall(r *cardlist.Row) {
	added := ca.add(cardlist.Card{ID: r.ID})
	added.Label, added.Kind, added.Last4 = r.Label, r.Kind, r.Last4
	added.Balance, added.Created, added.Used, added.Cached = r.Balance, r.Created, r.Used, true
	ca.setExpiry(r.ID, r.Expires.Time())
}

// named is how a card is called: its label and its last digits; empty where it is not known.
func (ca *CardsTable) named(id api.CardID) (text, last4 api.Text) {
	c, _ := ca.Get(id)
	return c.Label, c.Last4
}
