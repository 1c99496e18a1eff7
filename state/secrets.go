package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// Field is one part of a card's details, in the order a checkout form asks
// for them.
type Field uint8

// The fields of the copy ring.
const (
	FieldNumber Field = iota
	FieldExpiry
	FieldCVV
	FieldName
	FieldStreet
	FieldCity
	FieldState
	FieldZIP
	FieldCountry
	fieldCount
)

// String is the field's name in a sentence.
func (f Field) String() string {
	return [...]string{"number", "expiry", "CVV", "name", "street", "city", "state", "zip", "country"}[f%fieldCount]
}

// Vault holds the details of one card for a short time. It is the only place
// that does.
type Vault interface {
	// Read gives a field of the held card; false when the vault holds another
	// card or none. The caller wipes what it got.
	Read(card api.CardID, f Field) (api.Secret, bool)
	// Wipe forgets everything.
	Wipe()
}

// ringLife is how long details stay in memory after a copy, so that a
// checkout form costs one request.
const ringLife = 60 * time.Second

// held is what the store knows of the vault, which is not the secret.
type held struct {
	card api.CardID
	// asked is the card whose details are on their way, and what for.
	asked    api.CardID
	toReveal bool
	toCopy   bool
	next     Field
	copiedAt time.Time
}

// Reveal is what of a card's details may be on screen.
type Reveal struct {
	// Card is empty when nothing is revealed.
	Card api.CardID
	// CVV says that the CVV may be shown as well.
	CVV bool
	// Waiting says that the details are on their way.
	Waiting     bool
	From, Until time.Time
}

// Reveal reports what may be on screen.
func (s *Store) Reveal() Reveal { return s.reveal }

// ClipState is the state of what was put on the clipboard.
type ClipState uint8

// The states a person is told of.
const (
	ClipNone ClipState = iota
	ClipCopied
	ClipSent // to the terminal; nobody can check that it arrived
	ClipCleared
	ClipReplaced
	ClipStuck
	ClipNoTool
	ClipFailed
)

// Clip is what of ours is on the clipboard.
type Clip struct {
	// What names it in words, never in digits.
	What  string
	State ClipState
	Until time.Time
}

// Clip reports on the clipboard.
func (s *Store) Clip() Clip { return s.clip }

func (s *Store) revealNext(id api.CardID) (Topic, []Effect) {
	r := &s.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return s.hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = s.now, s.now.Add(s.cfg.Reveal)
		return TopicSecrets, nil
	case s.held.card == id:
		s.show(id)
		return TopicSecrets, nil
	}
	s.reveal = Reveal{Card: id, Waiting: true}
	return TopicSecrets, s.ask(id, func(h *held) { h.toReveal = true })
}

func (s *Store) show(id api.CardID) {
	s.reveal = Reveal{Card: id, From: s.now, Until: s.now.Add(s.cfg.Reveal)}
}

// hide takes everything off the screen. Details stay in the vault only while
// a checkout's copy ring is under way.
func (s *Store) hide() (Topic, []Effect) {
	s.reveal = Reveal{}
	s.held.toReveal = false
	if s.held.card != "" && !s.ringOpen(s.now) {
		return TopicSecrets, s.wipe()
	}
	return TopicSecrets, nil
}

func (s *Store) ringOpen(now time.Time) bool {
	return !s.held.copiedAt.IsZero() && !reached(now, s.held.copiedAt.Add(ringLife))
}

func (s *Store) wipe() []Effect {
	s.held = held{}
	return []Effect{WipeDetails{}}
}

// ask fetches a card's details once, whatever for. The details of another
// card leave first: the vault has room for one.
func (s *Store) ask(id api.CardID, purpose func(*held)) []Effect {
	if s.held.asked == id {
		purpose(&s.held)
		return nil
	}
	var out []Effect
	if s.held.card != "" {
		out = s.wipe()
	}
	if s.reveal.Card != id {
		s.reveal = Reveal{}
	}
	s.held = held{asked: id}
	purpose(&s.held)
	return append(out, FetchDetails{Card: id})
}

func (s *Store) copyNext(id api.CardID) []Effect {
	if s.held.card == id {
		return s.copyField(id)
	}
	return s.ask(id, func(h *held) { h.toCopy = true })
}

func (s *Store) copyField(id api.CardID) []Effect {
	f := s.held.next
	s.held.next = (f + 1) % fieldCount
	s.held.copiedAt = s.now
	ttl := s.cfg.CopyNumber
	if f == FieldCVV {
		ttl = s.cfg.CopyCVV
	}
	s.clip = Clip{What: f.String() + " of " + s.name(id)}
	return []Effect{CopyDetail{Card: id, Field: f, TTL: ttl}}
}

func (s *Store) codeToCopy(in CopyCode) (Code, bool) {
	if in.Challenge == "" {
		return s.NewestCode()
	}
	for _, c := range s.codes.rows {
		if c.ID == in.Challenge && !c.OTP.IsZero() && c.Left(s.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

func (s *Store) copyCode(in CopyCode) (Topic, []Effect) {
	c, _ := s.codeToCopy(in)
	s.clip = Clip{What: "code for " + string(c.Merchant) + " $" + c.Amount.Grouped() + ", " + s.name(c.Card)}
	return TopicSecrets, []Effect{CopyOTP{Challenge: c.ID, OTP: c.OTP, TTL: min(s.cfg.CopyCode, c.Left(s.ServerNow()))}}
}

func (s *Store) detailsHeld(ev DetailsHeld) (Topic, []Effect) {
	h := &s.held
	switch {
	case h.asked == "":
		// Nobody waits for it any more, and what was held has made room for it.
		s.reveal = Reveal{}
		return TopicSecrets, s.wipe()
	case h.asked != ev.Card:
		// It makes room for what is on its way, or leaves when that fails.
		return 0, nil
	}
	h.asked, h.card = "", ev.Card
	var out []Effect
	if h.toReveal {
		s.show(ev.Card)
	}
	if h.toCopy {
		out = s.copyField(ev.Card)
	}
	wanted := h.toReveal || h.toCopy
	h.toReveal, h.toCopy = false, false
	if !wanted {
		return TopicSecrets, s.wipe()
	}
	return TopicSecrets, out
}

// detailsFailed stops waiting for a card's details. The vault is wiped: what
// was asked for before may have come in meanwhile.
func (s *Store) detailsFailed(id api.CardID) []Effect {
	if s.held.asked != id {
		return nil
	}
	if s.reveal.Card == id {
		s.reveal = Reveal{}
	}
	return s.wipe()
}

// copied keeps what is on the clipboard and tells what left it, or why
// nothing was put there.
func (s *Store) copied(ev Copied) Topic {
	what := s.clip.What
	s.clip.State, s.clip.Until = ev.State, ev.Until
	switch ev.State {
	case ClipCleared:
		s.tell(Info, "clipboard cleared: "+what)
	case ClipReplaced:
		s.tell(Info, "clipboard now holds something else: "+what+" is gone from it")
	case ClipNoTool, ClipFailed:
		s.tell(Bad, "not copied: "+ev.Hint)
	default:
	}
	return TopicSecrets | TopicNotice
}

// expireSecrets ends what time has ended: the reveal, and the details when
// neither the screen nor the ring needs them.
func (s *Store) expireSecrets(now time.Time) Topic {
	topics := Topic(0)
	if s.reveal.Card != "" && !s.reveal.Waiting && reached(now, s.reveal.Until) {
		s.reveal = Reveal{}
		topics |= TopicSecrets
	}
	if s.held.card != "" && s.reveal.Card != s.held.card && !s.ringOpen(now) {
		s.wants = append(s.wants, s.wipe()...)
	}
	return topics
}

// reached tells whether a secret's time is over by either clock: the steady
// one stands still while the machine sleeps, the other can be set.
func reached(now, until time.Time) bool {
	return !now.Before(until) || !now.Round(0).Before(until.Round(0))
}
