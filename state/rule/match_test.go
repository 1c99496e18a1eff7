package rule_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rule"
)

type figures struct{ left, burn, declined, idle rule.Figure }

func (f figures) Left(*cardlist.Card) rule.Figure     { return f.left }
func (f figures) Burn(*cardlist.Card) rule.Figure     { return f.burn }
func (f figures) Declines(*cardlist.Card) rule.Figure { return f.declined }
func (f figures) Idle(*cardlist.Card) rule.Figure     { return f.idle }
func (f figures) Campaign(*cardlist.Card) string      { return "FB/Spring" }

func TestCardsAreMatchedAsInTheList(t *testing.T) {
	card := cardlist.Card{ID: "card_1", Label: "fb/spring/01", Last4: "2039", Status: api.CardActive, Balance: 8 * api.Dollar, LastUsed: noon.Add(-time.Hour)}
	ended, cached := card, card
	ended.Status, cached.Cached = api.CardTerminated, true
	f := figures{left: query.Exactly(int64(3 * time.Hour)), burn: query.Exactly(int64(2 * api.Dollar))}
	for text, want := range map[string]bool{
		"bal<10": true, "left<4h status=active": true, "burn>2": false, "idle>7d": false, "decl7>0": false, "campaign=fb/spring": true,
		"label~spring last<2h": true, "2039": true, "spring !2039": false, "status=frozen": false,
	} {
		filter, err := rule.ParseWhen(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := filter.Match(&rule.Subject{Card: card, Now: noon, Figures: f}); got != want {
			t.Errorf("%q: %t", text, got)
		}
		if filter.Match(&rule.Subject{Card: ended, Now: noon, Figures: f}) || filter.Match(&rule.Subject{Card: cached, Now: noon, Figures: f}) {
			t.Errorf("%q matches a card that ended, or is not read", text)
		}
	}
	for _, bad := range []string{"", "  ", "bal<", "left=3h", "bal<x", "!", "status=lost"} {
		if _, err := rule.ParseWhen(bad); err == nil {
			t.Errorf("%q is a filter", bad)
		}
	}
}
