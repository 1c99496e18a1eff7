package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/rule"
)

// asProcess makes the test binary a dashboard of its own, on the folder that
// is the first line it reads.
const asProcess = "CARDTOP_ENGINE_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		if err := serve(bufio.NewScanner(os.Stdin), os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// dayCap is the most that the processes may move, in USD, ruleCap by the rule.
const (
	dayCap  = 20
	ruleCap = 9
)

// slowly looks at what is under way for a while: whoever races past the lock
// then sees the same.
type slowly struct{ *journal.Journal }

func (s slowly) UnderWay() ([]state.Op, error) {
	ops, err := s.Journal.UnderWay()
	<-time.NewTimer(5 * time.Millisecond).C
	return ops, err
}

// serve funds a dollar for each line it reads, under the key of that line,
// and says what came of it. A line that ends in "hang" waits for ever after
// it was begun; one that begins with "rule@" is asked for by the rule.
func serve(lines *bufio.Scanner, out io.Writer) error {
	lines.Scan()
	dir, now := lines.Text(), time.Now //nolint:forbidigo // a process of its own
	j, err := journal.Open(dir, now)
	if err != nil {
		return err
	}
	past, err := history.Open(history.Config{Dir: dir, Now: now})
	if err != nil {
		return err
	}
	s := &service{bodies: map[string]string{
		"POST /cards/card_1/fund": `{"id":"card_1","previous_balance":0,"funded_amount":1,"new_balance":1,"wallet_balance":1}`,
	}}
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: s})
	if err != nil {
		return err
	}
	e := engine.New(engine.Config{Client: c, Journal: slowly{j}, History: past, Now: now, Guard: guard.Guard{
		MaxDay: dayCap * api.Dollar,
	}, Rules: []rule.Rule{{Name: "rule", Action: rule.FundBy, Amount: api.Dollar, MaxDay: ruleCap * api.Dollar}}})
	w, err := api.FundWrite("card_1", api.Dollar)
	if err != nil {
		return err
	}
	for lines.Scan() {
		key, hangs := strings.CutSuffix(lines.Text(), " hang")
		if hangs {
			s.before = func() {
				_, _ = fmt.Fprintln(out, "begun")
				select {}
			}
		}
		name, ruled := strings.CutPrefix(key, "rule@")
		o := state.Op{ID: 1, Kind: state.OpFund, Card: "card_1", Amount: api.Dollar, Key: api.IdempotencyKey(name), Tries: 1, Write: &w, At: now()}
		if ruled { // Its cards are all different.
			o.Rule, o.Card = "rule", api.CardID(name)
		}
		answer := "done"
		if failed, ok := e.Run(context.Background(), state.Do{Op: o}).(state.OpFailed); ok {
			answer = failed.Err.Error()
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return j.Close()
}

// program is a dashboard in a process of its own.
type program struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func launch(t *testing.T, dir string) *program {
	t.Helper()
	p := &program{t: t, cmd: exec.CommandContext(t.Context(), os.Args[0])}
	p.cmd.Env = append(os.Environ(), asProcess+"=1")
	p.cmd.Stderr = os.Stderr
	var err error
	p.in, err = p.cmd.StdinPipe()
	must(t, err)
	out, err := p.cmd.StdoutPipe()
	must(t, err)
	p.out = bufio.NewScanner(out)
	must(t, p.cmd.Start())
	p.say(dir)
	return p
}

func (p *program) say(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	must(p.t, err)
}

func (p *program) hear() string {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the process ended: %v", p.out.Err())
	}
	return p.out.Text()
}

// TestCapsHoldAcrossProcesses lets two race for a day's cap while the
// operation of a killed one, of which nobody knows what came, is in it.
func TestCapsHoldAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	victim := launch(t, dir)
	victim.say("victim hang")
	if got := victim.hear(); got != "begun" {
		t.Fatal(got)
	}
	must(t, victim.cmd.Process.Kill())
	_ = victim.cmd.Wait() // It tells of the signal.

	both := []*program{launch(t, dir), launch(t, dir)}
	done := 0
	for n, p := range both { // Both are up before they race.
		p.say(fmt.Sprintf("key-%d-up", n))
		if p.hear() == "done" {
			done++
		}
	}
	for n, p := range both {
		go func() {
			for i := range dayCap {
				if _, err := fmt.Fprintf(p.in, "key-%d-%d\n", n, i); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for _, p := range both {
		for range dayCap {
			switch got := p.hear(); {
			case got == "done":
				done++
			case !strings.Contains(got, "guardrail: $20.00 of $20.00 a day used"):
				t.Fatalf("refused: %s", got)
			}
		}
		must(t, p.in.Close())
		must(t, p.cmd.Wait())
	}
	if done != dayCap-1 {
		t.Errorf("%d dollars moved beside one that nobody knows of, of %d", done, dayCap)
	}
	past, err := history.Open(history.Config{Dir: dir, Now: stepping()})
	must(t, err)
	if r, err := past.Verify(); err != nil || r.Lines != dayCap-1 {
		t.Errorf("history: %+v, %v", r, err)
	}
}
