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
	if text, err := try(); err == nil || strings.Count(text, "OVER") != 1 {
		t.Errorf("slower than fzf: %v\n%s", err, text)
	}
	good[scrollMS] = nil
	if text, err := try(); err == nil || strings.Count(text, "OVER") != 2 {
		t.Errorf("not measured: %v\n%s", err, text)
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
