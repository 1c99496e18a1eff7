package engine

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// Plans stores plans for many cards while they run.
type Plans interface {
	// Keep returns when the plan is on disk.
	Keep(p *state.Plan) error
	// Drop removes it from the disk.
	Drop(id state.PlanID) error
	// Begun stores that a row begins, and when, before its request is sent.
	Begun(id state.PlanID, key api.IdempotencyKey, at time.Time) error
	// Find returns the plans that other runs left unfinished, with the rows they have
	// begun. They are this run's from then on, and returned until they are dropped.
	Find() ([]state.LeftPlan, error)
	// Elsewhere returns the cards of rows that have not begun, in the plans of other runs.
	Elsewhere() (map[api.CardID]bool, error)
}

// keep runs an effect on the plans on disk.
func (e *Engine) keep(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	plans := e.plans()
	switch effect := effect.(type) {
	case state.SavePlan:
		err := plans.Keep(effect.Plan)
		e.finish(m)
		return state.PlanSaved{Meta: *m, ID: effect.Plan.ID, Err: err}
	case state.DropPlan:
		err := plans.Drop(effect.ID)
		e.finish(m)
		return state.PlanDropped{Meta: *m, ID: effect.ID, Err: err}
	default:
		left, err := e.left(plans)
		e.finish(m)
		return state.PlansFound{Meta: *m, Left: left, Err: err}
	}
}

func (e *Engine) plans() Plans {
	if e.cfg.Plans == nil {
		return noPlans{}
	}
	return e.cfg.Plans
}

// left returns the unfinished plans and the fates of their rows. A plan is left out
// while the fates of its rows are not known.
func (e *Engine) left(plans Plans) ([]state.LeftPlan, error) {
	found, err := plans.Find()
	var left []state.LeftPlan
	for _, l := range found {
		var keys []api.IdempotencyKey
		for i := range l.Plan.Rows {
			if l.Plan.Rows[i].Runs() {
				keys = append(keys, l.Plan.Rows[i].Key)
			}
		}
		var ferr error
		if l.Statuses, ferr = e.Fates(keys, l.Plan.Made, l.Begun); ferr != nil {
			err = errors.Join(err, ferr)
			continue
		}
		left = append(left, l)
	}
	return left, err
}

// sheet reads a file of cards to be issued.
func (e *Engine) sheet(effect state.FetchIssueFile, m *kernel.Meta) kernel.Event {
	ev := state.IssueFileLoaded{FetchIssueFile: effect, Err: errNoFiles}
	if e.cfg.ReadFile != nil {
		var data []byte
		if data, ev.Err = e.cfg.ReadFile(effect.Path); ev.Err == nil {
			ev.File = cardcsv.Read(effect.Words, data)
		}
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// errNoFiles refuses files where none are read.
var errNoFiles = errors.New("files are not read here")

// noPlans stores nothing.
type noPlans struct{}

func (noPlans) Keep(*state.Plan) error { return nil }

func (noPlans) Drop(state.PlanID) error { return nil }

func (noPlans) Begun(state.PlanID, api.IdempotencyKey, time.Time) error { return nil }

func (noPlans) Find() ([]state.LeftPlan, error) { return nil, nil }

func (noPlans) Elsewhere() (map[api.CardID]bool, error) { return nil, nil }
