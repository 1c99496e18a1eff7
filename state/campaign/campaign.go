// Package campaign says which campaign a card belongs to: by a pattern over its
// label, or by a metadata key.
package campaign

import (
	"errors"
	"slices"
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
}

// Parse reads a rule: a pattern, empty for Default, or metadata:KEY.
//
// A pattern is text and asterisks, and ends with one. Each * is what is up to the
// text that follows it; the last * ends where the separator before it comes again:
// what is neither letter nor digit there. The campaign is what the pattern fits from
// the begin of a label on. A label that has fewer parts is a campaign as it is.
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
	before, ok := strings.CutSuffix(text, "*")
	switch {
	case !ok:
		return Rule{}, errors.New("campaign: the pattern does not end with *, as in " + Default)
	case strings.Contains(text, "**"):
		return Rule{}, errors.New("campaign: the pattern has two * with nothing in between")
	}
	return Rule{texts: strings.Split(before, "*")}, nil
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

// match returns how much of a label the pattern fits, without empty parts at the end.
func (r Rule) match(label string) string {
	rest, ok := strings.CutPrefix(label, r.texts[0])
	if !ok {
		return ""
	}
	for _, text := range r.texts[1:] {
		at := strings.Index(rest, text)
		if at < 0 {
			return r.tidy(label) // It has fewer parts.
		}
		rest = rest[at+len(text):]
	}
	last := r.texts[len(r.texts)-1]
	separator := last[len(strings.TrimRightFunc(last, isSeparator)):]
	if at := strings.Index(rest, separator); separator != "" && at >= 0 {
		label = label[:len(label)-len(rest)+at]
	}
	return r.tidy(label)
}

// tidy removes the empty parts that a name ends with.
func (r Rule) tidy(name string) string {
	for {
		i := slices.IndexFunc(r.texts[1:], func(text string) bool { return strings.HasSuffix(name, text) && name != text })
		if i < 0 {
			return name
		}
		name = strings.TrimSuffix(name, r.texts[i+1])
	}
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
