package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
)

func pastKeys(s *state.Store) string {
	var keys []string
	for _, r := range s.History.Past().Rows {
		keys = append(keys, string(r.Key)+":"+r.Outcome)
	}
	return strings.Join(keys, " ")
}

func TestTheHistoryIsReadAndGoesOn(t *testing.T) {
	s := settled(t)
	op := one[state.Do](t, do(t, s, state.Fund(first, 10*dollar))).Op
	one[state.FetchHistory](t, do(t, s, state.LoadHistory{}))
	none[state.FetchHistory](t, do(t, s, state.LoadHistory{})) // One at a time.
	if p := s.History.Past(); !p.Loading || p.Known {
		t.Errorf("while it loads: %+v", p)
	}
	// It is done while the file is read; the file may have it or not.
	live := record(op.Key, state.OpFund, state.OpStatusDone, -3*time.Second)
	changed, _ := s.Apply(state.OpDone{Meta: meta(3 * time.Second), Op: op.ID, Record: &live})
	if changed&kernel.TopicHistory == 0 || pastKeys(s) != "key-1:done" {
		t.Errorf("live: %q", pastKeys(s))
	}
	old := record("old", state.OpFund, state.OpStatusRefused, time.Hour)
	older := record("older", state.OpFund, state.OpStatusDone, 2*time.Hour)
	for _, records := range [][]state.Record{{old, older}, {live, old, older}, {live, old, older}} {
		apply(s, state.HistoryLoaded{Meta: meta(2 * time.Second), Records: records})
		if got := pastKeys(s); got != "older:done old:refused key-1:done" {
			t.Errorf("loaded: %q", got)
		}
	}
	if p := s.History.Past(); p.Loading || !p.Known || p.Err != nil {
		t.Errorf("afterwards: %+v", p)
	}
	apply(s, state.HistoryLoaded{Meta: meta(4 * time.Second), Err: errors.New("disk")})
	if p := s.History.Past(); p.Err == nil || len(p.Rows) != 3 {
		t.Errorf("after a failure: %+v", p)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	s := settled(t)
	var records []state.Record
	for i := range state.HistoryShown + 10 {
		records = append(records, record(api.IdempotencyKey(fmt.Sprint(i)), state.OpFund, state.OpStatusDone, time.Duration(i+1)*time.Second))
	}
	apply(s, state.HistoryLoaded{Meta: meta(2 * time.Second), Records: records})
	rows := s.History.Past().Rows
	if len(rows) != state.HistoryShown || rows[len(rows)-1].Key != "0" {
		t.Errorf("%d rows, the last is %s", len(rows), rows[len(rows)-1].Key)
	}
}

func TestAnExportTellsWhere(t *testing.T) {
	s := settled(t)
	list := []state.Record{record("a", state.OpFund, state.OpStatusDone, 0)}
	w := one[state.SaveRows](t, do(t, s, state.WriteRows{Rows: state.RecordRows(list), Format: rows.CSV}))
	if w.Rows.N != 1 || len(w.Rows.Row(0)) != len(w.Rows.Columns) {
		t.Errorf("writes %v", w)
	}
	apply(s, state.RowsSaved{Meta: meta(2 * time.Second), SaveRows: w, Path: "/home/ann/x.csv"})
	wantNotice(t, s, kernel.Good, "1 of the history", "/home/ann/x.csv")
	apply(s, state.RowsSaved{Meta: meta(2 * time.Second), SaveRows: w, Err: errors.New("disk full")})
	wantNotice(t, s, kernel.Bad, "disk full")
	w.Copy = true
	_, effects := s.Apply(state.RowsSaved{Meta: meta(2 * time.Second), SaveRows: w, Text: "a,b"})
	if c := one[secrets.CopyPlain](t, effects); c.Text != "a,b" {
		t.Errorf("copies %q", c.Text)
	}
	_, effects = s.Apply(state.RowsSaved{Meta: meta(2 * time.Second), SaveRows: w, Text: strings.Repeat("x", rows.MaxCopied+1)})
	if len(effects) > 0 {
		t.Errorf("copies too much: %v", effects)
	}
	wantNotice(t, s, kernel.Warn, "the clipboard takes 32")
	if v := s.Ask(pane.ExportRows{}); v.Reason == "" {
		t.Error("nothing is exported")
	}
}

func TestWhatADiskDidNotTakeIsSaid(t *testing.T) {
	s := settled(t)
	op := one[state.Do](t, do(t, s, state.Fund(first, 10*dollar))).Op
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Moved: new(10 * dollar), Lost: "disk full"})
	wantNotice(t, s, kernel.Warn, "funded", "the history on disk lacks it: disk full")
	op = one[state.Do](t, do(t, s, state.Fund(first, 10*dollar))).Op
	apply(s, state.OpFailed{Meta: meta(3 * time.Second), Op: op.ID, Err: refused(), Lost: "disk full"})
	wantNotice(t, s, kernel.Bad, "not done", "the history on disk lacks it: disk full")
	r := record("a", state.OpFund, state.OpStatusDismissed, 0)
	apply(s, state.OpForgotten{Meta: meta(4 * time.Second), Record: &r, Lost: "disk full"})
	wantNotice(t, s, kernel.Warn, "the history on disk lacks it: disk full")
	if got := pastKeys(s); got != "a:dismissed" {
		t.Errorf("rows %q", got)
	}
}

// unanswered leaves an operation of unknown outcome to a person.
func unanswered(t *testing.T, s *state.Store, in kernel.Intent) {
	t.Helper()
	op := one[state.Do](t, do(t, s, in)).Op
	apply(s, state.OpFailed{Meta: meta(2 * time.Second), Op: op.ID, Err: cut()})
	tick(s, 3*time.Minute)
}

func TestWhatIsForgottenSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     kernel.Intent
		status api.CardStatus // read since; empty: a person judges it
		want   state.OpStatus
	}{
		{"judged by a person", state.Fund(first, dollar), "", state.OpStatusResolvedDone},
		{"frozen after all", state.Freeze(first), api.CardFrozen, state.OpStatusResolvedDone},
		{"not frozen", state.Freeze(first), api.CardActive, state.OpStatusResolvedNotDone},
		{"unfrozen after all", state.Unfreeze(first), api.CardActive, state.OpStatusResolvedDone},
		{"terminated after all", state.Terminate(first), api.CardTerminated, state.OpStatusResolvedDone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			unanswered(t, s, tt.in)
			var effects []kernel.Effect
			if tt.status == "" {
				op, _ := s.Ops.Unsettled(first)
				effects = do(t, s, state.Resolve{Op: op.ID, Happened: true})
			} else {
				effects = apply(s, state.SummaryLoaded{
					FetchSummary: state.FetchSummary{Seq: 1 << 40, Card: first}, Meta: meta(4 * time.Minute),
					Summary: api.CardSummary{ID: first, Status: tt.status},
				})
			}
			if f := one[state.Forget](t, effects); f.Status != tt.want {
				t.Errorf("forgotten as %s", f.Status)
			}
		})
	}
}

func shared(c *settings.Config) { c.Shared = true }

func TestWhatADeadDashboardLeftIsTakenUp(t *testing.T) {
	s := newStore(shared)
	var asked int
	for d := time.Duration(0); d <= 2*time.Minute; d += time.Second {
		asked += len(all[state.AdoptOperations](tick(s, d)))
	}
	if asked != 5 {
		t.Errorf("asked %d times in two minutes", asked)
	}
	w, err := api.FundWrite(first, 10*dollar)
	if err != nil {
		t.Fatal(err)
	}
	left := state.Op{Kind: state.OpFund, Card: first, Name: "fb ••0001", Amount: 10 * dollar, Key: "left", At: at(100 * time.Second), Tries: 1, Write: &w}
	old := left
	old.Key, old.At, old.Card = "old", at(-time.Hour), second
	apply(s, state.OperationsAdopted{Meta: meta(2 * time.Minute), Ops: []state.Op{left, old}})
	wantNotice(t, s, kernel.Warn, "2 operations")
	apply(s, state.OperationsAdopted{Meta: meta(2 * time.Minute), Ops: []state.Op{left}})
	if s.Ops.PendingCount() != 2 {
		t.Errorf("%d operations are pending", s.Ops.PendingCount())
	}
	again := one[state.Do](t, tick(s, 2*time.Minute))
	if again.Op.Key != "left" || again.Op.Tries != 2 {
		t.Errorf("asks again for %+v", again.Op)
	}
	if op, ok := s.Ops.Pending(second); !ok || op.Phase != state.Unsettled {
		t.Errorf("the old one: %+v", op)
	}
}

func TestThatOthersCannotBeSeenIsSaidOnce(t *testing.T) {
	s := newStore(shared)
	tick(s, 0)
	apply(s, state.OperationsAdopted{Meta: meta(time.Second), Err: errors.New("no such folder")})
	wantNotice(t, s, kernel.Warn, "no such folder")
	s.Notices.Say(kernel.Info, "else")
	apply(s, state.OperationsAdopted{Meta: meta(31 * time.Second), Err: errors.New("no such folder")})
	wantNotice(t, s, kernel.Info, "else")
}

func TestDamagedRecordsAreShownUntilDismissed(t *testing.T) {
	s := newStore(shared)
	tick(s, 0)
	apply(s, state.OperationsAdopted{Meta: meta(time.Second), Damaged: []state.Damage{{Path: "/state/1.jsonl.damaged", Line: 2, At: at(0), Card: "card_1", Amount: "12", Removable: true}}})
	tick(s, time.Hour)
	n, left := s.Lasting()
	if left != 1 || n.Level != kernel.Bad || !strings.Contains(n.Text, "line 2 of /state/1.jsonl.damaged") || !strings.Contains(n.Text, "compare card card_1 ($12)") {
		t.Errorf("%+v", n)
	}
	many := make([]state.Damage, 9)
	for i := range many {
		many[i] = state.Damage{Path: "/state/history.jsonl", Line: i + 1}
	}
	s.Notices.DismissLasting()
	state.SayDamage(s.Notices, many)
	shown := 0
	for n, left = s.Lasting(); left > 0; n, left = s.Lasting() {
		shown++
		many[0].Path = n.Text
		s.Notices.DismissLasting()
	}
	if shown != 5 || !strings.Contains(many[0].Path, "(and 4 more: cardtop doctor lists them)") {
		t.Errorf("%d, %q", shown, many[0].Path)
	}
}

func TestTriesOfAnOperationAreOneRow(t *testing.T) {
	rec := func(second int, key api.IdempotencyKey, outcome state.OpStatus, tries int) *state.Record {
		return &state.Record{At: at(time.Duration(second) * time.Second), Action: "fund", Key: key, Outcome: outcome, Tries: tries, Amount: 5 * dollar}
	}
	s := settled(t)
	op := sent(t, s, state.Fund(first, 5*dollar))
	apply(s, state.OpFailed{Meta: meta(time.Second), Op: op.ID, Err: cut(), Record: rec(1, "a", state.OpStatusUnknown, 1)})
	apply(s, state.OpForgotten{Record: rec(2, "b", state.OpStatusDone, 1)})
	apply(s, state.OpDone{Meta: meta(3 * time.Second), Op: op.ID, Record: rec(3, "a", state.OpStatusDone, 2)})
	show := func() string {
		var out []string
		for _, r := range s.History.Past().Rows {
			out = append(out, string(r.Key)+" "+r.Outcome+strings.Repeat("+", r.Tries))
		}
		return strings.Join(out, ", ")
	}
	if got := show(); got != "b done+, a done++" {
		t.Error(got)
	}
	do(t, s, state.LoadHistory{})
	apply(s, state.HistoryLoaded{Meta: meta(4 * time.Second), Records: []state.Record{
		*rec(3, "a", state.OpStatusDone, 2), *rec(2, "b", state.OpStatusDone, 1), *rec(1, "a", state.OpStatusUnknown, 1), *rec(0, "c", state.OpStatusUnknown, 1),
	}})
	if got := show(); got != "c unknown+, b done+, a done++" {
		t.Error(got)
	}
}
