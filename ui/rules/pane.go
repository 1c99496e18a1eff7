// Package rules is the pane that shows the rules: what each matches, may do and did. It
// takes the place of the card list.
package rules

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the rules in the order of the configuration.
type Pane struct {
	pane.List[*state.RuleStatus, string]
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[*state.RuleStatus, string]{
		Name: lang.N("Rules"), Columns: columns(), Key: func(r *state.RuleStatus) string { return r.Name },
		List: func() []*state.RuleStatus { return p.Store.Rules.All() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Detail: p.detail, MostDetail: 3,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Rules }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicRules | kernel.TopicOps }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, or asks for something to be done with the rule.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.NewRule {
		return []kernel.Intent{kernel.Say{Level: kernel.Info, Text: p.Theme.Words.T("add [[rules]] to the configuration; cardtop doctor shows the file, docs/CONFIG.md every setting")}}
	}
	r, ok := p.Picked()
	if !ok {
		return nil
	}
	switch a {
	case keymap.ReviewRule:
		return []kernel.Intent{state.ReviewRule{Name: r.Name}}
	case keymap.RuleCards:
		return []kernel.Intent{pane.ShowList{List: settings.CardList, Filter: r.When}}
	case keymap.StopRule:
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: rule.Off}}
	case keymap.SuggestRule:
		mode := rule.Suggest
		if r.Mode == rule.Suggest {
			mode = rule.Off
		}
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: mode}}
	case keymap.ActRule:
		return []kernel.Intent{state.SetRuleMode{Name: r.Name, Mode: rule.Act}}
	default:
		return nil
	}
}
