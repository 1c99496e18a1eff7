package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

// past makes the history of a profile: a live one of three records, a test
// one of one.
func past(t *testing.T) (config.Paths, config.Resolved) {
	t.Helper()
	paths, run := config.PathsUnder(t.TempDir()), config.Resolved{Profile: "team", BaseURL: "https://api.example.com/v1"}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	write := func(mode config.Mode, records ...state.Record) {
		dir := folder(t, paths, accounts.Login{Profile: "team", Mode: string(mode), BaseURL: run.BaseURL, Key: api.NewAPIKey("sk_" + string(mode))}).State
		log, err := history.Open(history.Config{Dir: dir, User: "ann", Mode: string(mode), Profile: "team", Now: func() time.Time {
			at = at.Add(time.Hour)
			return at
		}})
		must(t, err)
		for _, r := range records {
			if _, err := log.Add(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	fund := state.Record{Action: "fund", Card: "card_1", Name: "fb/01 ••4242", Amount: 1250 * api.Dollar, Outcome: "done", RequestID: "req_1", Key: "0123456789"}
	refused := fund
	refused.Outcome, refused.Err = "refused", "the wallet is too low"
	write(config.ModeLive, fund, refused)
	write(config.ModeTest, state.Record{Action: "freeze", Card: "card_2", Outcome: "done", Key: "k"})
	write(config.ModeLive, state.Record{Action: "issue", Card: "card_3", Name: "=cmd() ••1", Amount: api.Dollar, Outcome: "unknown", Key: "k2-0123456789"})
	return paths, run
}

// formed is how the flags of a command line have records printed.
func formed(t *testing.T, args ...string) (form output.Flags) {
	t.Helper()
	flags := pflag.NewFlagSet("history", pflag.ContinueOnError)
	form.Add(flags)
	must(t, flags.Parse(args))
	return form
}

// printedPast is what is printed of a history.
func printedPast(t *testing.T, paths config.Paths, run config.Resolved, view historyView) (string, error) {
	t.Helper()
	var to bytes.Buffer
	p := program{app.Program{Now: time.Now}, &to} //nolint:forbidigo // nothing is written
	if view.verify {
		err := p.verifyHistories(paths, run, view)
		return to.String(), err
	}
	out, err := output.New(p.shared(), view.form, state.RecordFields())
	must(t, err)
	err = p.printHistory(paths, run, view, out)
	return to.String(), err
}

func TestWhatHappenedAtOneMomentIsPrintedInItsOrder(t *testing.T) {
	t.Parallel()
	paths, run := config.PathsUnder(t.TempDir()), config.Resolved{Profile: "team", BaseURL: "https://api.example.com/v1"}
	dir := folder(t, paths, accounts.Login{Profile: "team", Mode: string(config.ModeLive), BaseURL: run.BaseURL, Key: api.NewAPIKey("sk_live")}).State
	log, err := history.Open(history.Config{Dir: dir, Mode: string(config.ModeLive), Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }})
	must(t, err)
	for _, outcome := range []state.OpStatus{state.OpStatusNotSent, state.OpStatusDone} {
		if _, err := log.Add(state.Record{Action: "fund", Card: "card_1", Outcome: outcome, Key: "k"}); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := printedPast(t, paths, run, historyView{form: formed(t, "--csv")})
	if err != nil || strings.Index(printed, "done") < strings.Index(printed, "not-sent") {
		t.Errorf("printed %q, %v: what was done is printed before it was not sent", printed, err)
	}
}

func TestTheHistoryIsPrinted(t *testing.T) {
	for _, tt := range []struct {
		name string
		view historyView
		want []string // a line each; the last one ends it
	}{
		{"for people", historyView{}, []string{
			"TIME                  USER  MODE  ACTION  NAME           AMOUNT  OUTCOME  ERROR                  REQUEST ID  VIA",
			"2026-03-01T13:00:00Z  ann   LIVE  fund    fb/01 ••4242  1250.00  done     -                      req_1         -",
			"2026-03-01T14:00:00Z  ann   LIVE  fund    fb/01 ••4242  1250.00  refused  the wallet is too low  req_1         -",
			"2026-03-01T15:00:00Z  ann   TEST  freeze  card_2              -  done     -                      -             -",
			"2026-03-01T16:00:00Z  ann   LIVE  issue   =cmd() ••1       1.00  unknown  -                      -             -",
		}},
		{"of a card", historyView{form: formed(t, "--csv"), filter: history.Filter{Card: "card_3"}}, []string{
			"time,user,mode,profile,action,card,name,amount,card_before,card_after,wallet_after,outcome,error,request_id,tries,ms,method,route,key,card_shown,wallet_shown,via,rule,by,role,from,approved,asked,mismatch,limit_before",
			"2026-03-01T16:00:00Z,ann,LIVE,team,issue,card_3,'=cmd() ••1,1.00,,,,unknown,,,0,0,,,k2-0123456789,,,,,,,,,,,",
		}},
		{"as JSON", historyView{form: formed(t, "--json", "--fields", "time,card,amount,error"), filter: history.Filter{Action: "fund"}}, []string{
			`[`,
			`{"time":"2026-03-01T13:00:00Z","card":"card_1","amount":1250.00,"error":null},`,
			`{"time":"2026-03-01T14:00:00Z","card":"card_1","amount":1250.00,"error":"the wallet is too low"}`,
			`]`,
		}},
		{"as JSON, none", historyView{form: formed(t, "--json"), filter: history.Filter{Action: "withdraw"}}, []string{`[]`}},
		{"as JSON lines", historyView{form: formed(t, "--jsonl", "--fields", "outcome"), filter: history.Filter{Action: "fund"}}, []string{
			`{"outcome":"done"}`, `{"outcome":"refused"}`,
		}},
		{"by a template", historyView{form: formed(t, "--template", "{action} {request_id}"), filter: history.Filter{Outcome: "refused"}}, []string{"fund req_1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			paths, run := past(t)
			got, err := printedPast(t, paths, run, tt.view)
			must(t, err)
			if want := strings.Join(tt.want, "\n") + "\n"; got != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestTheHistoryIsVerified(t *testing.T) {
	paths, run := past(t)
	verify := func() (string, error) { return printedPast(t, paths, run, historyView{verify: true}) }
	out, err := verify()
	if err != nil || !strings.Contains(out, "LIVE: intact; records 3, files 1, from 2026-03-01T13:00:00Z to 2026-03-01T16:00:00Z, last hash ") || !strings.Contains(out, "TEST: intact; records 1") {
		t.Errorf("%v\n%s", err, out)
	}
	asJSON, err := printedPast(t, paths, run, historyView{verify: true, form: formed(t, "--jsonl")})
	if err != nil || !strings.Contains(asJSON, `{"mode":"LIVE","records":3,"files":1,"first_at":"2026-03-01T13:00:00Z","last_at":"2026-03-01T16:00:00Z","hash":"`) || strings.Count(asJSON, "\n") != 2 {
		t.Errorf("%v\n%s", err, asJSON)
	}
	live := folder(t, paths, accounts.Login{Profile: "team", Mode: "LIVE", BaseURL: run.BaseURL, Key: api.NewAPIKey("sk_LIVE")})
	path := filepath.Join(live.State, "history.jsonl")
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(data, []byte("1250"), []byte("9250"), 1), 0o600))
	if _, err := verify(); err == nil || !strings.Contains(err.Error(), "LIVE: verify history: history.jsonl line 1 is not as it was written") {
		t.Errorf("found %v", err)
	}
}

func TestTheSandboxHasNoHistory(t *testing.T) {
	if _, err := printedPast(t, config.Paths{}, config.Resolved{Sandbox: true}, historyView{}); err == nil {
		t.Error("printed one")
	}
	// A profile that did nothing yet: nothing is made.
	dir := t.TempDir()
	if out, err := printedPast(t, config.PathsUnder(dir), config.Resolved{Profile: "new"}, historyView{form: formed(t, "--csv")}); err != nil || strings.Count(out, "\n") != 1 {
		t.Errorf("%v: %s", err, out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("made %v", left)
	}
}
