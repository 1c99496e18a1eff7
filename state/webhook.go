package state

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
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/team"
)

// WebhooksTable holds the webhooks and the signing secret of one that was just created.
type WebhooksTable struct {
	*kernel.Core
	notices  *kernel.Notices
	cards    *CardsTable
	poll     *kernel.Lanes
	webhooks webhookList
	signing  Signing
}

// Signing reports on the signing secret.
func (we *WebhooksTable) Signing() Signing { return we.signing }

// showSigning shows or hides the secret.
func (we *WebhooksTable) showSigning() {
	if !we.signing.ShownUntil.IsZero() {
		we.signing.ShownUntil = time.Time{}
		return
	}
	we.signing.ShownUntil, we.signing.Used = we.Time.Add(we.Cfg.Reveal), true
}

// dropSigning forgets the secret for good.
func (we *WebhooksTable) dropSigning() []kernel.Effect {
	we.signing = Signing{}
	return []kernel.Effect{WipeSigning{}}
}

func (we *WebhooksTable) checkSigning() kernel.Verdict {
	if we.signing.Webhook == "" {
		return kernel.Verdict{Reason: we.Lang.T("the signing secret is gone: delete the webhook and register it again")}
	}
	return kernel.Verdict{}
}

// expireSigning ends what time has ended.
func (we *WebhooksTable) expireSigning(now time.Time) kernel.Topic {
	g := &we.signing
	switch {
	case g.Webhook == "":
		return 0
	case poll.Reached(now, g.Until):
		we.notices.Say(kernel.Warn, we.Lang.Tf("the signing secret of %s has expired; if it was not used, delete the webhook and register it again", called(we.Lang, webhookName(string(g.URL)))))
		we.Wants = append(we.Wants, we.dropSigning()...)
		return kernel.TopicSecrets | kernel.TopicNotice
	case !g.ShownUntil.IsZero() && poll.Reached(now, g.ShownUntil):
		g.ShownUntil = time.Time{}
		return kernel.TopicSecrets
	}
	return 0
}

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

// webhookList is what is known of the webhooks.
type webhookList struct {
	rows  []Webhook
	okAt  time.Time
	err   error
	asked poll.Seq // the request under way, 0 for none
	seq   poll.Seq // the request that read the rows
	// unread are those of the list that could not be read.
	unread []api.Unread
	// fence is the newest request when one was registered or deleted: what an
	// earlier one says is from before.
	fence poll.Seq
}

// All lists the registered endpoints, the newest first; read is when
// they were, zero before, and err why that failed. The slice is the store's
// own.
func (we *WebhooksTable) All() (rows []Webhook, read time.Time, err error) {
	return we.webhooks.rows, we.webhooks.okAt, we.webhooks.err
}

// Get finds a registered endpoint.
func (we *WebhooksTable) Get(id api.WebhookID) (Webhook, bool) {
	i := slices.IndexFunc(we.webhooks.rows, func(w Webhook) bool { return w.ID == id })
	if i < 0 {
		return Webhook{}, false
	}
	return we.webhooks.rows[i], true
}

// WebhookHost names an endpoint by its host. The rest of its address may hold
// a token and is shown where it was asked for only.
func WebhookHost(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an unknown host"
	}
	return string(api.Clean(u.Host))
}

// webhookName calls a webhook in a sentence.
func webhookName(address string) string { return newWebhook + WebhookHost(address) }

func (we *WebhooksTable) load() []kernel.Effect {
	if we.webhooks.asked != 0 {
		return nil
	}
	we.webhooks.asked, we.webhooks.err = we.NextSeq(), nil
	return []kernel.Effect{FetchWebhooks{Seq: we.webhooks.asked}}
}

// Apply merges the list. Secrets that came with it are overwritten:
// they were not asked for.
func (ev WebhooksLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	rows := make([]Webhook, 0, len(ev.Items))
	for _, w := range ev.Items {
		w.Secret.Wipe()
		rows = append(rows, webhookOf(w))
	}
	if ev.Seq != s.Webhooks.webhooks.asked {
		return 0, nil
	}
	s.Webhooks.webhooks.asked = 0
	if ev.Seq <= s.Webhooks.webhooks.fence {
		s.Wants = append(s.Wants, s.Webhooks.load()...)
		return 0, nil
	}
	slices.SortStableFunc(rows, func(a, b Webhook) int { return b.CreatedAt.Compare(a.CreatedAt) })
	s.Webhooks.webhooks.rows, s.Webhooks.webhooks.okAt, s.Webhooks.webhooks.err = rows, ev.At, nil
	s.Webhooks.webhooks.seq, s.Webhooks.webhooks.unread = ev.Seq, ev.Unread
	topics, effects := s.resolveDeletions(ev.Seq)
	before := s.Ops.PendingCount()
	effects = append(effects, listPush(s)...)
	if s.Ops.PendingCount() != before {
		topics |= kernel.TopicOps | kernel.TopicNotice
	}
	return kernel.TopicWebhooks | topics, effects
}

func webhookOf(w api.Webhook) Webhook {
	return Webhook{ID: w.ID, URL: w.URL, Events: w.Events, Active: w.Active, CreatedAt: w.CreatedAt}
}

func (we *WebhooksTable) failed(seq poll.Seq, err error) kernel.Topic {
	if we.webhooks.asked != seq {
		return 0
	}
	we.webhooks.asked, we.webhooks.err = 0, err
	return kernel.TopicWebhooks
}

// checkCreateWebhook checks an endpoint that is to be registered.
func (s *Store) checkCreateWebhook(in CreateWebhook) kernel.Verdict {
	v := kernel.Verdict{Danger: kernel.Reversible}
	if s.Cfg.ReadOnly {
		v.Reason = errtext.ReadOnly(s.Lang)
		return v
	}
	if all := webhookProblems(s.Lang, in); len(all) > 0 {
		v.Reason = all[0].Reason
		return v
	}
	for _, op := range s.Ops.all() {
		if op.Kind == OpSubscribe {
			v.Reason = s.Cards.busyText(*op)
		}
	}
	if s.Webhooks.signingShown() {
		v.Reason = s.Lang.T("a signing secret is still shown: put it away first")
	}
	return v
}

// checkDeleteWebhook checks an endpoint that is to be deleted.
func (s *Store) checkDeleteWebhook(in DeleteWebhook) kernel.Verdict {
	v := kernel.Verdict{Danger: kernel.Permanent}
	op, busy := s.Ops.PendingWebhook(in.Webhook)
	switch _, ok := s.Webhooks.Get(in.Webhook); {
	case s.Cfg.ReadOnly:
		v.Reason = errtext.ReadOnly(s.Lang)
	case !ok:
		v.Reason = s.Lang.T("no webhook is selected")
	case busy:
		v.Reason = s.Cards.busyText(op)
	}
	return v
}

// webhookProblems lists what is wrong with an endpoint, for each field of the
// request.
func webhookProblems(w *lang.Words, in CreateWebhook) []Problem {
	var p problems
	switch u, err := url.Parse(in.URL); {
	case in.URL == "":
		p.add(FieldURL, w.T("type the address that events are sent to"))
	case err != nil || u.Hostname() == "":
		p.add(FieldURL, w.T("not an address: https://host/path"))
	case u.User != nil:
		p.add(FieldURL, w.T("no name and password in it: deliveries are signed"))
	default:
		// What is wrong besides is the client's to know.
		if _, err := api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: []string{api.AllEvents}}); err != nil {
			p.add(FieldURL, w.T("the address has to begin with https://"))
		}
	}
	if len(in.Events) == 0 {
		p.add(FieldEvents, w.T("choose at least one event"))
	}
	return p
}

// unsubscribed removes a deleted endpoint.
func (we *WebhooksTable) unsubscribed(op *Op) []kernel.Effect {
	we.webhooks.fence = we.Seq
	we.webhooks.rows = slices.DeleteFunc(we.webhooks.rows, func(w Webhook) bool { return w.ID == op.Webhook() })
	return we.load()
}

// mayBeUnread reports whether a webhook may be in the list although it was not read there:
// any, for an empty id.
func (we *WebhooksTable) mayBeUnread(id api.WebhookID) bool {
	return slices.ContainsFunc(we.webhooks.unread, func(u api.Unread) bool {
		return u.ID == "" || id == "" || string(u.ID) == string(id)
	})
}

// webhookEvidence returns what the list shows of an unanswered registration or
// deletion. One asked for before its last try was over shows nothing of it.
func (we *WebhooksTable) webhookEvidence(op *Op, from time.Time) (found []Webhook, at time.Time) {
	if we.webhooks.seq <= op.fence || !we.webhooks.okAt.After(op.At) || we.mayBeUnread(op.Webhook()) {
		return nil, time.Time{}
	}
	for _, w := range we.webhooks.rows {
		if op.Kind == OpSubscribe && !w.CreatedAt.Before(from) && webhookName(string(w.URL)) == op.Name ||
			op.Kind == OpUnsubscribe && w.ID == op.Webhook() {
			found = append(found, w)
		}
	}
	return found, we.webhooks.okAt
}

// FetchWebhooks reads the registered endpoints.
type FetchWebhooks struct{ Seq poll.Seq }

func (FetchWebhooks) Effect() {}

// Cost is a lane of its own.
func (FetchWebhooks) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("webhooks")}
}

func (f FetchWebhooks) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListWebhooks(ctx)
	return WebhooksLoaded{FetchWebhooks: f, Meta: on.Over(page.Unread...), Items: page.Data}, err
}

// Label is what the user waits for.
func (FetchWebhooks) Label(bool) string { return lang.N("reading the webhooks") }

func (f FetchWebhooks) Failed(s *Store, e kernel.Failure) kernel.Topic {
	s.Push.Unlisted(errtext.Explain(s.Lang, e.Err), s.Time)
	return s.Webhooks.failed(f.Seq, e.Err)
}

// WipeSigning makes the vault forget the signing secret.
type WipeSigning struct{}

func (WipeSigning) Effect() {}

// WebhooksLoaded are the registered endpoints.
type WebhooksLoaded struct {
	FetchWebhooks
	kernel.Meta
	Items []api.Webhook
}

// LoadWebhooks requests the registered endpoints.
type LoadWebhooks struct{}

func (LoadWebhooks) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicWebhooks, s.Webhooks.load()
}

func (LoadWebhooks) Least() team.Role { return team.Admin }

// CreateWebhook asks to register an endpoint for events; "*" alone is all. The
// service makes the signing secret. An empty intent asks for the particulars.
type CreateWebhook struct {
	URL    string
	Events []string
	// secret is the signing secret; empty: the service makes it.
	secret api.SigningSecret
}

func (in CreateWebhook) Check(s *Store) kernel.Verdict { return s.checkCreateWebhook(in) }

func (CreateWebhook) Ask(s *Store) kernel.Verdict { return s.Writable(kernel.Reversible) }

func (CreateWebhook) Least() team.Role { return OpSubscribe.Least() }

func (CreateWebhook) WaitsForAPI() bool { return true }

func (in CreateWebhook) build(*WebhooksTable) (r request, err error) {
	r.kind, r.name = OpSubscribe, webhookName(in.URL)
	r.write, err = api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: in.Events, Secret: in.secret})
	return r, err
}

// DeleteWebhook asks to remove an endpoint for good.
type DeleteWebhook struct{ Webhook api.WebhookID }

func (in DeleteWebhook) Check(s *Store) kernel.Verdict { return s.checkDeleteWebhook(in) }

func (DeleteWebhook) Least() team.Role { return OpUnsubscribe.Least() }

func (DeleteWebhook) WaitsForAPI() bool { return true }

func (in DeleteWebhook) build(we *WebhooksTable) (r request, err error) {
	w, _ := we.Get(in.Webhook)
	r.kind, r.name = OpUnsubscribe, webhookName(string(w.URL))
	r.write, err = api.DeleteWebhookWrite(in.Webhook)
	return r, err
}

// ShowSigning shows or hides the held signing secret.
type ShowSigning struct{}

func (ShowSigning) Check(s *Store) kernel.Verdict { return s.Webhooks.checkSigning() }

func (ShowSigning) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Webhooks.showSigning()
	return kernel.TopicSecrets, nil
}

func (ShowSigning) Hidden(s *Store) string {
	if !s.Webhooks.Signing().ShownUntil.IsZero() {
		return ""
	}
	return s.Lang.T("private: y copies the secret, P shows what is hidden")
}

// CopySigningSecret asks to copy the held signing secret.
type CopySigningSecret struct{}

func (CopySigningSecret) Check(s *Store) kernel.Verdict { return s.Webhooks.checkSigning() }

func (CopySigningSecret) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Secrets.CopySigningSecret()
}

// DropSigning forgets the held signing secret.
type DropSigning struct{}

func (DropSigning) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Webhooks.dropSigning()
}

func (DropSigning) WhileLocked() {}

// WebhookRows are webhooks for other programs. Their secrets are not known.
func WebhookRows(webhooks []Webhook) rows.Rows {
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

// signingLife is how long a signing secret is held after its webhook was
// registered: long enough to bring it to the receiver, and it cannot be read
// again.
const signingLife = 5 * time.Minute

// Signing is what the store knows of the signing secret that came with a
// webhook's registration, which is not the secret: that is in the vault.
type Signing struct {
	// Webhook is empty when none is held.
	Webhook api.WebhookID
	URL     api.Text
	// Until is when it leaves by itself.
	Until time.Time
	// ShownUntil is when it leaves the screen; zero while it is masked.
	ShownUntil time.Time
	// Used reports whether it was shown or copied.
	Used bool
}

// signingShown reports whether the signing secret of a new webhook is still there.
func (we *WebhooksTable) signingShown() bool { return we.signing.Webhook != "" }

// signingName calls the webhook of the held signing secret in a sentence.
func (we *WebhooksTable) signingName() string { return webhookName(string(we.signing.URL)) }

// hideSigning removes the signing secret from the screen.
func (we *WebhooksTable) hideSigning() { we.signing.ShownUntil = time.Time{} }

// SigningHeld is the webhook whose signing secret is held, and its name.
func (we *WebhooksTable) SigningHeld() (api.WebhookID, string) {
	return we.signing.Webhook, called(we.Lang, we.signingName())
}

// SigningCopied marks the signing secret of a webhook as used, once it is on the clipboard.
func (we *WebhooksTable) SigningCopied(id api.WebhookID) {
	if id != "" && id == we.signing.Webhook {
		we.signing.Used = true
	}
}

// wakes calls at with the times at which the table has something to do.
func (we *WebhooksTable) wakes(at func(time.Time)) {
	at(we.signing.Until)
	at(we.signing.ShownUntil)
}

func joined(list []api.Text) string {
	parts := make([]string, 0, len(list))
	for _, t := range list {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " ")
}
