package overview_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/app/overview"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
)

// TestAKeyIsForgottenWhenNothingRunsAnyMore by the close of one account or of all.
func TestAKeyIsForgottenWhenNothingRunsAnyMore(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]bool{"one": false, "all": true} {
		synctest.Test(t, func(t *testing.T) {
			running, closed := false, false
			s := overview.New(t.Context(), func(context.Context, dialog.Account) (overview.Account, error) {
				return overview.Account{
					Mode: "TEST", Store: settings.Config{Profile: "team"},
					Run: func(ctx context.Context, e kernel.Effect) kernel.Event {
						running = true
						<-ctx.Done()
						running = false
						return state.FetchFailed{Effect: e, Err: ctx.Err()}
					},
					Close: func() {
						if closed = true; running {
							t.Errorf("%s: closed while a request is under way", name)
						}
					},
				}, nil
			})
			one, err := s.Open(dialog.Account{Name: "team"})
			if err != nil || one.Mode() != "TEST" || one.Config().Profile != "team" {
				t.Fatalf("%v, %v", one, err)
			}
			var ev kernel.Event
			go func() { ev = one.Run(wallets.Fetch{}) }()
			synctest.Wait()
			if all {
				s.Close()
			} else {
				one.Close()
			}
			one.Close()
			s.Close()
			synctest.Wait()
			failed, _ := ev.(state.FetchFailed)
			if !closed || !errors.Is(failed.Err, context.Canceled) {
				t.Errorf("%s: closed %v, %v", name, closed, failed.Err)
			}
			if one.Run(wallets.Fetch{}) != nil {
				t.Errorf("%s: it runs after its end", name)
			}
		})
	}
}

// TestAnAccountThatOpensTooLateIsClosed because the program has left meanwhile.
func TestAnAccountThatOpensTooLateIsClosed(t *testing.T) {
	t.Parallel()
	closed := false
	s := overview.New(t.Context(), func(context.Context, dialog.Account) (overview.Account, error) {
		return overview.Account{Close: func() { closed = true }}, nil
	})
	s.Close()
	if _, err := s.Open(dialog.Account{}); err != nil || !closed {
		t.Errorf("closed %v, %v", closed, err)
	}
	locked := errors.New("locked")
	s = overview.New(t.Context(), func(context.Context, dialog.Account) (overview.Account, error) {
		return overview.Account{}, locked
	})
	if one, err := s.Open(dialog.Account{}); !errors.Is(err, locked) || one != nil {
		t.Errorf("%v, %v", one, err)
	}
}
