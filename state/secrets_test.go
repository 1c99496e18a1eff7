package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

// hold brings a card's details in.
func hold(s *state.Store, d time.Duration, id api.CardID) []kernel.Effect {
	return apply(s, secrets.DetailsLoaded{FetchDetails: askedFor(s, id), Meta: meta(d), Details: details(id)})
}

func wiped(effects []kernel.Effect) bool { return len(all[secrets.WipeDetails](effects)) > 0 }

func TestRevealGoesFromNumberToCVVToNothing(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	reveal := secrets.RevealCard{Card: first}
	if f := one[secrets.FetchDetails](t, do(t, s, reveal)); f.Card != first {
		t.Errorf("asks for %s", f.Card)
	}
	if r := s.Secrets.Reveal(); r.Card != first || !r.Waiting || r.CVV {
		t.Errorf("while it is on its way: %+v", r)
	}
	if effects := do(t, s, reveal); len(effects) != 0 {
		t.Errorf("asked twice: %v", effects)
	}
	hold(s, 3*time.Second, first)
	if r := s.Secrets.Reveal(); r.Card != first || r.Waiting || r.CVV || !r.Until.Equal(at(18*time.Second)) {
		t.Errorf("number: %+v", r)
	}
	tick(s, 10*time.Second)
	do(t, s, reveal)
	if r := s.Secrets.Reveal(); !r.CVV || !r.From.Equal(at(10*time.Second)) || !r.Until.Equal(at(25*time.Second)) {
		t.Errorf("CVV: %+v", r)
	}
	if effects := do(t, s, reveal); !wiped(effects) || s.Secrets.Reveal() != (secrets.Reveal{}) {
		t.Errorf("hidden: %+v, %v", s.Secrets.Reveal(), effects)
	}
	one[secrets.FetchDetails](t, do(t, s, reveal))
}

func TestWhatIsRevealedHidesByItselfAfterExactly15Seconds(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	do(t, s, secrets.RevealCard{Card: first})
	hold(s, 2*time.Second, first)
	if !s.NextWake().Before(at(17*time.Second + time.Millisecond)) {
		t.Errorf("wakes at %v", s.NextWake())
	}
	if effects := tick(s, 17*time.Second-time.Nanosecond); wiped(effects) || s.Secrets.Reveal().Card != first {
		t.Error("hidden too early")
	}
	topics, effects := s.Tick(at(17 * time.Second))
	if s.Secrets.Reveal().Card != "" || !wiped(effects) || topics&kernel.TopicSecrets == 0 {
		t.Errorf("not hidden: %+v, %v, %b", s.Secrets.Reveal(), effects, topics)
	}
	if wiped(tick(s, 18*time.Second)) {
		t.Error("wiped twice")
	}
}

func TestARevealMayBeSetToLastAnotherTime(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Reveal = 3 * time.Second })
	do(t, s, secrets.RevealCard{Card: first})
	hold(s, time.Second, first)
	tick(s, 4*time.Second)
	if s.Secrets.Reveal().Card != "" {
		t.Error("still shown")
	}
}

func TestHideSecrets(t *testing.T) {
	hide := secrets.Hide{}
	t.Run("what is shown", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.RevealCard{Card: first})
		hold(s, time.Second, first)
		if !wiped(do(t, s, hide)) || s.Secrets.Reveal().Card != "" {
			t.Error("not hidden")
		}
	})
	t.Run("what is on its way", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.RevealCard{Card: first})
		do(t, s, hide)
		held := details(first)
		ev := secrets.DetailsLoaded{FetchDetails: askedFor(s, first), Meta: meta(time.Second), Details: held}
		if effects := apply(s, ev); len(effects) > 0 || !held.PAN.IsZero() || s.Secrets.Reveal().Card != "" {
			t.Error("kept or shown after it was hidden")
		}
	})
	t.Run("but not the ring of a checkout", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.CopyNext{Card: first})
		hold(s, time.Second, first)
		do(t, s, secrets.RevealCard{Card: first})
		if s.Secrets.Reveal().Card != first {
			t.Error("held details are asked for again")
		}
		if wiped(do(t, s, hide)) || s.Secrets.Reveal().Card != "" {
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
	next := secrets.CopyNext{Card: first}
	one[secrets.FetchDetails](t, do(t, s, next))
	got := one[secrets.CopyDetail](t, hold(s, time.Second, first))
	for _, want := range []struct {
		field secrets.Field
		ttl   time.Duration
		name  string
	}{
		{secrets.FieldNumber, 30 * time.Second, "number"},
		{secrets.FieldExpiry, 30 * time.Second, "expiry"},
		{secrets.FieldCVV, 20 * time.Second, "CVV"},
		{secrets.FieldName, 30 * time.Second, "name"},
		{secrets.FieldStreet, 30 * time.Second, "street"},
		{secrets.FieldCity, 30 * time.Second, "city"},
		{secrets.FieldState, 30 * time.Second, "state"},
		{secrets.FieldZIP, 30 * time.Second, "zip"},
		{secrets.FieldCountry, 30 * time.Second, "country"},
		{secrets.FieldNumber, 30 * time.Second, "number"},
	} {
		if got.Card != first || got.Field != want.field || got.TTL != want.ttl {
			t.Errorf("%s: %+v", want.name, got)
		}
		apply(s, secrets.ClipChanged{Seq: got.Seq, State: secrets.ClipCopied})
		if what := s.Secrets.Clip().What; what != want.name+" of fb ••0001" {
			t.Errorf("clip %q", what)
		}
		effects := do(t, s, next)
		none[secrets.FetchDetails](t, effects)
		got = one[secrets.CopyDetail](t, effects)
	}
}

func TestTheRingPassesAnEmptyField(t *testing.T) {
	s := settled(t)
	one[secrets.FetchDetails](t, do(t, s, secrets.CopyField{Card: first, Field: secrets.FieldState}))
	got := one[secrets.CopyDetail](t, hold(s, time.Second, first))
	apply(s, secrets.ClipChanged{Seq: got.Seq, State: secrets.ClipEmpty})
	if n := s.Notice(); n.Text != "this card has no state; next is the zip" || n.Level != kernel.Warn {
		t.Errorf("says %q", n.Text)
	}
	if next := one[secrets.CopyDetail](t, do(t, s, secrets.CopyNext{Card: first})); next.Field != secrets.FieldZIP {
		t.Errorf("then the %s", next.Field)
	}
}

func TestTheRingIsForgottenAMinuteAfterTheLastCopy(t *testing.T) {
	s := settled(t)
	next := secrets.CopyNext{Card: first}
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
	one[secrets.FetchDetails](t, do(t, s, next))
	if c := one[secrets.CopyDetail](t, hold(s, 111*time.Second, first)); c.Field != secrets.FieldNumber {
		t.Errorf("starts at the %s", c.Field)
	}
}

func TestOneCardAtATime(t *testing.T) {
	t.Run("held details leave first", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.RevealCard{Card: first})
		hold(s, time.Second, first)
		effects := do(t, s, secrets.CopyNext{Card: second})
		if !wiped(effects) || one[secrets.FetchDetails](t, effects).Card != second {
			t.Errorf("effects %v", effects)
		}
		if s.Secrets.Reveal().Card != "" {
			t.Error("the first card is shown by a vault that lost it")
		}
		if c := one[secrets.CopyDetail](t, hold(s, 2*time.Second, second)); c.Card != second || c.Field != secrets.FieldNumber {
			t.Errorf("copied %+v", c)
		}
	})
	t.Run("a reveal under way gives way", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.RevealCard{Card: first})
		do(t, s, secrets.CopyNext{Card: second})
		if s.Secrets.Reveal().Waiting {
			t.Error("it waits for ever")
		}
		hold(s, time.Second, first)
		if s.Secrets.Reveal().Card != "" {
			t.Error("the first card is shown")
		}
		hold(s, 2*time.Second, second)
		one[secrets.FetchDetails](t, do(t, s, secrets.RevealCard{Card: first}))
	})
	t.Run("a late answer is dropped and overwritten", func(t *testing.T) {
		s := settled(t)
		do(t, s, secrets.RevealCard{Card: first})
		late := secrets.DetailsLoaded{FetchDetails: askedFor(s, first), Meta: meta(3 * time.Second), Details: details(first)}
		do(t, s, secrets.RevealCard{Card: second})
		hold(s, 2*time.Second, second)
		do(t, s, secrets.CopyNext{Card: second})
		if effects := apply(s, late); len(effects) > 0 || s.Secrets.Reveal().Card != second || !late.Details.PAN.IsZero() {
			t.Errorf("the late answer did something: %v, %+v", effects, s.Secrets.Reveal())
		}
		if c := one[secrets.CopyDetail](t, do(t, s, secrets.CopyNext{Card: second})); c.Field != secrets.FieldExpiry {
			t.Errorf("the ring goes on with the %s", c.Field)
		}
	})
}

func TestTheClipboardGetsWhatWasAskedForLast(t *testing.T) {
	s := settled(t)
	do(t, s, secrets.CopyNext{Card: first})
	apply(s, codes.Loaded{Fetch: codes.Fetch{Seq: 0}, Meta: meta(time.Second)})
	one[secrets.CopyOTP](t, withCode(t, s))
	if effects := hold(s, 2*time.Second, first); len(all[secrets.CopyDetail](effects)) > 0 {
		t.Error("the number is copied over the code that was asked for after it")
	}
}

// withCode lets a code arrive and copies it.
func withCode(t *testing.T, s *state.Store) []kernel.Effect {
	t.Helper()
	f := one[codes.Fetch](t, tick(s, 2*time.Second))
	apply(s, codes.Loaded{Fetch: f, Meta: meta(2 * time.Second), Items: []api.Challenge{{
		ID: "3ds_1", CardID: first, Merchant: "Acme", OTP: api.NewOTP("482913"), Status: api.ChallengePending,
		CreatedAt: at(time.Second), ExpiresAt: at(5 * time.Minute),
	}}})
	return do(t, s, secrets.CopyCode{})
}

func TestAFailedCopyLeavesTheRingAndTheOldCopyWhereTheyWere(t *testing.T) {
	s := settled(t)
	next := secrets.CopyNext{Card: first}
	do(t, s, next)
	number := one[secrets.CopyDetail](t, hold(s, time.Second, first))
	apply(s, secrets.ClipChanged{Seq: number.Seq, State: secrets.ClipCopied, Until: at(31 * time.Second)})
	expiry := one[secrets.CopyDetail](t, do(t, s, next))
	apply(s, secrets.ClipChanged{Seq: expiry.Seq, State: secrets.ClipFailed, Hint: "no answer"})
	if c := s.Secrets.Clip(); c.State != secrets.ClipCopied || c.What != "number of fb ••0001" {
		t.Errorf("clip %+v", c)
	}
	if again := one[secrets.CopyDetail](t, do(t, s, next)); again.Field != secrets.FieldExpiry {
		t.Errorf("then copies the %s", again.Field)
	}
	apply(s, secrets.ClipChanged{Seq: number.Seq, State: secrets.ClipStuck})
	if c := s.Secrets.Clip(); c.State != secrets.ClipStuck {
		t.Errorf("clip %+v", c)
	}
}

func TestDetailsThatDoNotCome(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ev    func(secrets.FetchDetails) kernel.Event
		level kernel.Level
		says  string
	}{
		{"failed", func(f secrets.FetchDetails) kernel.Event {
			return state.FetchFailed{Meta: meta(2 * time.Second), Effect: f, Err: unreachable()}
		}, kernel.Bad, "cannot read the details of fb ••0001: the API does not answer"},
		{"deferred for another limit than that of details", func(f secrets.FetchDetails) kernel.Event {
			return state.Deferred{Meta: meta(2 * time.Second), Effect: f, Wait: 10 * time.Minute}
		}, kernel.Warn, "limit is used up: try again in 600 s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			c := one[secrets.CopyOTP](t, withCode(t, s))
			apply(s, secrets.ClipChanged{Seq: c.Seq, At: at(time.Second), State: secrets.ClipCopied, Until: at(31 * time.Second)})
			do(t, s, secrets.RevealCard{Card: first})
			apply(s, tt.ev(askedFor(s, first)))
			if s.Secrets.Reveal() != (secrets.Reveal{}) {
				t.Errorf("it waits: %+v", s.Secrets.Reveal())
			}
			wantNotice(t, s, tt.level, tt.says)
			if s.Secrets.Clip().State != secrets.ClipCopied {
				t.Error("what is on the clipboard is forgotten")
			}
			one[secrets.FetchDetails](t, do(t, s, secrets.RevealCard{Card: first}))
		})
	}
}

func TestWhatBecomesOfACopyIsTold(t *testing.T) {
	for _, tt := range []struct {
		later secrets.ClipState
		hint  string
		says  string
		level kernel.Level
	}{
		{secrets.ClipCopied, "", "", kernel.Info},
		{secrets.ClipSent, "", "", kernel.Info},
		{secrets.ClipCleared, "", "clipboard cleared: number of fb ••0001", kernel.Info},
		{secrets.ClipReplaced, "", "something else: number of fb ••0001", kernel.Info},
		{secrets.ClipNoTool, "install xclip", "not copied: install xclip", kernel.Bad},
		{secrets.ClipFailed, "no answer", "not copied: no answer", kernel.Bad},
	} {
		s := settled(t)
		do(t, s, secrets.CopyNext{Card: first})
		c := one[secrets.CopyDetail](t, hold(s, time.Second, first))
		if tt.hint == "" {
			apply(s, secrets.ClipChanged{Seq: c.Seq, State: secrets.ClipCopied, Until: at(time.Minute)})
		}
		apply(s, secrets.ClipChanged{Seq: c.Seq, State: tt.later, Until: at(time.Minute), Hint: tt.hint})
		want := tt.later
		if tt.hint != "" {
			want = secrets.ClipNone
		}
		if got := s.Secrets.Clip().State; got != want {
			t.Errorf("clip is %d, not %d", got, want)
		}
		wantNotice(t, s, tt.level, tt.says)
		if tt.says == "" && s.Notice().Text != "" {
			t.Errorf("notice %q", s.Notice().Text)
		}
		// What an earlier copy's board says is old news.
		before := s.Secrets.Clip()
		apply(s, secrets.ClipChanged{Seq: c.Seq - 1, State: secrets.ClipStuck})
		if s.Secrets.Clip() != before {
			t.Errorf("an older copy changed it: %+v", s.Secrets.Clip())
		}
	}
}

func TestWhoTurnsToAnotherCardLeavesWhatIsRevealed(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	do(t, s, secrets.RevealCard{Card: first})
	hold(s, 2*time.Second, first)
	do(t, s, state.SetKeyCard{Card: first})
	if s.Secrets.Reveal().Card != first {
		t.Error("hidden though the person stays with the card")
	}
	if effects := do(t, s, state.SetKeyCard{Card: second}); s.Secrets.Reveal().Card != "" || !wiped(effects) {
		t.Errorf("still there: %+v, %v", s.Secrets.Reveal(), effects)
	}
	// What is still on its way is not shown any more.
	do(t, s, secrets.RevealCard{Card: first})
	do(t, s, state.SetKeyCard{Card: second})
	if none[secrets.HoldDetails](t, hold(s, 3*time.Second, first)); s.Secrets.Reveal().Card != "" {
		t.Errorf("shown late: %+v", s.Secrets.Reveal())
	}
}

func TestTheRingBeginsAnewAfterAnotherCard(t *testing.T) {
	s := settled(t)
	tick(s, 2*time.Second)
	field := func(effects []kernel.Effect) secrets.Field { return one[secrets.CopyDetail](t, effects).Field }
	away := func() {
		do(t, s, state.SetKeyCard{Card: second})
		do(t, s, state.SetKeyCard{Card: first})
	}
	next := secrets.CopyNext{Card: first}
	do(t, s, next)
	away() // While the details are on their way.
	if f := field(hold(s, 2*time.Second, first)); f != secrets.FieldNumber {
		t.Errorf("the first is the %s", f)
	}
	if f := field(do(t, s, next)); f != secrets.FieldNumber {
		t.Errorf("after another card comes the %s", f)
	}
	do(t, s, state.SetKeyCard{Card: first})
	if f := field(do(t, s, next)); f != secrets.FieldExpiry {
		t.Errorf("on the same card comes the %s", f)
	}
	away()
	do(t, s, secrets.CopyField{Card: first, Field: secrets.FieldCVV})
	if f := field(do(t, s, next)); f != secrets.FieldName {
		t.Errorf("behind a chosen field comes the %s", f)
	}
}
