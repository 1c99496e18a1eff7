package state_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

func TestRevealIsOffByItself(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*settings.Config)
		off    bool
	}{
		{"reveal off", func(c *settings.Config) { c.NoReveal = true }, true},
		{"both off", func(c *settings.Config) { c.NoReveal, c.ReadOnly = true, true }, true},
		{"read-only", readOnly, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t, tt.change)
			for _, in := range []kernel.Intent{
				secrets.RevealCard{Card: "card_0001"},
				secrets.CopyNext{Card: "card_0001"},
				secrets.CopyField{Card: "card_0001", Field: secrets.FieldAddress},
				secrets.CopyWhole{Card: "card_0001"},
			} {
				why := s.Ask(in).Reason
				_, effects, err := s.Dispatch(in)
				if strings.Contains(why, "reveal is off") != tt.off || (err != nil) != tt.off {
					t.Errorf("%T: %q, %v", in, why, err)
				}
				if tt.off {
					none[secrets.FetchDetails](t, effects)
				}
			}
			if why := s.Ask(secrets.ChooseField{Card: "card_0001"}).Reason; strings.Contains(why, "reveal is off") != tt.off {
				t.Errorf("a field to choose: %q", why)
			}
			if why := s.Ask(codes.Arm{Card: "card_0001"}).Reason; why != "" {
				t.Errorf("codes are no details: %q", why)
			}
			if why := s.Ask(state.Freeze("card_0001")).Reason; (why == "") != (tt.name == "reveal off") {
				t.Errorf("a write: %q", why)
			}
		})
	}
}
