package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// bar is a figure of cardtop and the most it may be.
type bar struct {
	what       string
	got, limit float64
	// timed says that it is of time, and so of the machine.
	timed bool
}

func (b bar) holds() bool { return b.got <= b.limit }

// on returns the bar as it is on a machine that takes so many times as long.
func (b bar) on(slowness float64) bar {
	if b.timed {
		b.limit *= slowness
	}
	return b
}

// fzfMove is how long a move takes in fzf where the bars were set, in milliseconds.
const fzfMove = .57

// slowness is how many times as long as there the same takes here, by a move in fzf; a
// faster machine makes no bar harder.
func slowness(fzf []figures) float64 { return max(1, over(fzf, moveMS, .5)/fzfMove) }

// report prints the programs next to each other, then cardtop against the bars, as they
// are and for a machine as fast as this one. With strict, one of the latter that does not
// hold is an error.
func report(to io.Writer, programs []program, measured [][]figures, strict bool) error {
	text := table(programs, measured)
	if !strict {
		_, err := io.WriteString(to, text)
		return err
	}
	all, here := bars(measured[0], measured[1]), slowness(measured[1])
	held, heldHere := 0, 0
	text += fmt.Sprintf("\nA move in fzf takes %s times as long here as where the bars were set.\n", short(here))
	text += "\n| cardtop | figure | bar | | here | |\n|---|---:|---:|---|---:|---|\n"
	for _, b := range all {
		scaled := b.on(here)
		if b.holds() {
			held++
		}
		if scaled.holds() {
			heldHere++
		}
		text += fmt.Sprintf("| %s | %s | ≤ %s | %s | ≤ %s | %s |\n", b.what, short(b.got), short(b.limit), b.verdict(), short(scaled.limit), scaled.verdict())
	}
	text += fmt.Sprintf("\n%d of %d bars hold, %d for a machine as fast as this one\n", held, len(all), heldHere)
	if _, err := io.WriteString(to, text); err != nil {
		return err
	}
	if heldHere < len(all) {
		return fmt.Errorf("%d bars do not hold", len(all)-heldHere)
	}
	return nil
}

// verdict is empty when a bar holds.
func (b bar) verdict() string {
	if b.holds() {
		return ""
	}
	return "OVER"
}

// column is a figure that every program has.
type column struct {
	title  string
	metric metric
	q      float64
}

func columns() []column {
	return []column{
		{"move p50 ms", moveMS, .5},
		{"p95", moveMS, .95},
		{"move while every card is read p50 ms", readingMS, .5},
		{"p95", readingMS, .95},
		{"scroll p50 ms", scrollMS, .5},
		{"page p50 ms", pageMS, .5},
		{"end, home p50 ms", jumpMS, .5},
		{"filter key p50 ms", filterMS, .5},
		{"p99", filterMS, .99},
		{"2,000 held keys: lag ms", lagMS, .5},
		{"bytes of a move", moveBytes, .5},
		{"of a scroll", scrollLen, .5},
		{"CPU ms of a move", moveCPU, .5},
		{"of a scroll", scrollCPU, .5},
		{"of a held key", heldCPU, .5},
		{"idle wake-ups/s", idleWakes, .5},
		{"idle CPU ms/s", idleCPU, .5},
		{"idle bytes/s", idleBytes, .5},
		{"RSS MiB", rssMiB, .5},
		{"peak", peakMiB, .5},
		{"first frame ms", startMS, .5},
	}
}

// table returns the figures, a program a column, and those of cardtop in those of
// fzf.
func table(programs []program, measured [][]figures) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, p := range programs {
		fmt.Fprintf(&b, " %s |", p.name)
	}
	fmt.Fprintf(&b, " %s : %s |\n|---|%s\n", programs[0].name, programs[1].name, strings.Repeat("---:|", len(programs)+1))
	for _, c := range columns() {
		fmt.Fprintf(&b, "| %s |", c.title)
		for i := range programs {
			fmt.Fprintf(&b, " %s |", short(over(measured[i], c.metric, c.q)))
		}
		fmt.Fprintf(&b, " %s |\n", short(over(measured[0], c.metric, c.q)/over(measured[1], c.metric, c.q)))
	}
	return b.String()
}

// bars returns what cardtop is held to, fzf being beside it.
func bars(cardtop, fzf []figures) []bar {
	own := func(what string, m metric, q, limit float64) bar {
		return bar{what, over(cardtop, m, q), limit, strings.Contains(string(m), " ms") || strings.Contains(string(m), "ms/s")}
	}
	ahead := func(what string, m metric) bar {
		return bar{what + ", fzf's", over(cardtop, m, .5), over(fzf, m, .5), false}
	}
	return []bar{
		own("move p50 ms", moveMS, .5, .7),
		own("move p95 ms", moveMS, .95, 2),
		{"move p50 ms, 1.3 × fzf's", over(cardtop, moveMS, .5), 1.3 * over(fzf, moveMS, .5), false},
		own("scroll p50 ms", scrollMS, .5, 1.2), ahead("scroll p50 ms", scrollMS),
		own("page p50 ms", pageMS, .5, 1.2), ahead("page p50 ms", pageMS),
		own("end and home p50 ms", jumpMS, .5, 1.2), ahead("end and home p50 ms", jumpMS),
		own("filter key p50 ms", filterMS, .5, 5), ahead("filter key p50 ms", filterMS), own("filter key p99 ms", filterMS, .99, 20),
		own("2,000 held keys: lag ms", lagMS, .5, 15),
		own("bytes of a move", moveBytes, .5, 350), own("bytes of a scroll", scrollLen, .5, 3500),
		own("move at 400x100 p50 ms", bigMoveMS, .5, 1.5),
		own("CPU of a move ms", moveCPU, .5, 1), own("CPU of a scroll ms", scrollCPU, .5, 2),
		own("idle, quiet server: wake-ups/s", idleWakes, .5, 8), own("idle, quiet server: CPU ms/s", idleCPU, .5, 2),
		own("idle, live sandbox: wake-ups/s", liveWakes, .5, 25), own("idle, live sandbox: CPU ms/s", liveCPU, .5, 6),
		own("RSS MiB", rssMiB, .5, 60), own("RSS MiB, 1,000 cards", fewMiB, .5, 30),
		own("first frame ms", startMS, .5, 150), own("first frame ms, 1,000 cards", fewMS, .5, 60),
		own("switch of the account ms", switchMS, .5, 200), own("--version ms", versionMS, .5, 8),
	}
}

// short prints three digits or so.
func short(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0): // There is none, or none to compare with.
		return "–"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

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
