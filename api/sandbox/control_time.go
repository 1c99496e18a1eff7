package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
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
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	seconds, set := f.Integer("advance_seconds", 1, maxAdvance)
	if !set {
		f.Fail("advance_seconds is required")
	}
	if f.Err != nil {
		return nil, f.Err
	}
	by := unit.Instant(seconds) * unit.Second
	if c.s.clock.Advance(0)+by > maxAhead {
		return nil, wire.Invalid("advance_seconds: the clock is too far ahead already")
	}
	if _, err := c.tx.ExecContext(ctx, `UPDATE meta SET value = value + ? WHERE name = 'ahead'`, by); err != nil {
		return nil, fmt.Errorf("store clock: %w", err)
	}
	c.wake = true
	ahead := c.s.clock.Advance(by)
	return clockBody{Now: c.s.clock.Now(), Ahead: int64(ahead / unit.Second)}, nil
}

// parseFault reads the body of POST /sandbox/faults.
func parseFault(body []byte) (wire.Fault, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return wire.Fault{}, err
	}
	one := wire.Fault{Kind: f.RequiredText("kind"), Route: "*", Probability: 1}
	if !slices.Contains(wire.FaultNames(), one.Kind) {
		f.Fail("kind must be one of %s", strings.Join(wire.FaultNames(), ", "))
	}
	if route, set := f.Text("route"); set {
		one.Route = route
	}
	if !knownRoute(one.Route) {
		f.Fail("route must be *, a path such as /cards/{card_id}, or a method and a path")
	}
	one.Times, _ = f.Integer("times", 1, 1_000_000)
	one.Latency, _ = f.Integer("latency_ms", 1, 600_000)
	if raw, set := f.Raw("probability"); set {
		if json.Unmarshal(raw, &one.Probability) != nil || one.Probability <= 0 || one.Probability > 1 {
			f.Fail("probability must be a number above 0, at most 1")
		}
	}
	if one.Latency == 0 && (one.Kind == wire.FaultLatency || one.Kind == wire.FaultLateCode) {
		f.Fail("latency_ms is required")
	}
	return one, f.Err
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
	c.s.faults.Add(one)
	return one, nil
}

func listFaults(_ context.Context, s *Server, _ *request) (any, error) {
	return wire.List[wire.Fault]{Data: s.faults.All()}, nil
}

func clearFaults(_ context.Context, c *change, _ *request) (any, error) {
	c.s.faults.Clear()
	return wire.List[wire.Fault]{Data: []wire.Fault{}}, nil
}

func getReport(_ context.Context, s *Server, _ *request) (any, error) { return s.report.Body(), nil }
