package sim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/sim/judge"
)

// hubAt is where a hub listens, secondAt where another on the same machine would.
const hubAt, secondAt = "127.0.0.1:8790", "127.0.0.1:8791"

// addHub has a machine serve the account to people: they reach it over a wire, and what comes to harm on the way to the
// provider comes to harm on the way to the hub as well.
func (w *world) addHub() *person {
	m := w.addMachine("hub")
	m.ahead = 0 // Deadlines of connections are by Go's clock.
	p := m.user("host")
	w.run.Hub = p.name
	return p
}

// addMember adds somebody to the hub, of all cards or of those of the scope, with a machine of their own.
func (p *person) addMember(name, rank string, part bool) {
	args := []string{"hub", "add", name, "--role", rank, "--labels", "*"}
	if part {
		args[len(args)-1] = scope + "/*"
	}
	if rank == judge.Buyer {
		args = append(args, "--cap", fmt.Sprint(judge.BuyerCap/100))
	}
	a := p.runs("", judge.Asked{}, args...)
	if a.Exit != cli.ExitDone {
		p.w.t.Fatalf("%s: %s", a.Line, a.Errs)
	}
	token := strings.TrimSpace(a.Out)
	p.w.secrets = append(p.w.secrets, token)
	p.w.add(func(r *judge.Run) { r.Asked[len(r.Asked)-1].Out = "" }) // It is printed once, to who adds somebody.
	m := p.w.addMachine(name)
	client := p.wire.client()
	l := p.w.makeLiar(client, name+" liar")
	m.part, m.rank = part, rank
	m.at, m.key, m.next = "http://"+hubAt+"/v1", token, l
	p.w.clients = append(p.w.clients, client)
	p.w.liars = append(p.w.liars, l)
}

// serves has the machine run the hub until all is over. It is killed now and then until an hour, and started again.
func (p *person) serves(over context.Context, until time.Time) {
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
			exit := cmd.Run(ctx, p.program(ctx, home, &errs), []string{"hub"}, strings.NewReader(""), io.Discard)
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
				p.killAt, p.after = 1+p.rand.IntN(6), p.rand.IntN(2) == 0
			}
			p.mu.Unlock()
			select {
			case <-over.Done():
			case <-ended:
			}
		}
		stop()
		<-ended
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
	exit := cmd.Run(within, p.program(within, home, &errs), []string{"hub", "--listen", secondAt}, strings.NewReader(""), io.Discard)
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
