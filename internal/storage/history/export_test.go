package history

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

func TestWhatIsWanted(t *testing.T) {
	r := funded("key-1", state.OpStatusDone)
	r.At = noon()
	for _, tt := range []struct {
		filter Filter
		want   bool
	}{
		{Filter{}, true},
		{Filter{Text: "FB/01 25.00 done"}, true},
		{Filter{Text: "fb/01 refused"}, false},
		{Filter{Text: "req_1 2026-03-01"}, true},
		{Filter{Action: "fund", Outcome: "done"}, true},
		{Filter{Action: "withdraw"}, false},
		{Filter{Outcome: "refused"}, false},
		{Filter{Card: "card_1"}, true},
		{Filter{Card: "4242"}, true},
		{Filter{Card: "FB/"}, true},
		{Filter{Card: "card_"}, false},
		{Filter{Since: noon()}, true},
		{Filter{Since: noon().Add(time.Second)}, false},
	} {
		if got := tt.filter.Matches(r); got != tt.want {
			t.Errorf("%+v: %v", tt.filter, got)
		}
	}
}
