//go:build night

package complete

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runsIt answers a shell's questions by the program, and notes the arguments of the
// command line that is run in the end.
const runsIt = `#!/bin/sh
case "$1" in
__complete*) exec "$PROGRAM" "$@" ;;
esac
for a; do printf '<%s>' "$a"; done > "$HOME/ran"
`

// served is the built program with an account whose cards a command has listed.
type served struct {
	exe   string
	env   []string
	cards []listedCard
}

type listedCard struct{ id, label, last4 string }

// TestTheProgramCompletesInShells types command lines into real shells with the built
// program behind them, and looks at what is run. PROOF_COMPLETION is how many cards
// there are, and at most how many milliseconds an answer may take: 10000,30.
func TestTheProgramCompletesInShells(t *testing.T) {
	count, most := 300, time.Duration(0)
	if text, wanted := os.LookupEnv("PROOF_COMPLETION"); wanted {
		cards, ms, _ := strings.Cut(text, ",")
		n, err := strconv.Atoi(cards)
		must(t, err)
		limit, err := strconv.Atoi(ms)
		must(t, err)
		count, most = n, time.Duration(limit)*time.Millisecond
	}
	s := serve(t, count)
	questions := s.questions(t)
	held, asked := 0, 0
	for _, sh := range shells() {
		if lacks := sh.lacks(); lacks != "" {
			if most > 0 {
				t.Errorf("%s is not installed", lacks)
			}
			continue
		}
		dump := filepath.Join(t.TempDir(), "dump")
		for _, q := range questions {
			asked++
			_, ran := sh.run(t, t.TempDir(), dump, runsIt, q.typed, "", s.env...)
			if want := "<" + strings.ReplaceAll(q.ran, "|", "><") + ">"; ran != want {
				t.Errorf("%s: %q runs %s, want %s", sh.name, q.typed, ran, want)
				continue
			}
			held++
		}
	}
	t.Logf("command lines completed in shells with %d cards: %d of %d", count, held, asked)
	took := s.measure(t)
	t.Logf("an answer with %d cards takes %.1f ms", count, took.Seconds()*1e3)
	if most > 0 && took > most {
		t.Errorf("an answer takes %s, and may take %s", took, most)
	}
}

// serve starts a sandbox and lists its cards, as a person does before anything is
// completed.
func serve(t *testing.T, cards int) served {
	t.Helper()
	home := t.TempDir()
	s := served{exe: filepath.Join(home, "program")}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", s.exe, "../../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sandbox := exec.CommandContext(t.Context(), s.exe, "sandbox", "--addr", "127.0.0.1:0", "--api-key", "sk_test_shells", "--quiet", "--no-limits", "--cards", strconv.Itoa(cards), "--history", "0")
	sandbox.Env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home}
	out, err := sandbox.StdoutPipe()
	must(t, err)
	must(t, sandbox.Start())
	t.Cleanup(func() {
		_ = sandbox.Process.Signal(syscall.SIGTERM) // It may have ended.
		_ = sandbox.Wait()                          // As above.
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the sandbox does not start")
	}
	url := strings.TrimPrefix(lines.Text(), "sandbox on ")
	config := filepath.Join(home, "config.toml")
	text := fmt.Sprintf("[profiles.team]\nbase_url = %q\n[profiles.night]\nbase_url = \"https://example.invalid/v1\"\n", url)
	must(t, os.WriteFile(config, []byte(text), 0o600))
	s.env = []string{"PROGRAM=" + s.exe, "CARDTOP_CONFIG=" + config, "CARDTOP_PROFILE=team"}
	for _, kind := range []string{"STATE", "CACHE"} {
		s.env = append(s.env, "XDG_"+kind+"_HOME="+filepath.Join(home, kind))
	}
	list := exec.CommandContext(t.Context(), s.exe, "cards", "list", "!status=terminated", "--template", `{id}\t{label}\t{last4}`)
	list.Env = append(slices.Clone(s.env), "HOME="+home, "CARDTOP_API_KEY=sk_test_shells")
	var errs bytes.Buffer
	list.Stderr = &errs
	rows, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &errs)
	}
	for row := range strings.Lines(string(rows)) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		s.cards = append(s.cards, listedCard{cells[0], cells[1], cells[2]})
	}
	return s
}

// question is a command line with a tab in it, and what is run.
type question struct{ typed, ran string }

// questions are of every kind of word that is completed.
func (s served) questions(t *testing.T) []question {
	t.Helper()
	out := []question{
		{"cardtop cards unf\tx\r", "cards|unfreeze|x"},
		{"cardtop cards list --jsonl\t-x\r", "cards|list|--jsonl|-x"},
		{"cardtop cards list --status fr\t\r", "cards|list|--status|frozen"},
		{"cardtop wallet --profile te\t\r", "wallet|--profile|team"},
		{"cardtop wallet --profile=ni\t\r", "wallet|--profile=night"},
		{"cardtop cards list --fields id,bala\t\r", "cards|list|--fields|id,balance"},
		{"cardtop transactions list --fields merch\t\r", "transactions|list|--fields|merchant"},
		{"cardtop history --fields outc\t\r", "history|--fields|outcome"},
		{"cardtop cards list status=act\t\r", "cards|list|status=active"},
		{"cardtop cards list 'bal<20 status=fro\t\r", "cards|list|bal<20 status=frozen"},
		{"cardtop transactions list 'type=decl\t\r", "transactions|list|type=declined"},
		{"cardtop cards show nobody\t-x\r", "cards|show|nobody-x"},
	}
	const each = 3
	for _, kind := range []func(listedCard) string{
		func(c listedCard) string { return c.label }, func(c listedCard) string { return c.id }, func(c listedCard) string { return c.last4 },
	} {
		n := 0
		for i, c := range s.cards {
			word := kind(c)
			if i%7 != 0 || n == each || len(word) < 4 || strings.ContainsAny(word, " '\"") {
				continue
			}
			begin := word[:len(word)-1]
			if s.begun(begin, kind) > 1 {
				begin = word // Of many cards, most have others beside them.
			}
			if s.begun(begin, kind) == 1 {
				out = append(out, question{"cardtop cards show " + begin + "\t--json\r", "cards|show|" + word + "|--json"})
				n++
			}
		}
		if n == 0 {
			t.Error("no card is called what no other is")
		}
	}
	return out
}

// begun is how many cards are called so that it begins so.
func (s served) begun(begin string, kind func(listedCard) string) (n int) {
	for _, c := range s.cards {
		if strings.HasPrefix(kind(c), begin) {
			n++
		}
	}
	return n
}

// measure is how long the program takes to answer, in the middle of many.
func (s served) measure(t *testing.T) time.Duration {
	t.Helper()
	const times = 31
	var took []time.Duration
	for range times {
		cmd := exec.CommandContext(t.Context(), s.exe, "__complete", "cards", "show", s.cards[0].label[:2])
		cmd.Env = append(slices.Clone(s.env), "HOME="+t.TempDir())
		begin := time.Now() //nolint:forbidigo // it is measured
		must(t, cmd.Run())
		took = append(took, time.Since(begin)) //nolint:forbidigo // as above
	}
	slices.Sort(took)
	return took[times/2]
}
