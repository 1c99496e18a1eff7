package hub

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// TestAChangeBeforeAReaderBeginsHidesNone has one part change between the connection of a
// reader and what they see at first: the next change of each other part is told.
func TestAChangeBeforeAReaderBeginsHidesNone(t *testing.T) {
	t.Parallel()
	st := state.New(settings.Config{})
	s := &Server{streams: newStreams()}
	ann := &team.Person{Name: "ann", Role: team.Admin, Labels: []string{"*"}}
	r := s.streams.add(ann)
	s.streams.tell(s, st, kernel.TopicCodes)
	s.streams.begin(s, r, st)
	next := s.streams.parts(s, st, ann, kernel.TopicAll)
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

// TestACodeWhoseDigitsChangeIsTold has a service change the digits of a code: those who were told of it read it again.
func TestACodeWhoseDigitsChangeIsTold(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	st := state.New(settings.Config{Rand: func() float64 { return 0 }})
	s := &Server{streams: newStreams()}
	ann := &team.Person{Name: "ann", Role: team.Buyer, Labels: []string{"*"}}
	for n, digits := range []string{"482913", "482913", "550011"} {
		_, effects := st.Tick(at)
		for _, e := range effects {
			if f, ok := e.(codes.Fetch); ok {
				st.Apply(codes.Loaded{Fetch: f, Meta: kernel.Meta{Sent: at, At: at}, Items: []api.Challenge{{
					ID: "3ds_1", CardID: "card_1", Status: api.ChallengePending, OTP: api.NewOTP(digits), CreatedAt: at, ExpiresAt: at.Add(time.Hour),
				}}})
			}
		}
		told := s.streams.seen.Changed(ann.View(), s.streams.parts(s, st, ann, kernel.TopicCodes))
		if changed := slices.Contains(told, "codes"); n > 0 && changed != (n == 2) {
			t.Errorf("reading %d, %s: it is told that codes changed: %v", n, digits, changed)
		}
		at = at.Add(time.Minute)
	}
}
