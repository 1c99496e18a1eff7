package cards

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// campaignColumn is the column and the group of the campaigns.
const campaignColumn = query.CampaignField

// campaigns are those of the cards. Each is held once, by its place.
type campaigns struct {
	rule  string // of the configuration that they are told by
	names []string
	folds []string // the same in lower case
	at    map[string]int32
}

// place returns the place of a campaign, which it makes when it has none.
func (c *campaigns) place(name string) int32 {
	at, ok := c.at[name]
	if !ok {
		if c.at == nil {
			c.at = make(map[string]int32)
		}
		at = int32(len(c.names))
		c.at[name] = at
		c.names, c.folds = append(c.names, name), append(c.folds, folded(name))
	}
	return at
}

// follow reports whether the configuration tells campaigns in another way than
// they were told so far.
func (c *campaigns) follow(s *state.Store) bool {
	rule := s.Reloadable().Campaign
	if rule == c.rule {
		return false
	}
	c.rule = rule
	return true
}

// campaign returns that of a card, as it is written.
func (x *index) campaign(row int32) string { return x.campaigns.names[x.entries[row].campaign] }

// campaignOf returns the campaign of a card that may not be in the list yet.
func (x *index) campaignOf(c *cardlist.Card) string { return x.store.Insight.Campaign(c.ID, c.Label) }

// Campaigns calls visit with each campaign and how many cards it has.
func (p *Pane) Campaigns(visit func(name string, cards int)) {
	counts := make([]int, len(p.index.campaigns.names))
	for i := range p.index.entries {
		counts[p.index.entries[i].campaign]++
	}
	for i, n := range counts {
		if name := p.index.campaigns.names[i]; n > 0 && name != "" {
			visit(name, n)
		}
	}
}

// campaigns returns the column of the campaigns.
func (p *Pane) campaigns() column {
	return column{
		Column: pane.Column{Name: campaignColumn, About: lang.N("campaign"), Spare: true, Column: widget.Column{Title: lang.Column("campaign"), Min: 10, Max: 30, Weight: 1, Priority: 8}},
		value:  func(c *cardlist.Card) rows.Cell { return rows.Text(p.index.campaignOf(c)) },
		text:   func(c *cardlist.Card) string { return folded(p.index.campaignOf(c)) },
		cell: func(p *Pane, c *cardlist.Card, w *widget.RowWriter) {
			w.Cell(p.muted(c), p.store.Privacy.Display().Text(p.index.campaignOf(c)))
		},
	}
}
