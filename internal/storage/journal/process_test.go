package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
)

// asProcess makes the test binary a run of its own, on the folder that is the
// first line it reads.
const asProcess = "CARDTOP_JOURNAL_TEST"

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

// serve does what it reads, a word a line, and answers each with a line.
func serve(lines *bufio.Scanner, out io.Writer) error {
	lines.Scan()
	now := time.Now //nolint:forbidigo // a process of its own
	j, err := Open(lines.Text(), now)
	if err != nil {
		return err
	}
	answer := keysOf(j.Pending())
	for {
		if _, err := fmt.Fprintln(out, answer); err != nil || !lines.Scan() {
			return errors.Join(err, j.Close())
		}
		word, key, _ := strings.Cut(lines.Text(), " ")
		w, err := api.FundWrite("card_1", 25*api.Dollar)
		if err != nil {
			return err
		}
		switch answer = ""; word {
		case "begin":
			err = j.Begin(fund(api.IdempotencyKey(key)), w)
		case "adopt":
			ops, aerr := j.Adopt()
			answer, err = keysOf(ops), aerr
		}
		if err != nil {
			return err
		}
	}
}

// run is a run in a process of its own.
type run struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func process(t *testing.T, dir string) (p *run, pending string) {
	t.Helper()
	p = &run{t: t, cmd: exec.CommandContext(t.Context(), os.Args[0])}
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
	return p, p.hear()
}

func (p *run) hear() string {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the process ended: %v", p.out.Err())
	}
	return p.out.Text()
}

func (p *run) say(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	must(p.t, err)
}

// end closes a process, or kills it.
func (p *run) end(killed bool) {
	p.t.Helper()
	if killed {
		must(p.t, p.cmd.Process.Kill())
		_ = p.cmd.Wait() // It tells of the signal.
		return
	}
	must(p.t, p.in.Close())
	must(p.t, p.cmd.Wait())
}

// TestOfTwoProcessesOneTakesWhatAKilledOneLeft kills a process with an
// operation open and lets two others ask at once.
func TestOfTwoProcessesOneTakesWhatAKilledOneLeft(t *testing.T) {
	dir := place(t)
	a, _ := process(t, dir)
	b, _ := process(t, dir)
	for round := range 10 {
		key := fmt.Sprintf("key-%d", round)
		victim, pending := process(t, dir)
		if pending != "" {
			t.Fatalf("took %q from the living", pending)
		}
		victim.say("begin " + key)
		victim.hear()
		a.say("adopt")
		if got := a.hear(); got != "" {
			t.Fatalf("took %q from the living", got)
		}
		victim.end(true)
		a.say("adopt")
		b.say("adopt")
		got := a.hear() + b.hear()
		if got == "" { // Each found the other at it, and nothing was left to see.
			a.say("adopt")
			got = a.hear()
		}
		if got != key {
			t.Fatalf("taken %q, want %q", got, key)
		}
		a.say("adopt")
		b.say("adopt")
		if again := a.hear() + b.hear(); again != "" {
			t.Fatalf("taken again: %q", again)
		}
	}
	a.end(false)
	if got := pendingKeys(t, dir); strings.Count(got, "key-") > 10 {
		t.Errorf("left %q", got)
	}
	b.end(true)
	if got := len(strings.Fields(pendingKeys(t, dir))); got != 10 {
		t.Errorf("%d operations are left of 10", got)
	}
	if n := len(files(t, dir)); n != 1 {
		t.Errorf("%d files", n)
	}
}
