package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// maxAdvance is how far one request puts the clock forward: a year. maxAhead
// bounds all of them, so that timestamps keep four digits of year.
const (
	maxAdvance              = 366 * 24 * 3600
	maxAhead   unit.Instant = 100 * 366 * unit.Day
)

type clockBody struct {
	Now   unit.Instant `json:"now"`
	Ahead int64        `json:"ahead_seconds"`
}

// triggerClock puts this world's clock forward. It stays ahead, also in a file
// that is opened again.
func triggerClock(ctx context.Context, c *change, req *request) (any, error) {
	f, err := parseForm(req.body)
	if err != nil {
		return nil, err
	}
	seconds, set := f.integer("advance_seconds", 1, maxAdvance)
	if !set {
		f.fail("advance_seconds is required")
	}
	if f.err != nil {
		return nil, f.err
	}
	by := unit.Instant(seconds) * unit.Second
	if c.s.clock.advance(0)+by > maxAhead {
		return nil, invalid("advance_seconds: the clock is too far ahead already")
	}
	if _, err := c.tx.ExecContext(ctx, `UPDATE meta SET value = value + ? WHERE name = 'ahead'`, by); err != nil {
		return nil, fmt.Errorf("store clock: %w", err)
	}
	c.wake = true
	ahead := c.s.clock.advance(by)
	return clockBody{Now: c.s.clock.now(), Ahead: int64(ahead / unit.Second)}, nil
}

// parseFault reads the body of POST /sandbox/faults.
func parseFault(body []byte) (fault, error) {
	f, err := parseForm(body)
	if err != nil {
		return fault{}, err
	}
	one := fault{Kind: f.requiredText("kind"), Route: "*", Probability: 1}
	if !slices.Contains(allFaults(), one.Kind) {
		f.fail("kind must be one of %s", strings.Join(allFaults(), ", "))
	}
	if route, set := f.text("route"); set {
		one.Route = route
	}
	if !knownRoute(one.Route) {
		f.fail("route must be *, a path such as /cards/{card_id}, or a method and a path")
	}
	one.Times, _ = f.integer("times", 1, 1_000_000)
	one.Latency, _ = f.integer("latency_ms", 1, 600_000)
	if raw, set := f.raw("probability"); set {
		if json.Unmarshal(raw, &one.Probability) != nil || one.Probability <= 0 || one.Probability > 1 {
			f.fail("probability must be a number above 0, at most 1")
		}
	}
	if one.Latency == 0 && (one.Kind == faultLatency || one.Kind == faultLateCode) {
		f.fail("latency_ms is required")
	}
	return one, f.err
}

func knownRoute(name string) bool {
	return name == "*" || slices.ContainsFunc(contractRoutes(), func(rt route) bool {
		return rt.name() == name || rt.template == name
	})
}

func addFault(_ context.Context, c *change, req *request) (any, error) {
	one, err := parseFault(req.body)
	if err != nil {
		return nil, err
	}
	c.s.faults.add(one)
	return one, nil
}

func listFaults(_ context.Context, s *Server, _ *request) (any, error) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	return listOf[fault]{Data: append([]fault{}, s.faults.list...)}, nil
}

func clearFaults(_ context.Context, c *change, _ *request) (any, error) {
	c.s.faults.clear()
	return listOf[fault]{Data: []fault{}}, nil
}
