// Package history is the pane that shows what was done from this machine and
// what came of it. It takes the place of the card list.
package history

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the history, the newest record first: what comes in pushes the
// others down.
type Pane struct {
	pane.List[*state.Record, name]
}

// name identifies a record.
type name struct {
	key, outcome string
	at           time.Time
}

func nameOf(r *state.Record) name { return name{string(r.Key), r.Outcome, r.At} }

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[*state.Record, name]{
		Name: lang.N("History"), Columns: columns(t.Words, 0), Gap: 1, Filtered: true, Key: nameOf,
		List: p.matching, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 2,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.History }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicHistory }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.Table.SetColumns(columns(p.Theme.Words, w))
	p.List.SetSize(w, h)
}

// Act moves the cursor, opens the filter, exports what is shown, or asks for
// something to be done with the card of the record.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.Export {
		rows := state.RecordRows(p.shown())
		rows.Lacks = p.lacks()
		return []kernel.Intent{pane.ExportRows{Rows: rows}}
	}
	if id := p.Card(); id != "" {
		return pane.OnCard(p.Store, id, a)
	}
	return nil
}

// Card is that of the record under the cursor; empty where it is of none.
func (p *Pane) Card() api.CardID {
	r, ok := p.Picked()
	if !ok {
		return ""
	}
	return r.Card
}

// lacks says that there are older records than are held.
func (p *Pane) lacks() rows.Partial {
	if len(p.Store.History.Past().Rows) < state.HistoryShown {
		return rows.Partial{}
	}
	return rows.Partial{Name: fmt.Sprintf("newest-%d", state.HistoryShown), Text: p.Theme.Words.T("older records: cardtop history")}
}

// matching lists the records that match.
func (p *Pane) matching() []*state.Record {
	all := p.Store.History.Past().Rows
	words := p.Filter.Words()
	out := p.Rows()[:0]
	for i := len(all) - 1; i >= 0; i-- {
		if words.All() || words.Match(all[i].Text()) {
			out = append(out, &all[i])
		}
	}
	return out
}

// shown are the records that match, the oldest first.
func (p *Pane) shown() []state.Record {
	rows := p.Rows()
	out := make([]state.Record, 0, len(rows))
	for i := len(rows) - 1; i >= 0; i-- {
		out = append(out, *rows[i])
	}
	return out
}
