// Package campaign says which campaign a card belongs to: by a pattern over its
// label, or by a metadata key.
package campaign

import (
	"errors"
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/api"
)

// Default is the pattern of the first two parts of a label: fb/geo-de and
// fb/geo-de/07 are of the campaign fb/geo-de.
const Default = "*/*"

// metadataPrefix begins a rule that names a metadata key.
const metadataPrefix = "metadata:"

// Rule tells the campaign of a card. The zero value tells none.
type Rule struct {
	key   api.Text
	texts []string // what comes before each asterisk of the pattern
	end   string   // where the last asterisk ends
}

// Parse reads a rule: a pattern, empty for Default, or metadata:KEY.
//
// A pattern is text and asterisks. Each * is what is up to the text that follows it; the last * of a
// pattern that ends with it is up to where the separator before it comes again: what is neither letter
// nor digit there. The campaign is what the pattern fits from the begin of a label on. A label that lacks a
// text before the last *, or has nothing for that, is of no campaign.
func Parse(text string) (Rule, error) {
	if key, ok := strings.CutPrefix(text, metadataPrefix); ok {
		if key = strings.TrimSpace(key); key == "" {
			return Rule{}, errors.New("campaign: metadata: has no key, as in metadata:campaign")
		}
		return Rule{key: api.Clean(key)}, nil
	}
	if text == "" {
		text = Default
	}
	parts := strings.Split(text, "*")
	r := Rule{texts: parts[:len(parts)-1], end: parts[len(parts)-1]}
	switch {
	case len(r.texts) == 0:
		return Rule{}, errors.New("campaign: the pattern has no *, as in " + Default)
	case strings.Contains(text, "**"):
		return Rule{}, errors.New("campaign: the pattern has two * with nothing in between")
	}
	if last := r.texts[len(r.texts)-1]; r.end == "" {
		r.end = last[len(strings.TrimRightFunc(last, isSeparator)):]
	}
	return r, nil
}

// ByMetadata reports whether the rule asks for a metadata key, which lists of cards do
// not have.
func (r Rule) ByMetadata() bool { return r.key != "" }

// Of returns the campaign of a card; empty for none.
func (r Rule) Of(label api.Text, metadata api.Metadata) string {
	switch {
	case r.key != "":
		return strings.TrimSpace(string(metadata[r.key]))
	case len(r.texts) == 0:
		return ""
	}
	return r.match(strings.TrimSpace(string(label)))
}

// match returns what the pattern fits of a label, empty where it does not.
func (r Rule) match(label string) string {
	at := 0
	for i, text := range r.texts {
		next := strings.Index(label[at:], text)
		if next < 0 || i == 0 && next > 0 {
			return ""
		}
		at += next + len(text)
	}
	last := label[at:]
	if end := strings.Index(last, r.end); r.end != "" && end >= 0 {
		last = last[:end]
	}
	if last = strings.TrimSpace(last); last == "" {
		return ""
	}
	if strings.HasPrefix(label[at:], last) { // A part of the label is its own text: each card read has one.
		return strings.TrimSpace(label[:at+len(last)])
	}
	return strings.TrimSpace(label[:at] + last)
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
