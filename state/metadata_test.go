package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

func byMetadata(c *settings.Config) { c.SpendHourly, c.Campaign = 1000, "metadata:team" }

// team is the metadata of a card.
func team(name string) api.Metadata { return api.Metadata{"team": api.Text(name)} }

// teams answers for the metadata of cards, and counts how often it is asked.
func (a *account) teams(asked map[api.CardID]int, order *[]api.CardID) func(kernel.Effect, time.Time) kernel.Event {
	return func(e kernel.Effect, now time.Time) kernel.Event {
		f, ok := e.(state.FetchSummary)
		if !ok {
			return nil
		}
		asked[f.Card]++
		*order = append(*order, f.Card)
		m := kernel.Meta{Sent: now, At: now}
		switch {
		case f.Cost().Lane != "spending":
			return nil
		case f.Card == "card_0007":
			return state.FetchFailed{Effect: f, Meta: m, Err: &api.Error{Status: 404, ID: "not_found"}}
		case f.Card == "card_0003" && asked[f.Card] == 1:
			return state.FetchFailed{Effect: f, Meta: m, Err: unreachable()}
		}
		return state.SummaryLoaded{FetchSummary: f, Meta: m, Summary: api.CardSummary{
			ID: f.Card, Status: api.CardActive, Balance: 100 * dollar, Metadata: team("t" + string(f.Card[len(f.Card)-1])),
		}}
	}
}

func TestMetadataTellsTheCampaign(t *testing.T) {
	t.Parallel()
	a := campaigner(40, 6_000)
	for i := range a.rows { // Of every other card nothing is spent.
		a.rows[i].CardID = a.cards[2*i%40+1].ID
	}
	asked, order := make(map[api.CardID]int), []api.CardID(nil)
	a.disk = a.teams(asked, &order)
	s := newStore(byMetadata)
	a.run(t, s, 0, time.Minute, never) // One failure is half of it.
	if pages, cards := len(a.asked), len(order); cards < 9 || cards > 11 || pages < 2*cards-1 {
		t.Errorf("after a minute %d pages and %d cards", pages, cards)
	}
	if took := a.run(t, s, 61*time.Second, time.Hour, allRead(s)); took > 5*time.Minute {
		t.Errorf("the days took %s", took)
	}
	a.run(t, s, 5*time.Minute, time.Hour, never)
	for i, id := range order[:18] {
		if !s.Insight.Ledger().Holds(id) {
			t.Errorf("card %d is %s, which spends nothing", i, id)
		}
	}
	for _, c := range a.cards {
		want := map[api.CardID]int{"card_0003": 2}[c.ID]
		if asked[c.ID] != max(want, 1) {
			t.Errorf("%s is read %d times", c.ID, asked[c.ID])
		}
	}
	of := func(name string) api.USD {
		return s.Insight.Ledger().Total(sums.Scope{By: sums.ByCampaign, Name: name}, sums.Last30d).Spent()
	}
	all := s.Insight.Ledger().Total(sums.Account(), sums.Last30d).Spent()
	near := func(a, b api.USD) bool { return a > 0 && max(a-b, b-a) <= 2*dollar }
	// One of the four that end in 7 is not known of.
	if !near(of("t1"), of("t3")) || !near(of("t7"), 3*of("")) || of("t1")+of("t3")+of("t5")+of("t7")+of("t9")+of("") != all {
		t.Errorf("t1 $%s, t3 $%s, t7 $%s, none $%s of $%s", of("t1"), of("t3"), of("t7"), of(""), all)
	}
	if got := s.Insight.Campaign("card_0005", "fb"); got != "t5" {
		t.Errorf("card_0005 is of %q", got)
	}
	if _, ok := s.Insight.CampaignRunway("t5"); !ok {
		t.Error("a campaign by metadata does not last")
	}
	r := s.Reloadable()
	r.Campaign = "*"
	s.Reload(r)
	n := len(order)
	a.run(t, s, time.Hour, 2*time.Hour, never)
	if got := s.Insight.Campaign("card_0005", "fb"); got != "fb" || len(order) != n {
		t.Errorf("by its label the card is of %q, %d cards are read", got, len(order)-n)
	}
}

func TestAWriteTellsTheCampaignAtOnce(t *testing.T) {
	s := settled(t, byMetadata)
	for _, e := range all[state.FetchSummary](tick(s, 2*time.Second)) {
		apply(s, state.SummaryLoaded{FetchSummary: e, Meta: meta(2 * time.Second), Summary: api.CardSummary{ID: e.Card, Status: api.CardActive, Metadata: team("one")}})
	}
	d, early := 5*time.Second, state.FetchSummary{Seq: 1, Card: first}
	op := one[state.Do](t, do(t, s, state.Update(first, api.UpdateCardRequest{Metadata: map[string]string{"team": "two"}}))).Op
	returned := api.Card{ID: first, Status: api.CardActive, Label: "fb", Metadata: team("two")}
	topics, _ := s.Apply(state.OpDone{Meta: meta(d), Op: op.ID, Card: first, Status: api.CardActive, Returned: &returned})
	if got := s.Insight.Campaign(first, "fb"); got != "two" || topics&kernel.TopicCards == 0 {
		t.Errorf("after a write the card is of %q", got)
	}
	apply(s, state.SummaryLoaded{FetchSummary: early, Meta: meta(d), Summary: api.CardSummary{ID: first, Status: api.CardActive, Metadata: team("one")}})
	if got := s.Insight.Campaign(first, "fb"); got != "two" {
		t.Errorf("a summary of before makes it %q", got)
	}
	r := s.Reloadable()
	for i, rule := range []string{"*", "metadata:team"} {
		r.Campaign = rule
		s.Reload(r)
		if got, want := s.Insight.Campaign(first, "fb"), []string{"fb", "two"}[i]; got != want {
			t.Errorf("by %s it is of %q, want %q", rule, got, want)
		}
	}
	returned.Metadata = nil // An answer that does not say it.
	op = one[state.Do](t, do(t, s, state.Update(first, api.UpdateCardRequest{Label: new("fb/2")}))).Op
	apply(s, state.OpDone{Meta: meta(d), Op: op.ID, Card: first, Status: api.CardActive, Returned: &returned})
	if got := s.Insight.Campaign(first, "fb/2"); got != "two" {
		t.Errorf("after an answer without metadata it is of %q", got)
	}
}

// TestTheNextRunHasTheCampaigns that metadata told, by the same rule. It reads them again
// after all that are not known.
func TestTheNextRunHasTheCampaigns(t *testing.T) {
	t.Parallel()
	run := func(cards int, from time.Duration, s *state.Store) (order []api.CardID) {
		a := campaigner(cards, 600)
		a.disk = a.teams(make(map[api.CardID]int), &order)
		a.run(t, s, from, from+10*time.Minute, never)
		return order
	}
	s := newStore(byMetadata)
	run(6, 0, s)
	snap := s.Snapshot()
	s = newStore(func(c *settings.Config) { c.Campaign = "metadata:buyer" })
	if s.Recall(snap); s.Insight.Campaign("card_0005", "fb") != "" {
		t.Error("another key tells the same campaigns")
	}
	s = newStore(byMetadata)
	s.Recall(snap)
	if got := s.Insight.Campaign("card_0005", "fb"); got != "t5" {
		t.Errorf("recalled, the card is of %q", got)
	}
	if order := run(10, 10*time.Minute, s); len(order) < 10 || order[0] < "card_0006" {
		t.Errorf("read in the order of %v", order)
	}
}
