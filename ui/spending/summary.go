package spending

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/theme"
)

// Summary is the spending in brief, beside the list on a wide screen: the days and
// the campaigns that spent most.
type Summary struct{ Pane }

// NewSummary makes an empty pane.
func NewSummary(t *theme.Theme) *Summary {
	s := &Summary{}
	s.init(t, "5", ledger.Last30d)
	return s
}

// Context is where the pane's keys are looked up.
func (s *Summary) Context() keymap.Context { return keymap.Summary }

// Act moves the cursor or changes the range.
func (s *Summary) Act(a keymap.Action) []kernel.Intent {
	switch a {
	case keymap.LongerRange, keymap.ShorterRange, keymap.Up, keymap.Down, keymap.PageUp, keymap.PageDown, keymap.First, keymap.Last:
		return s.Pane.Act(a)
	default:
		return nil
	}
}

// Follow shows the range of a summary, with the cursor on the same campaign.
func (p *Pane) Follow(s *Summary) {
	p.by, p.over, p.table.names = s.by, s.over, names{}
	p.Filter.Set("")
	p.setColumns()
	p.reread()
	r, ok := s.Picked()
	if !ok {
		return
	}
	p.all()
	p.Choose(place{p.by, r.Place})
}
