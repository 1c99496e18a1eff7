package engine_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
)

// desk is an engine with a real disk below it.
type desk struct {
	*engine.Engine
	service *service
	journal *journal.Journal
	past    *history.Log
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened makes a desk on a folder; an empty one keeps nothing.
func opened(t *testing.T, dir string, now func() time.Time, g guard.Guard) *desk {
	t.Helper()
	d := &desk{service: &service{bodies: bodies()}}
	var err error
	d.journal, err = journal.Open(dir, now)
	must(t, err)
	t.Cleanup(func() { must(t, d.journal.Close()) })
	d.past, err = history.Open(history.Config{Dir: dir, User: "ann", Mode: "LIVE", Profile: "team", Now: now})
	must(t, err)
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: d.service, Now: now})
	must(t, err)
	d.Engine = engine.New(engine.Config{Client: c, Journal: d.journal, History: d.past, Guard: g, Now: now})
	return d
}

func stepping() func() time.Time {
	return (&clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}).read
}

// lines are what the history holds, the oldest first.
func (d *desk) lines(t *testing.T) []state.Record {
	t.Helper()
	records, err := d.past.Load(100)
	must(t, err)
	slices.Reverse(records)
	return records
}

func named(o state.Op) state.Op {
	o.Name = "fb/01 ••4242"
	return o
}

// usd writes amounts with what is not known.
func usd(all ...*api.USD) string {
	var out []string
	for _, u := range all {
		if u == nil {
			out = append(out, "?")
			continue
		}
		out = append(out, u.String())
	}
	return strings.Join(out, " ")
}

func TestEveryWriteLeavesARecord(t *testing.T) {
	for _, tt := range []struct {
		kind                  state.OpKind
		action, method, route string
		card, name            string
		amount, balances      string
	}{
		{state.OpFreeze, "freeze", "POST", "/cards/{card_id}/freeze", "card_1", "fb/01 ••4242", "0.00", "? ? ?"},
		{state.OpUnfreeze, "unfreeze", "POST", "/cards/{card_id}/unfreeze", "card_1", "fb/01 ••4242", "0.00", "? 50.00 ?"},
		{state.OpFund, "fund", "POST", "/cards/{card_id}/fund", "card_1", "fb/01 ••4242", "5.00", "10.00 15.00 85.00"},
		{state.OpWithdraw, "withdraw", "POST", "/cards/{card_id}/withdraw", "card_1", "fb/01 ••4242", "5.00", "10.00 5.00 ?"},
		{state.OpIssue, "issue", "POST", "/cards", "card_9", "new ••", "5.00", "? 5.00 ?"},
		{state.OpUpdate, "update", "PATCH", "/cards/{card_id}", "card_1", "fb/01 ••4242", "0.00", "? 50.00 ?"},
		{state.OpTerminate, "terminate", "DELETE", "/cards/{card_id}", "card_1", "fb/01 ••4242", "50.00", "? ? ?"},
	} {
		t.Run(tt.action, func(t *testing.T) {
			d := opened(t, t.TempDir(), stepping(), guard.Guard{})
			o := named(op(tt.kind, 1))
			if tt.kind == state.OpIssue {
				o.Card, o.Amount = "", 5*api.Dollar
			}
			done, ok := d.Run(t.Context(), state.Do{Op: o}).(state.OpDone)
			if !ok || done.Record == nil || done.Lost != "" || done.Note != "" {
				t.Fatalf("event %+v", done)
			}
			rows := d.lines(t)
			if len(rows) != 1 {
				t.Fatalf("%d records", len(rows))
			}
			for _, r := range append(rows, *done.Record) {
				if r.Action != tt.action || r.Method != tt.method || r.Route != tt.route || string(r.Card) != tt.card || r.Name != tt.name {
					t.Errorf("what: %+v", r)
				}
				if r.Amount.String() != tt.amount || usd(r.CardBefore, r.CardAfter, r.WalletAfter) != tt.balances {
					t.Errorf("money: %s, %s", r.Amount, usd(r.CardBefore, r.CardAfter, r.WalletAfter))
				}
				if r.User != "ann" || r.Mode != "LIVE" || r.Profile != "team" || r.RequestID != "req_9" || r.Outcome != "done" ||
					r.Err != "" || r.Tries != 1 || r.Key != "key-1" || r.Took <= 0 || r.At.IsZero() {
					t.Errorf("who and how: %+v", r)
				}
			}
			if open, err := d.journal.UnderWay(); err != nil || len(open) != 0 {
				t.Errorf("left open: %v, %v", open, err)
			}
		})
	}
}

func TestWhatIsNotDoneLeavesARecordToo(t *testing.T) {
	d := opened(t, t.TempDir(), stepping(), guard.Guard{})
	try := func(tries int) *state.Record {
		failed, ok := d.Run(t.Context(), state.Do{Op: named(op(state.OpFund, tries))}).(state.OpFailed)
		if !ok {
			t.Fatal("it was done")
		}
		return failed.Record
	}
	d.service.err = io.ErrUnexpectedEOF
	if r := try(1); r == nil || r.Outcome != "unknown" || r.Err == "" || r.Amount != 5*api.Dollar {
		t.Errorf("lost: %+v", r)
	}
	if r := try(2); r != nil {
		t.Errorf("lost again is no news: %+v", r)
	}
	d.service.err, d.service.status = nil, 400
	d.service.bodies = map[string]string{"POST /cards/card_1/fund": `{"error":"insufficient_funds","message":"too low","request_id":"req_4"}`}
	if r := try(3); r != nil {
		t.Errorf("refused after it was lost: %+v", r)
	}
	d.service.err = io.ErrUnexpectedEOF
	try(4)
	ev, ok := d.Run(t.Context(), state.Forget{Op: named(op(state.OpFund, 5)), Status: state.OpStatusResolvedNotDone}).(state.OpForgotten)
	if !ok || ev.Err != nil || ev.Record == nil || ev.Lost != "" {
		t.Errorf("judged: %+v", ev)
	}
	d.Run(t.Context(), state.Forget{Op: op(state.OpFund, 5)})
	var got []string
	for _, r := range d.lines(t) {
		got = append(got, r.Outcome)
	}
	if want := "unknown judged-not-done dismissed"; strings.Join(got, " ") != want {
		t.Errorf("history: %v, want %s", got, want)
	}
}

// TestAnOldRefusalSaysNothingOfALaterTry is killed in the second try of a
// row whose first one never reached the server.
func TestAnOldRefusalSaysNothingOfALaterTry(t *testing.T) {
	dir := t.TempDir()
	now := stepping()
	d := opened(t, dir, now, guard.Guard{})
	d.service.err = &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	row := op(state.OpFund, 1)
	d.Run(t.Context(), state.Do{Op: row})
	keys := []api.IdempotencyKey{row.Key}
	told := func(name string, e *desk, begun map[api.IdempotencyKey]time.Time, want state.OpStatus) {
		t.Helper()
		if fates, err := e.Fates(keys, time.Time{}, begun); err != nil || fates[row.Key] != want {
			t.Errorf("%s: %v, %v; want %s", name, fates, err, want)
		}
	}
	told("after the first try", d, nil, state.OpStatusNotSent)
	again := now()
	must(t, d.journal.Begin(row, *row.Write))
	told("under way", d, nil, state.OpStatusBegun)
	must(t, d.journal.Close())
	after := opened(t, dir, now, guard.Guard{})
	told("taken up by another", after, nil, state.OpStatusBegun)
	// The plan's own note is as good as the journal's, should that be lost.
	bare := opened(t, t.TempDir(), now, guard.Guard{})
	told("known by the plan alone", bare, map[api.IdempotencyKey]time.Time{row.Key: again}, state.OpStatusBegun)
	must(t, after.journal.Dismiss(row, state.OpStatusDismissed))
	told("let go of", after, nil, state.OpStatusDismissed)
	other := op(state.OpFund, 1)
	after.Run(t.Context(), state.Forget{Op: other, Status: state.OpStatusResolvedDone})
	told("found out since", after, map[api.IdempotencyKey]time.Time{row.Key: again}, state.OpStatusResolvedDone)
}

// TestARowThatALimitHeldUpIsNotRefused holds that the next run can tell it from one that the
// server refused, also when the first was killed at once.
func TestARowThatALimitHeldUpIsNotRefused(t *testing.T) {
	for status, want := range map[int]state.OpStatus{429: state.OpStatusNotSent, 400: state.OpStatusRefused} {
		dir, now := t.TempDir(), stepping()
		d := opened(t, dir, now, guard.Guard{})
		d.service.status = status
		d.service.bodies = map[string]string{"POST /cards/card_1/fund": `{"error":"rate_limited","message":"m","request_id":"req_1"}`}
		row := op(state.OpFund, 1)
		row.Bulk = "plan-1"
		d.Run(t.Context(), state.Do{Op: row})
		begun := map[api.IdempotencyKey]time.Time{row.Key: row.At}
		for name, e := range map[string]*desk{"its own": d, "another's": opened(t, dir, now, guard.Guard{})} {
			if fates, err := e.Fates([]api.IdempotencyKey{row.Key}, time.Time{}, begun); err != nil || fates[row.Key] != want {
				t.Errorf("%d, %s: %v, %v", status, name, fates, err)
			}
		}
	}
}

// funding is an operation of its own.
func funding(t *testing.T, key api.IdempotencyKey, amount api.USD) state.Op {
	t.Helper()
	w, err := api.FundWrite("card_1", amount)
	must(t, err)
	return state.Op{ID: 7, Kind: state.OpFund, Card: "card_1", Amount: amount, Key: key, Tries: 1, Write: &w, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func TestGuardrailsHoldBeforeAnythingIsSent(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		d := opened(t, dir, stepping(), guard.Guard{MaxOperation: 8 * api.Dollar, MaxHour: 10 * api.Dollar})
		run := func(o state.Op) string {
			failed, ok := d.Run(t.Context(), state.Do{Op: o}).(state.OpFailed)
			if !ok {
				return ""
			}
			if failed.Record != nil || !failed.NotSent {
				t.Errorf("refused, and yet %+v", failed)
			}
			return failed.Err.Error()
		}
		if got := run(funding(t, "large", 9*api.Dollar)); !strings.Contains(got, "nothing was sent: guardrail: at most $8.00") || d.service.count() != 0 {
			t.Errorf("above one operation's cap: %q", got)
		}
		// What nobody answered counts, and may be asked for again.
		d.service.err = io.ErrUnexpectedEOF
		d.Run(t.Context(), state.Do{Op: funding(t, "unknown", 6*api.Dollar)})
		d.service.err = nil
		if got := run(funding(t, "next", 5*api.Dollar)); !strings.Contains(got, "$6.00 of $10.00 an hour used; $4.00 left until") {
			t.Errorf("above the hour's cap: %q", got)
		}
		if got := run(funding(t, "unknown", 6*api.Dollar)); got != "" {
			t.Errorf("asking again is held up: %q", got)
		}
		if got := run(op(state.OpWithdraw, 1)); got != "" {
			t.Errorf("what goes back is held up: %q", got)
		}
		// The answer says that 5.00 moved, and 6.00 count.
		if got := run(funding(t, "above", 5*api.Dollar)); !strings.Contains(got, "$6.00 of $10.00") {
			t.Errorf("above what was asked for: %q", got)
		}
		if got := run(funding(t, "fits", 4*api.Dollar)); got != "" {
			t.Errorf("what fits is held up: %q", got)
		}
		// This one says that 5.00 moved, and they count.
		if got := run(funding(t, "more", api.Dollar)); !strings.Contains(got, "$11.00 of $10.00") {
			t.Errorf("more: %q", got)
		}
		ev, ok := d.Run(t.Context(), state.AdoptOperations{}).(state.OperationsAdopted)
		if !ok || ev.Err != nil || len(ev.Moved) != 2 {
			t.Errorf("told of %+v", ev)
		}
		d.SetGuard(guard.Guard{MaxOperation: 2 * api.Dollar})
		if got := run(funding(t, "now", 3*api.Dollar)); !strings.Contains(got, "guardrail: at most $2.00") {
			t.Errorf("above a cap that was set since: %q", got)
		}
	}
}

// TestAnAnswerMakesNoRoomBelowACap: whatever the API says that it moved, what was asked for
// counts, and both are recorded.
func TestAnAnswerMakesNoRoomBelowACap(t *testing.T) {
	for _, answered := range []string{"0", "1", "-60"} {
		d := opened(t, t.TempDir(), stepping(), guard.Guard{MaxDay: 100 * api.Dollar})
		d.service.bodies["POST /cards/card_1/fund"] = `{"id":"card_1","previous_balance":10,"funded_amount":` + answered + `,"new_balance":15,"wallet_balance":85}`
		if _, done := d.Run(t.Context(), state.Do{Op: funding(t, "first", 60*api.Dollar)}).(state.OpDone); !done {
			t.Fatal("the first is not done")
		}
		failed, _ := d.Run(t.Context(), state.Do{Op: funding(t, "second", 60*api.Dollar)}).(state.OpFailed)
		if failed.Err == nil || !strings.Contains(failed.Err.Error(), "$60.00 of $100.00") {
			t.Errorf("answered %s, the second: %v", answered, failed.Err)
		}
		r := d.lines(t)[0]
		if r.Asked != 60*api.Dollar || r.Amount.String() != answered+".00" || !strings.Contains(r.Mismatch, "$60.00 was asked for and the API moved") {
			t.Errorf("answered %s: recorded %+v", answered, r)
		}
	}
}

// TestACapOfALabelHoldsForAnyLabel: one that looks like a card number or a code is no secret,
// and counts as it is.
func TestACapOfALabelHoldsForAnyLabel(t *testing.T) {
	for _, label := range []string{"fb/20261127-1504-99", "fb/20261127-1504-01", "fb/4242424242424242", "fb/otp:spring", "fb/token=a"} {
		d := opened(t, t.TempDir(), stepping(), guard.Guard{Labels: []guard.LabelCap{{Labels: label[:6] + "*", MaxHour: 10 * api.Dollar}}})
		fund := func(key api.IdempotencyKey) state.Op {
			o := funding(t, key, 6*api.Dollar)
			o.Label, o.Name = label, label+" ••4242"
			return o
		}
		if _, done := d.Run(t.Context(), state.Do{Op: fund("first")}).(state.OpDone); !done {
			t.Fatalf("%s: the first is not done", label)
		}
		if failed, _ := d.Run(t.Context(), state.Do{Op: fund("second")}).(state.OpFailed); failed.Err == nil {
			t.Errorf("%s: the second passes the cap", label)
		}
		if r := d.lines(t)[0]; r.Label != label || r.Name != label+" ••4242" {
			t.Errorf("%s is recorded as %q, %q", label, r.Label, r.Name)
		}
	}
}

// TestNoSecretReachesTheDisk lets a server quote secrets in its answers.
func TestNoSecretReachesTheDisk(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, stepping(), guard.Guard{})
	d.service.status = 400
	quote := `{"error":"invalid","message":"card ` + pan + ` cvv: 987 otp=482913 key sk_test_0123456789 whsec_abcdef012345","request_id":"` + pan + `"}`
	for _, kind := range []state.OpKind{state.OpFreeze, state.OpUnfreeze, state.OpFund, state.OpWithdraw, state.OpIssue, state.OpUpdate, state.OpTerminate} {
		o := op(kind, 1)
		o.Key = api.IdempotencyKey("key-" + kind.Verb())
		d.service.bodies = map[string]string{o.Write.Method + " " + o.Write.Path: quote}
		d.Run(t.Context(), state.Do{Op: o})
	}
	if n := len(d.lines(t)); n != 7 {
		t.Errorf("%d records", n)
	}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, "operations") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, secret := range []string{pan, "987", "482913", "0123456789", "whsec_"} {
			if strings.Contains(string(data), secret) {
				t.Errorf("%s holds %q", path, secret)
			}
		}
		return err
	}))
}

// TestTheHistoryKeepsNoPromiseThatAnotherOperationBroke has one begin while
// another, which promised what the wallet will hold, waits for its answer.
func TestTheHistoryKeepsNoPromiseThatAnotherOperationBroke(t *testing.T) {
	firm := func(id state.OpID, kind state.OpKind) state.Op {
		o := named(op(kind, 1))
		o.ID, o.Key, o.Firm = id, api.IdempotencyKey(kind.String()), true
		o.Expected = state.Preview{CardBefore: 10 * api.Dollar, CardAfter: 15 * api.Dollar, WalletBefore: 90 * api.Dollar, WalletAfter: 85 * api.Dollar}
		return o
	}
	for _, tt := range []struct {
		name          string
		before, while *state.Op
		wallet        string
	}{
		{"alone", nil, nil, "85.00"},
		{"after a withdrawal", new(firm(6, state.OpWithdraw)), nil, "85.00"},
		{"beside a freeze", nil, new(firm(8, state.OpFreeze)), "85.00"},
		{"beside a withdrawal", nil, new(firm(8, state.OpWithdraw)), "?"},
		{"beside a later one that went first", new(firm(8, state.OpWithdraw)), nil, "?"},
		{"beside a termination", nil, new(firm(8, state.OpTerminate)), "?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := opened(t, t.TempDir(), stepping(), guard.Guard{})
			if tt.before != nil {
				d.Run(t.Context(), state.Do{Op: *tt.before})
			}
			var inner *state.Op
			d.service.before = func() {
				if inner, tt.while = tt.while, nil; inner != nil {
					d.Run(t.Context(), state.Do{Op: *inner})
				}
			}
			done, ok := d.Run(t.Context(), state.Do{Op: firm(7, state.OpFund)}).(state.OpDone)
			if !ok || done.Record == nil || usd(done.Record.CardShown, done.Record.WalletShown) != "15.00 "+tt.wallet {
				t.Errorf("%+v", done.Record)
			}
		})
	}
}

// TestAnAmountThatRestsOnABalanceIsNotSentOnceTheCardHasMoved by another program of this
// machine: one that is under way, or that was answered since the card was read.
func TestAnAmountThatRestsOnABalanceIsNotSentOnceTheCardHasMoved(t *testing.T) {
	dir, now := t.TempDir(), stepping()
	other, mine := opened(t, dir, now, guard.Guard{}), opened(t, dir, now, guard.Guard{})
	rests := func(key api.IdempotencyKey, read time.Time) string {
		o := funding(t, key, 5*api.Dollar)
		o.BalanceAt = read
		failed, ok := mine.Run(t.Context(), state.Do{Op: o}).(state.OpFailed)
		switch {
		case !ok:
			return "done"
		case !failed.NotSent || failed.Record != nil || !errors.Is(failed.Err, state.ErrMoved):
			t.Errorf("%s: %+v", key, failed)
		}
		return "moved"
	}
	read := now()
	if got := rests("alone", read); got != "done" {
		t.Fatal("nothing else moves the card, and it is not sent")
	}
	read = now()
	other.service.err = io.ErrUnexpectedEOF
	other.Run(t.Context(), state.Do{Op: funding(t, "other", api.Dollar)})
	if got := rests("beside", now()); got != "moved" {
		t.Error("sent while another program's fund of the card has no answer")
	}
	other.service.err = nil
	again := funding(t, "other", api.Dollar)
	again.Tries = 2
	if _, ok := other.Run(t.Context(), state.Do{Op: again}).(state.OpDone); !ok {
		t.Fatal("the other is not done")
	}
	if got := rests("since", read); got != "moved" || len(mine.journal.Pending()) != 0 {
		t.Errorf("%s by a balance from before another program's fund, %d open", got, len(mine.journal.Pending()))
	}
	if got := rests("after", now()); got != "done" {
		t.Error("the card was read since, and it is not sent")
	}
}

// TestWhatTheHistoryDidNotTakeIsAddedLater with the next record that it takes; till then it is in the
// journal, also for the next start. What was refused is closed at once.
func TestWhatTheHistoryDidNotTakeIsAddedLater(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, stepping(), guard.Guard{})
	blocked := filepath.Join(dir, "history.jsonl")
	must(t, os.Mkdir(blocked, 0o700))
	if done, ok := d.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpDone); !ok || done.Lost == "" {
		t.Fatalf("%+v", done)
	}
	refused := op(state.OpFund, 1)
	refused.Key = "refused"
	bodies := d.service.bodies
	d.service.status, d.service.bodies = 400, map[string]string{"POST /cards/card_1/fund": `{"error":"invalid","message":"m","request_id":"req_1"}`}
	d.Run(t.Context(), state.Do{Op: refused})
	d.service.status, d.service.bodies = 0, bodies
	if open, err := d.journal.UnderWay(); err != nil || len(open) != 1 {
		t.Fatalf("under way: %+v, %v", open, err)
	}
	must(t, os.Remove(blocked))
	next := op(state.OpFund, 1)
	next.Key = "next"
	d.Run(t.Context(), state.Do{Op: next})
	if open, err := d.journal.UnderWay(); err != nil || len(open) != 0 {
		t.Errorf("under way: %+v, %v", open, err)
	}
	if h, ok := d.Run(t.Context(), state.FetchHistory{}).(state.HistoryLoaded); !ok || h.Err != nil || len(h.Records) != 2 {
		t.Errorf("history: %+v", h)
	}
}

func TestTheHistoryIsFetched(t *testing.T) {
	t.Chdir(t.TempDir())
	d := opened(t, t.TempDir(), stepping(), guard.Guard{})
	d.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)})
	h, ok := d.Run(t.Context(), state.FetchHistory{}).(state.HistoryLoaded)
	if !ok || h.Err != nil || len(h.Records) != 1 || h.Budget.Hour != 1 || h.At.IsZero() {
		t.Fatalf("event %+v", h)
	}
	bare := newRig(t, bodies())
	if x, ok := bare.Run(t.Context(), state.SaveRows{}).(state.RowsSaved); !ok || x.Err == nil {
		t.Errorf("without exports: %+v", x)
	}
	if h, ok = bare.Run(t.Context(), state.FetchHistory{}).(state.HistoryLoaded); !ok || h.Err != nil {
		t.Errorf("without a history: %+v", h)
	}
}
