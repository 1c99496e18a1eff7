package pane

import (
	"slices"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/widget"
)

// Passing are the parts of the store that change with every second and every
// poll. They change few words on the screen: a pane is drawn again when one of them
// is another.
const Passing = kernel.TopicClock | kernel.TopicHealth

// Moving are the words of a pane that time and polls change, as they were drawn.
type Moving struct{ drawn, now []string }

// Note keeps the words that a pane draws. list adds them one by one.
func (m *Moving) Note(list func(*Moving)) {
	m.now = m.now[:0]
	list(m)
	m.drawn, m.now = m.now, m.drawn
}

// Differ reports whether a word is another than it was drawn.
func (m *Moving) Differ(list func(*Moving)) bool {
	m.now = m.now[:0]
	list(m)
	return !slices.Equal(m.now, m.drawn)
}

// Add adds a word.
func (m *Moving) Add(word string) { m.now = append(m.now, word) }

// Spans adds the words of spans, and how they are drawn.
func (m *Moving) Spans(spans []widget.Span) {
	for _, s := range spans {
		m.now = append(m.now, s.Style, s.Text)
	}
}
