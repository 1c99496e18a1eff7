package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/copytext"
)

// HoldDetails puts details into the vault.
type HoldDetails struct{ Details *api.CardDetails }

// CopyPlain puts text on the clipboard that is no secret.
type CopyPlain struct {
	Seq  Seq
	Text string
	TTL  time.Duration
}

// CopyDetail puts one field of the held details on the clipboard.
type CopyDetail struct {
	Seq   Seq
	Card  api.CardID
	Field Field
	TTL   time.Duration
}

// CopyCard puts parts of the held details on the clipboard, joined.
type CopyCard struct {
	Seq   Seq
	Card  api.CardID
	Parts []copytext.Part
	TTL   time.Duration
}

// CopyOTP puts a challenge's code on the clipboard.
type CopyOTP struct {
	Seq       Seq
	Challenge api.ChallengeID
	OTP       api.OTP
	TTL       time.Duration
}

func (CopyPlain) effect() {}

func (CopyDetail) effect() {}

func (CopyCard) effect() {}

func (CopyOTP) effect() {}

func (HoldDetails) effect() {}

// DetailsLoaded are a card's details, for the vault. They cannot be printed;
// the receiver stores them or wipes them.
type DetailsLoaded struct {
	FetchDetails
	Meta
	Details *api.CardDetails
}

// detailsLoaded puts details into the vault when they are still wanted. Those
// are not waited for any more are overwritten at once.
func (ev DetailsLoaded) apply(s *Store) (Topic, []Effect) {
	h := &s.Secrets.held
	if h.asked != ev.Seq {
		ev.Details.Wipe()
		return 0, nil
	}
	h.asked = 0
	if !h.wanted() {
		ev.Details.Wipe()
		*h = heldDetails{}
		return TopicSecrets, nil
	}
	h.card = ev.Card
	out := []Effect{HoldDetails{Details: ev.Details}}
	if h.toReveal {
		s.Secrets.show(ev.Card)
	}
	switch h.toCopy {
	case copyRing:
		out = append(out, s.Clip.copyField(ev.Card)...)
	case copyTemplate:
		out = append(out, s.Clip.copyByTemplate(ev.Card)...)
	case copyNothing:
	}
	h.toReveal, h.toCopy = false, copyNothing
	return TopicSecrets, out
}

// ManagersFound names the clipboard managers that run; nothing where none is
// known to.
type ManagersFound struct {
	Meta
	Names []api.Text
}

func (ev ManagersFound) apply(s *Store) (Topic, []Effect) { return s.Clip.managersFound(ev), nil }

// RevealCard requests the next step of showing a card's details: number and
// expiry, then the CVV as well, then hidden again.
type RevealCard struct{ Card api.CardID }

func (in RevealCard) check(s *Store) Verdict { return s.Cards.checkDetails(in.Card) }

func (in RevealCard) start(s *Store) (Topic, []Effect) { return s.revealNext(in.Card) }

func (in RevealCard) hidden(s *Store) string {
	if s.Secrets.reveal.Card == in.Card {
		return ""
	}
	return "private: y copies the number, P shows what is hidden"
}

func (s *Store) revealNext(id api.CardID) (Topic, []Effect) {
	if s.askIfRecorded(id) {
		return TopicNotice, nil
	}
	r := &s.Secrets.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return s.Secrets.hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = s.now, s.now.Add(s.cfg.Reveal)
		return TopicSecrets, nil
	case s.Secrets.holds(id):
		s.Secrets.show(id)
		return TopicSecrets, nil
	}
	effects := s.Secrets.ask(id)
	s.Secrets.held.toReveal = true
	s.Secrets.reveal = Reveal{Card: id, Waiting: true}
	return TopicSecrets, effects
}

// HideSecrets asks that nothing sensitive is on the screen. Forget asks that
// nothing is in memory either, not even for a copy ring that is under way.
type HideSecrets struct{ Forget bool }

func (in HideSecrets) start(s *Store) (Topic, []Effect) {
	topics, effects := s.Secrets.hide()
	if in.Forget {
		effects = append(effects, s.Secrets.wipe()...)
	}
	return topics, effects
}

func (HideSecrets) whileLocked() {}

// CopyNext asks to copy the next field of a card's ring.
type CopyNext struct{ Card api.CardID }

func (in CopyNext) check(s *Store) Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyNext) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyNext(in.Card) }

// CopyField asks to copy one field of a card's ring.
type CopyField struct {
	Card  api.CardID
	Field Field
}

func (in CopyField) check(s *Store) Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyField) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyChosen(in) }

// CopyWhole asks to copy a card by the template of the configuration.
type CopyWhole struct{ Card api.CardID }

func (in CopyWhole) check(s *Store) Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyWhole) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyAll(in.Card) }

// ChooseField asks which field of a card is to be copied.
type ChooseField struct{ Card api.CardID }

func (in ChooseField) check(s *Store) Verdict { return s.Cards.checkDetails(in.Card) }

func (ChooseField) start(*Store) (Topic, []Effect) { return 0, nil }

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

func (in CopyText) check(*Store) Verdict {
	if in.Text == "" {
		return Verdict{Reason: "there is no " + in.What + " to copy"}
	}
	return Verdict{}
}

func (in CopyText) start(s *Store) (Topic, []Effect) { return TopicSecrets, s.Clip.copyText(in) }
