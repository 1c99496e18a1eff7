// Package webhooks is the pane of the endpoints that events are sent to. It
// takes the place of the card list.
package webhooks

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the webhooks, the newest first. The cursor is bound to one.
type Pane struct {
	theme  *theme.Theme
	store  *state.Store
	table  *widget.Table
	cursor state.WebhookID

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	return &Pane{theme: t, table: widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2, Header: true})}
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Webhooks }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic { return state.TopicWebhooks | state.TopicOps | state.TopicClock }

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, max(0, h-2-p.detailLines()))
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) {
	p.store, p.dirty = s, true
	rows, _, _ := s.Webhooks()
	p.table.SetRows(len(rows))
	if i := slices.IndexFunc(rows, func(w state.Webhook) bool { return w.ID == p.cursor }); i >= 0 {
		p.table.SetCursor(i)
	}
	p.follow()
}

// Act moves the cursor, exports the list, or asks for a webhook to be
// registered or deleted.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		p.follow()
		return nil
	}
	w, _ := p.picked()
	switch a {
	case keymap.NewWebhook:
		return []state.Intent{state.CreateWebhook{}}
	case keymap.Export:
		rows, _, _ := p.store.Webhooks()
		return []state.Intent{state.ExportRows{Rows: state.WebhookRows(rows)}}
	case keymap.Reload:
		return []state.Intent{state.LoadWebhooks{}}
	case keymap.Evidence:
		return []state.Intent{state.Examine{}}
	case keymap.DeleteWebhook:
		return []state.Intent{state.DeleteWebhook{Webhook: w.ID}}
	case keymap.CopyURL:
		return []state.Intent{state.CopyText{What: "webhook address", Text: string(w.URL)}}
	default:
	}
	return nil
}

// Click puts the cursor on a webhook.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

func (p *Pane) picked() (state.Webhook, bool) {
	if p.store == nil {
		return state.Webhook{}, false
	}
	rows, _, _ := p.store.Webhooks()
	i, ok := p.table.Cursor()
	if !ok || i >= len(rows) {
		return state.Webhook{}, false
	}
	return rows[i], true
}

// follow binds the cursor to the webhook it is on.
func (p *Pane) follow() {
	w, _ := p.picked()
	p.cursor = w.ID
}
