package engine

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Screen is what an effect may open. Its methods are called by Start, that is
// in Update: nothing else may change what is on the screen.
type Screen = interface {
	// ShowSigning shows the signing secret that the vault has just taken over.
	ShowSigning()
	// ShowRequest shows a write that a dry run did not send.
	ShowRequest(request state.ShowRequest)
}

// ExecutorConfig is what an executor is made of.
type ExecutorConfig struct {
	// Run runs what needs the API or the disk; it is Engine.Run, bound to the
	// context of the program. It blocks.
	Run   func(kernel.Effect) kernel.Event
	Vault secrets.Vault
	Board Board
	// Now is this machine's clock.
	Now func() time.Time
}

// Executor runs every effect of a store that is on a screen. It is the one
// place that turns an effect into what happens.
type Executor struct {
	run    func(kernel.Effect) kernel.Event
	vault  secrets.Vault
	copies copyQueue
}

// NewExecutor makes an executor.
func NewExecutor(cfg ExecutorConfig) *Executor {
	return &Executor{run: cfg.Run, vault: cfg.Vault, copies: copyQueue{board: cfg.Board, now: cfg.Now}}
}

// Start begins an effect. What concerns memory only is done when it returns, so
// that effects on the vault happen in the order that the store gave them in: a
// field is read before a later effect wipes it, and nothing revealed outlives
// the Update that hides it. Start never blocks. It returns what does, which is
// to be called from a command, and nil when nothing remains to be done; the
// event is nil when there is nothing to apply.
func (x *Executor) Start(effect kernel.Effect, on Screen) (wait func() kernel.Event) {
	switch e := effect.(type) {
	case secrets.HoldDetails:
		x.vault.Hold(e.Details)
	case secrets.WipeDetails:
		x.vault.Forget()
	case secrets.HoldSigning:
		x.vault.HoldSigning(e.Webhook, e.Secret)
		on.ShowSigning()
	case webhooks.WipeSigning:
		x.vault.ForgetSigning()
	case state.ShowRequest:
		on.ShowRequest(e)
	case secrets.CopySigning, secrets.CopyDetail, secrets.CopyCard, secrets.CopyOTP, secrets.CopyPlain:
		if job, ok := x.copyJob(effect); ok {
			return x.copies.add(job)
		}
	default:
		return func() kernel.Event { return x.run(effect) }
	}
	return nil
}

// copyJob returns what an effect puts on the clipboard; false when the vault
// does not hold it any more, or the effect copies nothing.
func (x *Executor) copyJob(effect kernel.Effect) (job copyJob, ok bool) {
	switch e := effect.(type) {
	case secrets.CopySigning:
		job.seq, job.ttl = e.Seq, e.TTL
		job.secret, ok = x.vault.ReadSigning(e.Webhook)
	case secrets.CopyDetail:
		job.seq, job.ttl = e.Seq, e.TTL
		job.secret, ok = x.vault.Read(e.Card, e.Field)
	case secrets.CopyCard:
		job.seq, job.ttl = e.Seq, e.TTL
		job.secret, ok = x.vault.Fill(e.Card, e.Parts)
	case secrets.CopyOTP:
		job, ok = copyJob{seq: e.Seq, secret: api.NewSecret(e.OTP.Bytes()), ttl: e.TTL}, true
		if e.Own {
			e.OTP.Wipe()
		}
	case secrets.CopyPlain:
		job, ok = copyJob{seq: e.Seq, secret: api.NewSecret(e.Text), ttl: e.TTL}, true
	default:
	}
	return job, ok
}

// DropCopy wipes the copy that waits until another is done, as when the screen
// is locked meanwhile.
func (x *Executor) DropCopy() { x.copies.drop() }
