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
	"github.com/cardtop/cardtop/internal/engine/ruling"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// acting has rules act while a watcher runs.
type acting struct {
	ruling.Ruling
	account app.Account
	flags   config.Flags
	rules   []rule.Rule
	most    api.USD
	armed   map[string]bool
	// held is what was last said of what holds a rule back, by its name.
	held map[string]string
	// ended says why rules cannot act here any more, by their names.
	ended map[string]string
}

// ruleEvent is the kind of the events about what rules do.
const ruleEvent news.Kind = "rule"

// watchAndAct opens the account, prints its events and has rules act.
func (p program) watchAndAct(ctx context.Context, flags config.Flags, o watchOptions) error {
	return p.WithAccount(ctx, flags, func(ctx context.Context, acc app.Account) error {
		if acc.Run.ReadOnly {
			return app.Usage(errors.New("--act writes, and this profile is read-only"))
		}
		r := &acting{account: acc, flags: flags, most: o.max.USD, armed: make(map[string]bool), held: make(map[string]string), ended: make(map[string]string)}
		if err := r.choose(o.act); err != nil {
			return app.Usage(err)
		}
		w := watcher{program: p, watchOptions: o, eng: acc.Engine, settings: acc.Settings, shared: !acc.Run.Sandbox, acting: r}
		return w.run(ctx)
	})
}

// choose finds the rules of the names that were typed.
func (r *acting) choose(names []string) (err error) {
	slices.Sort(names)
	if r.rules, err = ruling.Choose("--act", r.account.Settings.Rules, slices.Compact(names)); err != nil {
		return err
	}
	for _, is := range r.rules {
		if is.Action.FromWallet() && r.most == 0 {
			return fmt.Errorf("--act: rule %q funds cards: add --max-amount", is.Name)
		}
		r.Set(is.Name, rule.Act)
	}
	return nil
}

// config is that of a store that may write, and has these rules and those that alert.
func (r *acting) config(cfg settings.Config) settings.Config {
	alerts, alerting := cfg.Alerts, cfg.Rules
	cfg.Reloadable = r.account.Settings
	cfg.Alerts = alerts
	cfg.Rules = slices.Concat(r.rules, alerting)
	cfg.ReadOnly, cfg.DryRun, cfg.Only = false, r.account.Run.DryRun, nil
	cfg.NewKey, cfg.FindFundings, cfg.RuleTotal = api.NewIdempotencyKey, true, r.most
	return cfg
}

// changed arms the rules once the history is read, and prints what they did since.
func (r *acting) changed(w *watcher) ([]kernel.Intent, error) {
	want, did, err := r.Follow(w.store)
	if err != nil || len(want) > 0 || !r.Begun() {
		return want, err
	}
	for i := range did {
		if err := w.print(newsOf(w.store, &did[i])); err != nil {
			return nil, err
		}
	}
	return nil, r.watchModes(w)
}

// watchModes says of each rule what holds it back, and of one that cannot act any more why:
// another program acts on it, or it stopped. It ends the command when none can.
func (r *acting) watchModes(w *watcher) error {
	for _, is := range r.rules {
		now, ok := w.store.Rules.Get(is.Name)
		if !ok {
			continue
		}
		r.armed[is.Name] = r.armed[is.Name] || now.Mode == rule.Act
		if now.Mode == rule.Act && !now.Passing && now.Paused != r.held[is.Name] {
			if r.held[is.Name] = now.Paused; now.Paused != "" {
				w.Say("rule " + is.Name + " does nothing: " + ruling.Why(now))
			}
		}
		if now.Mode == rule.Act || r.ended[is.Name] != "" || !r.armed[is.Name] && now.Paused == "" {
			continue
		}
		r.ended[is.Name] = "rule " + is.Name + ": " + ruling.Why(now)
		if len(r.ended) < len(r.rules) {
			w.Say(r.ended[is.Name])
		}
	}
	if len(r.ended) < len(r.rules) {
		return nil
	}
	var why []string
	for _, is := range r.rules {
		why = append(why, r.ended[is.Name])
	}
	return errors.New(strings.Join(why, "; "))
}

// newsOf is what a rule did as an event.
func newsOf(s *state.Store, r *state.Record) news.News {
	amount := r.Amount
	card, _ := s.Cards.Get(r.Card)
	n := news.News{
		Kind: ruleEvent, At: r.At, ID: string(r.Key), Card: r.Card, Label: card.Label, Last4: card.Last4, Type: r.Action,
		Text: ruling.Did(r),
	}
	if amount != 0 {
		n.Amount = &amount
	}
	return n
}
