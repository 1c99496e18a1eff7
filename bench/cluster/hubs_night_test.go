//go:build night && unix

package cluster_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestHubsWriteOnceWhateverFails runs rounds of trouble while six people write over
// three hubs of the built program, with clocks that are up to 20 minutes apart. HUBS_ROUNDS says how many.
func TestHubsWriteOnceWhateverFails(t *testing.T) {
	rounds := 5
	if n, err := strconv.Atoi(os.Getenv("HUBS_ROUNDS")); err == nil {
		rounds = n
	}
	f := startFleet(t)
	var why error
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last answer at the start: %v", why)
		}
	})
	f.within(time.Minute, "all hubs answer", func() bool { _, why = f.read(); return why == nil })
	ctx, stop := context.WithCancel(t.Context())
	var people sync.WaitGroup
	for i := range 6 {
		people.Go(func() { f.writer(ctx, i) })
	}
	f.within(time.Minute, "the first writes", func() bool { return f.done.Load() > 5 })
	kinds := f.troubles()
	for i := range rounds {
		kind := kinds[i%len(kinds)]
		leader, before := f.gate.leader(), f.done.Load()
		end := kind.begin(leader)
		took := f.within(time.Minute, kind.name, func() bool { return f.done.Load() > before+12 })
		<-time.After(time.Second)
		end()
		f.within(time.Minute, "all hubs answer after "+kind.name, func() bool { _, err := f.read(); return err == nil })
		age, err := f.read()
		t.Logf("round %d: %s; 12 writes after %v; the oldest answer is %s s old, %v", i+1, kind.name, took.Round(time.Millisecond), age, err)
	}
	stop()
	people.Wait()
	f.judge(rounds)
}

// hubTrouble is one kind of round; begin returns what ends it.
type hubTrouble struct {
	name  string
	begin func(leader int) (end func())
}

func (f *fleet) troubles() []hubTrouble {
	return []hubTrouble{
		{"leader killed", func(leader int) func() {
			p := f.hubs[leader]
			p.kill()
			return p.again
		}},
		{"leader stopped for longer than its lease", func(leader int) func() {
			f.signal(leader, syscall.SIGSTOP)
			return func() { f.signal(leader, syscall.SIGCONT) }
		}},
		{"leader cut off", func(leader int) func() {
			for _, l := range f.hubs[leader].links {
				l.Cut()
			}
			return func() { f.heal(leader) }
		}},
		{"leader in a hole", func(leader int) func() {
			for _, l := range f.hubs[leader].links {
				l.Hole()
			}
			return func() { f.heal(leader) }
		}},
		{"server killed", func(int) func() {
			n := f.nats.Nodes[rand.IntN(size)]
			n.Kill()
			return n.Start
		}},
		{"server cut off", func(int) func() { return f.isolate(false) }},
		{"server in a hole", func(int) func() { return f.isolate(true) }},
		{"slow links", func(int) func() { return f.slow() }},
	}
}

// judge compares what people were told with what the sandbox has.
func (f *fleet) judge(rounds int) {
	f.gate.mu.Lock()
	wrong, writes, again := f.gate.wrong, f.gate.writes, 0
	for _, n := range f.gate.keys {
		if n > 1 {
			again++
		}
	}
	f.gate.mu.Unlock()
	for _, what := range wrong {
		f.t.Error(what)
	}
	other := 0
	for told, n := range f.told {
		if told != "done" {
			f.t.Errorf("%d operations were told %q", n, told)
			other += n
		}
	}
	done, moved := int(f.done.Load()), f.moved()/each
	f.t.Logf("%d of %d rounds: at most one hub wrote at any instant; %d operations, %d double, %d lost, %d not told or told otherwise than done (%d requests, %d sent again under their key)",
		rounds, rounds, done, max(0, moved-done-other), max(0, done-moved), other, writes, again)
	if moved != done {
		f.t.Errorf("%d operations were told to be done, the cards say %d", done, moved)
	}
}
