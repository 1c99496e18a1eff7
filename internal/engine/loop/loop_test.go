package loop_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

func newStore() *state.Store {
	return state.New(settings.Config{
		NewKey: func() api.IdempotencyKey { return "key" },
		Rand:   func() float64 { return 0.5 },
	})
}

// server answers the challenges with one code and everything else with an
// error, a tenth of a second after it is asked.
type server struct {
	asked atomic.Int64
	ended atomic.Int64
}

func (s *server) do(ctx context.Context, e kernel.Effect) kernel.Event {
	m := kernel.Meta{Sent: clock()}
	select {
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
		s.ended.Add(1)
		return nil
	}
	m.At = clock()
	if f, ok := e.(codes.Fetch); ok {
		s.asked.Add(1)
		item := api.Challenge{ID: "3ds_1", CardID: "crd_1", Status: api.ChallengePending, OTP: api.NewOTP("482913"), ExpiresAt: m.At.Add(time.Minute)}
		return codes.Loaded{Fetch: f, Meta: m, Items: []api.Challenge{item}}
	}
	return state.FetchFailed{Meta: m, Effect: e, Err: errors.New("no answer")}
}

func TestRunAsksAsOftenAsTheScheduleSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, store := &server{}, newStore()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := loop.Run(ctx, loop.Config{Store: store, Do: srv.do, Now: clock, Changed: func(kernel.Topic) ([]kernel.Intent, bool) { return nil, false }})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want the context's error", err)
		}
		if n := srv.asked.Load(); n < 59 || n > 61 {
			t.Errorf("challenges were read %d times in a minute, want 60", n)
		}
	})
}

// TestAWriteThatIsBeingSentHasItsOutcomeAndNoMoreIsSent ends the context while a first write
// is being sent and a second one waits for its time.
func TestAWriteThatIsBeingSentHasItsOutcomeAndNoMoreIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, store := &server{}, newStore()
		began := clock()
		store.Resume([]state.Op{{Kind: state.OpFreeze, Card: "crd_1", Key: "key-1", At: began, Tries: 1, Write: &api.Write{}}}, began)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var sends atomic.Int64
		open := -1
		err := loop.Run(ctx, loop.Config{
			Store: store, Now: clock,
			Do: func(ctx context.Context, e kernel.Effect) kernel.Event {
				do, writes := e.(state.Do)
				if !writes {
					return srv.do(ctx, e)
				}
				sends.Add(1)
				<-time.After(3 * time.Second)
				return state.OpDone{Meta: kernel.Meta{Sent: began, At: clock()}, Op: do.Op.ID, Card: "crd_1", Status: api.CardFrozen}
			},
			Changed: func(kernel.Topic) ([]kernel.Intent, bool) {
				open = len(store.Ops.List())
				if open == 0 {
					return []kernel.Intent{state.Freeze("crd_1")}, false
				}
				return nil, false
			},
		})
		if !errors.Is(err, context.DeadlineExceeded) || sends.Load() != 1 || open != 0 {
			t.Errorf("%v, %d sent, %d without an outcome", err, sends.Load(), open)
		}
		if took := clock().Sub(began); took < 3*time.Second || took > 4*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestRunDoesWhatIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, store := &server{}, newStore()
		wanted, told := false, ""
		err := loop.Run(t.Context(), loop.Config{
			Store: store, Do: srv.do, Now: clock,
			Changed: func(kernel.Topic) ([]kernel.Intent, bool) {
				told = store.Notice().Text
				if wanted {
					return nil, told != ""
				}
				wanted = true
				return []kernel.Intent{state.Freeze("crd_unknown")}, false
			},
		})
		if err != nil || told != "no card is selected" {
			t.Fatalf("got %v, %q", err, told)
		}
	})
}
