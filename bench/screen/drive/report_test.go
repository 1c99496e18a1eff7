package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestAFigureIsTheMedianOfTheRounds holds that a round that was disturbed moves
// neither the median nor the other rounds' quantiles.
func TestAFigureIsTheMedianOfTheRounds(t *testing.T) {
	t.Parallel()
	rounds := []figures{{moveMS: {1, 2, 3, 4}}, {moveMS: {500, 600, 700, 800}}, {moveMS: {2, 3, 4, 5}}}
	if got := over(rounds, moveMS, .5); got != 3 {
		t.Errorf("p50 is %v", got)
	}
	if got := over(rounds, moveMS, .95); got != 5 {
		t.Errorf("p95 is %v", got)
	}
	if got := over(rounds, scrollMS, .5); !math.IsNaN(got) {
		t.Errorf("what was not measured is %v", got)
	}
}

// TestABarThatDoesNotHoldIsAnError holds that figures over their bars and figures
// that are missing are not passed over.
func TestABarThatDoesNotHoldIsAnError(t *testing.T) {
	t.Parallel()
	good, peer := figures{}, figures{}
	for _, b := range []metric{
		moveMS, bigMoveMS, moveBytes, moveCPU, scrollMS, scrollLen, scrollCPU, pageMS, jumpMS, filterMS, lagMS, heldCPU,
		idleWakes, idleCPU, liveWakes, liveCPU, rssMiB, startMS, fewMS, fewMiB, switchMS, versionMS,
	} {
		good.add(b, .5)
		peer.add(b, .5)
	}
	programs := []program{{name: "cardtop"}, {name: "fzf"}}
	try := func() (string, error) {
		var b strings.Builder
		err := report(&b, programs, [][]figures{{good}, {peer}}, true)
		return b.String(), err
	}
	if text, err := try(); err != nil || !strings.Contains(text, "28 of 28 bars hold") {
		t.Errorf("%v\n%s", err, text)
	}
	good[scrollMS] = []float64{.6}
	if text, err := try(); err == nil || strings.Count(text, "OVER") != 2 {
		t.Errorf("slower than fzf: %v\n%s", err, text)
	}
	good[scrollMS] = nil
	if text, err := try(); err == nil || strings.Count(text, "OVER") != 4 {
		t.Errorf("not measured: %v\n%s", err, text)
	}
}

// TestBarsOfTimeAreThoseOfTheMachine holds that a slow machine is allowed more time, and
// not more bytes or memory, and that a fast one is not asked for more.
func TestBarsOfTimeAreThoseOfTheMachine(t *testing.T) {
	t.Parallel()
	slow, fast := figures{moveMS: {3 * fzfMove}}, figures{moveMS: {fzfMove / 3}}
	for _, b := range bars(nil, []figures{slow}) {
		if got, want := b.on(slowness([]figures{slow})).limit, b.limit*3; b.timed != (math.Abs(got-want) < 1e-9) && !math.IsNaN(want) {
			t.Errorf("%s: %v on a slow machine, %v as it was set", b.what, got, b.limit)
		}
		if got := b.on(slowness([]figures{fast})).limit; got != b.limit && !math.IsNaN(b.limit) {
			t.Errorf("%s: %v on a fast machine, %v as it was set", b.what, got, b.limit)
		}
		if strings.Contains(b.what, " ms") == strings.Contains(b.what, "fzf's") && b.timed {
			t.Errorf("%s is scaled twice", b.what)
		}
		if (strings.HasPrefix(b.what, "bytes") || strings.HasPrefix(b.what, "RSS") || strings.HasSuffix(b.what, "wake-ups/s")) && b.timed {
			t.Errorf("%s is not of time", b.what)
		}
	}
}

// TestAThreadThatEndedTakesNothingAway holds that only what threads did between two
// readings counts.
func TestAThreadThatEndedTakesNothingAway(t *testing.T) {
	t.Parallel()
	before := use{threads: map[string]thread{"1": {time.Second, 10}, "2": {time.Minute, 1000}}}
	after := use{threads: map[string]thread{"1": {2 * time.Second, 15}, "3": {time.Second, 3}}}
	if cpu, wakes := after.since(before); cpu != 2*time.Second || wakes != 8 {
		t.Errorf("%s of CPU, %d wake-ups", cpu, wakes)
	}
}

func TestARuneThatIsCutWaits(t *testing.T) {
	t.Parallel()
	dots := []byte("a•")
	for n, want := range []int{0, 1, 1, 1, 4} {
		if got := wholeRunes(dots[:n]); got != want {
			t.Errorf("of %d bytes %d are whole, want %d", n, got, want)
		}
	}
}
