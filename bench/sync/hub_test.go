//go:build long

package sync_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/push/pushtest"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// viewerKey is the token of the viewers of a hub.
const viewerKey = "sk_test_hub_viewer"

// counter counts the requests of a hub to the service.
type counter struct {
	next http.RoundTripper

	mu   sync.Mutex
	sent []request
}

type request struct {
	at   time.Time
	path string
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.sent = append(c.sent, request{clock(), r.Method + " " + r.URL.Path})
	c.mu.Unlock()
	return c.next.RoundTrip(r)
}

// identifiers are those in a path.
var identifiers = regexp.MustCompile(`/[a-z0-9]+_[A-Za-z0-9]+`)

// since counts those since a time, by what they ask for.
func (c *counter) since(from time.Time) (n int, by map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	by = make(map[string]int)
	for _, r := range c.sent {
		if r.at.After(from) {
			n++
			by[identifiers.ReplaceAllString(r.path, "/{id}")]++
		}
	}
	return n, by
}

// site is a hub with one person, who sees all cards.
type site struct {
	*world          // as its viewers see it: the network to the hub
	count  *counter // of what the hub sends
	server *hub.Server
}

// openHub starts a hub on a world that delivers webhooks to it. The world of the result
// is that of its viewers.
func openHub(t *testing.T, w *world) *site {
	t.Helper()
	operations, err := journal.Open("", clock)
	must(t, err)
	past, err := history.Open(history.Config{User: "hub", Mode: "SANDBOX", Profile: "demo", Via: "hub", Now: clock})
	must(t, err)
	s := &site{count: &counter{next: w.line}}
	w.line = s.count
	s.server = hub.New(hub.Config{
		Engine: w.engine(engine.Config{Journal: operations, History: past}), Audit: past, Pushed: w.door.Events(),
		Team:   team.Fixed(&team.Team{People: []team.Person{{Name: "ann", Role: team.Lead, Labels: []string{"*"}, Token: team.HashOf([]byte(viewerKey))}}}),
		Limits: limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 100}, Mode: "sandbox", Now: clock, Tell: func(string) {},
		Store: settings.Config{NewKey: api.NewIdempotencyKey, Rand: newRand(2).Float64},
	})
	ctx, cancel := context.WithCancel(t.Context())
	at := pushtest.Listen()
	over := make(chan error, 2)
	go func() { over <- s.server.Run(ctx) }()
	go func() { over <- hub.Serve(ctx, at, nil, s.server, s.server.EndStreams) }()
	s.world = &world{t: t, server: w.server, line: line{at.Transport()}, told: make(chan kernel.Event), stop: func() {
		cancel()
		for range 2 {
			if err := <-over; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		w.stop()
	}}
	return s
}

// viewersOf is how many viewers a hub has: HUB_VIEWERS, or a few.
func viewersOf(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("HUB_VIEWERS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// codesRest reports whether the hub polls codes rarely.
func (s *site) codesRest() (rests bool) {
	s.t.Helper()
	err := s.server.Look(s.t.Context(), func(st *state.Store) { rests = st.Poll.Source(poll.Codes).Pushed })
	must(s.t, err)
	return rests
}

// TestPushedCodesOfAHubAreOnScreensAtOnce measures the time from a challenge to the frame of each of some
// viewers of one hub while webhooks tell the hub of codes.
func TestPushedCodesOfAHubAreOnScreensAtOnce(t *testing.T) {
	n := min(howMuch().pushed, 20)
	synctest.Test(t, func(t *testing.T) {
		w := openPushedWorld(t, sandbox.Config{Quiet: true})
		s := openHub(t, w)
		defer s.stop()
		viewers := make([]*program, viewersOf(t, 3))
		for i := range viewers {
			viewers[i] = run(t.Context(), t, s.viewer())
			defer viewers[i].stop()
		}
		pass(5 * time.Second)
		card := s.list("/v1/cards?status=active")[0].ID
		first := 0
		for ; !s.codesRest(); first++ {
			if first > 10 {
				t.Fatal("lanes of the hub do not rest")
			}
			viewers[0].pay(s.world, card, first)
			pass(3 * time.Second)
		}
		rng := newRand(2)
		var took []time.Duration
		for i := range n {
			pass(between(rng, 2*time.Second, 20*time.Second))
			took = append(took, s.payAll(viewers, card, first+i)...)
		}
		if p95 := percentile(took, 95); p95 > pushedBar {
			t.Errorf("p95 is %v, the bar %v", p95, pushedBar)
		}
		_, _ = fmt.Fprintf(t.Output(), "push: %d of %d codes on the screens of %d viewers of a hub, p50 %s, p95 %s, most %s\n",
			len(took), n*len(viewers), len(viewers), seconds(percentile(took, 50)), seconds(percentile(took, 95)), seconds(percentile(took, 100)))
	})
}

// payAll has a challenge, and returns the age of its code on each screen.
func (s *site) payAll(viewers []*program, card string, i int) (took []time.Duration) {
	s.t.Helper()
	code := fmt.Sprintf("%06d", i*1000+newRand(uint64(i)).IntN(1000))
	began := clock()
	var made item
	s.ask(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": card, "merchant": fmt.Sprint("Store ", i), "amount": 0.01, "otp": code}, &made)
	for _, p := range viewers {
		at, ok := p.term.since(code)
		for ; !ok; at, ok = p.term.since(code) {
			if clock().Sub(began) > time.Minute {
				s.t.Fatalf("code %d never showed:\n%s", i, p.term.text())
			}
			pass(10 * time.Millisecond)
		}
		took = append(took, at.Sub(began))
	}
	s.ask(http.MethodPost, "/sandbox/challenges/"+made.ID+"/complete", nil, nil)
	return took
}

// viewer is the network of one more viewer to the hub.
func (s *site) viewer() *world {
	own := *s.world
	own.told = make(chan kernel.Event)
	return &own
}

// TestAPushedHourOfAHubIsCheap counts what a hub with some viewers sends for an account that
// is used.
func TestAPushedHourOfAHubIsCheap(t *testing.T) {
	span := min(howMuch().pushedHours, time.Hour)
	synctest.Test(t, func(t *testing.T) {
		w := openPushedWorld(t, sandbox.Config{Cards: 800, Transactions: 800})
		s := openHub(t, w)
		defer s.stop()
		viewers := viewersOf(t, 2)
		for range viewers {
			v := follow(t.Context(), t, s.viewer(), func(*state.Store, kernel.Topic) []kernel.Intent { return nil })
			defer v.stop()
		}
		pass(span / 2)
		half := clock()
		pass(span / 2)
		n, by := s.count.since(half)
		hour := int(float64(n)*float64(time.Hour)/float64(span/2) + 0.5)
		if hour > pushedShare {
			t.Errorf("%d requests an hour, the bar is %d: %v", hour, pushedShare, by)
		}
		_, _ = fmt.Fprintf(t.Output(), "push: %d requests of a hub with %d viewers in a virtual hour with 800 cards, %.1f %% of 10,000: %v\n", hour, viewers, float64(hour)*100/hourly, by)
	})
}
