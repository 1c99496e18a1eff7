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
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
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
