package secrets

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// Field is one part of a card's details, in the order a checkout form asks
// for them.
type Field uint8

// The fields of the copy ring, and behind them the address as one text, for
// forms that accept it so.
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
	FieldAddress
	fieldCount
)

// ringEnd is what comes after the last field of the ring.
const ringEnd = FieldAddress

// String is the field's name in a sentence.
func (f Field) String() string {
	return [...]string{
		lang.N("number"), lang.N("expiry"), "CVV", lang.N("name"), lang.N("street"), lang.N("city"), lang.N("state"), lang.N("zip"), lang.N("country"), lang.N("address"),
	}[f%fieldCount]
}

// ringLife is how long details stay in memory after a copy, so that a
// checkout form costs one request.
const ringLife = 60 * time.Second

func (t *Table) ringOpen(now time.Time) bool {
	return !t.held.copiedAt.IsZero() && !poll.Reached(now, t.held.copiedAt.Add(ringLife))
}

// continueRing reports whether the next field of a card can be copied. The ring
// starts over when another card was selected since.
func (t *Table) continueRing(id api.CardID) bool {
	if t.held.left {
		t.setNextField(FieldNumber)
	}
	return t.holds(id)
}

// setNextField sets the field that is copied next.
func (t *Table) setNextField(f Field) { t.held.next, t.held.left = f, false }

// upNext is the field that is copied next.
func (t *Table) upNext() Field { return t.held.next }

// nextField returns the field to copy and moves the ring on.
func (t *Table) nextField() Field {
	f := t.held.next
	if t.held.next++; t.held.next >= ringEnd {
		t.held.next = FieldNumber
	}
	t.markCopied()
	return f
}

// markCopied sets when a field was last copied.
func (t *Table) markCopied() { t.held.copiedAt = t.Time }

// copyByTemplate copies a card by the template, once its details are held.
func (t *Table) copyByTemplate(id api.CardID) []kernel.Effect {
	parts := copytext.Parse(t.Cfg.CopyTemplate)
	ttl := t.Cfg.CopyNumber
	c, _ := t.needs.Cards.Get(id)
	for i, p := range parts {
		switch p.Field {
		case copytext.CVV:
			ttl = min(ttl, t.Cfg.CopyCVV)
		case copytext.Label:
			parts[i] = copytext.Part{Text: string(c.Label)}
		default:
		}
	}
	name := t.needs.Cards.Name(id)
	seq := t.beginCopy(copyAsked{what: t.Lang.Tf("all of %s", name), short: [4]string{t.Lang.Tf("all of %s", lastDigits(name))}, kind: t.Lang.T("a card")})
	t.markCopied()
	return []kernel.Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}

func (t *Table) copyNext(id api.CardID) []kernel.Effect {
	if t.continueRing(id) {
		return t.copyField(id)
	}
	return t.askToCopy(id, copyRing)
}

// copyChosen copies one field; the ring goes on behind it.
func (t *Table) copyChosen(in CopyField) []kernel.Effect {
	var effects []kernel.Effect
	held := t.holds(in.Card)
	if !held {
		effects = t.askToCopy(in.Card, copyRing)
	}
	t.setNextField(in.Field)
	if held {
		return t.copyField(in.Card)
	}
	return effects
}

// copyAll copies a card by the template.
func (t *Table) copyAll(id api.CardID) []kernel.Effect {
	if t.holds(id) {
		return t.copyByTemplate(id)
	}
	return t.askToCopy(id, copyTemplate)
}

func (t *Table) copyField(id api.CardID) []kernel.Effect {
	f := t.nextField()
	name, kind := t.needs.Cards.Name(id), t.Lang.T(f.String())
	seq := t.beginCopy(copyAsked{what: fmt.Sprintf(t.Lang.Tc("copied", "%s of %s"), kind, name), short: [4]string{kind + " " + name, kind + " " + lastDigits(name), kind}, kind: kind, field: f, ring: true})
	ttl := t.Cfg.CopyNumber
	if f == FieldCVV {
		ttl = t.Cfg.CopyCVV
	}
	return []kernel.Effect{CopyDetail{Seq: seq, Card: id, Field: f, TTL: ttl}}
}

// CopyDetail puts one field of the held details on the clipboard.
type CopyDetail struct {
	Seq   poll.Seq
	Card  api.CardID
	Field Field
	TTL   time.Duration
}

// CopyCard puts parts of the held details on the clipboard, joined.
type CopyCard struct {
	Seq   poll.Seq
	Card  api.CardID
	Parts []copytext.Part
	TTL   time.Duration
}

func (CopyDetail) Effect() {}

func (CopyCard) Effect() {}

// CopyNext asks to copy the next field of a card's ring.
type CopyNext struct{ Card api.CardID }

func (in CopyNext) Check(t *Table) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyNext) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyNext(in.Card)
}

func (CopyNext) Least() team.Role { return team.Buyer }

// CopyField asks to copy one field of a card's ring.
type CopyField struct {
	Card  api.CardID
	Field Field
}

func (in CopyField) Check(t *Table) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyField) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyChosen(in)
}

func (CopyField) Least() team.Role { return team.Buyer }

// CopyWhole asks to copy a card by the template of the configuration.
type CopyWhole struct{ Card api.CardID }

func (in CopyWhole) Check(t *Table) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyWhole) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyAll(in.Card)
}

func (CopyWhole) Least() team.Role { return team.Buyer }

// ChooseField asks which field of a card is to be copied.
type ChooseField struct{ Card api.CardID }

func (in ChooseField) Check(t *Table) kernel.Verdict {
	return t.needs.Cards.CheckDetails(in.Card)
}

func (ChooseField) Least() team.Role { return team.Buyer }
