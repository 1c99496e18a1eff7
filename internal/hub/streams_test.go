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
	for name := range s.streams.parts(s, st, ann, state.TopicAll) {
		if _, known := s.streams.last[ann.View()][name]; !known {
			t.Errorf("the first change of %s is not told", name)
		}
	}
}
