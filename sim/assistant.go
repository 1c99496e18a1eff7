package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/sim/judge"
)

// mostOfCalls is what an assistant may move in a session, mostOfCall with a call, cents.
const (
	mostOfCalls = 60_00
	mostOfCall  = 27_00
)

// assistant is a client of the tools, and the server that it started.
type assistant struct {
	*person
	session string
	// allowed are the writes that the server takes.
	allowed []string
	in      *io.PipeWriter
	out     *bufio.Reader
	ended   chan struct{}
	id      int
}

// assists has an assistant use the tools until an hour, and start the server again when it ends.
func (p *person) assists(until time.Time) {
	for now().Before(until) {
		p.begins()
		a := p.starts()
		ends := now().Add(min(until.Sub(now()), p.between(5*time.Minute, time.Hour)))
		for now().Before(ends) {
			if p.begins() && !a.calls() {
				break
			}
			pause(p.between(time.Second, 10*time.Minute))
		}
		_ = a.in.Close() // The server ends with its input.
		<-a.ended
		pause(p.between(time.Second, 30*time.Minute))
	}
}

// starts starts a server of tools.
func (p *person) starts() *assistant {
	p.mu.Lock()
	ctx, home := p.ctx, p.home
	p.mu.Unlock()
	in, typed := io.Pipe()
	printed, out := io.Pipe()
	p.n++
	allowed := []string{"fund", "withdraw", "freeze", "unfreeze"}
	a := &assistant{person: p, session: fmt.Sprintf("%s-%s-%d", p.name, p.role, p.n), allowed: allowed[p.rand.IntN(2):], in: typed, out: bufio.NewReader(printed), ended: make(chan struct{})}
	go func() {
		defer close(a.ended)
		a.serve(ctx, home, in, out)
	}()
	return a
}

func (a *assistant) serve(ctx context.Context, home string, in *io.PipeReader, out *io.PipeWriter) {
	var errs bytes.Buffer
	args := []string{"mcp", "--allow", strings.Join(a.allowed, ","), "--max-amount", fmt.Sprint(mostOfCall / 100), "--max-total", fmt.Sprint(mostOfCalls / 100)}
	hadDisk := a.hasDisk()
	exit := a.identified(&errs, func() int { return cmd.Run(ctx, a.program(ctx, home, &errs), args, in, out) })
	if exit != cli.ExitDone && ctx.Err() == nil && hadDisk() {
		a.w.add(func(r *judge.Run) {
			r.Crashes = append(r.Crashes, fmt.Sprintf("the tools ended with %d: %s", exit, errs.String()))
		})
	}
	_ = in.Close() // Who writes is told, and who reads.
	_ = out.Close()
}

// calls calls a tool. It reports whether the server goes on.
func (a *assistant) calls() bool {
	id, sum, key := a.card(), a.cents(), a.given()
	asked := judge.Asked{Verb: "fund", Cards: []string{id}, Cents: sum, Key: key, Session: a.session, Most: mostOfCalls}
	args := map[string]any{"card": id, "amount": fmt.Sprintf("%d.%02d", sum/100, sum%100), "idempotency_key": key}
	tool := "cards_fund"
	switch a.rand.IntN(5) {
	case 0:
		tool, asked.Verb = "cards_withdraw", "withdraw"
	case 1:
		return a.call("wallet", map[string]any{}, judge.Asked{})
	default:
	}
	asked.Forbidden = sum > mostOfCall || !slices.Contains(a.allowed, asked.Verb)
	ok := a.call(tool, args, asked)
	if ok && a.rand.IntN(3) == 0 {
		ok = a.call(tool, args, asked) // The same call once more.
	}
	return ok
}

// call calls a tool, and notes what was asked for and how it ended.
func (a *assistant) call(tool string, args map[string]any, asked judge.Asked) bool {
	a.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args, "_meta": map[string]any{}}})
	if err != nil {
		a.w.t.Error(err)
		return false
	}
	a.mu.Lock()
	kills := a.kills
	a.mu.Unlock()
	asked.From, asked.Who, asked.Part, asked.Role, asked.Line = now(), a.name, a.part, a.rank, "(tool) "+tool+" "+strings.Join(asked.Cards, " ")+" "+asked.Key
	_, err = a.in.Write(append(line, '\n'))
	answer := ""
	if err == nil {
		answer, err = a.out.ReadString('\n')
	}
	a.mu.Lock()
	asked.Killed = err != nil || kills != a.kills
	a.mu.Unlock()
	asked.Out = answer
	var m struct {
		Error  *struct{ Message string } // A tool that is not there.
		Result struct {
			StructuredContent struct {
				Error *cli.Failure
			}
		}
	}
	if err == nil {
		if err := json.Unmarshal([]byte(answer), &m); err != nil {
			a.w.t.Errorf("%s answers %q: %v", tool, answer, err)
		}
	}
	if failed := m.Result.StructuredContent.Error; failed != nil {
		asked.Exit, asked.Errs = failed.Exit, failed.Message
	}
	if m.Error != nil {
		asked.Exit, asked.Errs = cli.ExitFailed, m.Error.Message
	}
	a.notes(asked)
	return err == nil
}
