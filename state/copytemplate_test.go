package state_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

func TestAChosenFieldIsCopiedAndTheRingGoesOnBehindIt(t *testing.T) {
	s := settled(t)
	one[state.FetchDetails](t, do(t, s, state.CopyField{Card: first, Field: state.FieldStreet}))
	got := one[state.CopyDetail](t, hold(s, time.Second, first))
	if got.Field != state.FieldStreet || got.TTL != state.DefaultCopyNumber {
		t.Errorf("copies %+v", got)
	}
	if next := one[state.CopyDetail](t, do(t, s, state.CopyNext{Card: first})); next.Field != state.FieldCity {
		t.Errorf("then the %s", next.Field)
	}
	again := do(t, s, state.CopyField{Card: first, Field: state.FieldCVV})
	none[state.FetchDetails](t, again)
	if got := one[state.CopyDetail](t, again); got.Field != state.FieldCVV || got.TTL != state.DefaultCopyCVV {
		t.Errorf("copies %+v", got)
	}
}

func TestAWholeCardIsCopiedByTheTemplate(t *testing.T) {
	f := func(name state.TemplateField) state.CopyPart { return state.CopyPart{Field: name} }
	text := func(s string) state.CopyPart { return state.CopyPart{Text: s} }
	for _, tt := range []struct {
		template string
		parts    []state.CopyPart
		ttl      time.Duration
	}{
		{"", []state.CopyPart{f("number"), text("|"), f("month"), text("|"), f("year"), text("|"), f("cvv"), text("|"), f("name")}, state.DefaultCopyCVV},
		{"{label}: {number}\t{address}!", []state.CopyPart{text("fb"), text(": "), f("number"), text("\t"), f("address"), text("!")}, state.DefaultCopyNumber},
	} {
		s := settled(t, func(c *state.Config) { c.CopyTemplate = tt.template })
		one[state.FetchDetails](t, do(t, s, state.CopyWhole{Card: first}))
		got := one[state.CopyCard](t, hold(s, time.Second, first))
		if got.Card != first || !slices.Equal(got.Parts, tt.parts) {
			t.Errorf("%q: %+v", tt.template, got.Parts)
		}
		if got.TTL != tt.ttl {
			t.Errorf("%q stays %v, not %v: the shortest of its fields", tt.template, got.TTL, tt.ttl)
		}
		none[state.FetchDetails](t, do(t, s, state.CopyWhole{Card: first}))
		apply(s, state.Copied{Seq: got.Seq, State: state.ClipCopied, Until: at(time.Minute)})
	}
}

// A limit that is used up is waited for: the request goes out by itself, once,
// and only while somebody wants it.
func TestARevealThatIsTooSoonComesByItself(t *testing.T) {
	for _, tt := range []struct {
		name string
		late func(state.FetchDetails) state.Event
	}{
		{"by our own count", func(f state.FetchDetails) state.Event {
			return state.Deferred{Meta: meta(2 * time.Second), Effect: f, Wait: 12 * time.Second}
		}},
		{"by the server's", func(f state.FetchDetails) state.Event {
			return state.FetchFailed{Meta: meta(2 * time.Second), Effect: f, Err: limited(12 * time.Second)}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			asked := one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
			if more := apply(s, tt.late(asked)); len(more) != 0 {
				t.Fatalf("at once: %v", more)
			}
			wantNotice(t, s, state.Info, "next reveal in 12 s")
			if next, ok := s.NextReveal(); !ok || !next.Equal(at(14*time.Second)) || !s.Reveal().Waiting {
				t.Errorf("waits till %v, %v", next, s.Reveal())
			}
			none[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
			none[state.FetchDetails](t, tick(s, 13*time.Second))
			if f := one[state.FetchDetails](t, tick(s, 14*time.Second)); f != asked {
				t.Errorf("asks for %+v", f)
			}
			none[state.FetchDetails](t, tick(s, 15*time.Second))
			if _, ok := s.NextReveal(); ok {
				t.Error("still waits")
			}
			one[state.HoldDetails](t, apply(s, state.DetailsLoaded{FetchDetails: asked, Meta: meta(15 * time.Second), Details: details(first)}))
			if r := s.Reveal(); r.Card != first || r.Waiting {
				t.Errorf("not shown: %+v", r)
			}
		})
	}
}

func TestNobodyWaitsForARevealThatWasGivenUp(t *testing.T) {
	s := settled(t)
	asked := one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
	apply(s, state.Deferred{Meta: meta(2 * time.Second), Effect: asked, Wait: 12 * time.Second})
	do(t, s, state.HideSecrets{})
	none[state.FetchDetails](t, tick(s, 3*time.Second))
	none[state.FetchDetails](t, tick(s, 14*time.Second))
	if _, ok := s.NextReveal(); ok {
		t.Error("still waits")
	}
	one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
}
