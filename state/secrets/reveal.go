package secrets

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
)

// Reveal is what of a card's details may be on screen.
type Reveal struct {
	// Card is empty when nothing is revealed.
	Card api.CardID
	// CVV reports whether the CVV may be shown as well.
	CVV bool
	// Waiting reports whether the details are on their way.
	Waiting     bool
	From, Until time.Time
}

// Reveal reports what may be on screen.
func (t *Table) Reveal() Reveal { return t.reveal }

func (t *Table) show(id api.CardID) {
	t.reveal = Reveal{Card: id, From: t.Time, Until: t.Time.Add(t.Cfg.Reveal)}
}

// EndReveal removes what is revealed from the screen.
func (t *Table) EndReveal() { t.reveal = Reveal{} }

// Hide removes everything from the screen, and ends what waits for its turn to be
// there or on the clipboard. Details stay in the vault only while a checkout's
// copy ring is under way.
func (t *Table) Hide() (kernel.Topic, []kernel.Effect) {
	topics := kernel.TopicSecrets | t.CancelWaiting()
	t.EndReveal()
	kernel.Tell(t.Core, Hidden{})
	t.held.toReveal = false
	t.held.nowOnly = t.held.asked != 0
	if t.held.card != "" && !t.ringOpen(t.Time) {
		return topics, t.Wipe()
	}
	return topics, nil
}

// KeyCardChanged hides what is revealed of a card that keys are not about any more:
// what is read off the screen is what would be copied. What is under way or
// waits for that card ends likewise.
func (t *Table) KeyCardChanged(id api.CardID) (kernel.Topic, []kernel.Effect) {
	other := t.held.askedFor != id
	if other {
		t.held.left = true
	}
	if other && t.held.asked != 0 || t.reveal.Card != "" && t.reveal.Card != id {
		return t.Hide()
	}
	return 0, nil
}

// RevealCard requests the next step of showing a card's details: number and
// expiry, then the CVV as well, then hidden again.
type RevealCard struct{ Card api.CardID }

func (in RevealCard) Check(t *Table) kernel.Verdict {
	return t.needs.Cards.CheckDetails(in.Card)
}

func (in RevealCard) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return t.revealNext(in.Card)
}

func (RevealCard) Least() team.Role { return team.Buyer }

func (in RevealCard) Hidden(t *Table) string {
	if t.reveal.Card == in.Card {
		return ""
	}
	return t.Lang.T("private: y copies the number, P shows what is hidden")
}

func (t *Table) revealNext(id api.CardID) (kernel.Topic, []kernel.Effect) {
	if t.needs.Privacy.AskIfRecorded(id, t.reveal.Card == id) {
		return kernel.TopicNotice, nil
	}
	r := &t.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return t.Hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = t.Time, t.Time.Add(t.Cfg.Reveal)
		return kernel.TopicSecrets, nil
	case t.holds(id):
		t.show(id)
		return kernel.TopicSecrets, nil
	}
	effects := t.ask(id)
	t.held.toReveal = true
	t.reveal = Reveal{Card: id, Waiting: true}
	return kernel.TopicSecrets, effects
}

// Hide asks that nothing sensitive is on the screen. Forget asks that
// nothing is in memory either, not even for a copy ring that is under way.
type Hide struct{ Forget bool }

func (in Hide) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	topics, effects := t.Hide()
	if in.Forget {
		effects = append(effects, t.Wipe()...)
	}
	return topics, effects
}

func (Hide) WhileLocked() {}
