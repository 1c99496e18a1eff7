package main

import (
	"math"
	"slices"
	"time"
)

// metric is what is measured, with its unit.
type metric string

const (
	moveMS    metric = "move ms"
	readingMS metric = "move while every card is read ms"
	moveBytes metric = "bytes of a move"
	moveCPU   metric = "CPU of a move ms"
	bigMoveMS metric = "move at 400x100 ms"
	scrollMS  metric = "scroll ms"
	scrollLen metric = "bytes of a scroll"
	scrollCPU metric = "CPU of a scroll ms"
	pageMS    metric = "page ms"
	jumpMS    metric = "end and home ms"
	filterMS  metric = "filter key ms"
	lagMS     metric = "lag of held keys ms"
	heldCPU   metric = "CPU of a held key ms"
	idleWakes metric = "idle wake-ups/s"
	idleCPU   metric = "idle CPU ms/s"
	idleBytes metric = "idle bytes/s"
	liveWakes metric = "live wake-ups/s"
	liveCPU   metric = "live CPU ms/s"
	rssMiB    metric = "RSS MiB"
	peakMiB   metric = "peak RSS MiB"
	startMS   metric = "first frame ms"
	fewMS     metric = "first frame of the small account ms"
	fewMiB    metric = "RSS of the small account MiB"
	switchMS  metric = "switch of the account ms"
	versionMS metric = "--version ms"
)

// figures are the samples of one round.
type figures map[metric][]float64

// add adds samples; those of no metric are not wanted.
func (f figures) add(m metric, samples ...float64) {
	if m != "" {
		f[m] = append(f[m], samples...)
	}
}

// over returns the median over the rounds of a quantile of each round.
func over(rounds []figures, m metric, q float64) float64 {
	var each []float64
	for _, f := range rounds {
		if len(f[m]) > 0 {
			each = append(each, quantile(f[m], q))
		}
	}
	return quantile(each, .5)
}

// quantile returns the value that a share q of the values does not exceed; of
// none it is not a number.
func quantile(all []float64, q float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(0, min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1))]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func mib(n int) float64 { return float64(n) / (1 << 20) }
