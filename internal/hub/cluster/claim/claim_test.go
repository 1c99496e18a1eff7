package claim_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/claim"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

// table is a table in memory.
type table struct {
	mu       sync.Mutex
	values   map[string][]byte
	at       map[string]uint64
	revision uint64
	watchers []func(string, uint64, []byte)
	broken   error
}

func newTable() *table { return &table{values: make(map[string][]byte), at: make(map[string]uint64)} }

func (b *table) Swap(_ context.Context, name string, revision uint64, data []byte) (uint64, error) {
	b.mu.Lock()
	if b.broken != nil || b.at[name] != revision {
		defer b.mu.Unlock()
		return 0, errors.Join(b.broken, lease.ErrMoved)
	}
	b.revision++
	next := b.revision
	b.values[name], b.at[name] = data, next
	watchers := b.watchers
	b.mu.Unlock()
	for _, f := range watchers {
		f(name, next, data)
	}
	return next, nil
}

func (b *table) Watch(ctx context.Context, f func(string, uint64, []byte)) error {
	b.mu.Lock()
	for name, data := range b.values {
		f(name, b.at[name], data)
	}
	if b.broken == nil {
		b.watchers = append(b.watchers, f)
	}
	broken := b.broken
	b.mu.Unlock()
	if broken == nil {
		<-ctx.Done()
	}
	return broken
}

// join has a hub follow the claims, with a clock that is hours off.
func join(t *testing.T, b *table, ahead time.Duration) *claim.Claims {
	t.Helper()
	start := time.Now()                                                          //nolint:forbidigo // virtual time in a bubble
	c := claim.New(b, func() time.Duration { return time.Since(start) + ahead }) //nolint:forbidigo // virtual time in a bubble
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go c.Follow(ctx, func(error) {})
	synctest.Wait()
	return c
}

func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAClaimIsSeenOnEveryHubAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		one, two := join(t, b, time.Hour), join(t, b, 24*time.Hour)
		_, err := one.Take(t.Context(), "code.3ds_1", "ann", time.Minute)
		must(t, err)
		pass(12 * time.Second)
		var taken *claim.TakenError
		if _, err := two.Take(t.Context(), "code.3ds_1", "bob", time.Minute); !errors.As(err, &taken) || err.Error() != "taken by ann 12s ago" {
			t.Errorf("bob gets %v", err)
		}
		_, err = two.Take(t.Context(), "code.3ds_2", "bob", time.Minute)
		must(t, err)
		for _, c := range []*claim.Claims{one, two, join(t, b, 0)} {
			if got := c.List(); len(got) != 2 || got[len(got)-1].What+got[len(got)-1].Who != "code.3ds_1ann" && got[0].Age != got[1].Age {
				t.Errorf("a hub lists %v", got)
			}
		}
		pass(48 * time.Second)
		if got := fmt.Sprint(one.List()); got != "[{code.3ds_2 bob 48s}]" {
			t.Errorf("left: %s", got)
		}
		_, err = two.Take(t.Context(), "code.3ds_1", "bob", time.Minute)
		must(t, err)
	})
}

func TestAClaimIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		one, two := join(t, b, 0), join(t, b, 0)
		release, err := one.Take(t.Context(), "card.1", "ann", time.Minute)
		must(t, err)
		must(t, release(t.Context()))
		again, err := two.Take(t.Context(), "card.1", "bob", time.Minute)
		must(t, err)
		// The first one does not end the second.
		must(t, release(t.Context()))
		if got := fmt.Sprint(one.List()); got != "[{card.1 bob 0s}]" {
			t.Errorf("it is %s", got)
		}
		must(t, again(t.Context()))
		if len(one.List()) != 0 {
			t.Errorf("still %v", one.List())
		}
	})
}

// TestOnlyOneOfTwoAtOnceHasIt takes the same before either hub has seen the other.
func TestOnlyOneOfTwoAtOnceHasIt(t *testing.T) {
	b := newTable()
	clock := func() time.Duration { return time.Hour }
	one, two := claim.New(b, clock), claim.New(b, clock)
	_, err := one.Take(t.Context(), "card.1", "ann", time.Minute)
	must(t, err)
	if _, err := two.Take(t.Context(), "card.1", "bob", time.Minute); !errors.Is(err, lease.ErrMoved) {
		t.Errorf("bob gets %v", err)
	}
}

func TestWhatIsNotUnderstoodKeepsNobodyOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		b.broken = errors.New("cut off")
		c := join(t, b, 0)
		b.mu.Lock()
		b.broken, b.revision = nil, 4
		b.values["card.1"], b.at["card.1"] = []byte(`{"v":9,"who":"x","ttl_ms":99999999}`), 4
		b.mu.Unlock()
		pass(2 * time.Second)
		_, err := c.Take(t.Context(), "card.1", "ann", time.Minute)
		must(t, err)
	})
}

func TestAForgottenClaimIsTakenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		c := join(t, b, 0)
		_, err := c.Take(t.Context(), "card.1", "ann", time.Minute)
		must(t, err)
		pass(25 * time.Hour)
		b.mu.Lock()
		clear(b.at)
		b.mu.Unlock()
		_, err = c.Take(t.Context(), "card.1", "bob", time.Minute)
		must(t, err)
	})
}

// TestALateNoticeChangesNothing tells a hub of an old value after its own.
func TestALateNoticeChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		c := join(t, b, 0)
		release, err := c.Take(t.Context(), "card.1", "ann", time.Minute)
		must(t, err)
		old := b.values["card.1"]
		must(t, release(t.Context()))
		b.watchers[0]("card.1", 1, old)
		if got := c.List(); len(got) != 0 {
			t.Errorf("it is back: %v", got)
		}
	})
}
