package hub_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// deaf loses every fund before the hub has it, until it hears again.
type deaf struct {
	http.RoundTripper
	hears atomic.Bool
}

func (d *deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	if !d.hears.Load() && strings.HasSuffix(r.URL.Path, "/fund") {
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
			v.calls <- func(st *state.Store) (kernel.Topic, []kernel.Effect) {
				topics, effects, err := st.Dispatch(state.Fund(card, usd*api.Dollar))
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
		line.hears.Store(true)
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

// TestALeadsWordReachesWhoAsksNoMore: a dashboard whose fund stays without an answer hears of
// what a lead says, sends nothing for it, and leaves it to the lead until then.
func TestALeadsWordReachesWhoAsksNoMore(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"done", "not-done"} {
		t.Run(word, func(t *testing.T) {
			crew(t, func(s *site) {
				card := api.CardID(s.card("fb/a"))
				s.begin()
				dial, stop := s.serve()
				ann := s.view("ann", dial)
				wait(10 * time.Second)
				s.fault("POST /cards/{card_id}/fund", "connection_reset", 1000)
				ann.calls <- func(st *state.Store) (kernel.Topic, []kernel.Effect) {
					topics, effects, err := st.Dispatch(state.Fund(card, 5*api.Dollar))
					if err != nil {
						s.t.Error(err)
					}
					return topics, effects
				}
				wait(4 * time.Minute)
				if !ann.sees(func(st *state.Store) bool {
					op, ok := st.Ops.Pending(card)
					why := st.Ask(state.Resolve{Op: op.ID, Happened: true}).Reason
					return ok && op.Phase == state.Unsettled && strings.Contains(why, "a lead settles it")
				}) {
					s.t.Error("it is not left to a lead")
				}
				sent := s.asked("POST /v1/cards/" + string(card) + "/fund")
				rows := s.rows("lea", "/hub/v1/operations")
				s.want(s.ask("lea", "POST", "/hub/v1/operations/"+fmt.Sprint(rows[0]["id"]), fmt.Sprintf(`{"settle":%q}`, word)), 200, "")
				wait(5 * time.Second)
				if !ann.sees(func(st *state.Store) bool {
					_, pending := st.Ops.Pending(card)
					notice, _ := st.Lasting()
					return !pending && strings.Contains(notice.Text, "lea settled it as "+word)
				}) {
					s.t.Errorf("%s: ann does not know", word)
				}
				if n := s.asked("POST /v1/cards/" + string(card) + "/fund"); n != sent {
					s.t.Errorf("%d funds were sent for it", n-sent)
				}
				ann.stop()
				stop()
			})
		})
	}
}
