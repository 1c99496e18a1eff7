// Package webhooks is the pane of the endpoints that events are sent to. It
// takes the place of the card list.
package webhooks

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
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

func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("address"), Min: 18, Weight: 4},
		{Title: lang.Column("events"), Min: 9, Max: 40, Weight: 3},
		{Title: lang.Column("state"), Min: 10},
		{Title: lang.Column("age"), Min: 4, Align: widget.Right, Priority: 1},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	rows, read, err := p.Store.Webhooks.All()
	if !read.IsZero() {
		f.Title = append(f.Title, pane.Note(p.Theme, fmt.Sprint(len(rows))))
		f.Foot = []widget.Span{{Style: p.Theme.Faint, Text: p.Theme.Words.Tf("read %s", p.Theme.Words.Ago(p.Store.Now().Sub(read)))}}
	}
	if err != nil {
		f.Foot = []widget.Span{{Style: p.Theme.Bad, Text: p.Theme.Words.Tf("not loaded, %s", p.again())}}
	}
}

func (p *Pane) again() string {
	return pane.Hint(p.keys, keymap.Webhooks, keymap.Reload, p.Theme.Words.T("retries"))
}

func (p *Pane) empty() string {
	_, read, err := p.Store.Webhooks.All()
	switch {
	case err != nil:
		return p.again() + ": " + errtext.Explain(p.Theme.Words, err)
	case read.IsZero():
		return p.Theme.Words.T("loading webhooks…")
	}
	return p.Theme.Words.Tf("no webhooks: %s", pane.Hint(p.keys, keymap.Webhooks, keymap.NewWebhook, p.Theme.Words.T("registers one")))
}

func (p *Pane) row(hook webhooks.Webhook, w *widget.RowWriter) {
	t := p.Theme
	w.Cell(t.Text, p.Store.Privacy.Display().Text(strings.TrimPrefix(string(hook.URL), "https://")))
	w.Cell(t.Muted, events(t.Words, hook))
	text, style := p.status(hook)
	w.Cell(style, text)
	age := "–"
	if !hook.CreatedAt.IsZero() {
		age = p.Theme.Words.AgeOfRow(max(0, p.Store.ServerNow().Sub(hook.CreatedAt)))
	}
	w.Cell(t.Faint, age)
}

// status is what is done with it, or else whether events are sent there.
func (p *Pane) status(hook webhooks.Webhook) (text, style string) {
	t := p.Theme
	op, busy := p.Store.Ops.PendingWebhook(hook.ID)
	switch {
	case busy && op.Phase == state.Sending:
		return t.Words.T("deleting…"), t.Warn
	case busy:
		return t.Words.T("deleted?"), t.Warn
	case hook.Active == nil:
		return t.Words.T("unknown"), t.Faint
	case *hook.Active:
		return t.Glyphs.Active + " " + t.Words.Tc("webhook", "active"), t.Good
	}
	return t.Glyphs.Closed + " " + t.Words.Tc("webhook", "off"), t.Muted
}

// events are how many there are, or which where they are few.
func events(w *lang.Words, hook webhooks.Webhook) string {
	switch {
	case len(hook.Events) == 0:
		return w.T("unknown")
	case len(hook.Events) == 1 && hook.Events[0] == "*":
		return w.Tc("events", "all")
	case len(hook.Events) <= 2:
		return list(hook)
	}
	return w.Tn(len(hook.Events), "%d kind", "%d kinds")
}

func list(hook webhooks.Webhook) string {
	names := make([]string, 0, len(hook.Events))
	for _, e := range hook.Events {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// detail draws of the webhook under the cursor what the columns have no room
// for.
func (p *Pane) detail(hook webhooks.Webhook, w, n int) []string {
	t := p.Theme
	what := events(t.Words, hook)
	if len(hook.Events) > 2 {
		what = list(hook)
	}
	lines := []string{widget.Spans(w, widget.Span{Style: t.Muted, Text: t.Words.Tf(" events: %s", what)})}
	if n == 1 {
		return lines
	}
	about := string(hook.ID)
	if !hook.CreatedAt.IsZero() {
		about = t.Words.Tf("%s · registered %s", about, hook.CreatedAt.Local().Format("2006-01-02 15:04"))
	}
	return append([]string{widget.Spans(w, widget.Span{Style: t.Text, Text: " " + p.Store.Privacy.Display().Text(string(hook.URL))})}, append(lines,
		widget.Spans(w, widget.Span{Style: t.Faint, Text: t.Words.Tf(" %s · secret shown once, at registration", about)}))...)
}
