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
func (s *Store) Signing() Signing { return s.signing }

// showSigning puts the secret on the screen, or takes it off again.
func (s *Store) showSigning() {
	if !s.signing.ShownUntil.IsZero() {
		s.signing.ShownUntil = time.Time{}
		return
	}
	s.signing.ShownUntil, s.signing.Used = s.now.Add(s.cfg.Reveal), true
}

func (s *Store) copySigning() []Effect {
	s.signing.Used = true
	seq := s.beginCopy(copying{kind: "signing secret", short: [4]string{"signing secret"}, what: "signing secret of " + webhookName(string(s.signing.URL))})
	return []Effect{CopySigning{Seq: seq, Webhook: s.signing.Webhook, TTL: s.cfg.CopyNumber}}
}

// dropSigning forgets the secret for good.
func (s *Store) dropSigning() []Effect {
	s.signing = Signing{}
	return []Effect{WipeSigning{}}
}

func (s *Store) checkSigning() Verdict {
	if s.signing.Webhook == "" {
		return Verdict{Reason: "the signing secret is gone: delete the webhook and register it again"}
	}
	return Verdict{}
}

// expireSigning ends what time has ended.
func (s *Store) expireSigning(now time.Time) Topic {
	g := &s.signing
	switch {
	case g.Webhook == "":
		return 0
	case poll.Reached(now, g.Until):
		s.tell(Warn, "the signing secret of "+webhookName(string(g.URL))+" has left; if it was not used, delete the webhook and register it again")
		s.wants = append(s.wants, s.dropSigning()...)
		return TopicSecrets | TopicNotice
	case !g.ShownUntil.IsZero() && poll.Reached(now, g.ShownUntil):
		g.ShownUntil = time.Time{}
		return TopicSecrets
	}
	return 0
}
