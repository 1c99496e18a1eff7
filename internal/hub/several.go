package hub

import (
	"context"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/state"
)

// Several is what a hub needs that is one of several. The one that leads has Follow. A
// reader has Do, Age, Work and Events: it has no engine, serves what another hub tells it, and
// sends nothing.
type Several struct {
	// Follow is told of each change once the lists were read, on the goroutine that owns
	// the store.
	Follow func(*state.Store, state.Topic)
	// Claimed is told of each claim, on the same goroutine; Claims are those that a leader
	// begins with.
	Claimed func(Claim)
	Claims  []Claim
	// Asked is told of each request for an approval when it is there, and when it waits no
	// more, on the same goroutine.
	Asked func(a Asked, waits bool)
	// RuleOff is told of each rule that stopped itself or that a person had off, and when it
	// is on again, on the same goroutine; RulesOff are those that a leader begins with. Told
	// returns when the other hubs were told of all until now.
	RuleOff  func(r RuleOff, off bool)
	RulesOff []RuleOff
	Told     func(context.Context) error
	// Do runs the effects of the store in place of the engine.
	Do func(context.Context, state.Effect) state.Event
	// Age is how old what a lane has read is.
	Age func(state.Lane) time.Duration
	// Work lists what is under way at the hub that leads.
	Work func() []Work
	// Events are applied as they come.
	Events <-chan state.Event
}

// rulesOff are the rules that an earlier leader left off.
func (c Config) rulesOff() []RuleOff {
	if c.Several == nil {
		return nil
	}
	return c.Several.RulesOff
}

// events are what comes by itself: of a reader what the leader tells, else what webhooks
// tell of.
func (s *Server) events() <-chan state.Event {
	if s.reader() {
		return s.cfg.Several.Events
	}
	return s.cfg.Pushed
}

// reader reports whether another hub tells this one what there is.
func (s *Server) reader() bool { return s.cfg.Several != nil && s.cfg.Several.Do != nil }

// errElsewhere is that only the hub that leads can answer.
var errElsewhere = refuse(http.StatusServiceUnavailable, "unavailable", "no hub leads now: what is not in memory cannot be read")

// follow tells of a change; of all that there is when the lists were just read.
func (s *Server) follow(st *state.Store, topics state.Topic) {
	if s.cfg.Several == nil || s.cfg.Several.Follow == nil {
		return
	}
	select {
	case <-s.ready:
		s.cfg.Several.Follow(st, topics)
	default:
	}
}

// Ready is closed when the lists were read once.
func (s *Server) Ready() <-chan struct{} { return s.ready }

// Look calls a function with the store, on the goroutine that owns it.
func (s *Server) Look(ctx context.Context, use func(*state.Store)) error { return s.read(ctx, use) }

// EndStreams ends the streams: their readers open them anew.
func (s *Server) EndStreams() { s.streams.closeAll() }
