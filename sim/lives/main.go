// Command lives lives seeds of the simulation, each in the same way each time: it builds the simulation with a few lines
// of Go's runtime replaced, so that what goroutines, selects and maps do is the seed's as well.
//
//	go run ./sim/lives [-from 1] [-seeds 100]   live them, and print those that fail
//	go run ./sim/lives -seed 17                 live one, and print what happened
//	go run ./sim/lives -seed 17 -times 20       live it often, and count how often it went as the first time
//	go run ./sim/lives -shorten 17              print the least of it that fails in the same way
//	go run ./sim/lives -planted [NAME...]       plant faults in the program, and have each found
//
// With -fault NAME a fault is planted before. What is replaced and planted are overlays of the compiler: the program
// holds no switch for it.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.Uint64Var(&o.from, "from", 1, "the first seed")
	flag.IntVar(&o.seeds, "seeds", 100, "how many are lived; with -planted, within how many each fault has to be found")
	flag.Uint64Var(&o.again, "seed", 0, "the one seed to live, with what happened")
	flag.IntVar(&o.times, "times", 0, "how often the one seed is lived to see that it goes the same way")
	flag.Uint64Var(&o.shorten, "shorten", 0, "the seed to shorten")
	flag.BoolVar(&o.planted, "planted", false, "prove that planted faults are found")
	flag.StringVar(&o.fault, "fault", "", "the fault to plant before")
	flag.Parse()
	o.names = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lives:", err)
		os.Exit(1)
	}
}

type options struct {
	from, again, shorten uint64
	seeds, times         int
	planted              bool
	fault                string
	names                []string
}

func run(ctx context.Context, to io.Writer, o options) (err error) {
	dir, err := os.MkdirTemp("", "lives")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if o.planted {
		return prove(ctx, to, dir, o.seeds, o.names)
	}
	var f fault
	if o.fault != "" {
		i := slices.IndexFunc(faults(), func(f fault) bool { return f.name == o.fault })
		if i < 0 {
			return fmt.Errorf("no fault is called %q", o.fault)
		}
		f = faults()[i]
	}
	p, err := compile(ctx, dir, "sim", f.edits)
	switch {
	case err != nil:
		return err
	case o.shorten != 0:
		return p.shorten(ctx, to, o.shorten)
	case o.again != 0 && o.times > 0:
		return p.repeats(ctx, to, o.again, o.times)
	case o.again != 0:
		l := p.live(ctx, o.again, "-test.v")
		_, err := io.WriteString(to, l.out)
		return errors.Join(l.err, err)
	}
	return p.judge(ctx, to, numbers(o.from, o.seeds))
}

// judge lives seeds and prints what is wrong with those that fail.
func (p program) judge(ctx context.Context, to io.Writer, seeds []uint64) error {
	failed, lived := 0, time.Duration(0)
	p.all(ctx, seeds, func(l life) bool {
		lived += l.lived
		if l.err != nil {
			failed++
			_, _ = fmt.Fprintf(to, "%s\nseed %d fails: go run ./sim/lives -seed %[2]d, or -shorten %[2]d\n", l.out, l.seed) // The exit code says so too.
		}
		return false
	})
	if _, err := fmt.Fprintf(to, "%d seeds, %.0f hours of accounts\n", len(seeds), lived.Hours()); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d seeds fail", failed, len(seeds))
	}
	return ctx.Err()
}

// repeats lives a seed often, and fails unless it goes the same way each time, to the last line of what happened.
func (p program) repeats(ctx context.Context, to io.Writer, seed uint64, times int) error {
	same, first := 0, ""
	for i := range times {
		l := p.live(ctx, seed, "-test.v")
		if err := ctx.Err(); err != nil {
			return err
		}
		happened := took.ReplaceAllString(l.out, "")
		if i == 0 {
			first = happened
			if _, err := fmt.Fprintf(to, "seed %d: %s\n", seed, cmp.Or(l.verdict(), "passes")); err != nil {
				return err
			}
		}
		if happened == first {
			same++
		}
	}
	if _, err := fmt.Fprintf(to, "%d of %d the same\n", same, times); err != nil {
		return err
	}
	if same < times {
		return fmt.Errorf("seed %d goes several ways", seed)
	}
	return nil
}

// took is what a test prints of the machine's time.
var took = regexp.MustCompile(`\([0-9.]+s\)|\t[0-9.]+s\n`)

// numbers are n of them.
func numbers(from uint64, n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = from + uint64(i)
	}
	return all
}
