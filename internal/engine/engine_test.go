package engine_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

const (
	pan = "4111111111111111"
	cvv = "123"
)

// service plays answers by method and path and notes what it was asked.
type service struct {
	mu     sync.Mutex
	bodies map[string]string
	status int
	err    error
	date   time.Time
	asked  []*http.Request
	sent   []string
	before func()
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.before != nil {
		s.before()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	body := ""
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	s.sent = append(s.sent, body)
	if s.err != nil {
		return nil, s.err
	}
	answer, ok := s.bodies[r.Method+" "+strings.TrimPrefix(r.URL.Path, "/v1")]
	status := s.status
	if !ok {
		status, answer = 404, `{"error":"not_found","message":"no such route","request_id":"req_1"}`
	}
	if status == 0 {
		status = 200
	}
	h := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req_9"}}
	if !s.date.IsZero() {
		h.Set("Date", s.date.UTC().Format(http.TimeFormat))
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(answer)), ContentLength: int64(len(answer))}, nil
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// ledger is a journal that notes what it is told.
type ledger struct {
	lines            []string
	beginErr, endErr error
	dismissErr       error
	adoptErr         error
	openErr          error
	left, open       []state.Op
	fates            map[api.IdempotencyKey]state.OpStatus
	fatesAt          time.Time
	requestsAtBegin  int
	service          *service
}

func (l *ledger) Begin(op state.Op, w api.Write) error {
	l.requestsAtBegin = l.service.count()
	l.lines = append(l.lines, fmt.Sprintf("begin %s %s", op.Key, w))
	return l.beginErr
}

func (l *ledger) End(op state.Op, outcome api.Result) error {
	l.lines = append(l.lines, fmt.Sprintf("%s %s", outcome, op.Key))
	return l.endErr
}

func (l *ledger) Dismiss(op state.Op, as state.OpStatus) error {
	l.lines = append(l.lines, fmt.Sprintf("%s %s", as, op.Key))
	return l.dismissErr
}

func (l *ledger) Adopt() ([]state.Op, error) { return l.left, l.adoptErr }

func (l *ledger) ClaimRule(string) (release func(), mine bool, err error) {
	return func() {}, true, nil
}

func (l *ledger) UnderWay() ([]state.Op, error) { return l.open, l.openErr }

func (l *ledger) Fates([]api.IdempotencyKey) (map[api.IdempotencyKey]state.StatusAt, error) {
	words := make(map[api.IdempotencyKey]state.StatusAt)
	for key, fate := range l.fates {
		words[key] = state.StatusAt{Status: fate, At: l.fatesAt}
	}
	return words, l.openErr
}

// clock steps a little each time it is read.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(10 * time.Millisecond)
	return c.now
}

type rig struct {
	*engine.Engine
	service *service
	ledger  *ledger
	clock   *clock
}

func newRig(t *testing.T, bodies map[string]string) *rig {
	t.Helper()
	s := &service{bodies: bodies}
	r := &rig{service: s, ledger: &ledger{service: s}, clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	cl, err := client.New(client.Config{
		BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: s,
		Observe: func(c api.Call) { r.Observe(c) }, Now: r.clock.read,
	})
	must(t, err)
	r.Engine = engine.New(engine.Config{Client: cl, Journal: r.ledger, Now: r.clock.read})
	return r
}

const (
	cardItem = `{"id":"card_1","bin_id":"bin_1","network":"visa","last4":"4242","status":"active","balance":50.00,"label":"a","created_at":"2026-03-01T12:00:00Z"}`
	summary  = `{"id":"card_1","status":"frozen","balance":12.5}`
	wallet   = `{"balance":100.25,"currency":"USD"}`
	row      = `{"id":"txn_1","card_id":"card_1","type":"settlement","amount":-3.10,"created_at":"2026-03-01T12:00:00Z"}`
	otp      = `{"id":"3ds_1","card_id":"card_1","merchant":"M","amount":9.99,"otp":"482913","status":"pending","expires_at":"2026-03-01T12:05:00Z","created_at":"2026-03-01T12:00:00Z"}`
	details  = `{"id":"card_1","pan":"` + pan + `","cvv":"` + cvv + `","exp_month":3,"exp_year":2029,"holder_name":"A B","billing_address":{"line1":"1 St","city":"X","state":"DE","zip":"1","country":"US"}}`
)

func bodies() map[string]string {
	rows := row
	for i := range 99 {
		rows += "," + strings.Replace(row, "txn_1", fmt.Sprint("txn_", i+2), 1)
	}
	return map[string]string{
		"GET /cards":                  `{"data":[` + cardItem + `],"pagination":{"page":1,"per_page":100,"total":7,"total_pages":3}}`,
		"GET /cards/card_1":           summary,
		"GET /cards/card_1/details":   details,
		"GET /3ds":                    `{"data":[` + otp + `]}`,
		"GET /3ds/3ds_1":              otp,
		"GET /transactions":           `{"data":[` + rows + `],"pagination":{"page":1,"per_page":100}}`,
		"GET /wallet/balance":         wallet,
		"GET /wallet/deposits":        `{"data":[{"id":"dep_1","status":"pending"}]}`,
		"POST /cards/card_1/freeze":   `{"id":"card_1","status":"frozen","frozen_at":"2026-03-01T12:00:00Z"}`,
		"POST /cards/card_1/unfreeze": `{"id":"card_1","status":"active","balance":50}`,
		"POST /cards/card_1/fund":     `{"id":"card_1","previous_balance":10,"funded_amount":5,"new_balance":15,"wallet_balance":85}`,
		"POST /cards/card_1/withdraw": `{"id":"card_1","previous_balance":10,"withdrawn_amount":5,"new_balance":5}`,
		"POST /cards":                 `{"id":"card_9","status":"active","balance":5,"label":"new"}`,
		"PATCH /cards/card_1":         `{"id":"card_1","status":"active","balance":50,"label":"gg"}`,
		"DELETE /cards/card_1":        `{"id":"card_1","status":"terminated","refunded_amount":50,"terminated_at":"2026-03-01T12:00:00Z"}`,
		"GET /bins":                   `{"data":[{"id":"bin_1"}]}`,
	}
}

// TestAListThatSaysNoNumberGoesOnBehindAFullPage: what it has is not all.
func TestAListThatSaysNoNumberGoesOnBehindAFullPage(t *testing.T) {
	many := cardItem
	for i := range 99 {
		many += "," + strings.Replace(cardItem, "card_1", fmt.Sprint("card_", i+2), 1)
	}
	for body, want := range map[string]struct {
		pages     int
		uncounted bool
	}{
		`{"data":[` + many + `]}`:     {3, true},
		`{"data":[` + cardItem + `]}`: {0, true},
		`{"data":[` + many + `],"pagination":{"page":2,"per_page":100,"total":200,"total_pages":2}}`: {2, false},
	} {
		r := newRig(t, map[string]string{"GET /cards": body})
		ev, ok := r.Run(t.Context(), state.FetchCards{Page: 2}).(state.CardsLoaded)
		if !ok || ev.TotalPages != want.pages || ev.Uncounted != want.uncounted {
			t.Errorf("%.40s…%s: %d pages, uncounted %v", body, body[len(body)-30:], ev.TotalPages, ev.Uncounted)
		}
	}
}

func TestDetailsComeInAnEventThatCannotBePrinted(t *testing.T) {
	r := newRig(t, bodies())
	ev, ok := r.Run(t.Context(), secrets.FetchDetails{Card: "card_1"}).(secrets.DetailsLoaded)
	if !ok || ev.Details.PAN.Expose() != pan {
		t.Fatalf("event %T", ev)
	}
	if text := fmt.Sprintf("%+v %#v", ev, ev.Details); strings.Contains(text, pan) || strings.Contains(text, cvv+" ") {
		t.Errorf("the event shows them: %s", text)
	}
	bad := newRig(t, map[string]string{"GET /cards/card_1/details": `{"id":"card_1","pan":"` + pan + `"`})
	failed, ok := bad.Run(t.Context(), secrets.FetchDetails{Card: "card_1"}).(state.FetchFailed)
	if !ok || strings.Contains(failed.Err.Error(), pan) {
		t.Errorf("failure %+v", failed)
	}
}

func op(kind state.OpKind, tries int) state.Op {
	o := state.Op{ID: 7, Kind: kind, Card: "card_1", Key: "key-1", Tries: tries}
	if kind == state.OpFund || kind == state.OpWithdraw {
		o.Amount = 5 * api.Dollar
	}
	label := "gg"
	build := map[state.OpKind]func() (api.Write, error){
		state.OpFreeze:    func() (api.Write, error) { return api.FreezeWrite("card_1") },
		state.OpUnfreeze:  func() (api.Write, error) { return api.UnfreezeWrite("card_1") },
		state.OpFund:      func() (api.Write, error) { return api.FundWrite("card_1", 5*api.Dollar) },
		state.OpWithdraw:  func() (api.Write, error) { return api.WithdrawWrite("card_1", 5*api.Dollar) },
		state.OpTerminate: func() (api.Write, error) { return api.TerminateWrite("card_1") },
		state.OpUpdate:    func() (api.Write, error) { return api.UpdateCardWrite("card_1", api.UpdateCardRequest{Label: &label}) },
		state.OpIssue: func() (api.Write, error) {
			return api.CreateCardWrite(api.CreateCardRequest{BIN: "bin_1", Amount: 5 * api.Dollar})
		},
	}[kind]
	if build != nil {
		if w, err := build(); err == nil {
			o.Write = &w
		}
	}
	return o
}

func TestEveryWriteIsInTheJournalBeforeItIsSent(t *testing.T) {
	for _, tt := range []struct {
		kind       state.OpKind
		path, body string
		good       func(state.OpDone) bool
	}{
		{state.OpIssue, "/cards", `{"bin_id":"bin_1","amount":5}`, func(d state.OpDone) bool {
			return d.Card == "card_9" && d.Returned != nil && d.Returned.Label == "new" && *d.CardBalance == 5*api.Dollar
		}},
		{state.OpUpdate, "/cards/card_1", `{"label":"gg"}`, func(d state.OpDone) bool {
			return d.Card == "card_1" && d.Returned != nil && d.Returned.Label == "gg"
		}},
		{state.OpTerminate, "/cards/card_1", "", func(d state.OpDone) bool {
			return d.Status == api.CardTerminated && *d.Moved == 50*api.Dollar && d.CardBalance == nil
		}},
		{state.OpFreeze, "/cards/card_1/freeze", "", func(d state.OpDone) bool {
			return d.Card == "card_1" && d.Status == api.CardFrozen && d.CardBalance == nil && d.WalletBalance == nil
		}},
		{state.OpUnfreeze, "/cards/card_1/unfreeze", "", func(d state.OpDone) bool { return d.Status == api.CardActive && *d.CardBalance == 50*api.Dollar }},
		{state.OpFund, "/cards/card_1/fund", `{"amount":5}`, func(d state.OpDone) bool {
			return *d.CardBalance == 15*api.Dollar && *d.WalletBalance == 85*api.Dollar && d.Status == "" &&
				d.Card == "card_1" && *d.Moved == 5*api.Dollar && *d.Before == 10*api.Dollar
		}},
		{state.OpWithdraw, "/cards/card_1/withdraw", `{"amount":5}`, func(d state.OpDone) bool {
			return *d.CardBalance == 5*api.Dollar && d.WalletBalance == nil &&
				d.Card == "card_1" && *d.Moved == 5*api.Dollar && *d.Before == 10*api.Dollar
		}},
	} {
		t.Run(tt.kind.String(), func(t *testing.T) {
			r := newRig(t, bodies())
			o := op(tt.kind, 1)
			if tt.kind == state.OpIssue {
				o.Card = "" // It has none yet.
			}
			done, ok := r.Run(t.Context(), state.Do{Op: o}).(state.OpDone)
			if !ok || done.Op != 7 || !tt.good(done) || done.Note != "" || done.Budget.Hour != 1 || done.At.IsZero() {
				t.Errorf("event %+v", done)
			}
			method := map[state.OpKind]string{state.OpUpdate: "PATCH", state.OpTerminate: "DELETE"}[tt.kind]
			if method == "" {
				method = "POST"
			}
			want := "begin key-1 " + method + " " + tt.path + "; done key-1"
			if got := strings.Join(r.ledger.lines, "; "); got != want {
				t.Errorf("journal %q, want %q", got, want)
			}
			if r.ledger.requestsAtBegin != 0 || r.service.count() != 1 {
				t.Errorf("%d requests before the journal, %d in all", r.ledger.requestsAtBegin, r.service.count())
			}
			if got := r.service.asked[0]; got.Header.Get("X-Idempotency-Key") != "key-1" || got.URL.Path != "/v1"+tt.path || r.service.sent[0] != tt.body {
				t.Errorf("sent %s %q under %q", got.URL.Path, r.service.sent[0], got.Header.Get("X-Idempotency-Key"))
			}
		})
	}
}

func TestAJournalThatCannotBeWrittenSendsNothing(t *testing.T) {
	r := newRig(t, bodies())
	r.ledger.beginErr = errors.New("disk full")
	failed, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpFailed)
	if !ok || !failed.NotSent || failed.Op != 7 || !strings.Contains(failed.Err.Error(), "disk full") || r.service.count() != 0 {
		t.Errorf("event %+v, %d requests", failed, r.service.count())
	}
	failed, ok = newRig(t, bodies()).Run(t.Context(), state.Do{Op: op(99, 1)}).(state.OpFailed)
	if !ok || !failed.NotSent {
		t.Errorf("what has no request: %+v", failed)
	}
}

func TestWhatMayBeInTheJournalIsUnknown(t *testing.T) {
	r := newRig(t, bodies())
	r.ledger.beginErr = fmt.Errorf("%w: another hub leads", state.ErrMaybeBegun)
	failed, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpFailed)
	if !ok || failed.NotSent || api.Outcome(failed.Err) != api.Unknown || r.service.count() != 0 {
		t.Errorf("event %+v, %d requests", failed, r.service.count())
	}
	if failed.Record == nil || failed.Record.Outcome != state.OpStatusUnknown {
		t.Errorf("recorded as %+v", failed.Record)
	}
}

func TestAnAnswerThatTheJournalDoesNotTakeIsDoneWithANote(t *testing.T) {
	r := newRig(t, bodies())
	r.ledger.endErr = errors.New("disk full")
	done, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpDone)
	if !ok || done.Note != "disk full" || *done.CardBalance != 15*api.Dollar {
		t.Errorf("event %+v", done)
	}
	r.service.status = 503
	failed, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpFailed)
	if !ok || failed.Note != "disk full" || api.Outcome(failed.Err) != api.Unknown {
		t.Errorf("event %+v", failed)
	}
}

func TestTheJournalIsToldWhatATryMeans(t *testing.T) {
	refusal := func(status int, id string) func(*service) {
		return func(s *service) {
			s.status = status
			s.bodies = map[string]string{"POST /cards/card_1/fund": `{"error":"` + id + `","message":"m","request_id":"req_1"}`}
		}
	}
	lost := func(s *service) { s.err = io.ErrUnexpectedEOF }
	for _, tt := range []struct {
		name  string
		tries int
		set   func(*service)
		want  string
	}{
		{"refused", 1, refusal(400, "insufficient_funds"), "refused"},
		{"bad key", 1, refusal(401, "unauthorized"), "refused"},
		{"server error", 1, refusal(500, "internal"), "unknown"},
		{"lost", 1, lost, "unknown"},
		{"refused again", 2, refusal(400, "insufficient_funds"), "unknown"},
		{"key used again", 2, refusal(400, "idempotency_key_reused"), "unknown"},
		{"not there again", 2, refusal(404, "not_found"), "unknown"},
		{"waits for a lead", 2, refusal(403, api.HubApprovalRequired), "refused"},
		{"bad key again", 2, refusal(401, "unauthorized"), "unknown"},
		{"rate limit again", 2, refusal(429, "rate_limited"), "unknown"},
		{"lost again", 2, lost, "unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, bodies())
			tt.set(r.service)
			failed, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, tt.tries)}).(state.OpFailed)
			if !ok || failed.NotSent || r.service.count() != 1 {
				t.Errorf("event %+v, %d requests", failed, r.service.count())
			}
			if got := r.ledger.lines[len(r.ledger.lines)-1]; got != tt.want+" key-1" {
				t.Errorf("journal %q", got)
			}
		})
	}
}

func TestADryRunSendsNoWrite(t *testing.T) {
	r := newRig(t, bodies())
	if ev, ok := r.Run(t.Context(), state.SetDryRun{On: true}).(state.DryRunSet); !ok || !ev.On || ev.At.IsZero() {
		t.Errorf("event %+v", ev)
	}
	for kind := state.OpFreeze; kind <= state.OpTerminate; kind++ {
		failed, ok := r.Run(t.Context(), state.Do{Op: op(kind, 1)}).(state.OpFailed)
		if !ok || !failed.NotSent || !strings.Contains(failed.Err.Error(), "dry run") {
			t.Errorf("%s: %+v", kind, failed)
		}
	}
	if n := r.service.count(); n != 0 || len(r.ledger.lines) != 0 {
		t.Errorf("%d requests, journal %v", n, r.ledger.lines)
	}
	r.Run(t.Context(), state.SetDryRun{})
	if done, ok := r.Run(t.Context(), state.Do{Op: op(state.OpFund, 1)}).(state.OpDone); !ok {
		t.Errorf("after it: %+v", done)
	}
}

func TestWhatTheBudgetRefusesNeverLeaves(t *testing.T) {
	r := newRig(t, bodies())
	for range 30 {
		if _, ok := r.Run(t.Context(), secrets.FetchDetails{Card: "card_1"}).(secrets.DetailsLoaded); !ok {
			t.Fatal("refused too early")
		}
	}
	ev, ok := r.Run(t.Context(), secrets.FetchDetails{Card: "card_1"}).(state.Deferred)
	if !ok || ev.Wait <= 0 || ev.Effect != (secrets.FetchDetails{Card: "card_1"}) || ev.At.IsZero() || ev.Budget.Hour == 0 {
		t.Errorf("event %+v", ev)
	}
	if n := r.service.count(); n != 30 {
		t.Errorf("%d requests", n)
	}
	// Another limit: the others go on, pages of a sweep until half of the minute
	// is used up, what a person does until all of it is.
	for range 470 {
		if _, ok := r.Run(t.Context(), state.FetchCards{Page: 1}).(state.CardsLoaded); !ok {
			t.Fatal("a page of cards is refused")
		}
	}
	for _, page := range []kernel.Effect{
		state.FetchCards{Page: 1}, state.FetchCards{Hot: true, Page: 2}, txns.Fetch{Page: 2}, txns.Fetch{History: true, Page: 1},
	} {
		if _, ok := r.Run(t.Context(), page).(state.Deferred); !ok {
			t.Errorf("%#v takes what is kept for others", page)
		}
	}
	for _, poll := range []kernel.Effect{wallets.Fetch{}, wallets.FetchDeposits{}, state.FetchCards{Hot: true, Page: 1}, txns.Fetch{Page: 1}} {
		if _, ok := r.Run(t.Context(), poll).(state.Deferred); ok {
			t.Errorf("pages hold up %#v", poll)
		}
	}
	for range 496 {
		if _, ok := r.Run(t.Context(), state.FetchSummary{Card: "card_1"}).(state.SummaryLoaded); !ok {
			t.Fatal("the summary is refused")
		}
	}
	write := state.Do{Op: op(state.OpFund, 1)}
	if ev, ok = r.Run(t.Context(), write).(state.Deferred); !ok || ev.Effect != kernel.Effect(write) || len(r.ledger.lines) != 0 {
		t.Errorf("event %+v, journal %v", ev, r.ledger.lines)
	}
}
