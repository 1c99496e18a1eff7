package secrets

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// NextReveal is when the details that are waited for are requested; false
// when nothing waits for the limit of details a minute.
func (t *Table) NextReveal() (time.Time, bool) { return t.held.again, !t.held.again.IsZero() }

// CopyWaits reports whether a copy waits with them, or alone.
func (t *Table) CopyWaits() bool {
	return !t.held.again.IsZero() && t.held.toCopy != copyNothing
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (t *Table) pacing(seq poll.Seq, wait time.Duration) kernel.Topic {
	h := &t.held
	if h.asked != seq {
		return 0
	}
	if h.again = t.Time.Add(wait); h.nowOnly {
		return kernel.TopicSecrets | t.CancelWaiting()
	}
	t.needs.Notices.Say(kernel.Info, t.Lang.Tf("the %s waits its turn: details are limited to 30 a minute", h.purpose(t.Lang)))
	return kernel.TopicNotice | kernel.TopicSecrets
}

// paceReveal requests the details that are due.
func (t *Table) paceReveal(now time.Time) kernel.Topic {
	h := &t.held
	if h.again.IsZero() || !poll.Reached(now, h.again) {
		return 0
	}
	h.again = time.Time{}
	t.Wants = append(t.Wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return kernel.TopicSecrets
}

// CancelWaiting ends a wait for details, with whatever was to be done with them:
// what comes a minute late comes over something else.
func (t *Table) CancelWaiting() kernel.Topic {
	if t.held.again.IsZero() {
		return 0
	}
	t.needs.Notices.SayIfFree(kernel.Info, t.Lang.Tf("the %s that waited is dropped", t.held.purpose(t.Lang)))
	t.held = heldDetails{}
	if t.reveal.Waiting {
		t.EndReveal()
	}
	return kernel.TopicNotice
}

// dropCopy ends the wait of a copy, as another one is asked for; a reveal that
// waits with it goes on.
func (t *Table) dropCopy() {
	switch h := &t.held; {
	case t.CopyWaits() && h.toReveal:
		t.needs.Notices.SayIfFree(kernel.Info, t.Lang.T("the copy that waited is dropped"))
		h.toCopy = copyNothing
	case t.CopyWaits():
		t.CancelWaiting()
	default:
		h.toCopy = copyNothing
	}
}

// heldDetails is what the store knows of the vault, which is not the secret.
type heldDetails struct {
	card api.CardID
	// asked is the request under way, for whose card and what for. An answer
	// to any other is dropped.
	asked    poll.Seq
	askedFor api.CardID
	toReveal bool
	toCopy   copyWish
	// again is when the request is sent that waits for its turn. nowOnly says that
	// it is not waited for: the one under way may come, but waits for no turn.
	again   time.Time
	nowOnly bool
	// next is the field that the ring copies next.
	next     Field
	copiedAt time.Time
	// left reports whether another card was selected since: then the ring
	// begins anew.
	left bool
}

// purpose is what the details are for.
func (h *heldDetails) purpose(w *lang.Words) string {
	if h.toCopy != copyNothing {
		return w.Tc("noun", "copy")
	}
	return w.Tc("noun", "reveal")
}

// copyWish is what is copied when the details are there.
type copyWish uint8

const (
	copyNothing copyWish = iota
	copyRing
	copyTemplate
)

// wanted reports whether the details are waited for.
func (h *heldDetails) wanted() bool { return h.toReveal || h.toCopy != copyNothing }

// Wipe forgets the details and has the vault overwrite them.
func (t *Table) Wipe() []kernel.Effect {
	t.held = heldDetails{}
	return []kernel.Effect{WipeDetails{}}
}

// WipeDetails has the vault overwrite what it holds.
type WipeDetails struct{}

func (WipeDetails) Effect() {}

// ask fetches a card's details, once however many purposes there are. The
// details of another card leave first: the vault has room for one.
func (t *Table) ask(id api.CardID) []kernel.Effect {
	if t.held.asked != 0 && t.held.askedFor == id {
		t.held.nowOnly = false
		return nil // It may be waiting for its turn.
	}
	t.CancelWaiting()
	var out []kernel.Effect
	if t.held.card != "" {
		out = t.Wipe()
	}
	if t.reveal.Card != id {
		t.EndReveal()
	}
	t.held = heldDetails{asked: t.NextSeq(), askedFor: id}
	return append(out, FetchDetails{Seq: t.held.asked, Card: id})
}

// FetchDetails reads one card's sensitive details.
type FetchDetails struct {
	Seq  poll.Seq
	Card api.CardID
}

func (FetchDetails) Effect() {}

// Cost is that of details, of which few are allowed in a minute (contract,
// Limits).
func (FetchDetails) Cost() kernel.Cost {
	return kernel.Cost{Kind: budget.Details, Priority: budget.User, Lane: lang.N("details")}
}

func (f FetchDetails) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	details, err := on.API.CardDetails(ctx, f.Card)
	return DetailsLoaded{FetchDetails: f, Meta: on.Over(), Details: &details}, err
}

// Label is what the user waits for.
func (FetchDetails) Label(bool) string { return lang.N("reading the number") }

// detailsFailed stops waiting for a card's details.
func (t *Table) detailsFailed(seq poll.Seq) {
	if t.held.asked != seq {
		return
	}
	if t.reveal.Card == t.held.askedFor {
		t.EndReveal()
	}
	t.held = heldDetails{}
}

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and no user waits for a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

// holds reports whether the vault has the details of a card.
func (t *Table) holds(id api.CardID) bool { return t.held.card == id }

// askToCopy reads the details of a card, to copy them when they are there.
func (t *Table) askToCopy(id api.CardID, wish copyWish) []kernel.Effect {
	effects := t.ask(id)
	t.held.toCopy = wish
	return effects
}

// HoldDetails puts details into the vault.
type HoldDetails struct{ Details *api.CardDetails }

func (HoldDetails) Effect() {}

// DetailsLoaded are a card's details, for the vault. They cannot be printed;
// the receiver stores them or wipes them.
type DetailsLoaded struct {
	FetchDetails
	kernel.Meta
	Details *api.CardDetails
}

// Apply puts details into the vault when they are still wanted. Those
// are not waited for any more are overwritten at once.
func (ev DetailsLoaded) Apply(t *Table) (kernel.Topic, []kernel.Effect) {
	h := &t.held
	if h.asked != ev.Seq {
		ev.Details.Wipe()
		return 0, nil
	}
	h.asked = 0
	if !h.wanted() {
		ev.Details.Wipe()
		*h = heldDetails{}
		return kernel.TopicSecrets, nil
	}
	h.card = ev.Card
	out := []kernel.Effect{HoldDetails{Details: ev.Details}}
	if h.toReveal {
		t.show(ev.Card)
	}
	switch h.toCopy {
	case copyRing:
		out = append(out, t.copyField(ev.Card)...)
	case copyTemplate:
		out = append(out, t.copyByTemplate(ev.Card)...)
	case copyNothing:
	}
	h.toReveal, h.toCopy = false, copyNothing
	return kernel.TopicSecrets, out
}

func (f FetchDetails) Failed(t *Table, e kernel.Failure) kernel.Topic {
	limited := e.Deferred || errors.Is(e.Err, api.ErrRateLimited) && e.Wait > 0
	if limited && e.Wait <= detailsWait {
		return t.pacing(f.Seq, e.Wait)
	}
	t.detailsFailed(f.Seq)
	if e.Deferred {
		t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("the request limit is used up: try again in %s", t.Lang.Seconds(e.Wait)))
		return kernel.TopicNotice | kernel.TopicSecrets
	}
	t.needs.Notices.Say(kernel.Bad, t.Lang.Tf("cannot read the details of %s: %s", t.needs.Cards.Name(f.Card), errtext.Explain(t.Lang, e.Err)))
	return kernel.TopicNotice | kernel.TopicSecrets | kernel.TopicInspector
}
