package state

import (
	"net/url"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/webhooks"
)

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

func (in CreateWebhook) build(*OpsTable) (r request, err error) {
	r.kind, r.name = OpSubscribe, webhooks.Name(in.URL)
	r.write, err = api.CreateWebhookWrite(api.CreateWebhookRequest{URL: in.URL, Events: in.Events, Secret: in.secret})
	return r, err
}

// DeleteWebhook asks to remove an endpoint for good.
type DeleteWebhook struct{ Webhook api.WebhookID }

func (in DeleteWebhook) Check(s *Store) kernel.Verdict { return s.checkDeleteWebhook(in) }

func (DeleteWebhook) Least() team.Role { return OpUnsubscribe.Least() }

func (DeleteWebhook) WaitsForAPI() bool { return true }

func (in DeleteWebhook) build(ops *OpsTable) (r request, err error) {
	w, _ := ops.webhooks.Get(in.Webhook)
	r.kind, r.name = OpUnsubscribe, webhooks.Name(string(w.URL))
	r.write, err = api.DeleteWebhookWrite(in.Webhook)
	return r, err
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
	if s.Webhooks.Signing().Webhook != "" {
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

// webhookEvidence returns what the list shows of an unanswered registration or
// deletion. One that was requested before the last try was over shows nothing of it.
func (ops *OpsTable) webhookEvidence(op *Op, from time.Time) (found []webhooks.Webhook, at time.Time) {
	rows, at := ops.webhooks.Since(op.fence, op.At, op.Webhook())
	for _, w := range rows {
		if op.Kind == OpSubscribe && !w.CreatedAt.Before(from) && webhooks.Name(string(w.URL)) == op.Name ||
			op.Kind == OpUnsubscribe && w.ID == op.Webhook() {
			found = append(found, w)
		}
	}
	return found, at
}
