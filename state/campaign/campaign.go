// Package campaign says which campaign a card belongs to: by a pattern over its
// label, or by a metadata key.
package campaign

import (
	"cmp"
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

// Named are the campaigns of cards as their metadata tells them. The zero value has none.
type Named struct {
	names map[api.CardID]string
	// recalled are those of an earlier run that this one has not read.
	recalled map[api.CardID]bool
}

// Name is the campaign of a card.
type Name struct {
	Card api.CardID
	Name string
}

// Of returns the campaign of a card; empty for none, and while it is not known.
func (n *Named) Of(id api.CardID) string { return n.names[id] }

// Set sets the campaign of a card that was read.
func (n *Named) Set(id api.CardID, name string) {
	n.set(id, name)
	delete(n.recalled, id)
}

func (n *Named) set(id api.CardID, name string) {
	if n.names == nil {
		n.names = make(map[api.CardID]string)
	}
	n.names[id] = name
}

// Recall takes over campaigns of an earlier run, of cards that this one has not read.
func (n *Named) Recall(list []Name) {
	for _, c := range list {
		if n.Known(c.Card) {
			continue
		}
		n.set(c.Card, c.Name)
		if n.recalled == nil {
			n.recalled = make(map[api.CardID]bool)
		}
		n.recalled[c.Card] = true
	}
}

// Known reports whether the campaign of a card is known, Recalled whether that is of an
// earlier run.
func (n *Named) Known(id api.CardID) bool {
	_, ok := n.names[id]
	return ok
}

// Recalled is explained at Known.
func (n *Named) Recalled(id api.CardID) bool { return n.recalled[id] }

// All returns what is known, by card.
func (n *Named) All() []Name {
	out := make([]Name, 0, len(n.names))
	for id, name := range n.names {
		out = append(out, Name{id, name})
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Card, b.Card) })
	return out
}

// Balances are the balances of cards, USD, added up. The zero value has none.
type Balances struct {
	cards  []held // by place
	names  map[string]int32
	active []api.USD // of the active cards, by campaign
	count  []int     // of these
	all    api.USD
	on     int // active cards
}

// held is what a card adds.
type held struct {
	balance  api.USD
	campaign int32
	active   bool
}

// Set sets what the card in a place holds. Only an active card can spend its balance.
func (b *Balances) Set(place int, campaign string, balance api.USD, active bool) {
	if b.names == nil {
		b.names = make(map[string]int32)
	}
	at, ok := b.names[campaign]
	if !ok {
		at = int32(len(b.active))
		b.names[campaign], b.active, b.count = at, append(b.active, 0), append(b.count, 0)
	}
	for len(b.cards) <= place {
		b.cards = append(b.cards, held{})
	}
	b.add(b.cards[place], -1)
	b.cards[place] = held{balance, at, active}
	b.add(b.cards[place], 1)
}

func (b *Balances) add(h held, sign int) {
	b.all += api.USD(sign) * h.balance
	if h.active {
		b.active[h.campaign] += api.USD(sign) * h.balance
		b.count[h.campaign] += sign
		b.on += sign
	}
}

// Reset removes all cards.
func (b *Balances) Reset() { *b = Balances{cards: b.cards[:0]} }

// All is what all cards hold.
func (b *Balances) All() api.USD { return b.all }

// Cards is how many cards are active.
func (b *Balances) Cards() int { return b.on }

// Active is what the active cards of a campaign hold, and how many there are.
func (b *Balances) Active(campaign string) (api.USD, int) {
	if at, ok := b.names[campaign]; ok {
		return b.active[at], b.count[at]
	}
	return 0, 0
}

// Suggest returns the pattern that labels show: at least half of those that say something are, by it, of a
// campaign with others, of which there are two or more. Default comes before the others. Empty where they show none.
func Suggest(labels []api.Text) string {
	for _, pattern := range []string{Default, "*/", "*|", "*_", "*-", "* "} {
		r, err := Parse(pattern)
		if err == nil && r.fits(labels) {
			return pattern
		}
	}
	return ""
}

func (r Rule) fits(labels []api.Text) bool {
	said, shared, campaigns := 0, 0, 0
	cards := make(map[string]int)
	for _, label := range labels {
		if label == "" {
			continue
		}
		said++
		name := r.Of(label, nil)
		if name == "" || name == string(label) { // Nothing is after it: it may be a card's own.
			continue
		}
		switch cards[name]++; cards[name] {
		case 1:
		case 2:
			campaigns++
			shared += 2
		default:
			shared++
		}
	}
	return campaigns >= 2 && 2*shared >= said
}
