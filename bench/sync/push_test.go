//go:build long

package sync_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

const (
	// pushedBar is the age of a code on the screen when a webhook tells of it, p95.
	pushedBar = 300 * time.Millisecond
	// pushedShare is what may be used of the hour while lanes rest.
	pushedShare = hourly * 12 / 100
)

// pay has a challenge whose code is waited for, and returns the age of the code on the
// screen.
func (p *program) pay(w *world, card string, i int) time.Duration {
	return p.awaitCode(w, newRand(uint64(i)), card, i)
}

// codesRest reports whether the foot of the codes, the highest on the right, says push.
func (p *program) codesRest() bool {
	for line := range strings.SplitSeq(p.term.text(), "\n") {
		if strings.HasSuffix(strings.TrimSpace(line), "─╯") {
			return strings.Contains(line, " push ─╯")
		}
	}
	return false
}

// rests waits for codes until lanes rest.
func (p *program) rests(w *world, card string, from int) int {
	p.t.Helper()
	for i := from; i < from+10; i++ {
		p.pay(w, card, i)
		pass(3 * time.Second)
		if p.codesRest() {
			return i + 1
		}
	}
	p.t.Fatalf("lanes do not rest:\n%s", p.term.text())
	return 0
}

// TestPushedCodesAreOnTheScreenAtOnce measures the time from a challenge to the frame
// with its code while webhooks tell of them.
func TestPushedCodesAreOnTheScreenAtOnce(t *testing.T) {
	n := howMuch().pushed
	synctest.Test(t, func(t *testing.T) {
		w := openPushedWorld(t, sandbox.Config{Quiet: true})
		defer w.stop()
		p := run(t.Context(), t, w)
		defer p.stop()
		pass(5 * time.Second)
		card := w.list("/v1/cards?status=active")[0].ID
		first := p.rests(w, card, 0)
		rng := newRand(2)
		var took []time.Duration
		for i := range n {
			pass(between(rng, 2*time.Second, 20*time.Second))
			took = append(took, p.pay(w, card, first+i))
		}
		if p95 := percentile(took, 95); p95 > pushedBar {
			t.Errorf("p95 is %v, the bar %v", p95, pushedBar)
		}
		_, _ = fmt.Fprintf(t.Output(), "push: %d of %d codes on the screen, p50 %s, p95 %s, most %s\n",
			len(took), n, seconds(percentile(took, 50)), seconds(percentile(took, 95)), seconds(percentile(took, 100)))
	})
}

// TestAPushedHourIsCheap counts the requests of an account that is used, while lanes
// rest.
func TestAPushedHourIsCheap(t *testing.T) {
	span := howMuch().pushedHours
	synctest.Test(t, func(t *testing.T) {
		w := openPushedWorld(t, sandbox.Config{Cards: 800, Transactions: 800})
		defer w.stop()
		began := clock()
		f := follow(t.Context(), t, w, func(*state.Store, kernel.Topic) []kernel.Intent { return nil })
		pass(span)
		f.stop()
		counts := f.between(began.Add(span/2), clock())
		total := 0
		for _, n := range counts {
			total += n
		}
		hour := int(float64(total)*float64(time.Hour)/float64(span-span/2) + 0.5)
		if hour > pushedShare {
			t.Errorf("%d requests an hour, the bar is %d: %v", hour, pushedShare, counts)
		}
		_, _ = fmt.Fprintf(t.Output(), "push: %d requests in a virtual hour with 800 cards, %.1f %% of 10,000: %v\n", hour, float64(hour)*100/hourly, counts)
	})
}
