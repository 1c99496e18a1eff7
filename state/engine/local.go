package engine

import (
	"github.com/cardtop/cardtop/state"
)

// Views keeps on disk how the lists are to be seen.
type Views interface {
	// Keep replaces what is kept, unless it was given with a higher number.
	Keep(seq state.Seq, views state.Views) error
}

// local runs what needs this machine's disk only; nil for what needs the API.
func (e *Engine) local(effect state.Effect, m *state.Meta) state.Event {
	switch effect := effect.(type) {
	case state.Forget:
		return e.forget(effect, m)
	case state.ShareUse:
		err := e.share(0)
		e.finish(m)
		return state.UseShared{Meta: *m, Err: err}
	case state.FindRecording:
		by := ""
		if e.cfg.Recording != nil {
			by = e.cfg.Recording()
		}
		e.finish(m)
		return state.RecordingFound{Meta: *m, By: by}
	case state.SetDryRun:
		e.mu.Lock()
		e.dry = effect.On
		e.mu.Unlock()
		e.finish(m)
		return state.DryRunSet{Meta: *m, On: effect.On}
	case state.KeepPlan, state.DropPlan, state.FindPlans:
		return e.keep(effect, m)
	case state.FetchSheet:
		return e.sheet(effect, m)
	case state.KeepViews:
		var err error
		if v := e.cfg.Views; v != nil {
			err = v.Keep(effect.Seq, effect.Views)
		}
		e.finish(m)
		return state.ViewsKept{Meta: *m, Err: err}
	case state.FetchPins, state.KeepPins:
		return e.pins(effect, m)
	case state.AdoptOperations:
		return e.adopt(m)
	case state.FetchHistory:
		var records []state.Record
		var err error
		if h := e.cfg.History; h != nil {
			records, err = h.Load(state.HistoryShown)
		}
		e.finish(m)
		return state.HistoryLoaded{Meta: *m, Records: records, Err: err}
	case state.WriteHistory:
		path, err := "", errNoHistory
		if h := e.cfg.History; h != nil {
			path, err = h.Export(effect.Records)
		}
		e.finish(m)
		return state.HistoryExported{Meta: *m, Path: path, Rows: len(effect.Records), Err: err}
	default:
		return nil
	}
}

// forget lets go of an operation that no answer settled. The history has it
// first: it is the one that says why.
func (e *Engine) forget(f state.Forget, m *state.Meta) state.Event {
	r := recordOf(f.Op)
	if r.Outcome = f.Fate; f.Fate == "" {
		r.Outcome = state.FateDismissed
	}
	told, lost := e.remember(r)
	err := e.cfg.Journal.Dismiss(f.Op)
	e.finish(m)
	return state.OpForgotten{Meta: *m, Err: err, Record: told, Lost: lost}
}

// adopt takes over what others left, and sums what all moved when guardrails
// look at that.
func (e *Engine) adopt(m *state.Meta) state.Event {
	ops, err := e.cfg.Journal.Adopt()
	ev := state.OperationsAdopted{Ops: ops, Err: err}
	if err == nil && e.cfg.Guard.Sums() {
		ev.Err = e.withMoved(m.Sent, func(moved []state.Moved) error {
			ev.Moved = moved
			return nil
		})
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}
