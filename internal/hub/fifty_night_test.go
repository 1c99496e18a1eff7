//go:build night

package hub_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

// network is the way from the hub to the service.
type network struct{ http.RoundTripper }

// roundTrip is how long every request of the hub takes besides the service's own work.
const roundTrip = 80 * time.Millisecond

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	wait(roundTrip)
	return n.RoundTripper.RoundTrip(r)
}

// watched are codes, and when each viewer had them.
type watched struct {
	mu  sync.Mutex
	had map[string][]time.Time // by the code
}

func (w *watched) sees(st *state.Store) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range st.Codes.All() {
		if !c.OTP.IsZero() {
			w.had[c.OTP.Expose()] = append(w.had[c.OTP.Expose()], clock())
		}
	}
}

// crowd is what some viewers of one hub cost, and when the last of them has a code.
type crowd struct {
	hourly int
	late   []time.Duration
}

// watch has some dashboards open on a hub of 800 cards with traffic, for some time.
func watch(t *testing.T, viewers, codes int, span time.Duration) (c crowd) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var people []team.Person
		for i := range viewers {
			people = append(people, team.Person{Name: fmt.Sprint("p", i), Role: team.Buyer, Labels: []string{"*"}})
		}
		s := open(t, sandbox.Config{Seed: 7, Cards: 800, Transactions: 800}, append(people, admin())...)
		s.limits = limit.Defaults()
		s.between = network{s.world.Transport()}
		lives := make(chan error, 1)
		go func() { lives <- s.world.Run(t.Context()) }()
		w := &watched{had: make(map[string][]time.Time)}
		s.watch = w.sees
		s.begin()
		dial, stop := s.serve()
		var all []*viewer
		for i := range viewers {
			all = append(all, s.view(people[i].Name, dial))
		}
		wait(3 * time.Minute) // The past is read.
		count := func() int {
			s.sent.Lock()
			defer s.sent.Unlock()
			return len(s.paths)
		}
		card := fmt.Sprint(s.upstream(http.MethodGet, "/v1/cards?status=active&per_page=1", "")["data"].([]any)[0].(map[string]any)["id"]) //nolint:forcetypeassert // a test that breaks is one that fails
		before := count()
		wait(span)
		if testing.Verbose() {
			t.Log(s.spent(before))
		}
		c.hourly = (count() - before) * int(time.Hour/span)
		rng := rand.New(rand.NewPCG(3, 0))
		for i := range codes {
			wait(time.Duration(rng.Int64N(int64(10 * time.Second))))
			code := strconv.Itoa(100_000 + i)
			at := clock()
			s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":%q}`, card, code))
			until(t, time.Minute, func() bool {
				w.mu.Lock()
				defer w.mu.Unlock()
				return len(w.had[code]) >= viewers
			})
			w.mu.Lock()
			c.late = append(c.late, w.had[code][viewers-1].Sub(at))
			w.mu.Unlock()
		}
		slices.Sort(c.late)
		for _, v := range all {
			v.stop()
		}
		stop()
		s.end()
	})
	return c
}

// spent says what was sent to the service since so many requests, by path.
func (s *site) spent(since int) string {
	s.sent.Lock()
	defer s.sent.Unlock()
	counts := make(map[string]int)
	for _, p := range s.paths[since:] {
		counts[ids.ReplaceAllString(p, "/{id}")]++
	}
	return fmt.Sprint(counts)
}

var ids = regexp.MustCompile(`/[a-z0-9]+_[A-Za-z0-9]+`)

// Bars of the hub's figures.
const (
	hourOfKey   = 10_000
	polledShare = 62 // % of the hour
	// polledWithin is the poll, the hub's way to the service, and 150 ms.
	polledWithin = time.Second + roundTrip + 150*time.Millisecond
)

// TestFiftyViewersCostAsOne counts in virtual time what one viewer and many cost of the
// key's hour, and how long a code takes to the last of them. HUB_VIEWERS says how many
// there are.
func TestFiftyViewersCostAsOne(t *testing.T) {
	t.Parallel()
	viewers, codes, span := 8, 12, 5*time.Minute
	if text := os.Getenv("HUB_VIEWERS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		viewers, codes, span = n, 60, 15*time.Minute
	}
	one, all := watch(t, 1, codes, span), watch(t, viewers, codes, span)
	p95 := all.late[len(all.late)*95/100]
	t.Logf("hub: %d viewers at 800 cards use %.1f %% of the hour, polled; one %.1f %% | ≤ %d %%, same as one", viewers, float64(all.hourly)*100/hourOfKey, float64(one.hourly)*100/hourOfKey, polledShare)
	t.Logf("hub: %d codes at viewer %d of %d after p50 %.2f s, p95 %.2f s, in virtual time | p95 ≤ %.2f s", codes, viewers, viewers, all.late[len(all.late)/2].Seconds(), p95.Seconds(), polledWithin.Seconds())
	if all.hourly*100 > polledShare*hourOfKey || all.hourly > one.hourly*102/100+60 {
		t.Errorf("%d requests an hour, %d with one viewer", all.hourly, one.hourly)
	}
	if p95 > polledWithin {
		t.Errorf("p95 is %s", p95)
	}
}
