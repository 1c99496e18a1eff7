package hub_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// deaf loses every fund before the hub has it, until it hears again.
type deaf struct {
	http.RoundTripper
	hears bool
}

func (d *deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	if !d.hears && strings.HasSuffix(r.URL.Path, "/fund") {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, errors.New("read: connection reset by peer")
	}
	return d.RoundTripper.RoundTrip(r)
}

// TestWhatNeverReachedTheHubIsNotSentLater: a fund that was lost on the way is not sent when
// the same person's work on the card ends elsewhere. It would move money that was moved.
func TestWhatNeverReachedTheHubIsNotSentLater(t *testing.T) {
	crew(t, func(s *site) {
		card := api.CardID(s.card("fb/a"))
		s.begin()
		dial, stop := s.serve()
		line := &deaf{RoundTripper: dial}
		one, two := s.view("ann", line), s.view("ann", dial)
		wait(10 * time.Second)
		fund := func(v *viewer, usd api.USD) {
			v.calls <- func(st *state.Store) (state.Topic, []state.Effect) {
				topics, effects, err := st.Dispatch(state.FundCard{Card: card, Amount: usd * api.Dollar})
				if err != nil {
					s.t.Error(err)
				}
				return topics, effects
			}
		}
		fund(one, 5) // The hub never has it.
		wait(4 * time.Minute)
		if !one.sees(func(st *state.Store) bool {
			op, ok := st.Ops.Pending(card)
			return ok && op.Phase == state.Unsettled
		}) {
			s.t.Error("it has an outcome")
		}
		before := s.balance(string(card))
		line.hears = true
		s.upstream("POST", "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"latency","times":1,"latency_ms":3000}`)
		fund(two, 7) // Done again from elsewhere, by the same person.
		wait(5 * time.Minute)
		if got := s.balance(string(card)) - before; got != 7 {
			s.t.Errorf("$%v moved, want 7", got)
		}
		one.stop()
		two.stop()
		stop()
	})
}
