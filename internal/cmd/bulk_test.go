package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/storage/plans"
)

// ids are those of all cards, a line each.
func (s *served) ids() string {
	s.t.Helper()
	return s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{id}")
}

// piped runs a command with text on standard input.
func (s *served) piped(code int, in string, args ...string) []map[string]any {
	s.t.Helper()
	s.in = in
	return s.lines(s.does(code, append(args, "--jsonl")...))
}

// TestProgressIsNotMixedWithErrors: a plan and how far it is are lines for people; where errors are objects, a script
// reads nothing else.
func TestProgressIsNotMixedWithErrors(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	s.in = ids
	if s.does(cli.ExitDone, "cards", "fund", "-", "--amount", "2", "--yes", "--max-amount", "20"); !strings.Contains(s.errs, "cardtop: plan: fund 3 cards, $6.00 in all\n  fund ") || !strings.Contains(s.errs, "3 of 3 cards") {
		t.Errorf("a person reads %s", s.errs)
	}
	if s.piped(cli.ExitDone, ids, "cards", "freeze", "-", "-y"); s.errs != "" {
		t.Errorf("a script reads %s", s.errs)
	}
}

func outcomes(all []map[string]any) string {
	var words []string
	for _, o := range all {
		words = append(words, fmt.Sprint(o["outcome"]))
	}
	return strings.Join(words, " ")
}

func TestManyCardsAtOnce(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	yes := []string{"--yes", "--max-amount", "20"}
	got := s.piped(cli.ExitDone, ids, append([]string{"cards", "fund", "-", "--amount", "2"}, yes...)...)
	if outcomes(got) != "done done done" || got[0]["after"] != 27.0 {
		t.Errorf("%v\n%s", got, s.errs)
	}
	if got = s.piped(cli.ExitDone, ids, append([]string{"cards", "fund", "-", "--amount", "10", "--share", "level"}, yes...)...); outcomes(got) != "skipped done skipped" {
		t.Errorf("level: %v", got)
	}
	if got = s.piped(cli.ExitDone, ids, append([]string{"cards", "withdraw", "-", "--amount", "1.50"}, yes...)...); outcomes(got) != "done done done" {
		t.Errorf("withdraw: %v", got)
	}
	if got = s.piped(cli.ExitDone, ids, "cards", "edit", "-", "--label", "gg/{n:02}", "--yes"); outcomes(got) != "done done done" {
		t.Errorf("label: %v", got)
	}
	if got := s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{label}"); got != "gg/01\ngg/02\ngg/03\n" {
		t.Errorf("labels %q", got)
	}
	if got = s.piped(cli.ExitDone, ids, "cards", "freeze", "-", "-y"); outcomes(got) != "done done done" {
		t.Errorf("freeze: %v", got)
	}
	if got = s.piped(cli.ExitDone, ids, "cards", "freeze", "-", "-y"); outcomes(got) != "skipped skipped skipped" {
		t.Errorf("again: %v", got)
	}
	if got = s.piped(cli.ExitDone, ids, "cards", "terminate", "-", "-y"); outcomes(got) != "done done done" {
		t.Errorf("terminate: %v", got)
	}
}

func TestManyCardsAreRefusedBeforeAnyIsChanged(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	first, _, _ := strings.Cut(ids, "\n")
	sent := s.countWrites()
	for in, want := range map[string]string{
		"":                                 "standard input has no card id",
		"2039\n":                           "line 1 of standard input is no card id",
		first + "\n" + first + "\n":        "line 2 of standard input is there twice",
		"card_1/../../wallet\n":            "line 1 of standard input is no card id",
		`{"id":"card_1"}`:                  "line 1 of standard input is no card id",
		strings.Repeat("x", 100_000) + "y": "a line is too long",
		"card_none\n":                      "nothing is left to do",
	} {
		s.in = in
		if code := s.run("cards", "freeze", "-", "-y"); code == cli.ExitDone || !strings.Contains(s.errs, want) {
			t.Errorf("%.40q ends with %d: %s", in, code, s.errs)
		}
	}
	for line, want := range map[string]string{
		"cards fund - --amount 5 --yes --max-amount 10":               "it would move $15.00, and --max-amount allows $10.00",
		"cards fund - --amount 5":                                     "nobody can be asked",
		"cards fund - --amount 50 --yes --max-amount 500":             "the wallet is $92.50 short",
		"cards edit - --label x --spending-limit 5 --yes":             "either --spending-limit or --label",
		"cards fund " + first + " --amount 5 --share level --dry-run": "--share is for many cards",
		"cards create --file cards.csv --bin 1 --yes --max-amount 5":  "leave --bin out",
		"cards create --file none.csv --yes --max-amount 5":           "read file",
	} {
		s.in = ids
		if code := s.run(strings.Fields(line)...); code == cli.ExitDone || !strings.Contains(s.errs, want) {
			t.Errorf("%s ends with %d: %s", line, code, s.errs)
		}
	}
	if *sent > 0 {
		t.Errorf("%d writes were sent", *sent)
	}
}

func TestCardsOfAFile(t *testing.T) {
	s := shops(t)
	must(t, os.WriteFile("cards.csv", []byte("bin_id,amount,label\n424242,2,a/1\n555555,3.50,\"=b,2\"\n"), 0o600))
	s.does(cli.ExitDone, "cards", "create", "--file", "cards.csv", "--dry-run", "--jsonl")
	if want := `{"method":"POST","path":"/cards","body":{"bin_id":"424242","amount":2,"label":"a/1"},"name":"a/1","text":null}` + "\n" + `{"method":"POST","path":"/cards","body":{"bin_id":"555555","amount":3.5,"label":"=b,2"},"name":"=b,2","text":null}` + "\n"; s.out != want {
		t.Errorf("printed %s", s.out)
	}
	s.in = "bin_id,amount,label\n424242,2,a/1\n424242,99999,a/2\n"
	if s.does(cli.ExitFailed, "cards", "create", "--file", "-", "--dry-run", "--jsonl"); !strings.Contains(s.out, `{"method":null,"path":null,"body":null,"name":"a/2","text":"at most $5,000.00 at a time"}`) {
		t.Errorf("a row that is blocked is printed as %s", s.out)
	}
	s.does(cli.ExitDone, "cards", "create", "--file", "cards.csv", "--dry-run")
	if _, requests, _ := strings.Cut(s.out, "\n\n"); requests != "POST /cards\n"+`{"bin_id":"424242","amount":2,"label":"a/1"}`+"\n\nPOST /cards\n"+`{"bin_id":"555555","amount":3.5,"label":"=b,2"}`+"\n" || !strings.HasPrefix(s.out, "ACTION") {
		t.Errorf("printed %s", s.out)
	}
	if s.does(cli.ExitDone, "cards", "create", "--file", "cards.csv", "--dry-run", "--fields", "method,path", "--csv"); s.out != "method,path\nPOST,/cards\nPOST,/cards\n" {
		t.Errorf("printed %s", s.out)
	}
	create := []string{"cards", "create", "--file", "cards.csv", "--yes", "--max-amount", "5.50", "--idempotency-key", "batch-1"}
	first := s.piped(cli.ExitDone, "", create...)
	if outcomes(first) != "done done" || first[0]["card_id"] == nil || first[0]["line"] != 2.0 {
		t.Errorf("%v", first)
	}
	sent := s.countWrites()
	again := s.piped(cli.ExitDone, "", create...)
	if outcomes(again) != "done done" || again[1]["card_id"] != first[1]["card_id"] || *sent != 0 || strings.Count(s.ids(), "\n") != 5 {
		t.Errorf("sent %d: %v", *sent, again)
	}
	for text, want := range map[string]string{
		"bin_id,amount\n424242,1e2\n":   "-:2: amount \"1e2\" is no amount",
		"bin_id,amount\n424242,x\n":     "-:2: amount \"x\" is no amount",
		"bin,amount\n":                  `the column "bin" is not known`,
		"":                              "no header",
		"bin_id,amount\n424242,0.001\n": "",
		"bin_id,amount\n999999,5\n":     "",
	} {
		s.in = text
		if code := s.run("cards", "create", "--file", "-", "--yes", "--max-amount", "5"); code == cli.ExitDone || !strings.Contains(s.errs, want) {
			t.Errorf("%q ends with %d: %s%s", text, code, s.out, s.errs)
		}
	}
	if *sent > 0 {
		t.Errorf("%d writes were sent", *sent)
	}
}

// TestAPlanThatWasInterruptedIsResumed: what is left of it is done, and each card is
// changed once.
func TestAPlanThatWasInterruptedIsResumed(t *testing.T) {
	for _, key := range []string{"", "batch-2"} {
		s := shops(t)
		ids := s.ids()
		kept := s.keepPlan()
		fund := []string{"cards", "fund", "-", "--amount", "2", "--yes", "--max-amount", "6"}
		if key != "" {
			fund = append(fund, "--idempotency-key", key)
		}
		s.piped(cli.ExitDone, ids, fund...)
		kept()
		left := s.lines(s.does(cli.ExitDone, "plans", "list", "--jsonl"))
		if len(left) != 1 || left[0]["action"] != "fund" || left[0]["cards"] != 3.0 {
			t.Fatalf("left %v", left)
		}
		if key == "" {
			id, _ := left[0]["id"].(string)
			s.does(cli.ExitUsage, "plans", "resume", "nothing", "-y", "--max-amount", "6")
			s.does(cli.ExitUsage, "plans", "resume", id, "-y")
			s.does(cli.ExitUsage, "plans", "show", "nothing")
			if rows := s.lines(s.does(cli.ExitDone, "plans", "show", id, "--jsonl")); len(rows) != 3 || rows[0]["outcome"] != "planned" || rows[0]["amount"] != 2.0 {
				t.Errorf("the plan is %v", rows)
			}
			if rows := s.lines(s.does(cli.ExitDone, "plans", "resume", id, "--dry-run", "--jsonl")); len(rows) != 3 || rows[0]["action"] != "fund" {
				t.Errorf("a dry run prints %v", rows)
			}
			other, err := plans.Open(s.profile())
			if err == nil {
				_, err = other.Find()
			}
			must(t, err)
			if s.does(cli.ExitFailed, "plans", "resume", id, "--yes", "--max-amount", "6"); !strings.Contains(s.errs, "another cardtop runs this plan now") {
				t.Errorf("while another runs it: %q", s.errs)
			}
			if err := other.Close(); err != nil {
				t.Error(err)
			}
			s.does(cli.ExitDone, "plans", "resume", id, "--yes", "--max-amount", "6")
		} else {
			s.in = ids
			s.does(cli.ExitDone, fund...)
		}
		if got := s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{balance}"); got != "27.00\n7.00\n14.50\n" {
			t.Errorf("%q: the cards hold %q", key, got)
		}
		if twice, _ := s.ask(http.MethodGet, "/sandbox/report", "")["duplicated_effects"].([]any); len(twice) > 0 {
			t.Errorf("done twice: %v", twice)
		}
		if left := s.does(cli.ExitDone, "plans", "list", "--jsonl"); left != "" {
			t.Errorf("%q: left %s", key, left)
		}
	}
}

// keepPlan has the plan and the journal that a run makes as they were when it sent its
// first request, with the first of its rows begun: as a kill would leave them. What it
// returns puts them back.
func (s *served) keepPlan() (restore func()) {
	files := make(map[string][]byte)
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet || len(files) > 0 {
			return false
		}
		for _, pattern := range []string{"plans/*.jsonl", "operations/*.jsonl"} {
			found, err := filepath.Glob(filepath.Join(s.profile(), pattern))
			for _, path := range found {
				var data []byte
				data, err = os.ReadFile(path)
				files[path] = data
			}
			if err != nil || len(found) != 1 {
				s.t.Errorf("%v: %v", found, err)
			}
		}
		return false
	})
	return func() {
		s.intercept(nil)
		if err := os.Remove(filepath.Join(s.profile(), "history.jsonl")); err != nil {
			s.t.Error(err)
		}
		for path, data := range files {
			data, _, _ = bytes.Cut(data, []byte("\n"))
			data = append(data, '\n')
			if strings.Contains(path, "operations") {
				path = filepath.Join(filepath.Dir(path), "1-killed.jsonl")
			}
			if err := errors.Join(os.WriteFile(path, data, 0o600)); err != nil {
				s.t.Error(err)
			}
		}
	}
}

// TestManyCardsUnderOneKey: a second run prints what the first did and sends nothing;
// with another card it changes that one alone.
func TestManyCardsUnderOneKey(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	two := ids[:strings.LastIndex(ids[:len(ids)-1], "\n")+1]
	fund := []string{"cards", "fund", "-", "--amount", "2", "--yes", "--max-amount", "6", "--idempotency-key", "batch-3"}
	sent := s.countWrites()
	s.piped(cli.ExitDone, two, fund...)
	if got := s.piped(cli.ExitDone, two, fund...); outcomes(got) != "done done" || *sent != 2 {
		t.Errorf("sent %d: %v", *sent, got)
	}
	if got := s.piped(cli.ExitDone, ids, fund...); outcomes(got) != "done done done" || *sent != 3 {
		t.Errorf("sent %d: %v", *sent, got)
	}
	if got := s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{balance}"); got != "27.00\n7.00\n14.50\n" {
		t.Errorf("the cards hold %q", got)
	}
	fund[4], s.in = "3", ids
	if s.does(cli.ExitUsage, fund...); *sent != 3 || !strings.Contains(s.errs, "used for another request: fund with $2.00") {
		t.Errorf("sent %d: %s", *sent, s.errs)
	}
}
