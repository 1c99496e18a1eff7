package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
)

// wanted is a code of one merchant, made at a moment.
func wanted(id api.ChallengeID, otp string, made time.Duration) api.Challenge {
	return pendingCode(id, "card_0001", otp, made)
}

// caught arms a checkout, which takes and copies the code 3ds_old.
func caught(t *testing.T) (*state.Store, poll.Seq) {
	t.Helper()
	s := settled(t, copyArmed)
	do(t, s, codes.Arm{Card: "card_0001"})
	effects := listed(t, s, 2*time.Second, wanted("3ds_old", "111111", 2*time.Second))
	seq := one[secrets.CopyOTP](t, effects).Seq
	apply(s, secrets.ClipChanged{Seq: seq, At: at(2 * time.Second), State: secrets.ClipCopied, Until: at(32 * time.Second)})
	return s, seq
}

func TestTheNewerCodeTakesThePlaceOfTheOneItReplaced(t *testing.T) {
	t.Run("when both are listed", func(t *testing.T) {
		s, _ := caught(t)
		effects := listed(t, s, 4*time.Second, wanted("3ds_old", "111111", 2*time.Second), wanted("3ds_new", "222222", 3*time.Second))
		if c := one[secrets.CopyOTP](t, effects); c.Challenge != "3ds_new" {
			t.Errorf("copied %s", c.Challenge)
		}
		if c, _ := s.Codes.Caught(); c.ID != "3ds_new" || !s.Secrets.Clip().Replaced || s.Codes.Waiting() != 1 {
			t.Errorf("large %s, clipboard %+v, %d wait", c.ID, s.Secrets.Clip(), s.Codes.Waiting())
		}
	})
	t.Run("when the API ends the older at once", func(t *testing.T) {
		s, _ := caught(t)
		effects := listed(t, s, 4*time.Second, wanted("3ds_new", "222222", 3*time.Second))
		if c := one[secrets.CopyOTP](t, effects); c.Challenge != "3ds_new" {
			t.Errorf("copied %s", c.Challenge)
		}
		if c, _ := s.Codes.Caught(); c.ID != "3ds_new" || !s.Codes.Ended()[0].Replaced {
			t.Errorf("large %s, ended %+v", c.ID, s.Codes.Ended())
		}
	})
	t.Run("when its digits come later", func(t *testing.T) {
		s, _ := caught(t)
		effects := listed(t, s, 4*time.Second, wanted("3ds_old", "111111", 2*time.Second), wanted("3ds_new", "", 3*time.Second))
		none[secrets.CopyOTP](t, effects)
		if c, _ := s.Codes.Caught(); c.ID != "3ds_old" || !c.Replaced {
			t.Errorf("large %s, replaced %v", c.ID, c.Replaced)
		}
		effects = apply(s, codes.OneLoaded{Meta: meta(5 * time.Second), Item: wanted("3ds_new", "222222", 3*time.Second)})
		if c := one[secrets.CopyOTP](t, effects); c.Challenge != "3ds_new" {
			t.Errorf("copied %s", c.Challenge)
		}
	})
	t.Run("while the older is still being copied", func(t *testing.T) {
		s := settled(t, copyArmed)
		do(t, s, codes.Arm{Card: "card_0001"})
		one[secrets.CopyOTP](t, listed(t, s, 2*time.Second, wanted("3ds_old", "111111", 2*time.Second)))
		effects := listed(t, s, 3*time.Second, wanted("3ds_old", "111111", 2*time.Second), wanted("3ds_new", "222222", 3*time.Second))
		if c := one[secrets.CopyOTP](t, effects); c.Challenge != "3ds_new" {
			t.Errorf("copied %s", c.Challenge)
		}
	})
	for name, left := range map[string]secrets.ClipState{"not when it was cleared": secrets.ClipCleared, "not when the person copied something": secrets.ClipReplaced} {
		t.Run(name, func(t *testing.T) {
			s, seq := caught(t)
			apply(s, secrets.ClipChanged{Seq: seq, At: at(3 * time.Second), State: left})
			none[secrets.CopyOTP](t, listed(t, s, 4*time.Second, wanted("3ds_old", "111111", 2*time.Second), wanted("3ds_new", "222222", 3*time.Second)))
			if large, _ := s.Codes.Caught(); large.ID != "3ds_new" {
				t.Errorf("large %s", large.ID)
			}
		})
	}
}

func TestAReplacedCodeStaysReplaced(t *testing.T) {
	s := settled(t)
	old := func() api.Challenge { return wanted("3ds_old", "111111", 2*time.Second) }
	listed(t, s, 2*time.Second, old())
	listed(t, s, 4*time.Second, old(), wanted("3ds_new", "222222", 3*time.Second))
	listed(t, s, 6*time.Second, old())
	if c, ok := s.Codes.Newest(); ok {
		t.Errorf("%s is offered", c.ID)
	}
	if !s.Codes.All()[0].Replaced || s.Codes.Waiting() != 0 {
		t.Errorf("codes %+v", s.Codes.All())
	}
	// Nothing is told to be missing for it, and no transaction is its.
	if s.Codes.Shortfall("3ds_old") != 0 {
		t.Error("what a replaced code lacks is asked for")
	}
	news := shownWallet(s)
	if !strings.Contains(news, "new code ready · card 0001 fb · Meta · $25.00 · replaces the one before") || strings.Count(news, "replaces") != 1 {
		t.Errorf("told %q", news)
	}
}

func TestACodeOfAStatusNobodyKnowsIsACode(t *testing.T) {
	s := settled(t, copyArmed)
	listed(t, s, 2*time.Second)
	do(t, s, codes.Arm{Card: "card_0001"})
	odd := wanted("3ds_odd", "111111", 3*time.Second)
	odd.Status = "awaiting_input"
	none[secrets.CopyOTP](t, listed(t, s, 4*time.Second, odd))
	wantNotice(t, s, kernel.Warn, "awaiting_input", "not copied, still armed")
	if c, ok := s.Codes.Newest(); !ok || c.Status != "awaiting_input" {
		t.Errorf("newest %+v", c)
	}
	if news := shownWallet(s); news != "code_ready: code ready · card 0001 fb · Meta · $25.00 · awaiting_input" {
		t.Errorf("told %q", news)
	}
	odd = wanted("3ds_odd", "111111", 3*time.Second)
	odd.Status = "awaiting_input"
	one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{}))
	wantNotice(t, s, kernel.Warn, "awaiting_input", "may not be valid")
	// A pending one comes first, although it is older.
	other := wanted("3ds_pending", "222222", 2*time.Second)
	other.Merchant = "Acme"
	if c := one[secrets.CopyOTP](t, listed(t, s, 5*time.Second, odd, other)); c.Challenge != "3ds_pending" {
		t.Errorf("copied %s", c.Challenge)
	}
	if c, _ := s.Codes.Newest(); c.ID != "3ds_pending" {
		t.Errorf("newest %+v", c)
	}
	odd = wanted("3ds_odd", "111111", 3*time.Second)
	odd.Status = "awaiting_input"
	listed(t, s, 6*time.Second, odd)
	// As one is asked for by id.
	odd.OTP = api.NewOTP("111111")
	apply(s, codes.OneLoaded{Meta: meta(7 * time.Second), Item: odd})
	if len(s.Codes.All()) != 1 {
		t.Error("the code left when it was asked for by id")
	}
	odd.Status = api.ChallengeExpired
	apply(s, codes.OneLoaded{Meta: meta(8 * time.Second), Item: odd})
	if len(s.Codes.All()) != 0 {
		t.Error("a code that expired stays")
	}
}

func TestACopyThatWorksTakesAwayWhatWasSaidOfTheOneBefore(t *testing.T) {
	s := settled(t)
	listed(t, s, 2*time.Second, wanted("3ds_1", "111111", 2*time.Second))
	seq := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})).Seq
	apply(s, secrets.ClipChanged{Seq: seq, At: at(2 * time.Second), State: secrets.ClipFailed, Hint: "tmux does not answer"})
	if n := s.Notice(); n.Text != "not copied: tmux does not answer" || n.Level != kernel.Bad {
		t.Errorf("told %+v", n)
	}
	seq = one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})).Seq
	apply(s, secrets.ClipChanged{Seq: seq, At: at(3 * time.Second), State: secrets.ClipCopied, Until: at(time.Minute)})
	if n := s.Notice(); n.Text != "" {
		t.Errorf("still told %+v", n)
	}
}

// TestACodeThatChangesInPlaceIsANewOne: the same challenge with other digits.
func TestACodeThatChangesInPlaceIsANewOne(t *testing.T) {
	t.Run("the program copied it", func(t *testing.T) {
		s, seq := caught(t)
		if s.Secrets.Clip().Changed {
			t.Error("changed before it did")
		}
		copied := one[secrets.CopyOTP](t, listed(t, s, 4*time.Second, wanted("3ds_old", "222222", 2*time.Second)))
		if copied.Challenge != "3ds_old" || copied.OTP.Expose() != "222222" || !s.Secrets.Clip().Changed || !s.Secrets.Clip().Replaced {
			t.Errorf("copied %q, clipboard %+v", copied.OTP.Expose(), s.Secrets.Clip())
		}
		wantNotice(t, s, kernel.Info, "changed", "copying the new code")
		// The end of the copy before says nothing of this one.
		apply(s, secrets.ClipChanged{Seq: seq, At: at(4 * time.Second), State: secrets.ClipReplaced})
		apply(s, secrets.ClipChanged{Seq: copied.Seq, At: at(4 * time.Second), State: secrets.ClipCopied, Until: at(34 * time.Second)})
		if c := s.Secrets.Clip(); c.Changed || c.Replaced || c.Challenge != "3ds_old" {
			t.Errorf("clipboard %+v", c)
		}
		none[secrets.CopyOTP](t, listed(t, s, 5*time.Second, wanted("3ds_old", "222222", 2*time.Second)))
	})
	t.Run("the user copied it", func(t *testing.T) {
		s := settled(t)
		listed(t, s, 2*time.Second, wanted("3ds_old", "111111", 2*time.Second))
		seq := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{Challenge: "3ds_old"})).Seq
		apply(s, secrets.ClipChanged{Seq: seq, At: at(2 * time.Second), State: secrets.ClipCopied, Until: at(32 * time.Second)})
		none[secrets.CopyOTP](t, listed(t, s, 4*time.Second, wanted("3ds_old", "222222", 2*time.Second)))
		wantNotice(t, s, kernel.Warn, "changed", "clipboard still holds the old code")
		if !s.Secrets.Clip().Changed || !s.Codes.All()[0].CopiedAt.IsZero() {
			t.Errorf("clipboard %+v, code %+v", s.Secrets.Clip(), s.Codes.All()[0])
		}
	})
	t.Run("the card is armed and the code was there before", func(t *testing.T) {
		s := settled(t, copyArmed)
		listed(t, s, 2*time.Second, wanted("3ds_old", "111111", 2*time.Second))
		do(t, s, codes.Arm{Card: "card_0001"})
		copied := one[secrets.CopyOTP](t, listed(t, s, 4*time.Second, wanted("3ds_old", "222222", 2*time.Second)))
		if copied.OTP.Expose() != "222222" {
			t.Errorf("copied %q", copied.OTP.Expose())
		}
	})
}
