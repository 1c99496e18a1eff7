package state_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

const dollar = api.Dollar

// at is a moment of the tests' own time.
func at(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

// clocks is a moment of a machine that slept: its steady clock has run for one
// span since at(0), its wall clock for the other. Only the system makes such
// times, so the fields of time.Time are written here.
func clocks(t *testing.T, steady, wall time.Duration) time.Time {
	t.Helper()
	moment := func(steady, wall time.Duration) time.Time {
		const from1885 = 2_682_288_000 // seconds until 1970
		w := at(wall)
		made := struct {
			wall uint64
			ext  int64
			loc  *time.Location
		}{1<<63 | uint64(w.Unix()+from1885)<<30 | uint64(w.Nanosecond()), int64(time.Hour + steady), time.UTC}
		return *(*time.Time)(unsafe.Pointer(&made))
	}
	from, to := moment(0, 0), moment(steady, wall)
	if to.Sub(from) != steady || !to.Round(0).Equal(at(wall)) {
		t.Fatalf("%v is not a time of two clocks", to)
	}
	return to
}

// meta is an answer that took no time.
func meta(d time.Duration) kernel.Meta { return kernel.Meta{Sent: at(d), At: at(d)} }

func newStore(change ...func(*settings.Config)) *state.Store {
	keys := 0
	cfg := settings.Config{
		NewKey: func() api.IdempotencyKey {
			keys++
			return api.IdempotencyKey(fmt.Sprintf("key-%d", keys))
		},
		Rand: func() float64 { return 0.5 }, Screen: &settings.Screen{}, Reloadable: settings.Reloadable{Campaign: "*/"},
	}
	for _, c := range change {
		c(&cfg)
	}
	return state.New(cfg)
}

func readOnly(c *settings.Config) { c.ReadOnly = true }

// Errors as the client gives them.
func unauthorized() error { return &api.Error{Status: 401, ID: "unauthorized", Message: "bad key"} }

func limited(wait time.Duration) error {
	return &api.Error{Status: 429, ID: "rate_limited", RetryAfter: wait}
}
func refused() error     { return &api.Error{Status: 400, ID: "invalid_state", Message: "not now"} }
func unreachable() error { return fmt.Errorf("dial: %w", api.ErrUnreachable) }
func cut() error         { return errors.New("the answer was cut off") }

// all picks the effects of a kind.
func all[T kernel.Effect](effects []kernel.Effect) []T {
	var out []T
	for _, e := range effects {
		if e, ok := e.(T); ok {
			out = append(out, e)
		}
	}
	return out
}

// one picks the only effect of a kind.
func one[T kernel.Effect](t *testing.T, effects []kernel.Effect) T {
	t.Helper()
	got := all[T](effects)
	if len(got) != 1 {
		var zero T
		t.Fatalf("%d effects %T in %v", len(got), zero, effects)
	}
	return got[0]
}

func none[T kernel.Effect](t *testing.T, effects []kernel.Effect) {
	t.Helper()
	if got := all[T](effects); len(got) != 0 {
		t.Fatalf("unexpected effects: %v", got)
	}
}

func do(t *testing.T, s *state.Store, in kernel.Intent) []kernel.Effect {
	t.Helper()
	_, effects, err := s.Dispatch(in)
	if err != nil {
		t.Fatalf("%T: %v", in, err)
	}
	for _, f := range all[secrets.FetchDetails](effects) {
		detailsAsked.Store(request{s, f.Card}, f)
	}
	return effects
}

// detailsAsked keeps the latest request for a card's details, which its answer
// names.
var detailsAsked sync.Map

type request struct {
	s    *state.Store
	card api.CardID
}

func askedFor(s *state.Store, id api.CardID) secrets.FetchDetails {
	f, _ := detailsAsked.Load(request{s, id})
	fetch, _ := f.(secrets.FetchDetails)
	return fetch
}

func tick(s *state.Store, d time.Duration) []kernel.Effect {
	_, effects := s.Tick(at(d))
	return effects
}

func apply(s *state.Store, ev kernel.Event) []kernel.Effect {
	_, effects := s.Apply(ev)
	return effects
}

func item(id api.CardID, status api.CardStatus, balance api.USD) api.CardItem {
	return api.CardItem{ID: id, Last4: api.Text(id[len(id)-4:]), Label: "fb", Status: status, Balance: balance, CreatedAt: at(-time.Hour)}
}

// details are those of a card, made up.
func details(id api.CardID) *api.CardDetails {
	return &api.CardDetails{ID: id, PAN: api.NewPAN("4111111111111111"), CVV: api.NewCVV("123")}
}

// answer is a good answer with nothing in it.
func answer(e kernel.Effect, m kernel.Meta) kernel.Event {
	switch e := e.(type) {
	case state.FetchCards:
		return state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1}
	case codes.Fetch:
		return codes.Loaded{Fetch: e, Meta: m}
	case txns.Fetch:
		return txns.Loaded{Fetch: e, Meta: m}
	case wallets.Fetch:
		return wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: 1000 * dollar}}
	case wallets.FetchDeposits:
		return wallets.DepositsLoaded{FetchDeposits: e, Meta: m}
	case state.FetchSummary:
		return state.SummaryLoaded{FetchSummary: e, Meta: m, Summary: api.CardSummary{ID: e.Card, Status: api.CardActive}}
	case state.FetchCardTransactions:
		return state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m}
	case secrets.FetchDetails:
		return secrets.DetailsLoaded{FetchDetails: e, Meta: m, Details: details(e.Card)}
	case bins.Fetch: // Tests read those that they need.
		return state.FetchFailed{Meta: m, Effect: e, Err: refused()}
	default:
		return nil
	}
}

// settled is a store that has had a first answer on every lane: two cards, of
// 100 and 50 USD, and 1,000 USD in the wallet.
func settled(t *testing.T, change ...func(*settings.Config)) *state.Store {
	t.Helper()
	s := newStore(change...)
	effects := append(tick(s, 0), tick(s, time.Second)...)
	for _, e := range effects {
		ev := answer(e, meta(time.Second))
		if f, ok := e.(state.FetchCards); ok {
			ev = state.CardsLoaded{FetchCards: f, Meta: meta(time.Second), TotalPages: 1, Total: 2, Items: []api.CardItem{
				item("card_0001", api.CardActive, 100*dollar), item("card_0002", api.CardFrozen, 50*dollar),
			}}
		}
		if more := apply(s, ev); len(more) != 0 {
			t.Fatalf("%T leads to %v", ev, more)
		}
	}
	return s
}

func card(t *testing.T, s *state.Store, id api.CardID) cardlist.Card {
	t.Helper()
	c, ok := s.Cards.Get(id)
	if !ok {
		t.Fatalf("no card %s", id)
	}
	return c
}

func wantNotice(t *testing.T, s *state.Store, level kernel.Level, parts ...string) {
	t.Helper()
	n := s.Notice()
	for _, p := range parts {
		if !strings.Contains(n.Text, p) {
			t.Errorf("notice %q lacks %q", n.Text, p)
		}
	}
	if n.Level != level {
		t.Errorf("notice %q has level %d, want %d", n.Text, n.Level, level)
	}
}

// arrival is an answer on its way.
type arrival struct {
	at time.Time
	ev kernel.Event
}

// play runs a store by its own wakes for a while and counts what it asks for
// by lane. respond makes the answer to a request and says how long it takes.
func play(t *testing.T, s *state.Store, from, span time.Duration, respond func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration)) map[string]int {
	t.Helper()
	asked := make(map[string]int)
	var waiting []arrival
	inFlight := make(map[string]int)
	send := func(now time.Time, effects []kernel.Effect) {
		for _, e := range effects {
			lane, ok := kernel.LaneName(e)
			if !ok {
				continue
			}
			asked[lane]++
			if inFlight[lane]++; inFlight[lane] > 1 {
				t.Fatalf("%s: two requests at once", lane)
			}
			ev, wait := respond(e, now)
			waiting = append(waiting, arrival{now.Add(wait), ev})
		}
	}
	now, end := at(from), at(from+span)
	_, effects := s.Tick(now)
	send(now, effects)
	for steps := 0; now.Before(end); steps++ {
		if steps > 1_000_000 {
			t.Fatal("the clock spins")
		}
		next := s.NextWake()
		slices.SortStableFunc(waiting, func(a, b arrival) int { return a.at.Compare(b.at) })
		if len(waiting) > 0 && (next.IsZero() || !waiting[0].at.After(next)) {
			a := waiting[0]
			waiting = waiting[1:]
			now = a.at
			inFlight[laneOfEvent(a.ev)]--
			send(now, apply(s, a.ev))
			continue
		}
		if next.IsZero() {
			t.Fatal("polling has stopped")
		}
		if next.After(now) {
			now = next
		}
		_, effects := s.Tick(now)
		if len(effects) == 0 && !s.NextWake().After(now) {
			t.Fatalf("nothing to do at %v, but the next wake is %v", now, s.NextWake())
		}
		send(now, effects)
	}
	return asked
}

// laneOfEvent names the lane an event answers.
func laneOfEvent(ev kernel.Event) string {
	var e kernel.Effect
	switch ev := ev.(type) {
	case state.CardsLoaded:
		e = ev.FetchCards
	case codes.Loaded:
		e = ev.Fetch
	case txns.Loaded:
		e = ev.Fetch
	case wallets.Loaded:
		e = ev.Fetch
	case wallets.DepositsLoaded:
		e = ev.FetchDeposits
	case state.FetchFailed:
		e = ev.Effect
	case state.Deferred:
		e = ev.Effect
	default:
		return ""
	}
	name, _ := kernel.LaneName(e)
	return name
}
