package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

func TestAnAccountInTheBackgroundHoldsNoDigits(t *testing.T) {
	t.Parallel()
	s := newStore(func(c *settings.Config) { c.Background = true })
	if s.Poll.Attention() != poll.Background {
		t.Errorf("attention %d", s.Poll.Attention())
	}
	listed, bare := challenge("a", -time.Second, "111111"), challenge("b", -2*time.Second, "")
	if effects := pollCodes(t, s, 0, listed, bare); len(effects) > 0 {
		t.Errorf("%v", effects)
	}
	if got := ids(s); got != "a b " || s.Codes.Waiting() != 2 {
		t.Errorf("it lists %q", got)
	}
	for _, c := range s.Codes.All() {
		if !c.OTP.IsZero() || !listed.OTP.IsZero() {
			t.Errorf("the digits of %s are held", c.ID)
		}
	}
}

func TestTheCodeOfAnotherAccountIsCopiedAndNamed(t *testing.T) {
	t.Parallel()
	s := newStore()
	of := func(change func(*secrets.CopyOther)) secrets.CopyOther {
		in := secrets.CopyOther{Account: "main", Card: "fb/launch ••4462", Challenge: challenge("a", 0, "482913"), Left: 4 * time.Minute}
		change(&in)
		return in
	}
	_, effects, err := s.Dispatch(of(func(*secrets.CopyOther) {}))
	if err != nil {
		t.Fatal(err)
	}
	e := one[secrets.CopyOTP](t, effects)
	if e.OTP.Expose() != "482913" || !e.Own || e.TTL != 30*time.Second {
		t.Errorf("%+v", e)
	}
	apply(s, secrets.ClipChanged{Seq: e.Seq, State: secrets.ClipCopied})
	if got := s.Secrets.Clip(); got.What != "code of main · fb/launch ••4462, shop a $10.00" || got.Short[0] != "code of main · ••4462, shop a $10.00" {
		t.Errorf("%q, %q", got.What, got.Short)
	}
	do(t, s, kernel.TogglePrivacy{})
	if got := s.Secrets.Clip(); got.What != "code" || got.Short[0] != "" {
		t.Errorf("a private screen says %q, %q", got.What, got.Short)
	}
	for want, change := range map[string]func(*secrets.CopyOther){
		"that code of main has ended":                     func(in *secrets.CopyOther) { in.Left = 0 },
		"that code of main has ended ":                    func(in *secrets.CopyOther) { in.Challenge.Status = api.ChallengeCompleted },
		"the code of main has no digits yet: press again": func(in *secrets.CopyOther) { in.Challenge.OTP = api.OTP{} },
	} {
		if got := s.Check(of(change)).Reason; got != want && got+" " != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	do(t, s, kernel.TogglePrivacy{})
	_, effects, _ = s.Dispatch(of(func(*secrets.CopyOther) {}))
	apply(s, secrets.ClipChanged{Seq: one[secrets.CopyOTP](t, effects).Seq, State: secrets.ClipNoTool, Hint: "no clipboard"})
	wantNotice(t, s, kernel.Bad, "code of main not copied: switch there to read it: no clipboard")
	left := of(func(in *secrets.CopyOther) { in.Left = 7 * time.Second })
	_, effects, _ = s.Dispatch(left)
	if e := one[secrets.CopyOTP](t, effects); e.TTL != 7*time.Second {
		t.Errorf("it stays for %v", e.TTL)
	}
	if left.Wipe(); !left.Challenge.OTP.IsZero() {
		t.Error("the digits stay")
	}
	do(t, s, kernel.LockScreen{})
	if got := s.Ask(of(func(*secrets.CopyOther) {})).Reason; got == "" {
		t.Error("it is copied from a locked screen")
	}
}

func TestAHintStaysItsTimeAndHidesNothing(t *testing.T) {
	t.Parallel()
	s := newStore()
	tick(s, 0)
	shows := func(want string) {
		t.Helper()
		if got := s.Notice().Text; got != want {
			t.Errorf("it shows %q, not %q", got, want)
		}
	}
	s.Notices.AddHint("hint", time.Minute)
	shows("hint")
	for _, say := range []func(){
		func() { s.Notices.Say(kernel.Info, "news") }, func() { s.Notices.SayNext(kernel.Info, "news") },
		func() { s.Notices.Replace("", kernel.Info, "news") }, func() { s.Notices.Append("news") },
	} {
		say()
		shows("news")
		s.Notices.Dismiss()
		s.Notices.AddHint("hint", time.Minute)
	}
	s.Notices.Say(kernel.Bad, "news")
	s.Notices.AddHint("hint", time.Minute)
	shows("news")
	tick(s, 12*time.Second)
	shows("hint")
	tick(s, 59*time.Second)
	shows("hint")
	tick(s, time.Minute)
	shows("")
	s.Notices.AddHint("hint", time.Minute)
	s.Notices.Dismiss()
	shows("")
}
