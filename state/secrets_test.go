package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// hold brings a card's details in.
func hold(s *state.Store, d time.Duration, id api.CardID) []state.Effect {
	return apply(s, state.DetailsHeld{Meta: meta(d), Card: id})
}

func wiped(effects []state.Effect) bool { return len(all[state.WipeDetails](effects)) > 0 }

func TestRevealGoesFromNumberToCVVToNothing(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	reveal := state.RevealCard{Card: first}
	if f := one[state.FetchDetails](t, do(t, s, reveal)); f.Card != first {
		t.Errorf("asks for %s", f.Card)
	}
	if r := s.Reveal(); r.Card != first || !r.Waiting || r.CVV {
		t.Errorf("while it is on its way: %+v", r)
	}
	if effects := do(t, s, reveal); len(effects) != 0 {
		t.Errorf("asked twice: %v", effects)
	}
	hold(s, 3*time.Second, first)
	if r := s.Reveal(); r.Card != first || r.Waiting || r.CVV || !r.Until.Equal(at(18*time.Second)) {
		t.Errorf("number: %+v", r)
	}
	tick(s, 10*time.Second)
	do(t, s, reveal)
	if r := s.Reveal(); !r.CVV || !r.From.Equal(at(10*time.Second)) || !r.Until.Equal(at(25*time.Second)) {
		t.Errorf("CVV: %+v", r)
	}
	if effects := do(t, s, reveal); !wiped(effects) || s.Reveal() != (state.Reveal{}) {
		t.Errorf("hidden: %+v, %v", s.Reveal(), effects)
	}
	one[state.FetchDetails](t, do(t, s, reveal))
}

func TestWhatIsRevealedHidesByItselfAfterExactly15Seconds(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	do(t, s, state.RevealCard{Card: first})
	hold(s, 2*time.Second, first)
	if !s.NextWake().Before(at(17*time.Second + time.Millisecond)) {
		t.Errorf("wakes at %v", s.NextWake())
	}
	if effects := tick(s, 17*time.Second-time.Nanosecond); wiped(effects) || s.Reveal().Card != first {
		t.Error("hidden too early")
	}
	topics, effects := s.Tick(at(17 * time.Second))
	if s.Reveal().Card != "" || !wiped(effects) || topics&state.TopicSecrets == 0 {
		t.Errorf("not hidden: %+v, %v, %b", s.Reveal(), effects, topics)
	}
	if wiped(tick(s, 18*time.Second)) {
		t.Error("wiped twice")
	}
}

func TestARevealMayBeSetToLastAnotherTime(t *testing.T) {
	s := settled(t, func(c *state.Config) { c.Reveal = 3 * time.Second })
	do(t, s, state.RevealCard{Card: first})
	hold(s, time.Second, first)
	tick(s, 4*time.Second)
	if s.Reveal().Card != "" {
		t.Error("still shown")
	}
}

func TestHideSecrets(t *testing.T) {
	hide := state.HideSecrets{}
	t.Run("what is shown", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		hold(s, time.Second, first)
		if !wiped(do(t, s, hide)) || s.Reveal().Card != "" {
			t.Error("not hidden")
		}
	})
	t.Run("what is on its way", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		do(t, s, hide)
		if !wiped(hold(s, time.Second, first)) || s.Reveal().Card != "" {
			t.Error("shown after it was hidden")
		}
	})
	t.Run("but not the ring of a checkout", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.CopyNext{Card: first})
		hold(s, time.Second, first)
		do(t, s, state.RevealCard{Card: first})
		if s.Reveal().Card != first {
			t.Error("held details are asked for again")
		}
		if wiped(do(t, s, hide)) || s.Reveal().Card != "" {
			t.Error("the ring is lost, or the number still shown")
		}
	})
	t.Run("nothing", func(t *testing.T) {
		s := settled(t)
		if effects := do(t, s, hide); len(effects) != 0 {
			t.Errorf("%v", effects)
		}
	})
}

func TestTheRingCopiesFieldAfterField(t *testing.T) {
	s := settled(t)
	next := state.CopyNext{Card: first}
	one[state.FetchDetails](t, do(t, s, next))
	got := one[state.CopyDetail](t, hold(s, time.Second, first))
	for _, want := range []struct {
		field state.Field
		ttl   time.Duration
		name  string
	}{
		{state.FieldNumber, 30 * time.Second, "number"},
		{state.FieldExpiry, 30 * time.Second, "expiry"},
		{state.FieldCVV, 20 * time.Second, "CVV"},
		{state.FieldName, 30 * time.Second, "name"},
		{state.FieldStreet, 30 * time.Second, "street"},
		{state.FieldCity, 30 * time.Second, "city"},
		{state.FieldState, 30 * time.Second, "state"},
		{state.FieldZIP, 30 * time.Second, "zip"},
		{state.FieldCountry, 30 * time.Second, "country"},
		{state.FieldNumber, 30 * time.Second, "number"},
	} {
		if got.Card != first || got.Field != want.field || got.TTL != want.ttl {
			t.Errorf("%s: %+v", want.name, got)
		}
		if what := s.Clip().What; what != want.name+" of fb ••0001" {
			t.Errorf("clip %q", what)
		}
		effects := do(t, s, next)
		none[state.FetchDetails](t, effects)
		got = one[state.CopyDetail](t, effects)
	}
}

func TestTheRingIsForgottenAMinuteAfterTheLastCopy(t *testing.T) {
	s := settled(t)
	next := state.CopyNext{Card: first}
	do(t, s, next)
	hold(s, time.Second, first)
	tick(s, 50*time.Second)
	do(t, s, next)
	if wiped(tick(s, 110*time.Second-time.Millisecond)) {
		t.Error("forgotten too early")
	}
	if !wiped(tick(s, 110*time.Second)) {
		t.Error("still held")
	}
	one[state.FetchDetails](t, do(t, s, next))
	if c := one[state.CopyDetail](t, hold(s, 111*time.Second, first)); c.Field != state.FieldNumber {
		t.Errorf("starts at the %s", c.Field)
	}
}

func TestRevealAndCopyAtTheSameTimeAskOnce(t *testing.T) {
	s := settled(t)
	one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
	if effects := do(t, s, state.CopyNext{Card: first}); len(effects) != 0 {
		t.Errorf("asked twice: %v", effects)
	}
	one[state.CopyDetail](t, hold(s, time.Second, first))
	if r := s.Reveal(); r.Card != first || r.Waiting {
		t.Errorf("not shown: %+v", r)
	}
	// The ring keeps the details longer than the screen.
	if wiped(tick(s, 20*time.Second)) || s.Reveal().Card != "" {
		t.Error("wiped with the screen")
	}
	if !wiped(tick(s, 61*time.Second)) {
		t.Error("never wiped")
	}
}

// TestOneCardAtATime covers what happens when another card is asked for.
func TestOneCardAtATime(t *testing.T) {
	t.Run("held details leave first", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		hold(s, time.Second, first)
		effects := do(t, s, state.CopyNext{Card: second})
		if !wiped(effects) || one[state.FetchDetails](t, effects).Card != second {
			t.Errorf("effects %v", effects)
		}
		if s.Reveal().Card != "" {
			t.Error("the first card is shown by a vault that lost it")
		}
		if c := one[state.CopyDetail](t, hold(s, 2*time.Second, second)); c.Card != second || c.Field != state.FieldNumber {
			t.Errorf("copied %+v", c)
		}
	})
	t.Run("a reveal under way gives way", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		do(t, s, state.CopyNext{Card: second})
		if s.Reveal().Waiting {
			t.Error("it waits for ever")
		}
		hold(s, time.Second, first)
		if s.Reveal().Card != "" {
			t.Error("the first card is shown")
		}
		hold(s, 2*time.Second, second)
		one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
	})
	t.Run("what came in meanwhile leaves when the other fails", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		do(t, s, state.RevealCard{Card: second})
		hold(s, time.Second, first)
		if !wiped(apply(s, state.FetchFailed{Meta: meta(2 * time.Second), Effect: state.FetchDetails{Card: second}, Err: cut()})) {
			t.Error("the first card's details stay in the vault")
		}
	})
	t.Run("what comes in last leaves", func(t *testing.T) {
		s := settled(t)
		do(t, s, state.RevealCard{Card: first})
		do(t, s, state.RevealCard{Card: second})
		hold(s, time.Second, second)
		if !wiped(hold(s, 2*time.Second, first)) || s.Reveal().Card != "" {
			t.Error("the vault holds the first card while the second is shown")
		}
	})
}

func TestDetailsThatDoNotCome(t *testing.T) {
	fetch := state.FetchDetails{Card: first}
	for _, tt := range []struct {
		name  string
		ev    state.Event
		level state.Level
		says  string
	}{
		{"failed", state.FetchFailed{Meta: meta(2 * time.Second), Effect: fetch, Err: unreachable()}, state.Bad, "cannot read the details of fb ••0001: the API does not answer"},
		{"deferred", state.Deferred{Meta: meta(2 * time.Second), Effect: fetch, Wait: 1500 * time.Millisecond}, state.Warn, "30 a minute: try again in 2 s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			apply(s, state.Copied{At: at(time.Second), State: state.ClipCopied, Until: at(31 * time.Second)})
			do(t, s, state.RevealCard{Card: first})
			apply(s, tt.ev)
			if s.Reveal() != (state.Reveal{}) {
				t.Errorf("it waits: %+v", s.Reveal())
			}
			wantNotice(t, s, tt.level, tt.says)
			if s.Clip().State != state.ClipCopied {
				t.Error("what is on the clipboard is forgotten")
			}
			one[state.FetchDetails](t, do(t, s, state.RevealCard{Card: first}))
		})
	}
}

func TestWhatBecomesOfACopyIsTold(t *testing.T) {
	for _, tt := range []struct {
		ev    state.Copied
		says  string
		level state.Level
	}{
		{state.Copied{State: state.ClipCopied, Until: at(time.Minute)}, "", state.Info},
		{state.Copied{State: state.ClipSent}, "", state.Info},
		{state.Copied{State: state.ClipCleared}, "clipboard cleared: number of fb ••0001", state.Info},
		{state.Copied{State: state.ClipReplaced}, "something else: number of fb ••0001", state.Info},
		{state.Copied{State: state.ClipNoTool, Hint: "install xclip"}, "not copied: install xclip", state.Bad},
		{state.Copied{State: state.ClipFailed, Hint: "no answer"}, "not copied: no answer", state.Bad},
	} {
		s := settled(t)
		do(t, s, state.CopyNext{Card: first})
		hold(s, time.Second, first)
		apply(s, tt.ev)
		if c := s.Clip(); c.State != tt.ev.State || !c.Until.Equal(tt.ev.Until) {
			t.Errorf("clip %+v", c)
		}
		wantNotice(t, s, tt.level, tt.says)
		if tt.says == "" && s.Notice().Text != "" {
			t.Errorf("notice %q", s.Notice().Text)
		}
	}
}

func TestTheStoreWakesToHideWhileNothingElseIsDue(t *testing.T) {
	s := settled(t)
	tick(s, 400*time.Second) // Every lane is under way now.
	do(t, s, state.RevealCard{Card: first})
	hold(s, 400*time.Second, first)
	if wake := s.NextWake(); !wake.Equal(at(415 * time.Second)) {
		t.Errorf("wakes at %v", wake)
	}
}
