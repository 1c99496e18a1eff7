// Command soak runs the built program for hours on its sandbox, with faults: the
// dashboard, watch, and a hub with viewers. It prints what they take in the first and in
// the last quarter of that time, and fails when that grows; of less than two hours, memory
// is shown and not judged.
//
//	go build -o /tmp/cardtop . && go run ./bench/soak -program /tmp/cardtop -hours 2
//
// It reads everything from outside, of /proc: the programs have no door for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	hours := flag.Float64("hours", 2, "how long")
	program := flag.String("program", "", "the built program, with its symbols")
	quiet := flag.Bool("quiet", false, "no simulated traffic, in a world of 1,000 cards and 20,000 transactions, so that the programs have hardly more to keep from hour to hour")
	samples := flag.String("samples", "", "file for every sample, one JSON object a line")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *program, *samples, *quiet, time.Duration(*hours*float64(time.Hour)))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// filling is how long programs fill what they keep: the requests of an hour above all,
// which the limits of the API are of.
const filling = time.Hour

// warming is the part of a span that is not measured.
func warming(span time.Duration) time.Duration { return min(filling, span/2) }

// run soaks for a span, and tells of it.
func run(ctx context.Context, program, samples string, quiet bool, span time.Duration) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	seen := io.Discard
	if samples != "" {
		f, err := os.Create(samples) //nolint:gosec // a file that the user named
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // every line was written
		seen = f
	}
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	w := &world{program: program, dir: dir, quiet: quiet, clock: time.Now, seen: seen} //nolint:forbidigo // the clock of main
	defer w.close()
	if w.symbols, err = readSymbols(program); err != nil {
		return err
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	// The figures are of the time after the programs are warm.
	if _, err := w.soak(ctx, warming(span)); err != nil {
		return err
	}
	all, err := w.soak(ctx, span-warming(span))
	if err != nil {
		return err
	}
	return report(os.Stdout, span, all)
}

// most is how much a figure may grow from the first quarter to the last, in percent.
const most = 2.0

// bounded says by how much a figure may grow whatever the percents say: a program that has
// ten descriptors and now and then an eleventh has no leak. A connection that is kept is a
// descriptor and up to three goroutines: of reading, writing and answering. Figures without a bound are shown only, and so is memory of
// programs that had less than their first hour to fill what they keep.
func bounded(figure string, span time.Duration) (least float64, ok bool) {
	switch figure {
	case memory, heap:
		return 0, warming(span) == filling
	case descriptors, threads:
		return 1, true
	case goroutines:
		return 3, true
	}
	return 0, false
}

// report prints the figures of the first and the last quarter, and is an error when one
// has grown too much.
func report(out io.Writer, span time.Duration, all []sample) error {
	quarter := len(all) / 4
	if quarter == 0 {
		return errors.New("it was too short: a quarter has no sample")
	}
	first, last := all[:quarter], all[len(all)-quarter:]
	fmt.Fprintf(out, "%s, of that the first %s to get warm, then %d samples; means of the first and the last quarter\n", //nolint:errcheck // a table for a person
		span, warming(span).Round(time.Second), len(all))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PROGRAM\tFIGURE\tFIRST\tLAST\tGROWTH\t") //nolint:errcheck // as above
	var grown []error
	for _, name := range slices.Sorted(maps.Keys(all[0])) {
		for _, figure := range figures(all, name) {
			if figure == requests {
				a, b := rate(first, name), rate(last, name)
				fmt.Fprintf(table, "%s\trequests a round\t%.1f\t%.1f\t%+.1f %%\t\n", name, a, b, growth(a, b)) //nolint:errcheck // as above
				continue
			}
			a, b := mean(first, name, figure), mean(last, name, figure)
			verdict := ""
			if least, ok := bounded(figure, span); ok && growth(a, b) > most && b-a > least {
				verdict = "grows"
				grown = append(grown, fmt.Errorf("%s: %s grows by %.1f %%, from %.2f to %.2f", name, figure, growth(a, b), a, b))
			}
			fmt.Fprintf(table, "%s\t%s\t%.2f\t%.2f\t%+.1f %%\t%s\n", name, figure, a, b, growth(a, b), verdict) //nolint:errcheck // as above
		}
	}
	return errors.Join(table.Flush(), errors.Join(grown...))
}

// figures are the names of what was seen of a program.
func figures(all []sample, name string) []string {
	names := make(map[string]bool)
	for _, s := range all {
		for f := range s[name] {
			names[f] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// mean is that of a figure, over the samples that have it.
func mean(some []sample, name, figure string) float64 {
	sum, n := 0.0, 0
	for _, s := range some {
		if v, ok := s[name][figure]; ok {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// rate is by how much a count rises from one sample to the next.
func rate(some []sample, name string) float64 {
	if len(some) < 2 {
		return 0
	}
	return (some[len(some)-1][name][requests] - some[0][name][requests]) / float64(len(some)-1)
}

// growth is in percent of what was.
func growth(from, to float64) float64 {
	if from == 0 {
		return 0
	}
	return 100 * (to - from) / from
}
