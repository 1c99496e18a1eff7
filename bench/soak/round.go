package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	roundEvery  = 30 * time.Second
	outageEvery = 20 // rounds
	quietEvery  = 5  // rounds from one code, and one write, to the next of a quiet world
	outage      = 15 * time.Second
	patience    = 20 * time.Second // with a code that should show
)

// fault is what goes wrong with requests.
type fault struct {
	Route       string  `json:"route"`
	Kind        string  `json:"kind"`
	Probability float64 `json:"probability,omitempty"`
	Latency     int     `json:"latency_ms,omitempty"`
}

// usual is what goes wrong all the time.
func usual() []fault {
	return []fault{
		{Route: "*", Kind: "latency", Probability: 0.02, Latency: 1500},
		{Route: "*", Kind: "server_error", Probability: 0.01},
		{Route: "*", Kind: "bad_gateway", Probability: 0.005},
		{Route: "*", Kind: "connection_reset", Probability: 0.005},
		{Route: "*", Kind: "cut_body", Probability: 0.005},
		{Route: "*", Kind: "rate_limit", Probability: 0.002},
		{Route: "GET /3ds", Kind: "code_missing", Probability: 0.02},
	}
}

// trouble brings the usual faults, in place of others.
func (w *world) trouble(ctx context.Context) error {
	if err := w.ask(ctx, http.MethodDelete, w.sandbox+"/sandbox/faults", "", nil, nil); err != nil {
		return err
	}
	for _, f := range usual() {
		if err := w.ask(ctx, http.MethodPost, w.sandbox+"/sandbox/faults", "", f, nil); err != nil {
			return err
		}
	}
	return nil
}

// soak does a round every half minute for a span, and returns a sample of each.
func (w *world) soak(ctx context.Context, span time.Duration) (all []sample, err error) {
	end := w.clock().Add(span)
	for next := w.clock(); next.Before(end); next = next.Add(roundEvery) {
		if err := pause(ctx, next.Sub(w.clock())); err != nil {
			return nil, err
		}
		s, err := w.round(ctx)
		if err == nil {
			err = w.alive()
		}
		if err == nil {
			err = json.NewEncoder(w.seen).Encode(s)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// round has a code shown everywhere, uses the screens, writes over the hub, and now and
// then has the service fail for all. Then it looks at the programs. In a quiet world most
// rounds have no code and no write: of each the programs keep a transaction or a record.
func (w *world) round(ctx context.Context) (sample, error) {
	w.rounds++
	grows := !w.quiet || w.rounds%quietEvery == 1
	var late map[string]time.Duration
	var err error
	if grows {
		if late, err = w.probe(ctx); err != nil {
			return sample{}, err
		}
	}
	for _, p := range w.measured {
		if p.tty == nil {
			continue
		}
		// Down and up, the help, a filter that is left, spending, history, alerts, the zoom of a pane.
		if err := p.press(ctx, "1", "j", "k", "?", "\x1b", "/", "f", "\x1b", "$", "\x1b", "H", "\x1b", "A", "\x1b", "m", "m"); err != nil {
			return sample{}, err
		}
	}
	if grows {
		if err := w.write(ctx); err != nil {
			return sample{}, err
		}
	}
	if w.rounds%outageEvery == 0 {
		all := fault{Route: "*", Kind: "bad_gateway"}
		if err := w.ask(ctx, http.MethodPost, w.sandbox+"/sandbox/faults", "", all, nil); err != nil {
			return sample{}, err
		}
		if err := pause(ctx, outage); err != nil {
			return sample{}, err
		}
		if err := w.trouble(ctx); err != nil {
			return sample{}, err
		}
	}
	return w.look(ctx, late)
}

// probe makes a code, and measures how long it takes to show. The map has no entry for who
// did not show it in time.
func (w *world) probe(ctx context.Context) (late map[string]time.Duration, err error) {
	w.newest = fmt.Sprintf("%06d", 100000+(w.rounds*7919)%900000)
	var made struct {
		ID string `json:"id"`
	}
	if err := w.ask(ctx, http.MethodPost, w.sandbox+"/sandbox/challenges", "", map[string]any{"otp": w.newest, "merchant": "Soak", "amount": 1}, &made); err != nil {
		return nil, err
	}
	late = make(map[string]time.Duration)
	from := w.clock()
	waiting := func(p *process) bool {
		_, found := late[p.name]
		return !found && p.name != "hub"
	}
	for left := true; left && w.clock().Sub(from) < patience; {
		left = false
		for _, p := range w.measured {
			text := w.newest[:3] + " " + w.newest[3:]
			if p == w.watch {
				text = made.ID
			}
			switch {
			case !waiting(p):
			case p.shows(text):
				late[p.name] = w.clock().Sub(from)
			default:
				left = true
			}
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return late, nil
}

// write freezes and unfreezes a card over the hub. What the faults make of that is up to
// the hub: any answer will do.
func (w *world) write(ctx context.Context) error {
	var cards struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := w.ask(ctx, http.MethodGet, w.hub+"/v1/cards?status=active&per_page=1", w.token, nil, &cards); err != nil || len(cards.Data) == 0 {
		return err
	}
	for _, what := range []string{"freeze", "unfreeze"} {
		if err := w.ask(ctx, http.MethodPost, w.hub+"/v1/cards/"+cards.Data[0].ID+"/"+what, w.token, struct{}{}, nil); err != nil {
			return err
		}
	}
	return nil
}
