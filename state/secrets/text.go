package secrets

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// HoldSigning puts a signing secret into the vault, and on a dialog of its own.
type HoldSigning struct {
	Webhook api.WebhookID
	Secret  api.SigningSecret
}

func (HoldSigning) Effect() {}

// CopySigning puts the held signing secret on the clipboard.
type CopySigning struct {
	Seq     poll.Seq
	Webhook api.WebhookID
	TTL     time.Duration
}

func (CopySigning) Effect() {}

// CopyPlain puts text on the clipboard that is no secret.
type CopyPlain struct {
	Seq  poll.Seq
	Text string
	TTL  time.Duration
}

func (CopyPlain) Effect() {}

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

func (in CopyText) Check(t *Table) kernel.Verdict {
	if in.Text == "" {
		return kernel.Verdict{Reason: t.Lang.Tf("there is no %s to copy", in.What)}
	}
	return kernel.Verdict{}
}

func (in CopyText) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.Copy(in)
}

// CopyAddress copies the deposit address of a currency.
type CopyAddress struct{ Currency api.Currency }

func (in CopyAddress) Check(t *Table) kernel.Verdict {
	return t.needs.Wallets.CheckCopy(in.Currency)
}

func (in CopyAddress) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyAddress(in)
}

func (CopyAddress) Least() team.Role { return team.Admin }

func (t *Table) copyAddress(in CopyAddress) []kernel.Effect {
	a, _ := t.needs.Wallets.Address(in.Currency)
	return t.Copy(CopyText{What: t.Lang.Tf("%s address", string(in.Currency)), Text: string(a.Address)})
}

// CopySigningSecret copies the signing secret that the vault has.
type CopySigningSecret struct{}

func (CopySigningSecret) Check(t *Table) kernel.Verdict { return t.needs.Webhooks.CheckSigning() }

func (CopySigningSecret) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	id := t.needs.Webhooks.Signing().Webhook
	seq := t.beginCopy(copyAsked{
		signing: id, kind: t.Lang.T("signing secret"), short: [4]string{t.Lang.T("signing secret")},
		what: t.Lang.Tf("signing secret of %s", t.needs.Webhooks.SigningName()),
	})
	return kernel.TopicSecrets, []kernel.Effect{CopySigning{Seq: seq, Webhook: id, TTL: t.Cfg.CopyNumber}}
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// Copy copies text that is no secret.
func (t *Table) Copy(in CopyText) []kernel.Effect {
	seq := t.beginCopy(copyAsked{what: in.What, kind: t.Lang.T("text")})
	return []kernel.Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}
