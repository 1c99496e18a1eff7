//go:build night && unix

package cluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
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

// world is hubs, servers, a service, and people who write.
type world struct {
	t       *testing.T
	nats    *natstest.Cluster
	hubs    []*process
	service *service
	client  *http.Client

	leader atomic.Int64 // the hub that answered last
	lease  atomic.Uint64

	mu     sync.Mutex
	told   map[string]string // what people were told, by key
	writes int
}

// start starts a world whose clocks differ by up to 20 minutes.
func start(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, service: &service{tries: make(map[string]int), active: make(map[uint64]int)}, told: make(map[string]string),
		client: &http.Client{Timeout: time.Second},
	}
	server, hub := natstest.BuildServer(t, true), natstest.Build(t, ".", "./bench/cluster/hub", true)
	w.nats = natstest.Start(t, server, size, func(i int) []string { return skewed(i) })
	service := httptest.NewServer(w.service)
	t.Cleanup(service.Close)
	dir := t.TempDir()
	for i := range size {
		p := &process{addr: natstest.FreeAddrs(t, 1)[0]}
		var servers []string
		for _, n := range w.nats.Nodes {
			l := natstest.NewLink(t, n.Addr())
			p.links, servers = append(p.links, l), append(servers, "nats://"+l.Addr())
		}
		log, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("hub%d.log", i)), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		p.begin(func() *exec.Cmd {
			cmd := exec.CommandContext(context.Background(), hub, "-name", fmt.Sprint(i), "-listen", p.addr, "-service", service.URL, "-servers", strings.Join(servers, ","))
			cmd.Env, cmd.Stderr = skewed(i+1), log
			if err := cmd.Start(); err != nil {
				t.Error(err)
			}
			return cmd
		})
		w.hubs = append(w.hubs, p)
		t.Cleanup(func() {
			p.kill()
			if data, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
				t.Logf("hub %d:\n%s", i, data[max(0, len(data)-8000):])
			}
		})
	}
	return w
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

// people write until ctx ends, and then until each of their operations has an answer.
func (w *world) people(ctx context.Context, name string) {
	for i := 0; ctx.Err() == nil; i++ {
		key := fmt.Sprintf("%s-%d", name, i)
		told := "nothing"
		last := time.After(3 * time.Minute)
		for told == "nothing" {
			select {
			case <-last:
				told = "unknown"
			case <-time.After(time.Duration(20+rand.IntN(60)) * time.Millisecond):
				told = w.ask(key)
			}
		}
		w.mu.Lock()
		w.told[key] = told
		w.writes++
		w.mu.Unlock()
	}
}

// ask asks a hub to do an operation; nothing means that it has to be asked again.
func (w *world) ask(key string) string {
	hub := int(w.leader.Load())
	if rand.IntN(4) == 0 {
		hub = rand.IntN(size)
	}
	res, err := w.client.Post("http://"+w.hubs[hub].addr+"/op/"+key, "", nil)
	if err != nil {
		w.leader.CompareAndSwap(int64(hub), int64((hub+1)%size))
		return "nothing"
	}
	defer res.Body.Close() //nolint:errcheck // It is read to its end.
	var answer struct {
		State string
		Lease uint64
	}
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(data, &answer) != nil {
		w.leader.CompareAndSwap(int64(hub), int64((hub+1)%size))
		return "nothing"
	}
	if answer.State == "done" && answer.Lease >= w.lease.Load() {
		w.lease.Store(answer.Lease)
		w.leader.Store(int64(hub))
	}
	if answer.State == "unknown" {
		return "nothing"
	}
	return answer.State
}

// within waits until something holds, and returns how long it took.
func (w *world) within(most time.Duration, what string, holds func() bool) time.Duration {
	w.t.Helper()
	began := time.Now() //nolint:forbidigo // processes take real time
	for !holds() {
		<-time.After(10 * time.Millisecond)
		if time.Since(began) > most { //nolint:forbidigo // as above
			w.t.Fatalf("%s: not within %v", what, most)
		}
	}
	return time.Since(began) //nolint:forbidigo // as above
}

// complete reports whether every hub takes part: it listens then.
func (w *world) complete() bool {
	for _, p := range w.hubs {
		res, err := w.client.Get("http://" + p.addr)
		if err != nil {
			return false
		}
		_ = res.Body.Close() // It is not read.
	}
	return true
}

// count returns how many operations are answered.
func (w *world) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes
}
