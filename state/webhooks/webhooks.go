// Package webhooks has the registered webhooks, and what is known of the signing secret of a new one.
package webhooks

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/team"
)

// EventNames are the events a webhook can be registered for (contract,
// Events).
func EventNames() []string {
	return []string{
		"card.created", "card.frozen", "card.unfrozen", "card.terminated", "card.funded",
		"transaction.authorized", "transaction.settled", "transaction.declined", "transaction.refunded",
		"3ds.challenge", "deposit.pending", "deposit.confirmed",
	}
}

// Webhook is a registered endpoint. Its secret is not part of it.
type Webhook struct {
	ID     api.WebhookID
	URL    api.Text
	Events []api.Text // "*" alone: all
	// Active is nil where the API does not say.
	Active    *bool
	CreatedAt time.Time
}

func of(w api.Webhook) Webhook {
	return Webhook{ID: w.ID, URL: w.URL, Events: w.Events, Active: w.Active, CreatedAt: w.CreatedAt}
}

// Table has the webhooks.
type Table struct {
	*kernel.Core
	Notices *kernel.Notices

	rows  []Webhook
	okAt  time.Time
	err   error
	asked poll.Seq // the request under way, 0 for none
	seq   poll.Seq // the request that read the rows
	// unread are those of the list that could not be read.
	unread []api.Unread
	// fence is the newest request when one was registered or deleted: an earlier one is from before.
	fence   poll.Seq
	signing Signing
}

// All lists the registered endpoints, the newest first; read is when
// they were, zero before, and err why that failed. The slice is the table's
// own.
func (t *Table) All() (rows []Webhook, read time.Time, err error) { return t.rows, t.okAt, t.err }

// Get finds a registered endpoint.
func (t *Table) Get(id api.WebhookID) (Webhook, bool) {
	i := slices.IndexFunc(t.rows, func(w Webhook) bool { return w.ID == id })
	if i < 0 {
		return Webhook{}, false
	}
	return t.rows[i], true
}

// MayBeUnread reports whether a webhook may be in the list although it was not read there:
// any, for an empty id.
func (t *Table) MayBeUnread(id api.WebhookID) bool {
	return slices.ContainsFunc(t.unread, func(u api.Unread) bool {
		return u.ID == "" || id == "" || string(u.ID) == string(id)
	})
}

// Since returns the webhooks of a list that was requested after a request and read after a moment; at is when, and zero where
// there is no such list, or id may be in it unread.
func (t *Table) Since(after poll.Seq, moment time.Time, id api.WebhookID) (rows []Webhook, at time.Time) {
	if t.seq <= after || !t.okAt.After(moment) || t.MayBeUnread(id) {
		return nil, time.Time{}
	}
	return t.rows, t.okAt
}

// Load requests the list, unless it is being read.
func (t *Table) Load() []kernel.Effect {
	if t.asked != 0 {
		return nil
	}
	t.asked, t.err = t.NextSeq(), nil
	return []kernel.Effect{Fetch{Seq: t.asked}}
}

// LoadAfter requests a list that is newer than a request.
func (t *Table) LoadAfter(seq poll.Seq) []kernel.Effect {
	t.fence = max(t.fence, seq)
	return t.Load()
}

// Remove removes a webhook that was deleted.
func (t *Table) Remove(id api.WebhookID) []kernel.Effect {
	t.rows = slices.DeleteFunc(t.rows, func(w Webhook) bool { return w.ID == id })
	return t.LoadAfter(t.Seq)
}

// Add adds a webhook that was registered; nil for one that the answer does not have.
func (t *Table) Add(w *api.Webhook) []kernel.Effect {
	if w != nil {
		row := of(*w)
		t.rows = slices.DeleteFunc(t.rows, func(w Webhook) bool { return w.ID == row.ID })
		t.rows = slices.Insert(t.rows, 0, row)
	}
	return t.LoadAfter(t.Seq)
}

// Host names an endpoint by its host. The rest of its address may hold
// a token and is shown where it was asked for only.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an unknown host"
	}
	return string(api.Clean(u.Host))
}

// Prefix begins the names of webhooks in the journal and the history.
const Prefix = "webhook "

// Name is a webhook in the journal and the history.
func Name(address string) string { return Prefix + Host(address) }

// Fetch reads the registered endpoints.
type Fetch struct{ Seq poll.Seq }

func (Fetch) Effect() {}

// Cost is a lane of its own.
func (Fetch) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("webhooks")}
}

func (f Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListWebhooks(ctx)
	return Loaded{Fetch: f, Meta: on.Over(page.Unread...), Items: page.Data}, err
}

// Label is what the user waits for.
func (Fetch) Label(bool) string { return lang.N("reading the webhooks") }

func (f Fetch) Failed(t *Table, e kernel.Failure) kernel.Topic {
	kernel.Tell(t.Core, Unread{Err: e.Err})
	if t.asked != f.Seq {
		return 0
	}
	t.asked, t.err = 0, e.Err
	return kernel.TopicWebhooks
}

// Loaded are the registered endpoints.
type Loaded struct {
	Fetch
	kernel.Meta
	Items []api.Webhook
}

// Apply merges the list. Secrets that came with it are overwritten:
// they were not asked for.
func (ev Loaded) Apply(t *Table) (kernel.Topic, []kernel.Effect) {
	rows := make([]Webhook, 0, len(ev.Items))
	for _, w := range ev.Items {
		w.Secret.Wipe()
		rows = append(rows, of(w))
	}
	if ev.Seq != t.asked {
		return 0, nil
	}
	t.asked = 0
	if ev.Seq <= t.fence {
		t.Wants = append(t.Wants, t.Load()...)
		return 0, nil
	}
	slices.SortStableFunc(rows, func(a, b Webhook) int { return b.CreatedAt.Compare(a.CreatedAt) })
	t.rows, t.okAt, t.err, t.seq, t.unread = rows, ev.At, nil, ev.Seq, ev.Unread
	kernel.Tell(t.Core, Read{Seq: ev.Seq})
	return kernel.TopicWebhooks, nil
}

// Read is the fact that the list was read, by which request.
type Read struct{ Seq poll.Seq }

// Unread is the fact that the list could not be read.
type Unread struct{ Err error }

// Load requests the registered endpoints.
type Load struct{}

func (Load) Start(t *Table) (kernel.Topic, []kernel.Effect) { return kernel.TopicWebhooks, t.Load() }

func (Load) Least() team.Role { return team.Admin }

// Rows are webhooks for other programs. Their secrets are not known.
func Rows(webhooks []Webhook) rows.Rows {
	list := slices.Clone(webhooks)
	return rows.Rows{
		What: "webhooks", N: len(list), Columns: []string{"id", "url", "events", "active", "created"},
		Row: func(i int) []rows.Cell {
			w := &list[i]
			active := ""
			if w.Active != nil {
				active = strconv.FormatBool(*w.Active)
			}
			return []rows.Cell{rows.Text(w.ID), rows.Text(w.URL), rows.Text(joined(w.Events)), rows.Text(active), rows.Time(w.CreatedAt)}
		},
	}
}

func joined(list []api.Text) string {
	parts := make([]string, 0, len(list))
	for _, t := range list {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " ")
}
