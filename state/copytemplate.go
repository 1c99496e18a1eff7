package state

import (
	"strings"

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
func (cl *ClipTable) copyWhole(id api.CardID) []Effect {
	parts := parseCopy(cl.cfg.CopyTemplate)
	ttl := cl.cfg.CopyNumber
	c, _ := cl.cards.Get(id)
	for i, p := range parts {
		switch p.Field {
		case TemplateCVV:
			ttl = min(ttl, cl.cfg.CopyCVV)
		case TemplateLabel:
			parts[i] = CopyPart{Text: string(c.Label)}
		default:
		}
	}
	name := cl.cards.name(id)
	seq := cl.beginCopy(copying{what: "all of " + name, short: [4]string{"all of " + lastDigits(name)}, kind: "a card"})
	cl.secrets.held.copiedAt = cl.now
	return []Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}
