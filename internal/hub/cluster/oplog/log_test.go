package oplog_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// held is a lease that is valid for as long as it says.
type held struct {
	number uint64
	left   func() time.Duration
}

func (h held) Number() uint64 { return h.number }

func (h held) Left() time.Duration {
	if h.left == nil {
		return time.Minute
	}
	return h.left()
}

func (held) Lost() <-chan struct{} { return nil }

func open(t *testing.T, c *bustest.Conn, number uint64) *oplog.Log {
	t.Helper()
	l, err := oplog.Open(t.Context(), c, held{number: number})
	must(t, err)
	return l
}

func fund(t *testing.T, key string) oplog.Op {
	t.Helper()
	r, err := oplog.NewRequest(api.Write{Method: http.MethodPost, Route: "/cards/{card_id}/fund", Path: "/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)})
	must(t, err)
	return oplog.Op{Key: api.IdempotencyKey(key), Kind: "fund", Card: "card_1", Request: r}
}

// short is a context that ends soon: what is lost meanwhile stays so.
func short(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	t.Cleanup(cancel)
	return ctx
}

func states(l *oplog.Log) string {
	var out []string
	for _, r := range l.Unsettled() {
		out = append(out, fmt.Sprintf("%s %s %d", r.Op.Key, r.State, r.Tries))
	}
	return strings.Join(out, ", ")
}

// breakable answers calls of one name with a fault while it has one.
type breakable struct {
	mu    sync.Mutex
	name  string
	fault bustest.Fault
}

func (b *breakable) on(call string) bustest.Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	if call == b.name || b.name == "*" {
		return b.fault
	}
	return bustest.Fault{}
}

func (b *breakable) set(name string, f bustest.Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.name, b.fault = name, f
}

func TestTheNextLeaderFindsWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		a := open(t, bus.Connect(nil), 1)
		for _, key := range []string{"k1", "k2", "k3", "k4", "k5", "k6"} {
			must(t, a.Prepare(t.Context(), fund(t, key)))
		}
		for _, key := range []api.IdempotencyKey{"k2", "k3", "k4", "k3", "k6"} {
			must(t, a.Send(t.Context(), key))
		}
		must(t, a.End(t.Context(), "k3", oplog.Unknown, 0))
		must(t, a.End(t.Context(), "k4", oplog.Done, 4))
		must(t, a.End(t.Context(), "k5", oplog.Refused, 0))
		must(t, a.End(t.Context(), "k6", oplog.Dismissed, 0))
		b := open(t, bus.Connect(nil), 2)
		if got := states(b); got != "k1 prepared 0, k2 sent 1, k3 unknown 2" || got != states(a) {
			t.Errorf("b finds %s", got)
		}
		if r, ok := b.Find("k4"); !ok || r.State != oplog.Done || r.Moved != 4 {
			t.Errorf("k4 is %v", r)
		}
		r, _ := b.Find("k2")
		if w, ok := r.Op.Request.Write(); !ok || string(w.Body) != `{"amount":5.00}` || w.Path != "/cards/card_1/fund" {
			t.Errorf("k2 would be sent as %v %s", w, w.Body)
		}
	})
}

func TestWhatIsSettledIsNotSentAgain(t *testing.T) {
	var bus bustest.Bus
	a := open(t, bus.Connect(nil), 1)
	must(t, a.Prepare(t.Context(), fund(t, "k")))
	must(t, a.Prepare(t.Context(), fund(t, "k")))
	must(t, a.Send(t.Context(), "k"))
	must(t, a.Prepare(t.Context(), fund(t, "k")))
	if got := states(a); got != "k sent 1" {
		t.Errorf("prepared again it is %s", got)
	}
	must(t, a.End(t.Context(), "k", oplog.Done, 0))
	for what, err := range map[string]error{"prepared": a.Prepare(t.Context(), fund(t, "k")), "sent": a.Send(t.Context(), "k")} {
		if !errors.Is(err, oplog.ErrSettled) {
			t.Errorf("%s again: %v", what, err)
		}
	}
	if err := a.Begin(t.Context(), fund(t, "k")); !errors.Is(err, oplog.ErrSettled) {
		t.Errorf("begun again: %v", err)
	}
	must(t, a.Begin(t.Context(), fund(t, "k3")))
	must(t, a.Begin(t.Context(), fund(t, "k3")))
	if got := states(a); got != "k3 sent 2" {
		t.Errorf("begun twice it is %s", got)
	}
	must(t, a.End(t.Context(), "k3", oplog.Refused, 0))
	must(t, a.Begin(t.Context(), fund(t, "k3")))
	if got := states(a); got != "k3 sent 1" {
		t.Errorf("begun once more it is %s", got)
	}
	if err := a.Send(t.Context(), "other"); !errors.Is(err, oplog.ErrAbsent) {
		t.Errorf("what nobody prepared: %v", err)
	}
	if err := a.End(t.Context(), "k", oplog.Sent, 0); err == nil {
		t.Error("sent is an outcome")
	}
	op := fund(t, "k2")
	op.By.Name = "4111 1111 1111 1111"
	if err := a.Prepare(t.Context(), op); !errors.Is(err, oplog.ErrSecret) {
		t.Errorf("a number in a name: %v", err)
	}
}

// TestAPausedLeaderIsFenced has a leader go on that does not know that its time is over.
func TestAPausedLeaderIsFenced(t *testing.T) {
	var bus bustest.Bus
	a := open(t, bus.Connect(nil), 1)
	must(t, a.Prepare(t.Context(), fund(t, "k1")))
	b := open(t, bus.Connect(nil), 2)
	for what, err := range map[string]error{
		"prepares": a.Prepare(t.Context(), fund(t, "k2")), "sends": a.Send(t.Context(), "k1"), "ends": a.End(t.Context(), "k1", oplog.Done, 0),
	} {
		if !errors.Is(err, oplog.ErrFenced) || errors.Is(err, oplog.ErrUnsure) {
			t.Errorf("it %s: %v", what, err)
		}
	}
	if got := states(b); got != "k1 prepared 0" {
		t.Errorf("b has %s", got)
	}
	for _, number := range []uint64{1, 2} {
		if _, err := oplog.Open(t.Context(), bus.Connect(nil), held{number: number}); !errors.Is(err, oplog.ErrFenced) {
			t.Errorf("lease %d opens it: %v", number, err)
		}
	}
}

func TestALostAcknowledgementIsLookedFor(t *testing.T) {
	for _, f := range []bustest.Fault{{LoseAnswer: true, Delay: time.Minute / 4}, {LoseRequest: true}, {Refused: true}} {
		synctest.Test(t, func(t *testing.T) {
			var bus bustest.Bus
			var faults breakable
			a := open(t, bus.Connect(faults.on), 1)
			must(t, a.Prepare(t.Context(), fund(t, "k")))
			faults.set("append", f)
			time.AfterFunc(30*time.Second, func() { faults.set("", bustest.Fault{}) })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			err := a.Send(ctx, "k")
			if !errors.Is(err, oplog.ErrUnsure) || errors.Is(err, oplog.ErrFenced) {
				t.Errorf("%+v: %v", f, err)
			}
			must(t, a.Send(t.Context(), "k"))
			must(t, a.End(t.Context(), "k", oplog.Unknown, 0))
			b := open(t, bus.Connect(nil), 2)
			if got := states(b); got != states(a) {
				t.Errorf("%+v: a has %s, b %s", f, states(a), got)
			}
		})
	}
}

// TestALostAcknowledgementIsFoundWithinOneCall answers no append in time, but stores it.
func TestALostAcknowledgementIsFoundWithinOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		var faults breakable
		a := open(t, bus.Connect(faults.on), 1)
		faults.set("append", bustest.Fault{LoseAnswer: true})
		must(t, a.Prepare(t.Context(), fund(t, "k")))
		must(t, a.Send(t.Context(), "k"))
		if got := states(a); got != "k sent 1" {
			t.Errorf("it is %s", got)
		}
	})
}

// TestWhatALaterLeaderReplacedMayHaveBeenThere loses the acknowledgement of a leader
// whose message the next one then replaces: it must not say that nothing will be sent.
func TestWhatALaterLeaderReplacedMayHaveBeenThere(t *testing.T) {
	for _, stored := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var bus bustest.Bus
			var faults breakable
			a := open(t, bus.Connect(faults.on), 1)
			must(t, a.Prepare(t.Context(), fund(t, "k")))
			faults.set("append", bustest.Fault{LoseAnswer: stored, LoseRequest: !stored})
			if err := a.Send(short(t), "k"); !errors.Is(err, oplog.ErrUnsure) {
				t.Fatal(err)
			}
			b := open(t, bus.Connect(nil), 2)
			must(t, b.Send(t.Context(), "k"))
			faults.set("", bustest.Fault{})
			if err := a.Send(t.Context(), "k"); !errors.Is(err, oplog.ErrFenced) {
				t.Errorf("a goes on: %v", err)
			}
		})
	}
	for _, tt := range []struct {
		name   string
		stored bool
	}{{"it was stored", true}, {"it was not", false}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bus bustest.Bus
				var faults breakable
				a := open(t, bus.Connect(faults.on), 1)
				must(t, a.Prepare(t.Context(), fund(t, "k")))
				faults.set("append", bustest.Fault{LoseAnswer: tt.stored, LoseRequest: !tt.stored})
				time.AfterFunc(time.Second/2, func() {
					b := open(t, bus.Connect(nil), 2)
					must(t, b.Send(t.Context(), "k"))
				})
				err := a.Send(t.Context(), "k")
				if !errors.Is(err, oplog.ErrFenced) || errors.Is(err, oplog.ErrUnsure) != tt.stored {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

func TestNothingIsSentAfterTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		left := time.Second
		a, err := oplog.Open(t.Context(), bus.Connect(nil), held{number: 1, left: func() time.Duration { return left }})
		must(t, err)
		must(t, a.Prepare(t.Context(), fund(t, "k")))
		left = 0
		if err := a.Send(t.Context(), "k"); !errors.Is(err, oplog.ErrLeaseOver) || errors.Is(err, oplog.ErrUnsure) {
			t.Errorf("before the append: %v", err)
		}
		left = time.Second
		once := &ending{Conn: bus.Connect(nil), end: func() { left = 0 }}
		b, err := oplog.Open(t.Context(), once, held{number: 2, left: func() time.Duration { return left }})
		if err == nil {
			left = time.Second
			err = b.Send(t.Context(), "k")
		}
		if !errors.Is(err, oplog.ErrLeaseOver) || !errors.Is(err, oplog.ErrUnsure) {
			t.Errorf("while it is appended: %v", err)
		}
	})
}

// ending ends the lease when an append has been stored.
type ending struct {
	*bustest.Conn
	end func()
}

func (e *ending) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	defer e.end()
	return e.Conn.Append(ctx, last, subject, data)
}

func TestAStreamThatLostMessagesIsNotWrittenTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		var faults breakable
		a := open(t, bus.Connect(faults.on), 1)
		must(t, a.Prepare(t.Context(), fund(t, "k")))
		_, err := bus.Connect(nil).Append(t.Context(), 2, "x", []byte(`{"v":1,"id":"x","number":1}`))
		must(t, err)
		faults.set("read", bustest.Fault{Stale: 2})
		if err := a.Send(short(t), "k"); !errors.Is(err, oplog.ErrGone) {
			t.Errorf("%v", err)
		}
		faults.set("", bustest.Fault{})
		must(t, a.Send(t.Context(), "k"))
	})
}

func TestALogOfALaterVersionIsLeftAlone(t *testing.T) {
	var bus bustest.Bus
	a := open(t, bus.Connect(nil), 1)
	_, err := bus.Connect(nil).Append(t.Context(), 1, "x", []byte(`{"v":2}`))
	must(t, err)
	if err := a.Prepare(t.Context(), fund(t, "k")); !errors.Is(err, oplog.ErrFenced) {
		t.Errorf("it is written to: %v", err)
	}
	if _, err := oplog.Open(t.Context(), bus.Connect(nil), held{number: 9}); !errors.Is(err, oplog.ErrFenced) {
		t.Errorf("it is opened: %v", err)
	}
}

// TestNoTwoPrepareTheSame has goroutines begin and send one key at once: it is never
// called unsent again.
func TestNoTwoPrepareTheSame(t *testing.T) {
	var bus bustest.Bus
	a := open(t, bus.Connect(nil), 1)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := errors.Join(a.Prepare(t.Context(), fund(t, "k")), a.Send(t.Context(), "k")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := states(a); got != "k sent 20" {
		t.Errorf("it is %s", got)
	}
}

// TestTheLogStaysShort settles more operations than the log keeps.
func TestTheLogStaysShort(t *testing.T) {
	var bus bustest.Bus
	var faults breakable
	later := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	a := open(t, bus.Connect(faults.on), 1)
	for i := range 2100 {
		key := api.IdempotencyKey(fmt.Sprint(i))
		must(t, a.Prepare(t.Context(), fund(t, string(key))))
		if i != 50 {
			must(t, a.End(t.Context(), key, oplog.Refused, 0))
		}
		if i == 20 {
			must(t, a.Prepare(t.Context(), fund(t, "10"))) // once more
		}
	}
	faults.set("remove", bustest.Fault{Refused: true})
	if err := a.Trim(t.Context(), later); !errors.Is(err, bustest.ErrDown) {
		t.Errorf("trimmed: %v", err)
	}
	faults.set("", bustest.Fault{})
	must(t, a.Trim(t.Context(), later))
	for _, l := range []*oplog.Log{a, open(t, bus.Connect(nil), 2)} {
		if got := states(l); got != "10 prepared 0, 50 prepared 0" {
			t.Errorf("open: %s", got)
		}
		_, first := l.Find("0")
		if _, last := l.Find("2099"); first || !last {
			t.Errorf("the oldest is there: %v, the newest: %v", first, last)
		}
	}
	if n := bus.Len(); n != 2000+2+1 {
		t.Errorf("%d messages are left", n)
	}
}

// TestWhatGuardrailsCountStays settles more operations within a day than the log keeps
// otherwise.
func TestWhatGuardrailsCountStays(t *testing.T) {
	var bus bustest.Bus
	morning := time.Date(2026, 1, 2, 6, 0, 0, 0, time.UTC)
	a := open(t, bus.Connect(nil), 1)
	for i := range 2010 {
		op := fund(t, fmt.Sprint(i))
		op.Begun = morning.Add(time.Duration(i) * time.Minute)
		must(t, a.Begin(t.Context(), op))
		must(t, a.End(t.Context(), op.Key, oplog.Done, 0))
	}
	must(t, a.Trim(t.Context(), morning.Add(5*time.Minute)))
	b := open(t, bus.Connect(nil), 2)
	if all, some := len(b.Settled(morning)), len(b.Settled(morning.Add(2000*time.Minute))); all != 2005 || some != 10 {
		t.Errorf("%d and %d are there", all, some)
	}
	if first := b.Settled(morning)[0]; first.Op.Key != "5" || first.State != oplog.Done {
		t.Errorf("the first is %+v", first)
	}
}

// TestOpeningALongLogOutlastsTheLease reads for longer than a lease lasts without
// renewal.
func TestOpeningALongLogOutlastsTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		slow := bus.Connect(func(string) bustest.Fault { return bustest.Fault{Delay: 900 * time.Millisecond} })
		for number := range uint64(3) {
			l, err := oplog.Open(t.Context(), slow, held{number: number + 1, left: func() time.Duration { return time.Second }})
			must(t, err)
			must(t, l.Begin(t.Context(), fund(t, fmt.Sprint(number))))
		}
	})
}
