package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

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
	// Used says that it was shown or copied.
	Used bool
}

// Signing reports on the signing secret.
func (we *WebhooksTable) Signing() Signing { return we.signing }

// showSigning puts the secret on the screen, or takes it off again.
func (we *WebhooksTable) showSigning() {
	if !we.signing.ShownUntil.IsZero() {
		we.signing.ShownUntil = time.Time{}
		return
	}
	we.signing.ShownUntil, we.signing.Used = we.now.Add(we.cfg.Reveal), true
}

func (cl *ClipTable) copySigning() []Effect {
	cl.webhooks.signing.Used = true
	seq := cl.beginCopy(copying{kind: "signing secret", short: [4]string{"signing secret"}, what: "signing secret of " + webhookName(string(cl.webhooks.signing.URL))})
	return []Effect{CopySigning{Seq: seq, Webhook: cl.webhooks.signing.Webhook, TTL: cl.cfg.CopyNumber}}
}

// dropSigning forgets the secret for good.
func (we *WebhooksTable) dropSigning() []Effect {
	we.signing = Signing{}
	return []Effect{WipeSigning{}}
}

func (we *WebhooksTable) checkSigning() Verdict {
	if we.signing.Webhook == "" {
		return Verdict{Reason: "the signing secret is gone: delete the webhook and register it again"}
	}
	return Verdict{}
}

// expireSigning ends what time has ended.
func (we *WebhooksTable) expireSigning(now time.Time) Topic {
	g := &we.signing
	switch {
	case g.Webhook == "":
		return 0
	case poll.Reached(now, g.Until):
		we.notices.tell(Warn, "the signing secret of "+webhookName(string(g.URL))+" has left; if it was not used, delete the webhook and register it again")
		we.wants = append(we.wants, we.dropSigning()...)
		return TopicSecrets | TopicNotice
	case !g.ShownUntil.IsZero() && poll.Reached(now, g.ShownUntil):
		g.ShownUntil = time.Time{}
		return TopicSecrets
	}
	return 0
}
