package state

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// CopyPart is a piece of what the copy of a whole card looks like: text as it
// is, or a field that the vault fills in.
type CopyPart struct {
	// Field is empty for text.
	Field TemplateField
	Text  string
}

// TemplateField is what a copy template may hold in braces.
type TemplateField string

// The fields of a copy template.
const (
	TemplateNumber  TemplateField = "number"
	TemplateLast4   TemplateField = "last4"
	TemplateMonth   TemplateField = "month"
	TemplateYear    TemplateField = "year"
	TemplateYear2   TemplateField = "year2"
	TemplateCVV     TemplateField = "cvv"
	TemplateName    TemplateField = "name"
	TemplateAddress TemplateField = "address"
	TemplateLabel   TemplateField = "label"
)

// parseCopy takes a template apart. The configuration has checked it; what is
// no field stays text.
func parseCopy(template string) []CopyPart {
	var parts []CopyPart
	text := func(s string) {
		if s != "" {
			parts = append(parts, CopyPart{Text: s})
		}
	}
	for rest := template; ; {
		before, after, open := strings.Cut(rest, "{")
		text(before)
		field, tail, closed := strings.Cut(after, "}")
		if !open || !closed {
			text(after)
			return parts
		}
		parts = append(parts, CopyPart{Field: TemplateField(field)})
		rest = tail
	}
}

// copyWhole copies a card by the template, once its details are held.
func (s *Store) copyWhole(id api.CardID) []Effect {
	parts := parseCopy(s.cfg.CopyTemplate)
	ttl := s.cfg.CopyNumber
	c, _ := s.Card(id)
	for i, p := range parts {
		switch p.Field {
		case TemplateCVV:
			ttl = min(ttl, s.cfg.CopyCVV)
		case TemplateLabel:
			parts[i] = CopyPart{Text: string(c.Label)}
		default:
		}
	}
	seq := s.beginCopy(copying{what: "all of " + s.name(id), kind: "a card"})
	s.held.copiedAt = s.now
	return []Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (s *Store) pacing(seq Seq, wait time.Duration) Topic {
	if s.held.asked != seq {
		return 0
	}
	s.held.again = s.now.Add(wait)
	s.tell(Info, fmt.Sprintf("details are limited to 30 a minute: next reveal in %s, by itself", seconds(wait)))
	return TopicNotice | TopicSecrets
}

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and nobody wants a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

// NextReveal is when the details that somebody waits for are asked for; false
// when nothing waits for the limit of details a minute.
func (s *Store) NextReveal() (time.Time, bool) { return s.held.again, !s.held.again.IsZero() }

// paceReveal asks for the details whose turn has come, unless nobody waits for
// them any more.
func (s *Store) paceReveal(now time.Time) Topic {
	h := &s.held
	if h.again.IsZero() || h.wanted() && !reached(now, h.again) {
		return 0
	}
	if h.again = (time.Time{}); !h.wanted() {
		s.held = held{}
		return TopicSecrets
	}
	s.wants = append(s.wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return TopicSecrets
}
