package journal_test

import (
	"errors"
	"net/http"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/journal"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/state"
)

// held is a lease that does not end.
type held uint64

func (h held) Number() uint64      { return uint64(h) }
func (held) Left() time.Duration   { return time.Minute }
func (held) Lost() <-chan struct{} { return nil }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same is for hubs whose clocks agree.
func same(_ uint64, at time.Time) time.Time { return at }

func lead(t *testing.T, c *bustest.Conn, number held) (engine.Journal, *oplog.Log) {
	t.Helper()
	log, err := oplog.Open(t.Context(), c, number)
	must(t, err)
	return journal.New(log, number, same), log
}

func fund(t *testing.T, key api.IdempotencyKey) state.Op {
	t.Helper()
	amount, err := api.ParseUSD("5.00")
	must(t, err)
	return state.Op{
		Kind: state.OpFund, Card: "card_1", Amount: amount, Key: key, Name: "fb 1", Label: "a&b", By: state.Actor{Name: "ann", Role: "buyer", From: "192.0.2.7", Approved: "lea"}, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Tries: 1, Expected: state.Preview{CardAfter: amount},
		Write: &api.Write{Method: http.MethodPost, Route: "/cards/{card_id}/fund", Path: "/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)},
	}
}

func TestNoSecretIsInTheLog(t *testing.T) {
	var bus bustest.Bus
	a, _ := lead(t, bus.Connect(nil), 1)
	op := fund(t, "k1")
	op.Kind = state.OpSubscribe
	must(t, a.Begin(op, api.Write{Method: http.MethodPost, Path: "/webhooks", Body: []byte(`{"secret":"s"}`), Sensitive: true}))
	b, _ := lead(t, bus.Connect(nil), 2)
	ops, err := b.Adopt()
	must(t, err)
	if len(ops) != 1 || ops[0].Kind != state.OpSubscribe || !ops[0].Write.Sensitive || len(ops[0].Write.Body) > 0 {
		t.Errorf("it resumes %+v", ops)
	}
	if err := b.Begin(fund(t, "k2"), api.Write{Method: http.MethodPatch, Path: "/cards/card_1", Body: []byte(`{"label":"4111111111111111"}`)}); !errors.Is(err, oplog.ErrSecret) {
		t.Errorf("a card number in a label: %v", err)
	}
}

// TestWhatWasNotStoredInTimeIsTakenBack stores an operation too late, or after it was
// taken back, or not at all.
func TestWhatWasNotStoredInTimeIsTakenBack(t *testing.T) {
	for _, f := range []bustest.Fault{{LoseRequest: true}, {LoseAnswer: true, Delay: 12 * time.Second}, {LoseAnswer: true, Delay: 30 * time.Second}} {
		for _, forGood := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				var bus bustest.Bus
				var broken atomic.Bool
				a, _ := lead(t, bus.Connect(func(call string) bustest.Fault {
					if call == "append" && broken.Load() {
						return f
					}
					return bustest.Fault{}
				}), 1)
				broken.Store(true)
				if !forGood {
					time.AfterFunc(11*time.Second, func() { broken.Store(false) })
				}
				op := fund(t, "k1")
				if err := a.Begin(op, *op.Write); err == nil || errors.Is(err, oplog.ErrUnsure) != forGood || errors.Is(err, state.ErrMaybeBegun) != forGood {
					t.Errorf("%+v: %v", f, err)
				}
				time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
				if forGood {
					return
				}
				b, _ := lead(t, bus.Connect(nil), 2)
				if ops, err := b.Adopt(); err != nil || len(ops) != 0 {
					t.Errorf("%+v: the next leader sends %v, %v", f, ops, err)
				}
			})
		}
	}
}

func TestTheNextLeaderResumesWhatWasBegun(t *testing.T) {
	var bus bustest.Bus
	a, log := lead(t, bus.Connect(nil), 1)
	for _, key := range []api.IdempotencyKey{"k1", "k2", "k3", "k4", "k5", "k5d", "k5n"} {
		op := fund(t, key)
		must(t, a.Begin(op, *op.Write))
	}
	must(t, errors.Join(a.End(fund(t, "k2"), api.Done), a.End(fund(t, "k3"), api.Refused), a.End(fund(t, "k4"), api.Unknown), a.Dismiss(fund(t, "k5"), state.OpStatusDismissed),
		a.Dismiss(fund(t, "k5d"), state.OpStatusResolvedDone), a.Dismiss(fund(t, "k5n"), state.OpStatusResolvedNotDone)))
	must(t, log.Prepare(t.Context(), oplog.Op{Key: "k6", Kind: "fund"}))
	b, _ := lead(t, bus.Connect(nil), 2)
	ops, err := b.Adopt()
	must(t, err)
	if len(ops) != 2 || !reflect.DeepEqual(ops[0], fund(t, "k1")) || ops[1].Key != "k4" {
		t.Errorf("it resumes %+v", ops)
	}
	if again, err := b.Adopt(); err != nil || len(again) != 0 {
		t.Errorf("twice: %v, %v", again, err)
	}
	if under, err := b.UnderWay(); err != nil || len(under) != 2 {
		t.Errorf("under way: %v, %v", under, err)
	}
	fates, err := b.Fates([]api.IdempotencyKey{"k1", "k2", "k3", "k4", "k5", "k5d", "k5n", "k6", "k7"})
	must(t, err)
	want := map[api.IdempotencyKey]state.OpStatus{
		"k1": state.OpStatusBegun, "k2": state.OpStatusDone, "k3": state.OpStatusRefused, "k4": state.OpStatusUnknown, "k5": state.OpStatusDismissed, "k6": state.OpStatusRefused,
		"k5d": state.OpStatusResolvedDone, "k5n": state.OpStatusResolvedNotDone,
	}
	if len(fates) != len(want) {
		t.Errorf("%d fates", len(fates))
	}
	for key, status := range want {
		if fates[key].Status != status {
			t.Errorf("%s is %s", key, fates[key].Status)
		}
	}
	if done := fund(t, "k5d"); !errors.Is(b.Begin(done, *done.Write), oplog.ErrSettled) {
		t.Error("what a person said was done is begun again")
	}
	op := fund(t, "k8")
	if err := a.Begin(op, *op.Write); !errors.Is(err, oplog.ErrFenced) {
		t.Errorf("the old leader begins: %v", err)
	}
	if release, mine, err := b.ClaimRule("r"); !mine || err != nil {
		t.Error("a rule is not the leader's")
	} else {
		release()
	}
}
