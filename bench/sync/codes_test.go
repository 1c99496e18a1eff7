//go:build long

package sync_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
)

// attention is how closely the user watches, and the bar for the age of a code when it
// is shown: p95, without the round trip.
type attention struct {
	name string
	bar  time.Duration
	// before is what a person does before each challenge.
	before func(p *program)
}

// TestCodesAreOnTheScreenInTime starts challenges at random times and measures the time
// from each to the frame with its code.
func TestCodesAreOnTheScreenInTime(t *testing.T) {
	var table figures
	n := howMuch().codes
	table.row("dashboard", "challenges", "p50", "p95", "p99", "most", "bar p95")
	for _, a := range []attention{
		{"focused", 1100 * time.Millisecond, func(*program) {}},
		{"unfocused", 3200 * time.Millisecond, func(*program) {}},
		{"armed", 600 * time.Millisecond, func(p *program) { p.arm() }},
	} {
		t.Run(a.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				took := delays(t, a, n)
				p95, bar := percentile(took, 95), a.bar+roundTrip
				if p95 > bar {
					t.Errorf("p95 is %v, the bar %v", p95, bar)
				}
				table.row(a.name, grouped(n), seconds(percentile(took, 50)), seconds(p95), seconds(percentile(took, 99)), seconds(percentile(took, 100)), "≤ "+seconds(bar))
			})
		})
	}
	table.print(t.Output(), fmt.Sprintf("From challenge to code on screen, with a round trip of %v", roundTrip))
}

func delays(t *testing.T, a attention, n int) []time.Duration {
	t.Helper()
	w := openWorld(t.Context(), t, sandbox.Config{Quiet: true})
	defer w.stop()
	p := run(t.Context(), t, w)
	defer p.stop()
	pass(5 * time.Second)
	card := w.list("/v1/cards?status=active")[0]
	p.press("/", card.Last4[:1], card.Last4[1:2], card.Last4[2:3], card.Last4[3:], "\r")
	if a.name == "unfocused" {
		p.press("\x1b[O")
	}
	rng := newRand(1)
	took := make([]time.Duration, 0, n)
	for i := range n {
		a.before(p)
		pass(between(rng, 200*time.Millisecond, 6*time.Second))
		took = append(took, p.awaitCode(w, rng, card.ID, i))
	}
	return took
}

// awaitCode starts a challenge, waits until its code is on the screen, and completes it.
func (p *program) awaitCode(w *world, rng *rand.Rand, card string, i int) time.Duration {
	p.t.Helper()
	code := fmt.Sprintf("%06d", i*1000+rng.IntN(1000))
	began := clock()
	var made item
	w.ask(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": card, "merchant": fmt.Sprint("Store ", i), "amount": 0.01, "otp": code}, &made)
	for {
		pass(100 * time.Millisecond)
		if at, ok := p.term.since(code); ok {
			w.ask(http.MethodPost, "/sandbox/challenges/"+made.ID+"/complete", nil, nil)
			return at.Sub(began)
		}
		if clock().Sub(began) > time.Minute {
			p.t.Fatalf("code %d never showed:\n%s", i, p.term.text())
		}
	}
}

// arm waits for the next code of the card under the cursor, once the one before is gone.
func (p *program) arm() {
	p.t.Helper()
	for p.term.has("Checkout") {
		pass(100 * time.Millisecond)
	}
	// Nobody pays without a pause: the hour would not bear it.
	pass(8 * time.Second)
	p.press("a")
	if !p.term.has("ARMED") {
		p.t.Fatalf("not armed:\n%s", p.term.text())
	}
}
