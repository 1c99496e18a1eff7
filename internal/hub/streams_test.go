package hub

import (
	"testing"

	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
)

// TestNobodyIsComparedWithThoseWhoLeft has all readers of a view go: what changes while
// nobody reads is not recorded, so that the next begins anew.
func TestNobodyIsComparedWithThoseWhoLeft(t *testing.T) {
	t.Parallel()
	st := state.New(settings.Config{})
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
