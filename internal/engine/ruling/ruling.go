// Package ruling has rules of the configuration run in a program without a screen: it
// sets their modes once the history is read, and reports what they did since.
package ruling

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
)

// Ruling is rules in a mode. It belongs to one store.
type Ruling struct {
	modes []state.SetRuleMode
	// told are the outcomes that were there at the start, or were returned; nil before
	// the history is read.
	told map[outcome]bool
}

// outcome is one of an operation.
type outcome struct {
	key    api.IdempotencyKey
	status state.OpStatus
}

// Choose finds the rules of names that were typed behind a flag. They have to act.
func Choose(flag string, all []rule.Rule, names []string) ([]rule.Rule, error) {
	chosen := make([]rule.Rule, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(all, func(is rule.Rule) bool { return is.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: no rule %q in the configuration", flag, name)
		}
		if !all[i].Action.Acts() {
			return nil, fmt.Errorf("%s: rule %q only alerts, and does so without %s", flag, name, flag)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// Set has a rule be in a mode, once the history is read.
func (r *Ruling) Set(name string, mode rule.Mode) {
	r.modes = append(r.modes, state.SetRuleMode{Name: name, Mode: mode, Typed: name})
}

// Follow returns what is to be dispatched, and the records of what rules did since it
// was last called. It is called after each change of the store.
func (r *Ruling) Follow(st *state.Store) (want []kernel.Intent, did []state.Record, err error) {
	past := st.History.Past()
	if past.Err != nil {
		return nil, nil, fmt.Errorf("read the history: %w", past.Err)
	}
	if !past.Known {
		return nil, nil, nil
	}
	first := r.told == nil
	if first {
		r.told = make(map[outcome]bool)
	}
	for i := range past.Rows {
		rec := &past.Rows[i]
		at := outcome{rec.Key, rec.Outcome}
		if rec.Rule == "" || r.told[at] {
			continue
		}
		r.told[at] = true
		if !first {
			did = append(did, *rec)
		}
	}
	if first {
		for _, in := range r.modes {
			want = append(want, in)
		}
	}
	return want, did, nil
}

// Begun reports whether the modes were asked for.
func (r *Ruling) Begun() bool { return r.told != nil }

// Why says why a rule does nothing, without its name.
func Why(r *state.RuleStatus) string { return strings.TrimPrefix(r.Paused, "rule "+r.Name+" ") }

// Did says in a few words what became of what a rule did.
func Did(rec *state.Record) string {
	text := "rule " + rec.Rule + ": " + rec.Outcome
	if rec.Err != "" {
		text += ": " + rec.Err
	}
	return text
}
