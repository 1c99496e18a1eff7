package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
)

// ruling has rules act while a watcher runs.
type ruling struct {
	account app.Account
	rules   []rule.Rule
	most    api.USD
	// told are the outcomes that were there at the start, or are printed; nil before
	// the history is read.
	told  map[outcome]bool
	armed map[string]bool
}

// outcome is one of an operation.
type outcome struct {
	key    api.IdempotencyKey
	status state.OpStatus
}

// ruleEvent is the kind of the events about what rules do.
const ruleEvent state.NewsKind = "rule"

// watchAndAct opens the account, prints its events and has rules act.
func (p program) watchAndAct(ctx context.Context, flags config.Flags, o watchOptions) error {
	return p.WithAccount(ctx, flags, func(ctx context.Context, acc app.Account) error {
		if acc.Run.ReadOnly {
			return app.Usage(errors.New("--act writes, and this profile is read-only"))
		}
		r := &ruling{account: acc, most: o.max.USD, armed: make(map[string]bool)}
		if err := r.choose(o.act); err != nil {
			return app.Usage(err)
		}
		w := watcher{program: p, watchOptions: o, eng: acc.Engine, settings: acc.Settings, shared: !acc.Run.Sandbox, ruling: r}
		return w.run(ctx)
	})
}

// choose finds the rules of the names that were typed.
func (r *ruling) choose(names []string) error {
	for _, name := range names {
		i := slices.IndexFunc(r.account.Settings.Rules, func(is rule.Rule) bool { return is.Name == name })
		if i < 0 {
			return fmt.Errorf("--act: no rule %q in the configuration", name)
		}
		is := r.account.Settings.Rules[i]
		if !is.Action.Acts() {
			return fmt.Errorf("--act: rule %q only alerts, and does so without --act", name)
		}
		if is.Action.FromWallet() && r.most == 0 {
			return fmt.Errorf("--act: rule %q funds cards: add --max-amount", name)
		}
		r.rules = append(r.rules, is)
	}
	return nil
}

// config is that of a store that may write, and has these rules and those that alert.
func (r *ruling) config(cfg state.Config) state.Config {
	alerts, alerting := cfg.Alerts, cfg.Rules
	cfg.Reloadable = r.account.Settings
	cfg.Alerts = alerts
	cfg.Rules = slices.Concat(r.rules, alerting)
	cfg.ReadOnly, cfg.DryRun, cfg.Only = false, r.account.Run.DryRun, nil
	cfg.NewKey, cfg.FindFundings, cfg.RuleTotal = api.NewIdempotencyKey, true, r.most
	return cfg
}

// changed arms the rules once the history is read, and prints what they did since.
func (r *ruling) changed(w *watcher) ([]state.Intent, error) {
	past := w.store.History.Past()
	if past.Err != nil {
		return nil, fmt.Errorf("read the history: %w", past.Err)
	}
	if !past.Known {
		return nil, nil
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
		if first {
			continue
		}
		if err := w.print(newsOf(w.store, rec)); err != nil {
			return nil, err
		}
	}
	if !first {
		return nil, r.watchModes(w)
	}
	var want []state.Intent
	for _, is := range r.rules {
		want = append(want, state.SetRuleMode{Name: is.Name, Mode: state.RuleAct, Typed: is.Name})
	}
	return want, nil
}

// watchModes ends the command when none of the rules can act any more: another program
// acts on them, or they stopped.
func (r *ruling) watchModes(w *watcher) error {
	var why []string
	for _, is := range r.rules {
		now, ok := w.store.Rules.Get(is.Name)
		if !ok {
			continue
		}
		r.armed[is.Name] = r.armed[is.Name] || now.Mode == state.RuleAct
		if now.Mode == state.RuleAct || !r.armed[is.Name] && now.Paused == "" {
			return nil
		}
		why = append(why, "rule "+is.Name+": "+strings.TrimPrefix(now.Paused, "rule "+is.Name+" "))
	}
	return errors.New(strings.Join(why, "; "))
}

// newsOf is what a rule did as an event.
func newsOf(s *state.Store, r *state.Record) state.News {
	amount := r.Amount
	card, _ := s.Cards.Get(r.Card)
	n := state.News{
		Kind: ruleEvent, At: r.At, ID: string(r.Key), Card: r.Card, Label: card.Label, Last4: card.Last4, Type: r.Action,
		Text: "rule " + r.Rule + ": " + r.Outcome,
	}
	if amount != 0 {
		n.Amount = &amount
	}
	if r.Err != "" {
		n.Text += ": " + r.Err
	}
	return n
}
