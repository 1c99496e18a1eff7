package engine_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
)

// shelf is what an engine keeps plans on.
type shelf struct {
	ledger *ledger // told of rows in its order
	err    error
	found  []state.LeftPlan

	elsewhere map[api.CardID]bool
}

func (s *shelf) note(line string) error {
	s.ledger.lines = append(s.ledger.lines, line)
	return s.err
}

func (s *shelf) Keep(p *state.Plan) error   { return s.note("keep " + string(p.ID)) }
func (s *shelf) Drop(id state.PlanID) error { return s.note("drop " + string(id)) }
func (s *shelf) Begun(id state.PlanID, key api.IdempotencyKey, _ time.Time) error {
	return s.note("row " + string(id) + " " + string(key))
}
func (s *shelf) Elsewhere() (map[api.CardID]bool, error) { return s.elsewhere, nil }
func (s *shelf) Find() ([]state.LeftPlan, error)         { return s.found, s.err }

func planRig(t *testing.T) (*rig, *shelf) {
	t.Helper()
	r := newRig(t, bodies())
	s := &shelf{ledger: r.ledger}
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: r.service, Now: r.clock.read})
	must(t, err)
	r.Engine = engine.New(engine.Config{
		Client: c, Journal: r.ledger, Now: r.clock.read, Plans: s,
		ReadFile: func(path string) ([]byte, error) {
			if path != "cards.csv" {
				return nil, errors.New("no such file")
			}
			return []byte("bin_id,amount\nbin_1,5\n"), nil
		},
	})
	return r, s
}

func TestARuleLeavesACardToThePlanOfAnotherProgram(t *testing.T) {
	r, s := planRig(t)
	s.elsewhere = map[api.CardID]bool{"card_1": true}
	r.SetRules([]rule.Rule{topup(7 * api.Dollar)})
	row := op(state.OpFund, 1)
	row.Bulk, row.Rule = "plan-1", "topup"
	failed, ok := r.Run(t.Context(), state.Do{Op: row}).(state.OpFailed)
	if !ok || !failed.NotSent || !errors.Is(failed.Err, state.ErrPlanned) || len(r.ledger.lines) != 0 {
		t.Errorf("%+v, %q", failed, r.ledger.lines)
	}
}

func TestARowIsNotedInItsPlanBeforeItIsBegun(t *testing.T) {
	r, s := planRig(t)
	row := op(state.OpFund, 1)
	row.Bulk = "plan-1"
	if _, ok := r.Run(t.Context(), state.Do{Op: row}).(state.OpDone); !ok {
		t.Fatal("not done")
	}
	if got := strings.Join(r.ledger.lines, "; "); got != "row plan-1 key-1; begin key-1 POST /cards/card_1/fund; done key-1" {
		t.Errorf("noted %q", got)
	}
	// What cannot be noted is not sent.
	s.err = errors.New("disk full")
	failed, ok := r.Run(t.Context(), state.Do{Op: row}).(state.OpFailed)
	if !ok || !failed.NotSent || r.service.count() != 1 {
		t.Errorf("%+v, %d requests", failed, r.service.count())
	}
}

func TestInterruptedPlansComeWithWhatBecameOfTheirRows(t *testing.T) {
	r, s := planRig(t)
	p := &state.Plan{ID: "plan-1", Rows: []state.PlanRow{{Key: "a"}, {Key: "b"}, {Key: "c"}, {Out: "frozen"}}}
	s.found = []state.LeftPlan{{Plan: p, Begun: map[api.IdempotencyKey]time.Time{"a": {}, "b": {}}}}
	r.ledger.fates = map[api.IdempotencyKey]state.OpStatus{"a": state.OpStatusDone}
	found, ok := r.Run(t.Context(), state.FindPlans{}).(state.PlansFound)
	if !ok || len(found.Left) != 1 || found.Err != nil {
		t.Fatalf("%+v", found)
	}
	if f := found.Left[0].Statuses; f["a"] != state.OpStatusDone || f["b"] != state.OpStatusBegun || len(f) != 2 {
		t.Errorf("%v", f)
	}
	// A plan whose rows nobody knows is not offered.
	r.ledger.openErr = errors.New("cannot read")
	if found, _ = r.Run(t.Context(), state.FindPlans{}).(state.PlansFound); len(found.Left) != 0 || found.Err == nil {
		t.Errorf("%+v", found)
	}
}

func TestASheetIsReadAndUnderstood(t *testing.T) {
	r, _ := planRig(t)
	sheet, ok := r.Run(t.Context(), state.FetchIssueFile{Seq: 4, Path: "cards.csv"}).(state.IssueFileLoaded)
	if !ok || sheet.Seq != 4 || sheet.Err != nil || len(sheet.File.Rows) != 1 {
		t.Errorf("%+v", sheet)
	}
	if sheet, _ = r.Run(t.Context(), state.FetchIssueFile{Path: "other.csv"}).(state.IssueFileLoaded); sheet.Err == nil {
		t.Error("no error")
	}
}
