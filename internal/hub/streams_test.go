package hub

import (
	"testing"

	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

// TestAChangeBeforeAReaderBeginsHidesNone has one part change between the connection of a
// reader and what they see at first: the next change of each other part is told.
func TestAChangeBeforeAReaderBeginsHidesNone(t *testing.T) {
	t.Parallel()
	st := state.New(state.Config{})
	s := &Server{streams: newStreams()}
	ann := &team.Person{Name: "ann", Role: team.Admin, Labels: []string{"*"}}
	r := s.streams.add(ann)
	s.streams.tell(s, st, state.TopicCodes)
	s.streams.begin(s, r, st)
	next := s.streams.parts(s, st, ann, state.TopicAll)
	for name := range next {
		next[name]++
	}
	if told := s.streams.seen.Changed(ann.View(), next); len(told) != len(next) || len(told) < 6 {
		t.Errorf("of %v, only the first changes of %v are told", next, told)
	}
}

// TestNobodyIsComparedWithThoseWhoLeft has all readers of a view go: what changes while
// nobody reads is not recorded, so that the next begins anew.
func TestNobodyIsComparedWithThoseWhoLeft(t *testing.T) {
	t.Parallel()
	st := state.New(state.Config{})
	s := &Server{streams: newStreams()}
	ann := &team.Person{Name: "ann", Role: team.Admin, Labels: []string{"*"}}
	first, second := s.streams.add(ann), s.streams.add(ann)
	s.streams.begin(s, first, st)
	s.streams.remove(first)
	third := s.streams.add(ann)
	if !s.streams.seen.Begun(ann.View()) {
		t.Error("a reader beside another begins anew")
	}
	s.streams.remove(second)
	s.streams.remove(third)
	s.streams.add(ann)
	if s.streams.seen.Begun(ann.View()) {
		t.Error("a reader is compared with those who left")
	}
}
