package hub_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
)

// brink is where a hub is killed while it sends a write.
type brink int

const (
	beforeTheWire brink = iota // the journal has it, nothing was sent
	beforeTheEnd               // the service did it, no answer came
	beforeTheNote              // the answer came, the journal does not have it
	brinks
)

// killer ends a hub in the middle of a write.
type killer struct {
	*site
	at    brink
	armed atomic.Bool
	dead  chan struct{}
}

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	write := k.armed.Load() && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/fund")
	if write && k.at == beforeTheWire {
		return k.die(r)
	}
	res, err := k.world.Transport().RoundTrip(r)
	if write && k.at == beforeTheEnd && err == nil {
		_ = res.Body.Close()
		return k.die(r)
	}
	return res, err
}

// die answers nothing until the hub is gone.
func (k *killer) die(r *http.Request) (*http.Response, error) {
	close(k.dead)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// journalOf is a journal that is killed before it has an outcome.
type journalOf struct {
	engine.Journal
	k *killer
}

func (j journalOf) End(op state.Op, outcome api.Result) error {
	if j.k.gone() {
		return errKilled
	}
	return j.Journal.End(op, outcome)
}

// historyOf is a history that a hub that is gone adds nothing to.
type historyOf struct {
	engine.History
	k *killer
}

func (h historyOf) Add(r state.Record) (state.Record, error) {
	if h.k.armed.Load() && h.k.at == beforeTheNote && !h.k.gone() {
		close(h.k.dead)
	}
	if h.k.gone() {
		return r, errKilled
	}
	return h.History.Add(r)
}

var errKilled = errors.New("killed")

// gone reports whether the hub was killed.
func (k *killer) gone() bool {
	select {
	case <-k.dead:
		return true
	default:
		return false
	}
}

// TestAKilledHubDoublesNothing kills a hub at each step of a write. The next one settles
// it under the same key, whatever the person asks meanwhile.
func TestAKilledHubDoublesNothing(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		const rounds = 30
		for round := range rounds {
			before := s.balance(card)
			k := &killer{site: s, at: brink(round % int(brinks)), dead: make(chan struct{})}
			s.between = k
			s.wrap = func(j engine.Journal, h engine.History) (engine.Journal, engine.History) {
				return journalOf{j, k}, historyOf{h, k}
			}
			s.begin()
			s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
			k.armed.Store(true)
			key := []string{"X-Idempotency-Key", "round-" + string(rune('a'+round))}
			ctx, cancel := context.WithCancel(s.t.Context())
			asked := make(chan struct{})
			go func() {
				defer close(asked)
				s.askWithin(ctx, "ann", "POST", path, `{"amount":5}`, key...)
			}()
			<-k.dead
			cancel()
			s.end()
			<-asked
			k.armed.Store(false)
			s.between, s.wrap = nil, nil
			s.begin()
			last := reply{}
			for range 8 {
				last = s.ask("ann", "POST", path, `{"amount":5}`, key...)
				wait(10 * time.Second)
			}
			if got := s.balance(card) - before; got != 5 {
				s.t.Errorf("round %d, killed at step %d: $%v moved; the last answer is %d %s", round, k.at, got, last.status, last.text)
			}
			if last.status != 200 {
				s.t.Errorf("round %d, killed at step %d: answered %d %s", round, k.at, last.status, last.text)
			}
			if left := len(s.journal.Pending()); left > 1 {
				s.t.Errorf("round %d: %d operations left", round, left)
			}
			s.end()
		}
		if _, err := s.past.Verify(); err != nil {
			s.t.Error(err)
		}
	})
}
