package sim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/sim/judge"
)

// hubAt is where a hub listens, secondAt where another on the same machine would.
const hubAt, secondAt = "127.0.0.1:8790", "127.0.0.1:8791"

// hubs are those who run the hubs of an account, one or several that share a bus.
type hubs []*person

// addHubs has machines serve the account to people: they reach them over wires, and what comes to harm on the way to the
// provider comes to harm on the way to a hub as well.
func (w *world) addHubs() (all hubs) {
	names := []string{"hub", "hub2", "hub3"}
	if draw(w.seed, "hubs").IntN(2) > 0 {
		names = names[:1]
	} else {
		w.bus = bustest.NewHubs()
	}
	for _, name := range names {
		m := w.addMachine(name)
		m.ahead = 0 // Deadlines of connections are by Go's clock.
		w.run.Hubs = append(w.run.Hubs, name)
		all = append(all, m.user("host"))
	}
	return all
}

// addMember adds somebody to the hub, of all cards or of those of the scope, with a machine of their own.
func (h hubs) addMember(name, rank string, part bool) {
	w := h[0].w
	args := []string{"hub", "add", name, "--role", rank, "--labels", "*"}
	if part {
		args[len(args)-1] = scope + "/*"
	}
	if rank == judge.Buyer {
		args = append(args, "--cap", fmt.Sprint(judge.BuyerCap/100))
	}
	a := h[0].runs("", judge.Asked{}, args...)
	if a.Exit != cli.ExitDone {
		w.t.Fatalf("%s: %s", a.Line, a.Errs)
	}
	token := strings.TrimSpace(a.Out)
	w.secrets = append(w.secrets, token)
	w.add(func(r *judge.Run) { r.Asked[len(r.Asked)-1].Out = "" }) // It is printed once, to who adds somebody.
	m := w.addMachine(name)
	client := &http.Transport{DialContext: h.dial(draw(w.seed, name+" hubs"))}
	l := w.makeLiar(client, name+" liar")
	m.part, m.rank = part, rank
	m.at, m.key, m.next = "http://"+hubAt+"/v1", token, l
	w.clients = append(w.clients, client)
	w.liars = append(w.liars, l)
}

// dial connects to one of the hubs, the next where one does not listen.
func (h hubs) dial(r *rand.Rand) func(ctx context.Context, network, at string) (net.Conn, error) {
	return func(ctx context.Context, network, at string) (c net.Conn, err error) {
		first := r.IntN(len(h))
		for i := range h {
			if c, err = h[(first+i)%len(h)].wire.dial(ctx, network, at); err == nil {
				return c, nil
			}
		}
		return nil, err
	}
}

// share gives several hubs the same team and the same key.
func (h hubs) share() {
	first := h[0]
	if first.w.bus == nil {
		return
	}
	key := first.runs("", judge.Asked{}, "hub", "key")
	if key.Exit != cli.ExitDone {
		first.w.t.Fatal(key.Errs)
	}
	first.w.secrets = append(first.w.secrets, strings.TrimSpace(key.Out))
	first.w.add(func(r *judge.Run) { r.Asked[len(r.Asked)-1].Out = "" })
	team, err := os.ReadFile(filepath.Join(first.folder(), "team.toml"))
	for _, p := range h {
		if p != first {
			p.runs("", judge.Asked{}, "hub", "add", "nobody", "--role", judge.Viewer, "--labels", "*") // It makes the folder of the account.
		}
		dir := p.folder()
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "team.toml"), team, 0o600), os.WriteFile(filepath.Join(dir, "cluster.key"), []byte(key.Out), 0o600)) //nolint:gosec // of the test
	}
	if err != nil {
		first.w.t.Fatal(err)
	}
}

// folder is that of the hub on a machine.
func (m *machine) folder() string {
	found, err := filepath.Glob(filepath.Join(config.PathsUnder(m.home).State, "profiles", "*", "hub"))
	if err != nil || len(found) != 1 {
		m.w.t.Fatal("the folder of the hub: ", found, err)
	}
	return found[0]
}

// bus is how the hubs of a machine reach the others until they are killed; nil where there is one alone.
func (m *machine) bus(ctx context.Context) func() (cluster.Bus, func(), error) {
	if m.w.bus == nil {
		return nil
	}
	return func() (cluster.Bus, func(), error) {
		return m.w.bus.Connect(func(string) bustest.Fault {
			return bustest.Fault{Refused: ctx.Err() != nil, LoseRequest: m.apart.Load()}
		}), func() {}, nil
	}
}

// parts has the hub be cut off from the others now and then until an hour.
func (p *person) parts(until time.Time) {
	for r := draw(p.w.seed, p.name+" parts"); ; {
		pause(time.Duration(1+r.IntN(40)) * time.Minute)
		if now().After(until) {
			return
		}
		lasts := time.Duration(1+r.IntN(240)) * time.Second
		p.w.liar.hurts("a hub that is cut off", lasts)
		p.apart.Store(true)
		pause(lasts)
		p.apart.Store(false)
	}
}

// serve is the command line of a hub.
func (p *person) serve(more ...string) []string {
	args := append([]string{"hub"}, more...)
	if p.w.bus != nil {
		args = append(args, "--nats", "nats://bus:4222", "--name", p.name)
	}
	return args
}

// serves has the machine run the hub until all is over. It is killed now and then until an hour, and started again.
func (p *person) serves(over context.Context, until time.Time) {
	var apart sync.WaitGroup
	defer apart.Wait()
	if p.w.bus != nil && p.w.takes(p.name+" parts") {
		apart.Go(func() { p.parts(until) })
	}
	for over.Err() == nil {
		does := p.begins()
		p.mu.Lock()
		living, home := p.ctx, p.home
		p.mu.Unlock()
		ctx, stop := context.WithCancel(living)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			var errs bytes.Buffer
			exit := cmd.Run(ctx, p.program(ctx, home, &errs), p.serve(), strings.NewReader(""), io.Discard)
			if exit != cli.ExitDone && ctx.Err() == nil {
				p.w.add(func(r *judge.Run) {
					r.Crashes = append(r.Crashes, fmt.Sprintf("the hub ended with %d: %s", exit, errs.String()))
				})
			}
		}()
		pause(p.between(time.Second, time.Minute))
		if does && p.rand.IntN(2) == 0 && p.wire.listens(hubAt) {
			p.doubles(ctx, home, ended)
		}
		select {
		case <-over.Done():
		case <-ended:
		case <-time.After(p.between(20*time.Minute, 3*time.Hour)):
			p.mu.Lock()
			if does && now().Before(until) {
				p.killAt, p.after, p.writes = 1+p.rand.IntN(6), p.rand.IntN(2) == 0, p.rand.IntN(2) == 0
				if p.writes { // There are few of them.
					p.killAt = 1
				}
			}
			p.mu.Unlock()
			select {
			case <-over.Done():
			case <-ended:
			}
		}
		stop()
		<-ended
		if p.w.bus != nil { // Another takes over.
			p.w.liar.hurts("a hub that ended", 0)
		}
		p.wire.cut()
		if over.Err() == nil {
			pause(p.between(time.Second, 2*time.Minute))
		}
	}
}

// doubles starts a hub beside the one that runs: both would have the same files, and it has to say so and end.
func (p *person) doubles(ctx context.Context, home string, ended <-chan struct{}) {
	within, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	var errs bytes.Buffer
	exit := cmd.Run(within, p.program(within, home, &errs), p.serve("--listen", secondAt), strings.NewReader(""), io.Discard)
	select {
	case <-ended: // It had the files for itself.
	default:
		if exit == cli.ExitDone || within.Err() != nil && ctx.Err() == nil {
			p.w.add(func(r *judge.Run) {
				r.Crashes = append(r.Crashes, fmt.Sprintf("a second hub served from the same files (exit %d): %s", exit, errs.String()))
			})
		}
	}
}

// decides has a lead approve or refuse what waits for one, now and then twice.
func (p *person) decides() {
	type waiting struct {
		ID, State string
		Verb      string `json:"operation"`
		Card      string `json:"card_id"`
		Amount    json.Number
	}
	for _, l := range lines[waiting](p.w.t, p.runs("", judge.Asked{}, "hub", "approvals", "--jsonl")) {
		if l.State != "waiting" {
			continue
		}
		args := []string{"hub", "approvals", "approve", l.ID, "--yes"}
		if p.rand.IntN(4) == 0 {
			args = []string{"hub", "approvals", "refuse", l.ID}
		} else {
			p.w.add(func(r *judge.Run) {
				r.Approved = append(r.Approved, judge.Act{At: now(), Verb: l.Verb, Card: l.Card, Cents: cents(l.Amount)})
			})
		}
		for range 1 + p.rand.IntN(2) {
			p.runs("", judge.Asked{}, args...)
		}
	}
}

// leads has a person of a hub say what became of the writes of the team that nobody knows of.
func (p *person) leads() {
	type unsettled struct {
		ID        string
		Operation string
		Card      string `json:"card_id"`
		Amount    json.Number
		At        time.Time
	}
	for _, o := range lines[unsettled](p.w.t, p.runs("", judge.Asked{}, "hub", "operations", "--jsonl")) {
		how := "--not-done"
		if p.w.acted(judge.Act{Verb: o.Operation, Card: o.Card, Cents: cents(cmp.Or(o.Amount, "0")), At: o.At}) {
			how = "--done"
		}
		p.runs("", judge.Asked{}, "hub", "operations", "settle", o.ID, how)
	}
}
