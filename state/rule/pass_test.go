package rule_test

import (
	"fmt"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rule"
)

// list is a list of cards of a version, complete or not.
type list struct {
	cards    cardlist.List
	version  uint64
	complete bool
}

func (l *list) All() *cardlist.List                    { return &l.cards }
func (l *list) Changes(uint64) ([]int32, uint64, bool) { return nil, l.version, true }
func (l *list) Total() (total int, complete bool)      { return l.cards.Len(), l.complete }

func cards(n int, balance api.USD) cardlist.List {
	all := make([]cardlist.Card, n)
	for i := range all {
		all[i] = cardlist.Card{ID: api.CardID(fmt.Sprintf("card_%04d", i)), Status: api.CardActive, Balance: balance}
	}
	return cardlist.ListOf(all...)
}

func TestAPassComparesAllCardsSomeAtATime(t *testing.T) {
	const n, figure = 1200, 7
	low := rule.NewStatus(rule.Rule{Name: "low", When: "bal<10", Action: rule.FundTo, Amount: 50 * api.Dollar})
	l := &list{cards: cards(n, 5*api.Dollar), version: 3}
	p := rule.NewPass([]*rule.Status{&low}, noon)
	if p.Begin(noon, l, figure) || !p.Next().After(noon) {
		t.Error("a list that is not complete is compared")
	}
	l.complete = true
	now := p.Next()
	parts := 0
	for over := false; !over; parts++ {
		if now = p.Next(); !p.Begin(now, l, figure) {
			t.Fatal("the comparison does not go on")
		}
		over = p.Compare(now, l.All(), rule.Subject{Now: now, Figures: figures{}}, 0, nil)
	}
	if top := low.Conclude(now); parts != 3 || low.Matching != n || low.Sum != n*5*api.Dollar || len(top) == 0 || !low.Looked.Equal(now) {
		t.Errorf("%d parts, %d match, hold %s", parts, low.Matching, low.Sum)
	}
	if now = p.Next(); p.Begin(now, l, figure) {
		t.Error("what did not change is compared again")
	}
	l.version++
	if now = p.Next(); !p.Begin(now, l, figure) {
		t.Error("changed cards are not compared")
	}
	for over := false; !over; now = p.Next() {
		over = p.Compare(now, l.All(), rule.Subject{Now: now, Figures: figures{}}, 0, nil)
	}
	if p.Anew(now); !p.Begin(now, l, figure) {
		t.Error("cards are not compared although it was asked for")
	}
}

// TestThreeFailuresStopARule until it is armed again.
func TestThreeFailuresStopARule(t *testing.T) {
	s := rule.NewStatus(rule.Rule{Name: "r", When: "bal<10", Action: rule.Freeze})
	s.Mode = rule.Act
	for range 3 {
		if s.Stopped() {
			t.Fatal("stopped too early")
		}
		s.Failures++
		s.Rest(noon)
	}
	if !s.Stopped() || !s.RestsTill.After(noon) {
		t.Errorf("%+v", s)
	}
	s.Stop(nil, "the card is frozen")
	if s.Mode != rule.Off || s.Lively() || s.Paused != "stopped after 3 failures: the card is frozen" {
		t.Errorf("%s, %q", s.Mode, s.Paused)
	}
	if s.Disarm(); s.Stopped() || !s.RestsTill.IsZero() {
		t.Error("what failed before counts")
	}
	if bad := rule.NewStatus(rule.Rule{When: "bal<"}); bad.Broken == nil {
		t.Error("a filter that cannot be read is no fault")
	}
}
