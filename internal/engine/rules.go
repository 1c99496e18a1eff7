package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rule"
)

// SetRules sets the rules for what begins from now on.
func (e *Engine) SetRules(rules []rule.Rule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = rules
}

// ruleRefuses returns why a rule may not begin an operation; empty when it may.
// records are those of the last day and open the operations without an answer, of
// all programs.
func (e *Engine) ruleRefuses(op *state.Op, records []state.Record, open []state.Op, now time.Time) string {
	e.mu.Lock()
	i := slices.IndexFunc(e.rules, func(r rule.Rule) bool { return r.Name == op.Rule })
	if i < 0 {
		e.mu.Unlock()
		return "rule " + op.Rule + " is not in the configuration any more"
	}
	r := e.rules[i]
	e.mu.Unlock()
	if slices.ContainsFunc(open, func(o state.Op) bool { return o.Card == op.Card && o.Key != op.Key }) {
		return "rule " + r.Name + ": an operation on the card is under way"
	}
	done := slices.DeleteFunc(state.DoneByRules(records, open), func(d rule.Done) bool { return d.Key == op.Key })
	used := r.Use(done, now)
	if why := r.Admit(nil, &used, op.Card, op.Amount, now); why != "" {
		return "rule " + r.Name + ": " + why
	}
	return ""
}

// ruleLock is a rule that acts here: which request locked it last, and what unlocks it.
type ruleLock struct {
	seq     poll.Seq
	release func()
}

// hold takes the lock of a rule, or lets it go.
func (e *Engine) hold(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	if lock, ok := effect.(state.LockRule); ok {
		return e.lockRule(lock, m)
	}
	unlock, _ := effect.(state.UnlockRule)
	return e.unlockRule(unlock, m)
}

// lockRule has a rule act in this program alone.
func (e *Engine) lockRule(lock state.LockRule, m *kernel.Meta) kernel.Event {
	e.mu.Lock()
	err := e.claimRule(lock)
	e.mu.Unlock()
	e.finish(m)
	return state.RuleLocked{LockRule: lock, Meta: *m, Err: err}
}

// unlockRule lets another program act on a rule. An end that a later request overtook
// ends nothing.
func (e *Engine) unlockRule(unlock state.UnlockRule, m *kernel.Meta) kernel.Event {
	e.mu.Lock()
	if held, ok := e.locks[unlock.Name]; ok && held.seq < unlock.Seq {
		held.release()
		delete(e.locks, unlock.Name)
	}
	e.mu.Unlock()
	e.finish(m)
	return state.RuleUnlocked{Meta: *m}
}

// claimRule locks a rule; the caller holds the mutex.
func (e *Engine) claimRule(lock state.LockRule) error {
	held, have := e.locks[lock.Name]
	if !have {
		release, mine, err := e.cfg.Journal.ClaimRule(lock.Name)
		if err != nil {
			return err
		}
		if !mine {
			return fmt.Errorf("rule %s acts in another cardtop", lock.Name)
		}
		held.release = release
	}
	held.seq = max(held.seq, lock.Seq)
	e.locks[lock.Name] = held
	return nil
}

// releaseRules lets other programs act on the rules of this one.
func (e *Engine) releaseRules() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, held := range e.locks {
		held.release()
		delete(e.locks, name)
	}
}
