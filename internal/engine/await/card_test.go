package await

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

func TestChoose(t *testing.T) {
	cards := cardlist.ListOf(
		cardlist.Card{ID: "card_a", Label: "fb/spring", Last4: "2039", Status: api.CardActive},
		cardlist.Card{ID: "card_b", Label: "fb/Spring/2", Last4: "5510", Status: api.CardFrozen},
		cardlist.Card{ID: "card_c", Label: "2039", Last4: "7718", Status: api.CardActive},
		cardlist.Card{ID: "card_d", Label: "", Last4: "0001", Status: api.CardActive},
		cardlist.Card{ID: "card_e", Label: "dup", Last4: "0002", Status: api.CardActive},
		cardlist.Card{ID: "card_f", Label: "dup", Last4: "0003", Status: api.CardActive},
		cardlist.Card{ID: "card_g", Label: "dup", Last4: "0004", Status: api.CardTerminated},
		cardlist.Card{ID: "card_h", Label: "gone", Last4: "0001", Status: api.CardTerminated},
		cardlist.Card{ID: "other-i", Label: "x\u00e9", Last4: "0009", Status: api.CardActive},
	)
	tests := []struct{ name, want, problem string }{
		{"card_a", "card_a", ""},
		{"other-i", "other-i", ""},
		{"fb/spring", "card_a", ""},
		{"SPRING/", "card_b", ""},
		{"5510", "card_b", ""},
		{"0001", "card_d", ""},
		{"X\u00c9", "other-i", ""},
		{"\x1b[1mfb/spring\x1b[0m", "card_a", ""},
		{"spring", "", "that can be fb/spring ••2039, fb/Spring/2 ••5510: say the last four digits or the id"},
		{"2039", "", "that can be fb/spring ••2039, 2039 ••7718: say"},
		{"dup", "", "that can be dup ••0002, dup ••0003: say"},
		{"gone", "", "gone ••0001 is terminated"},
		{"0004", "", "dup ••0004 is terminated"},
		{"999", "", "no card has that"},
		{"551", "", "no card has that"},
		{"\x1b[0m", "", "no card has that"},
	}
	for _, tt := range tests {
		c, err := choose(&cards, tt.name)
		switch {
		case tt.want != "" && (err != nil || string(c.ID) != tt.want):
			t.Errorf("%q: got %q, %v, want %q", tt.name, c.ID, err, tt.want)
		case tt.want == "" && (err == nil || !strings.HasPrefix(err.Error(), tt.problem)):
			t.Errorf("%q: got %q, %v, want %q", tt.name, c.ID, err, tt.problem)
		}
	}
}
