package sim

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

var (
	seeds = flag.Int("seeds", 4, "how many seeds are lived")
	from  = flag.Uint64("from", 1, "the first of them")
	only  = flag.Uint64("seed", 0, "the one seed to live; 0 for all")
)

func TestMain(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC
	os.Exit(m.Run())
}

// TestSeeds lives worlds and has them judged.
func TestSeeds(t *testing.T) {
	t.Parallel()
	first, n := *from, *seeds
	if *only != 0 {
		first, n = *only, 1
	}
	var mu sync.Mutex
	met := make(map[string]int)
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				run, harmed := live(t, seed)
				found := judge.Judge(run)
				if len(found) > 0 || testing.Verbose() {
					t.Logf("seed %d\n%s", seed, script(run))
				}
				for _, f := range found {
					t.Errorf("judged %d: %s", seed, strings.ReplaceAll(f, "\n", " "))
				}
				mu.Lock()
				defer mu.Unlock()
				for name, k := range harmed {
					met[name] += k
				}
			})
		})
	}
	t.Cleanup(func() {
		for _, name := range slices.Sorted(maps.Keys(met)) {
			t.Logf("met %-32s %d", name, met[name])
		}
	})
}

// live lives a seed.
func live(t *testing.T, seed uint64) (*judge.Run, map[string]int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := makeWorld(ctx, t, seed)
	w.run.Before, w.run.MaxDay, w.run.RuleDay = w.books(), w.maxDay, ruleDay
	people := 1 // A cap counts on a machine.
	if w.maxDay == 0 {
		people = 1 + w.rand.IntN(3)
	}
	for i := range people {
		w.addPerson(seed, []string{"ann", "bob", "eve"}[i])
	}
	until := now().Add(time.Duration(1+w.rand.IntN(4)) * time.Hour)
	var all sync.WaitGroup
	for _, p := range w.people {
		all.Go(func() { p.live(until) })
		if p.rand.IntN(4) == 0 {
			all.Go(func() { p.watches(until) })
		}
	}
	all.Go(func() {
		for now().Before(until) {
			w.liar.setSick([]float64{0, 0, 0.1, 0.3, 0.6}[w.rand.IntN(5)])
			pause(time.Duration(1+w.rand.IntN(30)) * time.Minute)
		}
	})
	all.Wait()
	w.liar.heal()
	pause(time.Minute)
	for _, p := range w.people {
		p.settles()
	}
	pause(time.Hour)
	for _, p := range w.people {
		p.settles()
		p.fair()
		p.tells()
	}
	w.run.After = w.books()
	for _, p := range w.people {
		for _, shown := range lines[struct{ Balance float64 }](t, p.runs("", judge.Asked{}, "wallet", "--json")) {
			w.run.Shown = int64(shown.Balance*100 + 0.5)
		}
	}
	w.run.Secrets = w.leaks()
	cancel()
	if err := w.provider.Close(); err != nil {
		t.Error(err)
	}
	pause(time.Minute) // Timers that nobody can cancel run out.
	return &w.run, w.liar.met
}

// script is what happened, as it can be read and played again by hand.
func script(r *judge.Run) string {
	var b strings.Builder
	for _, a := range r.Asked {
		fmt.Fprintf(&b, "%s %-4s exit %d", a.From.Format("15:04:05"), a.Who, a.Exit)
		if a.Killed {
			b.WriteString(" killed")
		}
		fmt.Fprintf(&b, "  cardtop %s", a.Line)
		if text := strings.TrimSpace(a.Errs); text != "" {
			fmt.Fprintf(&b, "\n              %s", strings.ReplaceAll(text, "\n", "\n              "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
