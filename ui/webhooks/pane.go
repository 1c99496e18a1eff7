// Package webhooks is the pane of the endpoints that events are sent to. It
// takes the place of the card list.
package webhooks

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the webhooks, the newest first.
type Pane struct {
	pane.List[webhooks.Webhook, api.WebhookID]
	keys *keymap.Map
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[webhooks.Webhook, api.WebhookID]{
		Name: lang.N("Webhooks"), Columns: columns(), Key: func(w webhooks.Webhook) api.WebhookID { return w.ID },
		List: p.all, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 3,
	})
	return p
}

func (p *Pane) all() []webhooks.Webhook {
	rows, _, _ := p.Store.Webhooks.All()
	return rows
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Webhooks }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicWebhooks | kernel.TopicOps | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, exports the list, or asks for a webhook to be
// registered or deleted.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		return nil
	}
	w, _ := p.Picked()
	switch a {
	case keymap.NewWebhook:
		return []kernel.Intent{state.CreateWebhook{}}
	case keymap.Export:
		return []kernel.Intent{pane.ExportRows{Rows: webhooks.Rows(p.Rows())}}
	case keymap.Reload:
		return []kernel.Intent{webhooks.Load{}}
	case keymap.ResolveOp:
		return []kernel.Intent{state.Examine{}}
	case keymap.DeleteWebhook:
		return []kernel.Intent{state.DeleteWebhook{Webhook: w.ID}}
	case keymap.CopyURL:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("webhook address"), Text: string(w.URL)}}
	default:
	}
	return nil
}
