package pane_test

import (
	"testing"

	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

func TestMovingWords(t *testing.T) {
	var m pane.Moving
	word, style := "3s", "faint"
	list := func(m *pane.Moving) {
		m.Add(word)
		m.Spans([]widget.Span{{Style: style, Text: "every 3s"}})
	}
	if !m.Differ(list) {
		t.Error("what was never drawn does not differ")
	}
	m.Note(list)
	if m.Differ(list) {
		t.Error("the words that were drawn differ")
	}
	word = "4s"
	for range 2 {
		if !m.Differ(list) {
			t.Error("another word does not differ until it is drawn")
		}
	}
	m.Note(list)
	style = "warn"
	if !m.Differ(list) {
		t.Error("another style does not differ")
	}
}
