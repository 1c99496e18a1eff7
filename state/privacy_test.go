package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

// seen is what a person could read of the two cards, the wallet and a code.
func seen(t *testing.T, s *state.Store) string {
	t.Helper()
	d, c := s.Privacy.Display(), card(t, s, first)
	code := codes.Code{OTP: api.NewOTP("482913")}
	return strings.Join([]string{
		s.Cards.Name(first), s.Cards.Name(second), d.Label(c), d.Last4(c), d.Amount(c.Balance), d.Dollars(1000 * dollar), code.Shown(d),
		d.Text("4111"), d.Crypto("0.125"), s.Cards.OnScreen(first, "fb ••0001"), s.Notice().Text, s.Secrets.Clip().What, s.Poll.Health().Text,
	}, "\n")
}

func TestPrivacyHidesEveryFigureAndNameTheSameWay(t *testing.T) {
	s := settled(t)
	if text := seen(t, s); !strings.Contains(text, "fb ••0001") || !strings.Contains(text, "$1,000.00") || !strings.Contains(text, "482913") {
		t.Fatalf("before:\n%s", text)
	}
	do(t, s, kernel.TogglePrivacy{})
	if !s.Privacy.Private() {
		t.Fatal("not private")
	}
	s.Notices.Say(kernel.Warn, "the wallet is $12.50 short of 1,250.00, ••0001 4111 and 99")
	text := seen(t, s)
	for _, leak := range []string{"fb", "0001", "0002", "100.00", "1,000", "482", "4111", "0.125", "12.50", "1,250"} {
		if strings.Contains(text, leak) {
			t.Errorf("%q can be read:\n%s", leak, text)
		}
	}
	if !strings.Contains(text, "card 1\ncard 2") || !strings.Contains(text, "and 99") {
		t.Errorf("cards cannot be told apart, or a count is hidden:\n%s", text)
	}
	d := s.Privacy.Display()
	if d.Dollars(1*api.Cent) != d.Dollars(-9_999_999*dollar) {
		t.Error("a mask tells how large a figure is")
	}
	do(t, s, kernel.TogglePrivacy{})
	if s.Privacy.Private() || s.Cards.Name(first) != "fb ••0001" || s.Notice().Text != "" {
		t.Errorf("afterwards: %q, notice %q", s.Cards.Name(first), s.Notice().Text)
	}
	if got := s.Privacy.Display().Dollars(-12_345 * dollar); got != "-$12,345.00" {
		t.Errorf("a refund is %s", got)
	}
}

func TestPrivacyTakesFromTheScreenWhatIsThere(t *testing.T) {
	s := settled(t)
	c := one[secrets.CopyOTP](t, withCode(t, s))
	apply(s, secrets.ClipChanged{Seq: c.Seq, At: at(2 * time.Second), State: secrets.ClipCopied, Until: at(31 * time.Second)})
	do(t, s, secrets.RevealCard{Card: first})
	hold(s, 2*time.Second, first)
	s.Notices.Say(kernel.Info, "fb ••0001 is frozen")
	if !wiped(do(t, s, kernel.TogglePrivacy{})) || s.Secrets.Reveal().Card != "" {
		t.Error("the number stays")
	}
	if strings.Contains(s.Notice().Text, "fb") || s.Secrets.Clip().What != "code" {
		t.Errorf("notice %q, clipboard %q", s.Notice().Text, s.Secrets.Clip().What)
	}
	if v := s.Ask(secrets.RevealCard{Card: first}); v.Reason == "" {
		t.Error("a number may be revealed")
	}
	if _, _, err := s.Dispatch(secrets.RevealCard{Card: first}); err == nil {
		t.Error("a number was revealed")
	}
	one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{}))
	one[secrets.FetchDetails](t, do(t, s, secrets.CopyNext{Card: first}))
	one[secrets.CopyDetail](t, hold(s, 3*time.Second, first))
	apply(s, secrets.ClipChanged{Seq: c.Seq, State: secrets.ClipCleared})
	if text := s.Notice().Text; strings.Contains(text, "fb") || strings.Contains(text, "0001") {
		t.Errorf("notice %q", text)
	}
}

func TestWhatIsKeptHasTheTrueName(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Screen = &settings.Screen{Private: true} })
	if op := one[state.Do](t, do(t, s, state.Freeze(first))).Op; op.Name != "fb ••0001" {
		t.Errorf("recorded as %q", op.Name)
	}
}

func TestALockRefusesEverythingAndLeavesNoSecret(t *testing.T) {
	s := settled(t, copyArmed)
	do(t, s, secrets.CopyNext{Card: first})
	hold(s, time.Second, first)
	do(t, s, secrets.RevealCard{Card: first})
	do(t, s, codes.Arm{Card: first})
	if !wiped(do(t, s, kernel.LockScreen{})) {
		t.Error("the details stay in the vault for the ring")
	}
	if s.Secrets.Reveal().Card != "" || s.Codes.Checkout() != (codes.Checkout{}) || !s.Privacy.Private() || !s.Privacy.Locked() {
		t.Errorf("reveal %+v, checkout %+v", s.Secrets.Reveal(), s.Codes.Checkout())
	}
	for _, in := range []kernel.Intent{
		state.Freeze(first),
		state.Fund(first, dollar),
		secrets.CopyNext{Card: first},
		secrets.CopyCode{},
		secrets.CopyField{Card: first},
		secrets.CopyWhole{Card: first},
		secrets.RevealCard{Card: first},
		state.InspectCard{Card: first},
		codes.Arm{Card: first},
		kernel.TogglePrivacy{},
		state.Terminate(first),
		state.LoadHistory{},
	} {
		if _, effects, err := s.Dispatch(in); err == nil || !strings.Contains(err.Error(), "enter unlocks") || len(effects) != 0 {
			t.Errorf("%T: %v, %v", in, effects, err)
		}
		if !strings.Contains(s.Ask(in).Reason, "enter unlocks") {
			t.Errorf("%T may be asked about", in)
		}
	}
	none[secrets.CopyOTP](t, listed(t, s, 2*time.Second, pendingCode("3ds_1", first, "482913", time.Second)))
	wantNotice(t, s, kernel.Warn, "a code of card 1 for Meta is here: enter unlocks")
	do(t, s, kernel.UnlockScreen{})
	if s.Privacy.Locked() || s.Privacy.Private() {
		t.Error("still locked or private")
	}
	one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{}))
}

func TestDetailsThatComeAfterTheLockAreOverwritten(t *testing.T) {
	s := settled(t)
	do(t, s, secrets.CopyNext{Card: first})
	do(t, s, kernel.LockScreen{})
	held := details(first)
	effects := apply(s, secrets.DetailsLoaded{FetchDetails: askedFor(s, first), Meta: meta(time.Second), Details: held})
	if len(effects) != 0 || !held.PAN.IsZero() {
		t.Errorf("kept: %v", effects)
	}
}

func TestUnlockingSaysWhatTheLockEnded(t *testing.T) {
	s := settled(t)
	do(t, s, codes.Arm{Card: first})
	do(t, s, kernel.LockScreen{})
	do(t, s, kernel.UnlockScreen{})
	if s.Codes.Checkout().Card != "" {
		t.Error("still armed")
	}
	wantNotice(t, s, kernel.Warn, "fb ••0001 is not armed any more")
	do(t, s, kernel.LockScreen{})
	do(t, s, kernel.UnlockScreen{})
	wantNotice(t, s, kernel.Info, "")
	do(t, s, codes.Arm{Card: first})
	listed(t, s, 2*time.Second, pendingCode("3ds_1", first, "482913", time.Second))
	if _, large := s.Codes.Caught(); !large {
		t.Fatal("no code is large")
	}
	do(t, s, kernel.LockScreen{})
	do(t, s, kernel.UnlockScreen{})
	if _, large := s.Codes.Caught(); large {
		t.Error("the code is large again after the lock")
	}
}

func TestUnlockingGivesBackThePrivacyThatWasThere(t *testing.T) {
	s := settled(t)
	do(t, s, kernel.TogglePrivacy{})
	do(t, s, kernel.LockScreen{})
	do(t, s, kernel.UnlockScreen{})
	if !s.Privacy.Private() || s.Privacy.Locked() {
		t.Error("what a person hid is shown")
	}
}

func idle(mask, lock time.Duration) func(*settings.Config) {
	return func(c *settings.Config) { c.IdleMask, c.IdleLock = mask, lock }
}

func TestWhoIsNotThereShowsNothing(t *testing.T) {
	s := settled(t, idle(5*time.Minute, 15*time.Minute))
	s.Touch(at(10 * time.Second))
	do(t, s, secrets.RevealCard{Card: first})
	hold(s, 10*time.Second, first)
	tick(s, 5*time.Minute+10*time.Second-time.Nanosecond)
	if s.Privacy.Private() {
		t.Fatal("hidden too early")
	}
	topics, _ := s.Tick(at(5*time.Minute + 10*time.Second))
	if !s.Privacy.Private() || s.Privacy.Locked() || topics != kernel.TopicAll {
		t.Fatal("not hidden, or nobody draws it")
	}
	if woke, _ := s.Touch(at(6 * time.Minute)); !woke || s.Privacy.Private() {
		t.Error("a key does not show it again")
	}
	if woke, _ := s.Touch(at(6 * time.Minute)); woke {
		t.Error("every key is taken for one that wakes")
	}
	tick(s, 21*time.Minute)
	if !s.Privacy.Locked() {
		t.Fatal("not locked")
	}
	if woke, _ := s.Touch(at(22 * time.Minute)); woke || !s.Privacy.Locked() {
		t.Error("any key unlocks")
	}
	do(t, s, kernel.UnlockScreen{})
	if tick(s, 23*time.Minute); s.Privacy.Private() {
		t.Error("still hidden")
	}
}

func TestASleepCountsAsIdle(t *testing.T) {
	s := settled(t, idle(0, 15*time.Minute))
	s.Touch(clocks(t, 0, 0))
	s.Tick(clocks(t, time.Minute, 8*time.Hour))
	if !s.Privacy.Locked() {
		t.Error("the machine slept for a night and the screen is open")
	}
}

func TestIdleIsNeverWhenItIsNotSet(t *testing.T) {
	s := settled(t, idle(0, 0))
	if tick(s, 24*time.Hour); s.Privacy.Private() {
		t.Error("hidden")
	}
}

func TestARecordingIsNoticedAndHidden(t *testing.T) {
	s := newStore(func(c *settings.Config) { c.Screen.FindRecording = true })
	one[kernel.FindRecording](t, append(tick(s, 0), tick(s, time.Second)...))
	none[kernel.FindRecording](t, tick(s, 30*time.Second)) // One at a time.
	apply(s, kernel.RecordingFound{Meta: meta(30 * time.Second)})
	one[kernel.FindRecording](t, tick(s, 31*time.Second))
	if s.Privacy.Private() {
		t.Fatal("hidden without a recording")
	}
	apply(s, kernel.RecordingFound{Meta: meta(31 * time.Second), By: "tmux"})
	wantNotice(t, s, kernel.Warn, "recorded by tmux")
	if !s.Privacy.Private() || s.Privacy.Recording() != "tmux" {
		t.Error("not hidden")
	}
	do(t, s, kernel.TogglePrivacy{})
	apply(s, kernel.RecordingFound{Meta: meta(41 * time.Second), By: "tmux"})
	if s.Privacy.Private() {
		t.Error("a person who wants to see it is overruled")
	}
	apply(s, kernel.RecordingFound{Meta: meta(51 * time.Second)})
	apply(s, kernel.RecordingFound{Meta: meta(61 * time.Second), By: "tmux"})
	if !s.Privacy.Private() {
		t.Error("another recording is not hidden")
	}
}

func TestARevealToARecordingIsAskedForTwice(t *testing.T) {
	s := settled(t)
	apply(s, kernel.RecordingFound{Meta: meta(time.Second), By: "asciinema"})
	do(t, s, kernel.TogglePrivacy{})
	reveal := secrets.RevealCard{Card: first}
	none[secrets.FetchDetails](t, do(t, s, reveal))
	wantNotice(t, s, kernel.Warn, "recorded by asciinema", "once more")
	none[secrets.FetchDetails](t, do(t, s, secrets.RevealCard{Card: second})) // Another card is another question.
	none[secrets.FetchDetails](t, do(t, s, reveal))
	tick(s, 20*time.Second)
	none[secrets.FetchDetails](t, do(t, s, reveal)) // It was too long ago.
	one[secrets.FetchDetails](t, do(t, s, reveal))
	hold(s, 21*time.Second, first)
	do(t, s, reveal)
	if !s.Secrets.Reveal().CVV {
		t.Error("the next step is asked for twice as well")
	}
}

// What was confirmed before a lock goes on under it.
func TestABulkPlanGoesOnUnderALock(t *testing.T) {
	s := settled(t)
	if v := s.Check(state.Freeze(first)); v.Reason != "" {
		t.Fatal(v.Reason)
	}
	do(t, s, kernel.LockScreen{})
	if v := s.Check(state.Freeze(first)); v.Reason != "" {
		t.Errorf("a row would be refused: %s", v.Reason)
	}
}

func TestWithoutAScreenNothingIsHiddenOrLocked(t *testing.T) {
	t.Parallel()
	s := settled(t, idle(time.Minute, 2*time.Minute), func(c *settings.Config) { c.Screen = nil })
	apply(s, kernel.RecordingFound{By: "a recorder"})
	do(t, s, kernel.LockScreen{})
	do(t, s, kernel.TogglePrivacy{})
	none[kernel.FindRecording](t, tick(s, 24*time.Hour))
	if woke, _ := s.Touch(at(24 * time.Hour)); woke || s.Privacy.Private() || s.Privacy.Locked() || s.Privacy.Recording() != "" {
		t.Error("it is hidden")
	}
	do(t, s, state.Freeze(first))
}
