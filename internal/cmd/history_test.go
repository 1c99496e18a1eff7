package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
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
		dir, _ := paths.Profile(run, mode)
		log, err := history.Open(history.Config{Dir: dir, User: "ann", Mode: string(mode), Profile: "team", Now: func() time.Time {
			at = at.Add(time.Hour)
			return at
		}})
		if err != nil {
			t.Fatal(err)
		}
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

func TestTheHistoryIsPrinted(t *testing.T) {
	for _, tt := range []struct {
		name string
		view historyView
		want []string // a line each; the last one ends it
	}{
		{"for people", historyView{}, []string{
			"TIME                  MODE  ACTION  CARD          AMOUNT     OUTCOME  USER  REQUEST  ERROR",
			"2026-03-01T13:00:00Z  LIVE  fund    fb/01 ••4242  $1,250.00  done     ann   req_1    ",
			"2026-03-01T14:00:00Z  LIVE  fund    fb/01 ••4242  $1,250.00  refused  ann   req_1    the wallet is too low",
			"2026-03-01T15:00:00Z  TEST  freeze  card_2        -          done     ann            ",
			"2026-03-01T16:00:00Z  LIVE  issue   =cmd() ••1    $1.00      unknown  ann            ",
		}},
		{"of a card", historyView{csv: true, filter: history.Filter{Card: "card_3"}}, []string{
			"time,user,mode,profile,action,card,name,amount,card_before,card_after,wallet_after,outcome,error,request_id,tries,ms,method,route,key,card_shown,wallet_shown,via,rule,by,role,from,approved",
			"2026-03-01T16:00:00Z,ann,LIVE,team,issue,card_3,'=cmd() ••1,1.00,,,,unknown,,,0,0,,,k2-0123456789,,,,,,,,",
		}},
		{"as JSON", historyView{json: true, filter: history.Filter{Outcome: "refused"}}, []string{
			`{"at":"2026-03-01T14:00:00Z","user":"ann","mode":"LIVE","profile":"team","action":"fund","card":"card_1","name":"fb/01 ••4242","amount":1250,"request_id":"req_1","outcome":"refused","error":"the wallet is too low","key":"0123456789"}`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			paths, run := past(t)
			var out bytes.Buffer
			if err := (program{app.Program{Now: time.Now}, &out}).printHistory(paths, run, tt.view); err != nil { //nolint:forbidigo // nothing is written
				t.Fatal(err)
			}
			if got, want := out.String(), strings.Join(tt.want, "\n")+"\n"; got != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestTheHistoryIsVerified(t *testing.T) {
	paths, run := past(t)
	verify := func() (string, error) {
		var out bytes.Buffer
		err := program{app.Program{Now: time.Now}, &out}.printHistory(paths, run, historyView{verify: true}) //nolint:forbidigo // nothing is written
		return out.String(), err
	}
	out, err := verify()
	if err != nil || !strings.Contains(out, "LIVE: intact; records 3, files 1, from 2026-03-01T13:00:00Z to 2026-03-01T16:00:00Z, last hash ") || !strings.Contains(out, "TEST: intact; records 1") {
		t.Errorf("%v\n%s", err, out)
	}
	dir, _ := paths.Profile(run, config.ModeLive)
	path := filepath.Join(dir, "history.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("1250"), []byte("9250"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(); err == nil || !strings.Contains(err.Error(), "LIVE: verify history: history.jsonl line 2 does not follow") {
		t.Errorf("found %v", err)
	}
}

func TestTheSandboxHasNoHistory(t *testing.T) {
	if err := (program{}).printHistory(config.Paths{}, config.Resolved{Sandbox: true}, historyView{}); err == nil {
		t.Error("printed one")
	}
	// A profile that did nothing yet: nothing is made.
	dir := t.TempDir()
	var out bytes.Buffer
	if err := (program{out: &out}).printHistory(config.PathsUnder(dir), config.Resolved{Profile: "new"}, historyView{csv: true}); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%v: %s", err, out.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("made %v", left)
	}
}

// TestTheTableOfRecordsFitsTheTerminal with what matters most.
func TestTheTableOfRecordsFitsTheTerminal(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	records := []state.Record{
		{At: at, Mode: "LIVE", Action: "fund", Name: "fb/spring/ラベル/01 ••4242", Amount: 1250 * api.Dollar, Outcome: "refused", User: "ann watch", RequestID: "req_21b8b89d52eed431", Err: "the wallet is too low\x1b[2J"},
		{At: at, Mode: "TEST", Action: "unfreeze", Card: "card_000001yxsfehy1dx", Outcome: "done", User: "ann"},
	}
	for _, c := range []struct {
		width int
		head  string
	}{
		{0, "TIME MODE ACTION CARD AMOUNT OUTCOME USER REQUEST ERROR"},
		{160, "TIME MODE ACTION CARD AMOUNT OUTCOME USER REQUEST ERROR"},
		{100, "TIME MODE ACTION CARD AMOUNT OUTCOME USER ERROR"},
		{80, "TIME MODE ACTION CARD AMOUNT OUTCOME"},
		{60, "TIME MODE ACTION CARD AMOUNT OUTCOME"},
		{40, "TIME ACTION CARD OUTCOME"},
		{20, "TIME ACTION"},
	} {
		var out bytes.Buffer
		if err := printRecords(&out, records, c.width); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if got := strings.Join(strings.Fields(lines[0]), " "); got != c.head || len(lines) != 3 {
			t.Errorf("at %d: %s\n%s", c.width, got, out.String())
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); c.width > 0 && n > c.width || strings.Contains(l, "\x1b") {
				t.Errorf("at %d: %d cells in %q", c.width, n, l)
			}
		}
	}
}
