package hub_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// serve has the hub answer on connections in memory, and returns what dials them.
func (s *site) serve() (dial *http.Transport, stop func()) { return s.serveOver(nil) }

// serveOver is serve over TLS with a certificate; nil is without one.
func (s *site) serveOver(cert *tls.Certificate) (dial *http.Transport, stop func()) {
	l := &pipes{calls: make(chan net.Conn), closed: make(chan struct{})}
	ctx, cancel := context.WithCancel(s.t.Context())
	served := make(chan error, 1)
	go func() { served <- s.hub.Serve(ctx, l, cert) }()
	dial = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		near, far := net.Pipe()
		select {
		case l.calls <- far:
			return near, nil
		case <-l.closed:
			return nil, net.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	return dial, func() {
		cancel()
		dial.CloseIdleConnections()
		if err := <-served; err != nil {
			s.t.Error(err)
		}
	}
}

// viewer is a dashboard's store and engine on the hub.
type viewer struct {
	t     testing.TB
	eng   *engine.Engine
	calls chan loop.Call
	stop  func()
}

func (s *site) view(name string, dial http.RoundTripper) *viewer {
	s.t.Helper()
	v := &viewer{t: s.t, calls: make(chan loop.Call)}
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(s.tokens[name]), Now: clock, Transport: dial,
		Observe: func(c api.Call) { v.eng.Observe(c) },
	})
	must(s.t, err)
	none, err := journal.Open("", clock)
	must(s.t, err)
	v.eng = engine.New(engine.Config{Client: cl, Journal: none, Now: clock})
	store := state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, Hub: true})
	ctx, cancel := context.WithCancel(s.t.Context())
	over := make(chan error, 2)
	go func() {
		over <- loop.Run(ctx, loop.Config{
			Store: store, Do: v.eng.Run, Now: clock, Calls: v.calls,
			Changed: func(topics kernel.Topic) ([]kernel.Intent, bool) {
				if topics&kernel.TopicCodes != 0 && s.watch != nil {
					s.watch(store)
				}
				return nil, false
			},
		})
	}()
	go func() {
		v.eng.FollowHub(ctx, func(ev kernel.Event) {
			select {
			case v.calls <- func(st *state.Store) (kernel.Topic, []kernel.Effect) { return st.Apply(ev) }:
			case <-ctx.Done():
			}
		})
		over <- ctx.Err()
	}()
	v.stop = func() {
		cancel()
		for range 2 {
			if err := <-over; !errors.Is(err, context.Canceled) {
				s.t.Error(err)
			}
		}
	}
	return v
}

// sees calls a function with the viewer's store.
func (v *viewer) sees(so func(*state.Store) bool) (ok bool) {
	done := make(chan struct{})
	v.calls <- func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		defer close(done)
		ok = so(st)
		return 0, nil
	}
	<-done
	return ok
}

// until is how long it takes until something is so.
func until(tb testing.TB, most time.Duration, so func() bool) time.Duration {
	tb.Helper()
	began := clock()
	for !so() {
		if clock().Sub(began) > most {
			tb.Fatalf("not so in %s", most)
		}
		wait(10 * time.Millisecond)
	}
	return clock().Sub(began)
}

func TestADashboardIsToldByTheHub(t *testing.T) {
	crew(t, func(s *site) {
		fb := s.card("fb/a")
		s.begin()
		dial, stop := s.serve()
		ann, bob := s.view("ann", dial), s.view("bob", dial)
		wait(10 * time.Second)
		code := fmt.Sprint(s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, fb))["id"])
		has := func(st *state.Store) bool {
			return slices.ContainsFunc(st.Codes.All(), func(c codes.Code) bool { return string(c.ID) == code && c.OTP.Expose() == "482913" })
		}
		until(s.t, 5*time.Second, func() bool {
			return strings.Contains(s.ask("root", "GET", "/v1/3ds?status=pending", "").text, "482913")
		})
		later := until(s.t, time.Second, func() bool { return ann.sees(has) && bob.sees(has) })
		s.t.Logf("the second dashboard has the code %s after the hub", later)
		if later > 150*time.Millisecond {
			s.t.Errorf("the second dashboard has the code %s after the hub", later)
		}
		if ev := bob.eng.Run(s.t.Context(), codes.Claim{Challenge: api.ChallengeID(code)}); ev == nil {
			s.t.Error("no answer to a claim")
		}
		until(s.t, time.Second, func() bool {
			return ann.sees(func(st *state.Store) bool { return st.Codes.All()[0].TakenBy == "bob" })
		})
		if bob.sees(func(st *state.Store) bool { return st.Codes.All()[0].TakenBy != "" }) {
			s.t.Error("one's own claim is another's")
		}
		ann.stop()
		late := s.view("ann", dial) // Nobody tells of it again.
		until(s.t, 5*time.Second, func() bool {
			return late.sees(func(st *state.Store) bool {
				return slices.ContainsFunc(st.Codes.All(), func(c codes.Code) bool { return string(c.ID) == code && c.TakenBy == "bob" })
			})
		})
		late.stop()
		bob.stop()
		stop()
	})
}

// counted counts what a dashboard sends, and ends its streams.
type counted struct {
	http.RoundTripper

	mu    sync.Mutex
	sent  int
	down  bool
	leave context.CancelFunc
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.URL.Path == "/hub/v1/stream" {
		if c.down {
			return nil, errors.New("the stream is down")
		}
		ctx, cancel := context.WithCancel(r.Context())
		c.leave = cancel
		return c.RoundTripper.RoundTrip(r.WithContext(ctx))
	}
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		c.sent++
	}
	return c.RoundTripper.RoundTrip(r)
}

// cut ends the stream and lets none be opened, or lets them be opened again.
func (c *counted) cut(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down = down; down {
		c.leave()
	}
}

// hourly is how many requests an hour are sent while some time passes.
func (c *counted) hourly(d time.Duration) int {
	count := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.sent
	}
	before := count()
	wait(d)
	return (count() - before) * int(time.Hour/d)
}

// TestLanesRestWhileTheHubTells compares what a dashboard asks for in an hour with its
// stream and without.
func TestLanesRestWhileTheHubTells(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		dial, stop := s.serve()
		line := &counted{RoundTripper: dial}
		ann := s.view("ann", line)
		wait(time.Minute)
		up := line.hourly(10 * time.Minute)
		s.want(s.ask("root", "POST", "/v1/cards/"+card+"/freeze", ""), 200, "")
		told := until(s.t, time.Second, func() bool {
			return ann.sees(func(st *state.Store) bool {
				c, ok := st.Cards.Get(api.CardID(card))
				return ok && c.Status == api.CardFrozen
			})
		})
		line.cut(true)
		wait(time.Second)
		down := line.hourly(10 * time.Minute)
		line.cut(false)
		wait(2 * time.Minute)
		again := line.hourly(10 * time.Minute)
		s.t.Logf("requests an hour: %d with the stream, %d without, %d with it again; a freeze shows after %s", up, down, again, told)
		if down < 5000 || up > down*3/10 || again > down*3/10 || told > 200*time.Millisecond {
			s.t.Errorf("requests an hour: %d with the stream, %d without, %d with it again; a freeze shows after %s", up, down, again, told)
		}
		ann.stop()
		stop()
	})
}

// member is the client of a person.
func (s *site) member(name string, dial http.RoundTripper) *client.Client {
	s.t.Helper()
	c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(s.tokens[name]), Now: clock, Transport: dial, Observe: func(api.Call) {}})
	must(s.t, err)
	return c
}

func TestTheClientDecidesAndSettles(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		dial, stop := s.serve()
		lea, ann, ctx := s.member("lea", dial), s.member("ann", dial), s.t.Context()
		for i, approve := range []bool{false, true} {
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", fmt.Sprintf(`{"amount":%d}`, 300+i)), 403, "approval_required")
			all, err := lea.HubApprovals(ctx)
			if err != nil || len(all) != i+1 || !all[i].Waits() || all[i].By != "ann" || all[i].CardAfter == nil || all[i].Card != api.CardID(card) {
				s.t.Fatalf("%+v, %v", all, err)
			}
			if err := ann.DecideHubApproval(ctx, all[i], true); err == nil || !strings.Contains(err.Error(), "role lead") {
				s.t.Errorf("who asked: %v", err)
			}
			if err := lea.DecideHubApproval(ctx, all[i], approve); err != nil {
				s.t.Error(err)
			}
		}
		own, err := ann.HubApprovals(ctx)
		if err != nil || len(own) != 2 || own[0].State != "refused" || own[1].State != "approved" || own[1].DecidedBy != "lea" {
			s.t.Errorf("%+v, %v", own, err)
		}
		s.fault("POST /cards/{card_id}/fund", "connection_reset", 1000)
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`), 504, "unknown_outcome")
		wait(3 * time.Minute)
		ops, err := lea.HubOperations(ctx)
		if err != nil || len(ops) != 1 || ops[0].State != "unsettled" || ops[0].By != "ann" || ops[0].Amount != 5*api.Dollar {
			s.t.Fatalf("%+v, %v", ops, err)
		}
		if op, err := lea.SettleHubOperation(ctx, ops[0].ID, "read"); err != nil || op.Suggests != "not-done" || *op.Balance != *op.Before {
			s.t.Errorf("%+v, %v", op, err)
		}
		if _, err := lea.SettleHubOperation(ctx, ops[0].ID, "not-done"); err != nil {
			s.t.Error(err)
		}
		people, err := ann.HubPeople(ctx)
		if err != nil || len(people) != 5 || people[0].Seen == nil || people[0].Role == "" {
			s.t.Errorf("%+v, %v", people, err)
		}
		if got := s.balance(card); got != 351 {
			s.t.Errorf("the card holds %v", got)
		}
		stop()
	})
}

// TestAnEmptyListThatTheRoleMayNotReadSaysSo to commands. A dashboard has nothing to show
// and no failure.
func TestAnEmptyListThatTheRoleMayNotReadSaysSo(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":5,"otp":"482913"}`, card))
		s.begin()
		dial, stop := s.serve()
		v := s.view("eve", dial)
		wait(5 * time.Second)
		for _, waits := range []bool{false, true} {
			_, err := await.Code(s.t.Context(), await.Config{
				Do: v.eng.Run, Now: clock, Rand: mrand.Float64, Wait: waits, Timeout: time.Minute,
			})
			if err == nil || !strings.Contains(err.Error(), "may not read codes") {
				s.t.Errorf("otp, wait %v: %v", waits, err)
			}
		}
		_, err := engine.Read(s.t.Context(), v.eng, "deposits", func(ctx context.Context, c *client.Client) (api.Page[api.Deposit], error) {
			return c.ListDeposits(ctx, api.ListDepositsOptions{})
		})
		if !errors.Is(err, api.ErrWithheld) || !strings.Contains(err.Error(), "admin") {
			s.t.Errorf("deposits: %v", err)
		}
		s.want(s.ask("eve", "GET", "/v1/3ds/3ds_none", ""), 403, "forbidden")
		if !v.sees(func(st *state.Store) bool {
			codes, deposits := st.Poll.Source(poll.Codes), st.Poll.Source(poll.Deposits)
			return codes.Err == nil && !codes.OKAt.IsZero() && deposits.Err == nil && !deposits.OKAt.IsZero()
		}) {
			s.t.Error("the dashboard of a viewer fails")
		}
		v.stop()
		stop()
	})
}
