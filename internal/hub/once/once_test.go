package once_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/once"
)

func TestASecretIsRevealedOnce(t *testing.T) {
	t.Parallel()
	for range 200 {
		table := once.NewTable(time.Now) //nolint:forbidigo // nothing is measured
		e, _ := table.Begin("k", nil)
		table.Settle("k", once.Outcome{Status: 201, Body: api.NewSecret("whsec")})
		var shown atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if o := e.Reveal(); len(o.Body.Bytes()) > 0 {
					shown.Add(1)
				}
			})
		}
		if group.Wait(); shown.Load() != 1 {
			t.Fatalf("it was shown %d times", shown.Load())
		}
	}
}

func TestWhatWasNotSentIsTold(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	table := once.NewTable(func() time.Time { return now })
	busy := errors.New("busy")
	first, _ := table.Begin("k", nil)
	waiter, _ := table.Begin("k", nil)
	table.Forget(first, once.Outcome{Err: busy})
	select {
	case <-waiter.Done():
	default:
		t.Fatal("who waits is not told")
	}
	if o := waiter.Outcome(); !errors.Is(o.Err, busy) || o.Unknown {
		t.Errorf("told %+v", o)
	}
	if _, state := table.Begin("k", nil); state != once.New {
		t.Errorf("the key is %v", state)
	}
	table.Forget(waiter, waiter.Outcome())
	if !table.Known("k") {
		t.Error("a later write under the key is forgotten")
	}
	table.Settle("k", once.Outcome{Status: 200})
	kept := api.NewSecret("done")
	table.Begin("done", nil)
	table.Settle("done", once.Outcome{Status: 200, Body: kept})
	now = now.Add(25 * time.Hour)
	table.Begin("other", nil)
	if table.Known("done") || !kept.IsZero() {
		t.Error("what was not sent keeps all after it, or a body stays")
	}
}

func TestAWriteIsAnsweredAgainAndNotDoneAgain(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	table := once.NewTable(func() time.Time { return now })
	e, state := table.Begin("k", []byte("a"))
	if _, again := table.Begin("k", []byte("a")); state != once.New || again != once.Waiting {
		t.Errorf("found %v, %v", state, again)
	}
	if _, other := table.Begin("k", []byte("b")); other != once.Reused {
		t.Errorf("another body is %v", other)
	}
	table.Settle("k", once.Outcome{Unknown: true, Err: errors.New("cut")})
	if <-e.Done(); !e.Outcome().Unknown {
		t.Error("what may have acted is known")
	}
	table.Settle("k", once.Outcome{Status: 200, Body: api.NewSecret("done")})
	table.Settle("k", once.Outcome{Err: errors.New("later")})
	again, state := table.Begin("k", []byte("a"))
	if o := again.Outcome(); state != once.Settled || o.Status != 200 || o.Body.Expose() != "done" {
		t.Errorf("found %v, %+v", state, o)
	}
	now = now.Add(25 * time.Hour)
	table.Begin("other", nil)
	if table.Known("k") || !table.Known("other") {
		t.Error("an outcome is kept for ever, or not at all")
	}
}

func TestAKeyIsOfOneTokenAndOnePath(t *testing.T) {
	t.Parallel()
	seen := map[api.IdempotencyKey]bool{}
	for _, token := range [][32]byte{{1}, {2}} {
		for _, parts := range [][3]string{{"k", "POST", "/a"}, {"k", "POST", "/b"}, {"k", "DELETE", "/a"}, {"kP", "OST", "/a"}} {
			key := once.Key(token, parts[0], parts[1], parts[2])
			if seen[key] || !strings.HasPrefix(string(key), "hub-") || len(key) > 64 {
				t.Errorf("%v %v: %s", token[0], parts, key)
			}
			seen[key] = true
		}
	}
}
