//go:build night && unix

package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
)

const size = 3 // hubs, and servers

// process is a hub.
type process struct {
	addr  string
	links []*natstest.Link // to the servers
	start func() *exec.Cmd

	mu     sync.Mutex
	cmd    *exec.Cmd
	killed bool
	over   chan struct{} // closed when it was killed and waited for
}

// skewed sets a clock ten minutes back, right, or ten minutes ahead.
func skewed(i int) []string { return []string{fmt.Sprintf("%s=%d", natstest.Skew, 600*(i%size-1))} }

// begin starts the process, and again when it ends by itself, as systemd would.
func (p *process) begin(start func() *exec.Cmd) {
	p.start = start
	p.again()
}

// again starts a process that was killed.
func (p *process) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed, p.over = false, make(chan struct{})
	p.cmd = p.start()
	go p.supervise(p.cmd, p.over)
}

func (p *process) supervise(cmd *exec.Cmd, over chan struct{}) {
	defer close(over)
	for {
		_ = cmd.Wait() // What it said is in its log.
		if p.wasKilled() {
			return
		}
		<-time.After(300 * time.Millisecond)
		p.mu.Lock()
		if !p.killed {
			p.cmd = p.start()
		}
		cmd = p.cmd
		p.mu.Unlock()
	}
}

func (p *process) wasKilled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

func (p *process) kill() {
	p.mu.Lock()
	p.killed = true
	_ = p.cmd.Process.Kill() // It may have ended.
	p.mu.Unlock()
	<-p.over
}

func (p *process) signal(s os.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.Process.Signal(s)
}

// within waits until something holds, and returns how long it took.
func (f *fleet) within(most time.Duration, what string, holds func() bool) time.Duration {
	f.t.Helper()
	began := time.Now() //nolint:forbidigo // processes take real time
	for !holds() {
		<-time.After(10 * time.Millisecond)
		if time.Since(began) > most { //nolint:forbidigo // as above
			f.t.Fatalf("%s: not within %v", what, most)
		}
	}
	return time.Since(began) //nolint:forbidigo // as above
}

func (f *fleet) signal(hub int, s os.Signal) {
	if err := f.hubs[hub].signal(s); err != nil {
		f.t.Error(err)
	}
}

func (f *fleet) heal(hub int) {
	for _, l := range f.hubs[hub].links {
		l.Heal()
	}
}

// isolate cuts a server off; hole leaves its connections open.
func (f *fleet) isolate(hole bool) (end func()) {
	n := rand.IntN(size)
	f.nats.Isolate(n, hole)
	return func() { f.nats.Heal(n) }
}

// slow delays what hubs and servers tell each other.
func (f *fleet) slow() (end func()) {
	for i, p := range f.hubs {
		for _, l := range p.links {
			l.Slow(100 * time.Millisecond)
		}
		f.nats.Slow(i, 50*time.Millisecond)
	}
	return func() {
		for i := range f.hubs {
			f.heal(i)
			f.nats.Heal(i)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
