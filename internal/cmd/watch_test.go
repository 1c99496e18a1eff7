package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/cmdtest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// watching runs the command for a while and gives how it ended.
// till is a till with a program of this package's.
type till struct {
	*cmdtest.Till
	program
}

func story(t *testing.T, tell func(s *till)) {
	t.Helper()
	cmdtest.Story(t, func(s *cmdtest.Till) { tell(&till{s, program{s.Program.Program, s.Program.Out}}) })
}

func (s *till) watching(o watchOptions) error {
	w := watcher{program: s.program, watchOptions: o, eng: s.Engine, settings: settings.Reloadable{Alerts: alert.Rules{Cards: 4 * api.Dollar, Declines: true}}}
	return w.run(s.T.Context())
}

// day is some business: a purchase, a decline, a low balance, a code.
func (s *till) day() {
	id, _ := s.Card["id"].(string)
	buy := func(kind, amount, merchant string) func() {
		return func() {
			s.Ask("/sandbox/transactions", `{"card_id":"`+id+`","type":"`+kind+`","amount":`+amount+`,"merchant":"`+merchant+`"}`)
		}
	}
	s.After(5500*time.Millisecond, buy("authorization", "3.25", "Acme \\\"& Sons\\\""))
	s.After(10500*time.Millisecond, buy("settlement", "3.25", "Acme \\\"& Sons\\\""))
	s.After(30300*time.Millisecond, func() { s.Challenge("482913", "12.34") })
	s.After(40500*time.Millisecond, buy("decline", "99", "Bad Shop"))
}

func (s *till) golden(name string) {
	s.T.Helper()
	got := s.Printed.String()
	path := filepath.Join("testdata", name)
	if *update {
		must(s.T, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	must(s.T, err)
	if got != string(want) {
		s.T.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestWatchPrintsALineAnEvent(t *testing.T) {
	for name, o := range map[string]watchOptions{"watch.txt": {plain: true}, "watch.jsonl": {json: true}} {
		story(t, func(s *till) {
			s.day()
			o.span = time.Minute
			if code := s.End(s.watching(o)); code != cli.ExitDone {
				t.Errorf("exit code %d: %s", code, s.Told.String())
			}
			s.golden(name)
			for _, l := range strings.SplitAfter(s.Printed.String(), "\n") {
				if strings.Contains(l, "482913") || strings.Contains(l, "\x1b") {
					t.Errorf("%q", l)
				}
			}
		})
	}
}

func TestWatchSaysWhenTheAPICeasesToAnswer(t *testing.T) {
	story(t, func(s *till) {
		s.After(10*time.Second, func() {
			s.Ask("/sandbox/faults", `{"route":"*","kind":"connection_reset","times":30}`)
		})
		if err := s.watching(watchOptions{plain: true, span: 3 * time.Minute}); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(s.Printed.String()), "\n")
		if len(lines) != 3 || !strings.Contains(lines[0], "the API answers") || !strings.Contains(lines[1], "link · ") || !strings.Contains(lines[2], "the API answers") {
			t.Errorf("printed\n%s", s.Printed.String())
		}
	})
}

func TestWatchEndsAsTheExitCodesSay(t *testing.T) {
	story(t, func(s *till) {
		ctx, cancel := context.WithCancel(s.T.Context())
		s.After(3*time.Second, cancel)
		w := watcher{program: s.program, watchOptions: watchOptions{plain: true}, eng: s.Engine}
		if code := s.End(w.run(ctx)); code != cli.ExitInterrupted {
			t.Errorf("interrupted: %d", code)
		}
		s.out = failing{}
		if code := s.End(s.watching(watchOptions{plain: true})); code != cli.ExitFailed {
			t.Errorf("nobody reads: %d", code)
		}
	})
	var out, errs bytes.Buffer
	for _, args := range [][]string{{}, {"--plain", "--json"}, {"--plain", "--for", "-1s"}} {
		root := commands(program{app.Program{Errs: &errs, Now: cmdtest.Clock}, &out})
		root.SetArgs(append([]string{"watch"}, args...))
		if code := cli.Report(&errs, root.ExecuteContext(t.Context())); code != cli.ExitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

func TestWatchEndsWhenTheKeyIsRefused(t *testing.T) {
	story(t, func(s *till) {
		s.Engine = s.Refused()
		if code := s.End(s.watching(watchOptions{plain: true, span: time.Minute})); code != cli.ExitAuth || s.Printed.Len() > 0 {
			t.Errorf("exit code %d: %s%s", code, s.Printed.String(), s.Told.String())
		}
	})
}

// failing is a pipe that nobody reads.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestWatchReadsTheDaysThatAlertsAreOf: a card was declined twice in ten payments two days
// ago, and a third time now. Rules that alert are told of as well.
func TestWatchReadsTheDaysThatAlertsAreOf(t *testing.T) {
	for hourly, wants := range map[int]bool{0: false, 20: true} {
		story(t, func(s *till) {
			id, _ := s.Card["id"].(string)
			pay := func(kind string) {
				why := ""
				if kind == "decline" {
					why = `,"decline_reason":"category_not_allowed"`
				}
				s.Ask("/sandbox/transactions", `{"card_id":"`+id+`","type":"`+kind+`","amount":0.25,"merchant":"Acme"`+why+`}`)
			}
			for i := range 10 {
				pay(map[bool]string{true: "decline", false: "authorization"}[i < 2])
			}
			time.Sleep(50 * time.Hour) //nolint:forbidigo // virtual time in a bubble
			s.After(5*time.Minute, func() { pay("decline") })
			w := watcher{program: s.program, watchOptions: watchOptions{plain: true, span: 10 * time.Minute}, eng: s.Engine, settings: settings.Reloadable{
				Alerts: alert.Rules{Rate: []int{25}, RateFrom: 10}, SpendHourly: hourly,
				Rules: []rule.Rule{
					{Name: "tried", When: "decl7>22", Action: rule.Alert},
					{Name: "spends", When: "status=active", Action: rule.FundTo, Amount: 9 * api.Dollar, MaxDay: 9 * api.Dollar},
				},
			}}
			if code := s.End(w.run(s.T.Context())); code != cli.ExitDone {
				t.Errorf("exit code %d: %s", code, s.Told.String())
			}
			got := s.Printed.String()
			for _, text := range []string{"decline rate", "tried: $", "27 % declined in 7 days, 3 of 11"} {
				if strings.Contains(got, text) != wants {
					t.Errorf("%d requests an hour: %q in\n%s", hourly, text, got)
				}
			}
			if strings.Contains(got, "spends") {
				t.Errorf("a rule that acts is compared:\n%s", got)
			}
		})
	}
}

// TestARuleOfAnotherProgramIsSaidOnce, while others act here; without any that can, the
// command ends.
func TestARuleOfAnotherProgramIsSaidOnce(t *testing.T) {
	mine, theirs := rule.Rule{Name: "mine", When: "bal<1", Action: rule.Freeze}, rule.Rule{Name: "theirs", When: "bal<1", Action: rule.Freeze}
	store := state.New(settings.Config{Reloadable: settings.Reloadable{Rules: []rule.Rule{theirs, mine}}})
	var errs bytes.Buffer
	w := &watcher{program: program{Program: app.Program{Errs: &errs}}, store: store}
	r := &acting{rules: []rule.Rule{theirs, mine}, armed: make(map[string]bool), held: make(map[string]string), ended: make(map[string]string)}
	locked := func(name string, err error) {
		_, effects, derr := store.Dispatch(state.SetRuleMode{Name: name, Mode: rule.Act, Typed: name})
		if derr != nil {
			t.Fatal(derr)
		}
		for _, e := range effects {
			if lock, ok := e.(state.LockRule); ok {
				store.Apply(state.RuleLocked{LockRule: lock, Err: err})
			}
		}
	}
	busy := errors.New("rule theirs acts in another cardtop")
	locked("theirs", busy)
	locked("mine", nil)
	for range 2 {
		must(t, r.watchModes(w))
		if is, ok := store.Rules.Get("theirs"); ok {
			is.Paused = "" // As the next comparison leaves it.
		}
	}
	if n := strings.Count(errs.String(), "rule theirs: acts in another cardtop"); n != 1 {
		t.Errorf("said %d times: %s", n, errs.String())
	}
	for _, why := range []string{"its plan is under way", "guardrail: at most $1.00", "guardrail: at most $1.00"} {
		is, _ := store.Rules.Get("mine")
		is.Paused, is.Passing = why, strings.HasPrefix(why, "its plan")
		must(t, r.watchModes(w))
	}
	if n := strings.Count(errs.String(), "rule mine does nothing: guardrail: at most $1.00"); n != 1 || strings.Contains(errs.String(), "its plan") {
		t.Errorf("what holds a rule back is said %d times: %s", n, errs.String())
	}
	if is, ok := store.Rules.Get("mine"); ok {
		is.Mode, is.Paused = rule.Off, "stopped: three failures"
	}
	if err := r.watchModes(w); err == nil || err.Error() != "rule theirs: acts in another cardtop; rule mine: stopped: three failures" {
		t.Errorf("ends with %v", err)
	}
}
