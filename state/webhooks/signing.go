package webhooks

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// signingLife is how long a signing secret is held after its webhook was
// registered: long enough to bring it to the receiver, and it cannot be read
// again.
const signingLife = 5 * time.Minute

// Signing describes the signing secret that came with a registration. The secret itself is in the vault.
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

// Signing describes the signing secret that is held.
func (t *Table) Signing() Signing { return t.signing }

// HoldSigning notes that the vault has the signing secret of a webhook.
func (t *Table) HoldSigning(w *api.Webhook) {
	t.signing = Signing{Webhook: w.ID, URL: w.URL, Until: t.Time.Add(signingLife)}
}

// DropSigning forgets the secret for good.
func (t *Table) DropSigning() []kernel.Effect {
	t.signing = Signing{}
	return []kernel.Effect{WipeSigning{}}
}

// HideSigning removes the secret from the screen.
func (t *Table) HideSigning() { t.signing.ShownUntil = time.Time{} }

// SigningName names the webhook whose signing secret is held.
func (t *Table) SigningName() string {
	return t.Lang.Tf("webhook %s", t.Lang.T(Host(string(t.signing.URL))))
}

// SigningCopied marks the signing secret of a webhook as used, once it is on the clipboard.
func (t *Table) SigningCopied(id api.WebhookID) {
	if id != "" && id == t.signing.Webhook {
		t.signing.Used = true
	}
}

// CheckSigning is why there is no signing secret to show or copy.
func (t *Table) CheckSigning() kernel.Verdict {
	if t.signing.Webhook == "" {
		return kernel.Verdict{Reason: t.Lang.T("the signing secret is gone: delete the webhook and register it again")}
	}
	return kernel.Verdict{}
}

// Expire ends what time has ended.
func (t *Table) Expire(now time.Time) kernel.Topic {
	g := &t.signing
	switch {
	case g.Webhook == "":
		return 0
	case poll.Reached(now, g.Until):
		t.Notices.Say(kernel.Warn, t.Lang.Tf("the signing secret of %s has expired; if it was not used, delete the webhook and register it again", t.SigningName()))
		t.Wants = append(t.Wants, t.DropSigning()...)
		return kernel.TopicSecrets | kernel.TopicNotice
	case !g.ShownUntil.IsZero() && poll.Reached(now, g.ShownUntil):
		g.ShownUntil = time.Time{}
		return kernel.TopicSecrets
	}
	return 0
}

// Wakes calls at with the times at which the table has something to do.
func (t *Table) Wakes(at func(time.Time)) {
	at(t.signing.Until)
	at(t.signing.ShownUntil)
}

// WipeSigning makes the vault forget the signing secret.
type WipeSigning struct{}

func (WipeSigning) Effect() {}

// ShowSigning shows or hides the held signing secret.
type ShowSigning struct{}

func (ShowSigning) Check(t *Table) kernel.Verdict { return t.CheckSigning() }

func (ShowSigning) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	if g := &t.signing; g.ShownUntil.IsZero() {
		g.ShownUntil, g.Used = t.Time.Add(t.Cfg.Reveal), true
	} else {
		t.HideSigning()
	}
	return kernel.TopicSecrets, nil
}

func (ShowSigning) Hidden(t *Table) string {
	if !t.signing.ShownUntil.IsZero() {
		return ""
	}
	return t.Lang.T("private: y copies the secret, P shows what is hidden")
}

// DropSigning forgets the held signing secret.
type DropSigning struct{}

func (DropSigning) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.DropSigning()
}

func (DropSigning) WhileLocked() {}
