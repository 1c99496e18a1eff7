package state

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// WebhooksTable holds the webhooks and the signing secret of one that was just created.
type WebhooksTable struct {
	*core
	notices  *NoticesTable
	cards    *CardsTable
	poll     *PollTable
	webhooks webhookBook
	signing  Signing
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
	// Active is nil where the API did not tell.
	Active    *bool
	CreatedAt time.Time
}

// webhookBook is what is known of the webhooks.
type webhookBook struct {
	rows  []Webhook
	okAt  time.Time
	err   error
	asked Seq // the request under way, 0 for none
	seq   Seq // the request that gave the rows
	// fence is the newest request when one was registered or deleted: what an
	// earlier one tells is from before.
	fence Seq
}

// Webhooks lists the registered endpoints, the newest first; read tells when
// they were, zero before, and err why that failed. The slice is the store's
// own.
func (we *WebhooksTable) All() (rows []Webhook, read time.Time, err error) {
	return we.webhooks.rows, we.webhooks.okAt, we.webhooks.err
}

// Webhook finds a registered endpoint.
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
func webhookName(address string) string { return "webhook " + WebhookHost(address) }

func (we *WebhooksTable) load() []Effect {
	if we.webhooks.asked != 0 {
		return nil
	}
	we.webhooks.asked, we.webhooks.err = we.nextSeq(), nil
	return []Effect{FetchWebhooks{Seq: we.webhooks.asked}}
}

// webhooksLoaded takes the list. Secrets that came with it are overwritten:
// nobody has asked for them.
func (ev WebhooksLoaded) apply(s *Store) (Topic, []Effect) {
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
		s.wants = append(s.wants, s.Webhooks.load()...)
		return 0, nil
	}
	slices.SortStableFunc(rows, func(a, b Webhook) int { return b.CreatedAt.Compare(a.CreatedAt) })
	s.Webhooks.webhooks.rows, s.Webhooks.webhooks.okAt, s.Webhooks.webhooks.err = rows, ev.At, nil
	s.Webhooks.webhooks.seq = ev.Seq
	topics, effects := s.judgeDeletions(ev.Seq)
	return TopicWebhooks | topics, effects
}

// judgeDeletions settles deletions that nobody answered by a list asked for
// since: what is not in it is gone. What still is may yet go.
func (s *Store) judgeDeletions(seq Seq) (topics Topic, effects []Effect) {
	for _, op := range slices.Clone(s.Ops.ops) {
		id := op.Webhook()
		if _, there := s.Webhooks.Get(id); id == "" || there || op.Phase != Unsettled || seq <= op.fence {
			continue
		}
		s.Ops.drop(op.ID)
		s.Ops.tellLasting(op, Good, s.Cards.opName(op)+" is gone, read again: its deletion, "+s.begunAt(op)+", went unanswered")
		topics |= TopicOps | TopicNotice
		effects = append(effects, Forget{Op: *op, Fate: FateJudgedDone})
	}
	return topics, effects
}

func webhookOf(w api.Webhook) Webhook {
	return Webhook{ID: w.ID, URL: w.URL, Events: w.Events, Active: w.Active, CreatedAt: w.CreatedAt}
}

func (we *WebhooksTable) failed(seq Seq, err error) Topic {
	if we.webhooks.asked != seq {
		return 0
	}
	we.webhooks.asked, we.webhooks.err = 0, err
	return TopicWebhooks
}

// PendingWebhook finds the deletion of a webhook that is under way.
func (ops *OpsTable) PendingWebhook(id api.WebhookID) (Op, bool) {
	for _, op := range ops.ops {
		if op.Kind == OpUnsubscribe && op.Webhook() == id {
			return *op, true
		}
	}
	return Op{}, false
}

// Webhook is the endpoint that an operation deletes; empty for none.
func (op *Op) Webhook() api.WebhookID {
	if op.Kind != OpUnsubscribe || op.Write == nil {
		return ""
	}
	id, err := url.PathUnescape(strings.TrimPrefix(op.Write.Path, "/webhooks/"))
	if err != nil {
		return ""
	}
	return api.WebhookID(id)
}

// checkCreateWebhook judges an endpoint that is to be registered.
func (ops *OpsTable) checkCreateWebhook(in CreateWebhook) Verdict {
	v := Verdict{Danger: Reversible}
	if ops.cfg.ReadOnly {
		v.Reason = readOnly
		return v
	}
	if all := webhookProblems(in); len(all) > 0 {
		v.Reason = all[0].Reason
		return v
	}
	for _, op := range ops.ops {
		if op.Kind == OpSubscribe {
			v.Reason = ops.cards.busyText(*op)
		}
	}
	if ops.webhooks.signing.Webhook != "" {
		v.Reason = "a signing secret is still shown: put it away first"
	}
	return v
}

// checkDeleteWebhook judges an endpoint that is to be deleted.
func (ops *OpsTable) checkDeleteWebhook(in DeleteWebhook) Verdict {
	v := Verdict{Danger: Permanent}
	op, busy := ops.PendingWebhook(in.Webhook)
	switch _, ok := ops.webhooks.Get(in.Webhook); {
	case ops.cfg.ReadOnly:
		v.Reason = readOnly
	case !ok:
		v.Reason = "no webhook is selected"
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// webhookProblems lists what is wrong with an endpoint, for each field of the
// request.
func webhookProblems(in CreateWebhook) []Problem {
	var p problems
	switch u, err := url.Parse(in.URL); {
	case in.URL == "":
		p.add(FieldURL, "type the address that events are sent to")
	case err != nil || u.Hostname() == "":
		p.add(FieldURL, "not an address: https://host/path")
	case u.User != nil:
		p.add(FieldURL, "no name and password in it: deliveries are signed")
	default:
		// What is wrong besides is the client's to know.
		if _, err := api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: []string{api.AllEvents}}); err != nil {
			p.add(FieldURL, "the address has to begin with https://")
		}
	}
	if len(in.Events) == 0 {
		p.add(FieldEvents, "choose at least one event")
	}
	return p
}

// subscribed takes a registered endpoint in, and hands its secret to the
// vault.
func (s *Store) subscribed(ev OpDone) []Effect {
	s.Webhooks.webhooks.fence = s.seq
	if ev.Webhook == nil {
		return s.Webhooks.load()
	}
	row := webhookOf(*ev.Webhook)
	s.Webhooks.webhooks.rows = slices.DeleteFunc(s.Webhooks.webhooks.rows, func(w Webhook) bool { return w.ID == row.ID })
	s.Webhooks.webhooks.rows = slices.Insert(s.Webhooks.webhooks.rows, 0, row)
	out := s.Webhooks.load()
	if ev.Webhook.Secret.IsZero() {
		return out
	}
	s.Webhooks.signing = Signing{Webhook: row.ID, URL: row.URL, Until: s.now.Add(signingLife)}
	if s.Privacy.locked {
		ev.Webhook.Secret.Wipe()
		return append(out, s.lockSigning()...)
	}
	return append(out, HoldSigning{Webhook: row.ID, Secret: ev.Webhook.Secret})
}

// unsubscribed takes a deleted endpoint out.
func (we *WebhooksTable) unsubscribed(op *Op) []Effect {
	we.webhooks.fence = we.seq
	we.webhooks.rows = slices.DeleteFunc(we.webhooks.rows, func(w Webhook) bool { return w.ID == op.Webhook() })
	return we.load()
}

// webhookEvidence gives what the list tells of an unanswered registration or
// deletion. One asked for before its last try was over tells nothing of it.
func (we *WebhooksTable) webhookEvidence(op *Op, from time.Time) (found []Webhook, at time.Time) {
	if we.webhooks.seq <= op.fence || !we.webhooks.okAt.After(op.At) {
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
