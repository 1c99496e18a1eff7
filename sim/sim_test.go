package sim

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

var (
	seeds  = flag.Int("seeds", 20, "how many seeds are lived")
	from   = flag.Uint64("from", 1, "the first of them")
	within = flag.Duration("within", 90*time.Minute, "how long people do what they do, at most")
	// These are for a process that lives one seed: see sim/lives, in which it goes the same way each time.
	only    = flag.Uint64("seed", 0, "the one seed to live; 0 for all")
	without = flag.String("without", "", "the parts of it that are left out, with commas")
)

func TestMain(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", "/dev/shm") // Files in memory: a simulated disk loses nothing.
	}
	os.Exit(m.Run())
}

// TestSeeds lives worlds and has them judged.
func TestSeeds(t *testing.T) {
	first, n := *from, *seeds
	if *only != 0 {
		first, n = *only, 1
		for range *only % 1000 {
			rand.Uint64() // Each seed has orders of goroutines of its own, where Go's sequence is the same each time.
		}
		cryptotest.SetGlobalRandom(t, *only)
	} else {
		t.Parallel()
	}
	var mu sync.Mutex
	met := make(map[string]int)
	var failed atomic.Bool
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if *only == 0 {
				t.Parallel()
			}
			if failed.Load() && flag.Lookup("test.failfast").Value.String() == "true" {
				t.SkipNow() // All of them were started before the first one lived.
			}
			defer func() { failed.Store(failed.Load() || t.Failed()) }()
			synctest.Test(t, func(t *testing.T) {
				run, harmed := live(t, seed)
				found := judge.Judge(run)
				if len(found) > 0 || testing.Verbose() {
					t.Logf("seed %d\n%s", seed, script(run))
				}
				for _, f := range found {
					t.Errorf("judged %d: %s", seed, f)
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
	if draw(seed, "month").IntN(4) == 0 { // It ends while people live.
		pause(31*24*time.Hour - 40*time.Minute)
	}
	began := now()
	w := makeWorld(ctx, t, seed, strings.Split(*without, ","))
	day, days := span(seed, w.rand.IntN(4))
	until := now().Add(min(*within, day+time.Duration(days-1)*24*time.Hour))
	if *only != 0 {
		go collect(ctx)
	}
	over, end := context.WithCancel(ctx)
	var served sync.WaitGroup
	names := []string{"ann", "bob", "eve"}
	switch {
	case w.rand.IntN(4) == 0:
		hubs := w.addHubs()
		for i, name := range names[:1+w.rand.IntN(3)] {
			rank := judge.Lead
			if r := draw(w.seed, name+" rank"); i > 0 {
				rank = []string{judge.Lead, judge.Buyer, judge.Buyer, judge.Viewer}[r.IntN(4)]
			}
			hubs.addMember(name, rank, i > 0 && w.rand.IntN(2) == 0)
		}
		hubs.share()
		for _, h := range hubs {
			served.Go(func() { h.serves(over, until) })
		}
	case w.maxDay > 0:
		w.addMachine(names[0]) // A cap counts on a machine.
	default:
		for _, name := range names[:1+w.rand.IntN(3)] {
			w.addMachine(name)
		}
	}
	if slices.ContainsFunc(w.machines, func(m *machine) bool { return m.door != "" }) {
		served.Go(func() {
			if err := w.provider.Run(over); err != nil && over.Err() == nil { // It delivers.
				t.Error(err)
			}
		})
	}
	w.lived(now().Add(min(*within, day)))
	for n := 1; n < days; n++ {
		w.day = n
		w.setSick(0)
		pause(24*time.Hour - day)
		w.lived(now().Add(day))
	}
	w.setSick(0)
	pause(time.Minute)
	if w.team() {
		w.users()[0].user("boss").decides()
	}
	for _, m := range w.users() {
		m.user("after").settles()
	}
	pause(time.Hour)
	if w.team() {
		w.users()[0].user("lead").leads()
	}
	for _, m := range w.users() {
		p := m.user("end")
		p.settles()
		p.fair()
	}
	pause(time.Second) // A hub answers a lead before it has recorded the end of the operation.
	for _, m := range w.machines {
		m.user("teller").tells()
	}
	w.run.After = w.books()
	for _, m := range slices.DeleteFunc(w.users(), func(m *machine) bool { return m.part }) {
		for _, shown := range lines[struct{ Balance float64 }](t, m.user("reader").runs("", judge.Asked{}, "wallet", "--json")) {
			w.run.Shown = int64(shown.Balance*100 + 0.5)
		}
	}
	end()
	served.Wait()
	w.run.Secrets = append(w.run.Secrets, w.leaks()...)
	for _, c := range w.clients {
		c.CloseIdleConnections()
	}
	cancel()
	if err := errors.Join(w.provider.Close(), w.stranger.Close()); err != nil {
		t.Error(err)
	}
	pause(time.Minute) // Timers that nobody can cancel run out.
	w.run.Crashes = append(w.run.Crashes, w.leftOpen()...)
	if *only != 0 {
		t.Logf("parts: %s", strings.Join(w.parts, ","))
		fmt.Printf("lived: %s\n", now().Sub(began)) // A test that passes shows no log.
	}
	return &w.run, w.met()
}

// collect frees memory at fixed moments, at which nobody does anything: the repeatable build frees none by itself.
func collect(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5*time.Minute + 123457*time.Nanosecond):
			runtime.GC()
		}
	}
}

// lived has people and the provider do what they do, until an hour.
func (w *world) lived(until time.Time) {
	var all sync.WaitGroup
	for i, m := range w.users() {
		if w.takes(m.name + " shell") {
			all.Go(func() { m.user("shell").live(until) })
		}
		if draw(w.seed, m.name+" loses").IntN(5) == 0 && w.takes(m.name+" disk") {
			all.Go(func() { m.loses(until) })
		}
		if w.rand.IntN(4) == 0 && !w.team() && w.takes(m.name+" rule") {
			all.Go(func() { m.user("rule").watches(until) })
		}
		if (w.rand.IntN(3) == 0 || w.past && i == 0) && w.takes(m.name+" desk") {
			all.Go(func() { m.user("desk").sits(until) })
		}
		if w.rand.IntN(4) == 0 && w.takes(m.name+" tools") {
			all.Go(func() { m.user("tools").assists(until) })
		}
		if w.rand.IntN(4) == 0 && !m.part && w.takes(m.name+" follower") {
			all.Go(func() { m.user("follower").follows(until) })
		}
	}
	all.Go(func() {
		if w.past {
			pause(pastRead + time.Minute)
		}
		for r := draw(w.seed, "harm"); now().Before(until); {
			w.setSick([]float64{0, 0, 0.1, 0.3, 0.6}[r.IntN(5)])
			pause(time.Duration(1+r.IntN(30)) * time.Minute)
		}
	})
	all.Go(func() { w.elsewhere.relabels(until) })
	if draw(w.seed, "an end").IntN(3) == 0 && w.takes("a card expires") {
		all.Go(func() { w.elsewhere.expires(until) })
	}
	if !w.team() && !w.pooled() && draw(w.seed, "rotates").IntN(3) == 0 && w.takes("a key is changed") {
		all.Go(func() { w.rotates(until) })
	}
	part := slices.ContainsFunc(w.machines, func(m *machine) bool { return m.part }) // They may not see what others' cards are charged.
	if r := draw(w.seed, "shops"); r.IntN(3) == 0 || part {
		all.Go(func() { w.charges(r, until) })
	}
	all.Wait()
}

// script is what happened, as it can be read and played again by hand.
func script(r *judge.Run) string {
	var b strings.Builder
	typed := slices.Clone(r.Typed)
	for _, a := range r.Asked {
		for keys := ""; len(typed) > 0 && !typed[0].At.After(a.From); typed = typed[1:] {
			keys += " " + strconv.Quote(typed[0].Key)
			if next := typed[1:]; len(next) == 0 || next[0].Who != typed[0].Who || next[0].At.After(a.From) {
				fmt.Fprintf(&b, "%s %-4s types%s\n", typed[0].At.Format("15:04:05"), typed[0].Who, keys)
				keys = ""
			}
		}
		fmt.Fprintf(&b, "%s %-4s exit %d", a.From.Format("15:04:05"), a.Who, a.Exit)
		if a.Killed {
			b.WriteString(" killed")
		}
		fmt.Fprintf(&b, "  cardtop %s", a.Line)
		if strings.HasPrefix(a.Line, "hub operations --") {
			fmt.Fprintf(&b, "\n              %s", strings.ReplaceAll(strings.TrimSpace(a.Out), "\n", "\n              "))
		}
		if text := strings.TrimSpace(a.Errs); text != "" {
			fmt.Fprintf(&b, "\n              %s", strings.ReplaceAll(text, "\n", "\n              "))
		}
		b.WriteByte('\n')
	}
	b.WriteString("what the provider did:\n")
	for _, a := range r.Acts {
		fmt.Fprintf(&b, "%s %s %s %d\n", a.At.Format("15:04:05.000"), a.Verb, a.Card, a.Cents)
	}
	b.WriteString("what the programs tell of it:\n")
	for _, h := range r.History {
		fmt.Fprintf(&b, "%s %-4s %s %s %s %d %s\n", h.At.Format("15:04:05.000"), h.Machine, h.Outcome, h.Action, h.Card, h.Cents, h.Key)
	}
	return b.String()
}

const week = 7 * 24 * time.Hour

// span is how long the people of a seed do what they do each day, and of how many days: mostly hours, of one seed in 50 a day, of
// one in 500 a week. At night hubs serve nobody and dashboards are closed.
func span(seed uint64, more int) (day time.Duration, days int) {
	switch n := draw(seed, "span").IntN(500); {
	case n == 0:
		if *within < week {
			return time.Hour, 1
		}
		return 3 * time.Hour, 7
	case n < 10:
		return 24 * time.Hour, 1
	}
	return time.Duration(1+more) * time.Hour, 1
}
