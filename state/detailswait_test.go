package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
)

// A limit that is used up is waited for: the request goes out by itself, once,
// and only while somebody wants it.
func TestARevealThatIsTooSoonComesByItself(t *testing.T) {
	for _, tt := range []struct {
		name string
		late func(secrets.FetchDetails) kernel.Event
	}{
		{"by our own count", func(f secrets.FetchDetails) kernel.Event {
			return state.Deferred{Meta: meta(2 * time.Second), Effect: f, Wait: 12 * time.Second}
		}},
		{"by the server's", func(f secrets.FetchDetails) kernel.Event {
			return state.FetchFailed{Meta: meta(2 * time.Second), Effect: f, Err: limited(12 * time.Second)}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			asked := one[secrets.FetchDetails](t, do(t, s, secrets.RevealCard{Card: first}))
			if more := apply(s, tt.late(asked)); len(more) != 0 {
				t.Fatalf("at once: %v", more)
			}
			wantNotice(t, s, kernel.Info, "the reveal waits its turn: details are limited to 30 a minute")
			if next, ok := s.Secrets.NextReveal(); !ok || !next.Equal(at(14*time.Second)) || !s.Secrets.Reveal().Waiting {
				t.Errorf("waits till %v, %v", next, s.Secrets.Reveal())
			}
			none[secrets.FetchDetails](t, do(t, s, secrets.RevealCard{Card: first}))
			none[secrets.FetchDetails](t, tick(s, 13*time.Second))
			if f := one[secrets.FetchDetails](t, tick(s, 14*time.Second)); f != asked {
				t.Errorf("asks for %+v", f)
			}
			none[secrets.FetchDetails](t, tick(s, 15*time.Second))
			if _, ok := s.Secrets.NextReveal(); ok {
				t.Error("still waits")
			}
			one[secrets.HoldDetails](t, apply(s, secrets.DetailsLoaded{FetchDetails: asked, Meta: meta(15 * time.Second), Details: details(first)}))
			if r := s.Secrets.Reveal(); r.Card != first || r.Waiting {
				t.Errorf("not shown: %+v", r)
			}
		})
	}
}

// waiting has a person ask for a card's details that wait for their turn.
func waiting(t *testing.T, in kernel.Intent) *state.Store {
	t.Helper()
	s := settled(t)
	asked := one[secrets.FetchDetails](t, do(t, s, in))
	apply(s, state.Deferred{Meta: meta(2 * time.Second), Effect: asked, Wait: 48 * time.Second})
	if _, waits := s.Secrets.NextReveal(); !waits {
		t.Fatal("nothing waits")
	}
	return s
}

// TestWhatEndsARevealEndsACopyThatWaits: a minute later the clipboard holds
// something else.
func TestWhatEndsARevealEndsACopyThatWaits(t *testing.T) {
	for name, ends := range map[string]kernel.Intent{
		"focus, pane, esc": secrets.Hide{},
		"suspend":          secrets.Hide{Forget: true},
		"another card":     state.SetKeyCard{Card: second},
		"look at a card":   state.InspectCard{Card: first},
		"lock":             kernel.LockScreen{},
		"privacy":          kernel.TogglePrivacy{},
		"another's copy":   secrets.CopyNext{Card: second},
	} {
		for word, in := range map[string]kernel.Intent{
			"copy": secrets.CopyNext{Card: first}, "copy that": secrets.CopyWhole{Card: first}, "copy that waited": secrets.CopyField{Card: first, Field: secrets.FieldCVV},
			"reveal": secrets.RevealCard{Card: first},
		} {
			t.Run(name+", "+word, func(t *testing.T) {
				s := waiting(t, in)
				do(t, s, ends)
				if _, waits := s.Secrets.NextReveal(); waits || s.Secrets.CopyWaits() || s.Secrets.Reveal().Waiting && s.Secrets.Reveal().Card == first {
					t.Error("it still waits")
				}
				wantNotice(t, s, kernel.Info, "the "+word)
				wantNotice(t, s, kernel.Info, "that waited is dropped")
				for d := 3 * time.Second; d < time.Minute; d += time.Second {
					for _, f := range all[secrets.FetchDetails](tick(s, d)) {
						t.Errorf("asks for the details of %s", f.Card)
					}
				}
			})
		}
	}
}

func TestACopyWaitsOnForWhoStays(t *testing.T) {
	next := secrets.CopyNext{Card: first}
	s := waiting(t, next)
	do(t, s, state.SetKeyCard{Card: first})
	none[secrets.FetchDetails](t, do(t, s, next)) // The key again keeps it waiting.
	if !s.Secrets.CopyWaits() {
		t.Fatal("it does not wait")
	}
	one[secrets.FetchDetails](t, tick(s, 50*time.Second))
	one[secrets.CopyDetail](t, hold(s, 51*time.Second, first))
}

// TestWhoIsAwayGetsACopyAtOnceOrNot: who pastes elsewhere goes there before the
// answer is here, and does not wait there for the limit.
func TestWhoIsAwayGetsACopyAtOnceOrNot(t *testing.T) {
	next := secrets.CopyNext{Card: first}
	late := func(s *state.Store, f secrets.FetchDetails) {
		apply(s, state.Deferred{Meta: meta(2 * time.Second), Effect: f, Wait: 48 * time.Second})
	}
	t.Run("at once", func(t *testing.T) {
		s := settled(t)
		do(t, s, next)
		do(t, s, secrets.Hide{})
		one[secrets.CopyDetail](t, hold(s, time.Second, first))
	})
	t.Run("not", func(t *testing.T) {
		s := settled(t)
		asked := one[secrets.FetchDetails](t, do(t, s, next))
		do(t, s, secrets.Hide{})
		late(s, asked)
		if s.Secrets.CopyWaits() {
			t.Error("it waits for its turn")
		}
		wantNotice(t, s, kernel.Info, "the copy that waited is dropped")
		none[secrets.FetchDetails](t, tick(s, 50*time.Second))
	})
	t.Run("back in time", func(t *testing.T) {
		s := settled(t)
		asked := one[secrets.FetchDetails](t, do(t, s, next))
		do(t, s, secrets.Hide{})
		do(t, s, next)
		if late(s, asked); !s.Secrets.CopyWaits() {
			t.Error("it does not wait though it was asked for again")
		}
	})
}

func TestACodeDropsTheCopyThatWaitsAndNotTheReveal(t *testing.T) {
	s := waiting(t, secrets.RevealCard{Card: first})
	do(t, s, secrets.CopyNext{Card: first})
	one[secrets.CopyOTP](t, withCode(t, s))
	wantNotice(t, s, kernel.Info, "the copy that waited is dropped")
	if s.Secrets.CopyWaits() || !s.Secrets.Reveal().Waiting {
		t.Error("the copy waits, or the reveal does not")
	}
	s = waiting(t, secrets.CopyNext{Card: first})
	one[secrets.CopyOTP](t, withCode(t, s))
	if _, waits := s.Secrets.NextReveal(); waits {
		t.Error("details wait that nobody wants")
	}
}
