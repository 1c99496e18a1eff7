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
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

// listed lets the codes lane answer with these challenges.
func listed(t *testing.T, s *state.Store, now time.Duration, items ...api.Challenge) []kernel.Effect {
	t.Helper()
	effects := tick(s, now)
	list := one[codes.Fetch](t, effects)
	for _, e := range effects {
		switch f := e.(type) {
		case codes.Fetch:
		case state.FetchCards:
			apply(s, state.FetchFailed{Meta: meta(now), Effect: f, Err: cut()})
		default:
			apply(s, answer(e, meta(now)))
		}
	}
	return apply(s, codes.Loaded{Fetch: list, Meta: meta(now), Items: items})
}

func pendingCode(id api.ChallengeID, card api.CardID, otp string, made time.Duration) api.Challenge {
	amount := 25 * dollar
	c := api.Challenge{
		ID: id, CardID: card, Merchant: "Meta", Amount: &amount, Status: api.ChallengePending,
		CreatedAt: at(made), ExpiresAt: at(made + 5*time.Minute),
	}
	if otp != "" {
		c.OTP = api.NewOTP(otp)
	}
	return c
}

func copyArmed(c *settings.Config) { c.CopyArmed = true }

func TestAnArmedCheckoutCatchesTheNextCode(t *testing.T) {
	s := settled(t, copyArmed)
	old := pendingCode("3ds_old", "card_0001", "111111", 0)
	listed(t, s, 2*time.Second, old)
	do(t, s, codes.Arm{Card: "card_0001"})
	if every := s.Poll.Source(poll.Codes).Every; every != 500*time.Millisecond {
		t.Errorf("codes every %v while armed", every)
	}
	if every := s.Poll.Source(poll.Feed).Every; every != 3*time.Second {
		t.Errorf("transactions every %v while armed", every)
	}
	// Neither the code that waited before nor one of another card counts.
	effects := listed(t, s, 2500*time.Millisecond, old, pendingCode("3ds_other", "card_0002", "222222", 2*time.Second))
	none[secrets.CopyOTP](t, effects)
	// One whose digits are not told yet is waited for.
	next := pendingCode("3ds_new", "card_0001", "", 3*time.Second)
	effects = listed(t, s, 3*time.Second, old, next)
	none[secrets.CopyOTP](t, effects)
	fetch := one[codes.FetchOne](t, effects)
	next.OTP = api.NewOTP("333333")
	effects = apply(s, codes.OneLoaded{Meta: meta(3200 * time.Millisecond), Item: next})
	if c := one[secrets.CopyOTP](t, effects); c.Challenge != fetch.Challenge || c.OTP.Expose() != "333333" {
		t.Errorf("copied %v", c.Challenge)
	}
	if c, ok := s.Codes.Caught(); !ok || c.ID != "3ds_new" || s.Codes.Checkout().Card != "" {
		t.Errorf("caught %+v, checkout %+v", c.ID, s.Codes.Checkout())
	}
	if every := s.Poll.Source(poll.Codes).Every; every != time.Second {
		t.Errorf("codes every %v afterwards", every)
	}
	do(t, s, codes.PutAway{})
	if _, ok := s.Codes.Caught(); ok {
		t.Error("the code is still large after it was put away")
	}
}

func TestNothingIsCopiedUnarmedOrUnasked(t *testing.T) {
	s := settled(t, copyArmed)
	none[secrets.CopyOTP](t, listed(t, s, 2*time.Second, pendingCode("3ds_1", "card_0001", "111111", time.Second)))
	s = settled(t)
	do(t, s, codes.Arm{Card: "card_0001"})
	none[secrets.CopyOTP](t, listed(t, s, 2*time.Second, pendingCode("3ds_1", "card_0001", "111111", time.Second)))
	if c, ok := s.Codes.Caught(); !ok || c.ID != "3ds_1" {
		t.Error("the code is not shown large")
	}
	// When the code ends, so does the large view of it.
	listed(t, s, 3*time.Second)
	tick(s, 3100*time.Millisecond)
	if _, ok := s.Codes.Caught(); ok || s.Codes.Checkout().Caught != "" {
		t.Error("a code that ended is still large")
	}
}

// TestACodeThatIsReadFromTheScreenIsClaimed has the others on a hub told of a code that is
// shown large, for want of a clipboard or because it was armed for, as of one that is copied.
func TestACodeThatIsReadFromTheScreenIsClaimed(t *testing.T) {
	claimed := func(effects []kernel.Effect) (n int) {
		for _, e := range effects {
			if e == kernel.Effect(codes.Claim{Challenge: "3ds_1"}) {
				n++
			}
		}
		return n
	}
	code := pendingCode("3ds_1", "card_0001", "111111", time.Second)
	for name, hub := range map[string]bool{"on a hub": true, "alone": false} {
		want := map[bool]int{true: 1}[hub]
		s := settled(t, func(c *settings.Config) { c.Hub = hub })
		listed(t, s, 2*time.Second, code)
		copying := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{Challenge: "3ds_1"}))
		apply(s, secrets.ClipChanged{Seq: copying.Seq, State: secrets.ClipNoTool, Hint: "install xclip"})
		if got := claimed(tick(s, 2100*time.Millisecond)); got != want {
			t.Errorf("%s, without a clipboard: claimed %d times, want %d", name, got, want)
		}
		s = settled(t, func(c *settings.Config) { c.Hub = hub })
		do(t, s, codes.Arm{Card: "card_0001"})
		listed(t, s, 2*time.Second, code)
		if got := claimed(tick(s, 2100*time.Millisecond)); got != want {
			t.Errorf("%s, armed: claimed %d times, want %d", name, got, want)
		}
	}
}

func TestArmingPromisesNoCopyWithoutAClipboard(t *testing.T) {
	s := settled(t, copyArmed)
	code := pendingCode("3ds_1", "card_0002", "111111", time.Second)
	listed(t, s, 2*time.Second, code)
	do(t, s, codes.Arm{Card: "card_0001"})
	if text := s.Notice().Text; !strings.HasSuffix(text, " shows large and is copied") {
		t.Errorf("armed with a clipboard: %q", text)
	}
	do(t, s, codes.Arm{Card: "card_0001"})
	copying := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{Challenge: "3ds_1"}))
	apply(s, secrets.ClipChanged{Seq: copying.Seq, State: secrets.ClipNoTool, Hint: "install xclip"})
	do(t, s, codes.Arm{Card: "card_0001"})
	if text := s.Notice().Text; !strings.HasSuffix(text, " shows large") {
		t.Errorf("armed without a clipboard: %q", text)
	}
}

func TestACheckoutIsDisarmed(t *testing.T) {
	t.Run("by the same key", func(t *testing.T) {
		s := settled(t)
		do(t, s, codes.Arm{Card: "card_0001"})
		do(t, s, codes.Arm{Card: "card_0001"})
		if s.Codes.Checkout().Card != "" {
			t.Error("still armed")
		}
	})
	t.Run("for another card", func(t *testing.T) {
		s := settled(t)
		do(t, s, codes.Arm{Card: "card_0001"})
		do(t, s, codes.Arm{Card: "card_0002"})
		if got := s.Codes.Checkout().Card; got != "card_0002" {
			t.Errorf("armed %q", got)
		}
	})
	t.Run("after five minutes", func(t *testing.T) {
		s := settled(t)
		tick(s, time.Second)
		do(t, s, codes.Arm{Card: "card_0001"})
		tick(s, 5*time.Minute)
		if s.Codes.Checkout().Card == "" {
			t.Error("disarmed too early")
		}
		tick(s, 5*time.Minute+time.Second)
		if s.Codes.Checkout().Card != "" || s.Notice().Level != kernel.Warn {
			t.Errorf("still armed, notice %+v", s.Notice())
		}
	})
	t.Run("an unknown card is not armed", func(t *testing.T) {
		s := settled(t)
		if _, _, err := s.Dispatch(codes.Arm{Card: "card_9999"}); err == nil {
			t.Error("armed")
		}
	})
}

func TestAReplacedCodeNeedsASecondKey(t *testing.T) {
	s := settled(t)
	listed(t, s, 2*time.Second, pendingCode("3ds_1", "card_0001", "111111", 0), pendingCode("3ds_2", "card_0001", "222222", time.Second))
	older := secrets.CopyCode{Challenge: "3ds_1"}
	none[secrets.CopyOTP](t, do(t, s, older))
	if s.Notice().Level != kernel.Warn {
		t.Errorf("notice %+v", s.Notice())
	}
	if c := one[secrets.CopyOTP](t, do(t, s, older)); c.Challenge != "3ds_1" {
		t.Errorf("copied %s", c.Challenge)
	}
	// Who answers much later has forgotten the question.
	none[secrets.CopyOTP](t, do(t, s, older))
	tick(s, 13*time.Second)
	none[secrets.CopyOTP](t, do(t, s, older))
	one[secrets.CopyOTP](t, do(t, s, older))
	// What was said yes to once is asked again.
	none[secrets.CopyOTP](t, do(t, s, older))
	if c := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})); c.Challenge != "3ds_2" {
		t.Errorf("the newest is %s", c.Challenge)
	}
}

func TestTheOutcomeOfACodeIsFollowedUp(t *testing.T) {
	s := settled(t)
	item := pendingCode("3ds_1", "card_0001", "111111", time.Second)
	listed(t, s, 2*time.Second, item)
	listed(t, s, 10*time.Second)
	ended := s.Codes.Ended()
	if len(ended) != 1 || ended[0].ID != "3ds_1" || ended[0].Status != api.ChallengePending {
		t.Fatalf("ended: %+v", ended)
	}
	asked := one[codes.FetchOne](t, tick(s, 10*time.Second+time.Millisecond))
	apply(s, state.FetchFailed{Meta: meta(10 * time.Second), Effect: asked, Err: unreachable()})
	none[codes.FetchOne](t, tick(s, 11*time.Second))
	effects := tick(s, 16*time.Second)
	asked = one[codes.FetchOne](t, effects)
	feed := one[txns.Fetch](t, feedOnly(effects))
	item.Status, item.OTP = api.ChallengeCompleted, api.OTP{}
	apply(s, codes.OneLoaded{Meta: meta(16 * time.Second), Item: item})
	if got := s.Codes.Ended()[0]; asked.Challenge != "3ds_1" || got.Status != api.ChallengeCompleted {
		t.Errorf("outcome %q", got.Status)
	}
	none[codes.FetchOne](t, tick(s, time.Minute))
	if _, ok := s.Codes.LikelyTransaction(s.Codes.Ended()[0]); ok {
		t.Error("a transaction is linked before there was one")
	}
	amount := ended[0].Amount
	apply(s, txns.Loaded{Fetch: feed, Meta: meta(2 * time.Minute), Items: []api.Transaction{
		{ID: "txn_far", CardID: "card_0001", Merchant: api.Merchant{Name: "Meta"}, Type: api.TransactionAuthorization, Amount: -amount, CreatedAt: at(100 * time.Second)},
		{ID: "txn_other", CardID: "card_0002", Merchant: api.Merchant{Name: "Meta"}, Type: api.TransactionAuthorization, CreatedAt: at(12 * time.Second)},
		{ID: "txn_more", CardID: "card_0001", Merchant: api.Merchant{Name: "Meta"}, Type: api.TransactionAuthorization, Amount: -29 * dollar, CreatedAt: at(10 * time.Second)},
		{ID: "txn_settled", CardID: "card_0001", Merchant: api.Merchant{Name: "Meta"}, Type: api.TransactionSettlement, Amount: -amount, CreatedAt: at(10 * time.Second)},
		{ID: "txn_it", CardID: "card_0001", Merchant: api.Merchant{Name: "Meta"}, Type: api.TransactionDecline, Amount: -amount, CreatedAt: at(14 * time.Second)},
	}})
	if got, ok := s.Codes.LikelyTransaction(s.Codes.Ended()[0]); !ok || got.ID != "txn_it" {
		t.Errorf("linked to %q", got.ID)
	}
}

// feedOnly keeps the feed's reads, not those of the history.
func feedOnly(effects []kernel.Effect) []kernel.Effect {
	var out []kernel.Effect
	for _, e := range effects {
		if f, ok := e.(txns.Fetch); ok && !f.History {
			out = append(out, e)
		}
	}
	return out
}

func TestTheSummaryIsReadWhereTheCursorRests(t *testing.T) {
	s := settled(t)
	tick(s, time.Second)
	do(t, s, state.SelectCard{Card: "card_0001"})
	none[state.FetchSummary](t, tick(s, 1200*time.Millisecond))
	do(t, s, state.SelectCard{Card: "card_0002"})
	none[state.FetchSummary](t, tick(s, 1300*time.Millisecond))
	f := one[state.FetchSummary](t, tick(s, 1450*time.Millisecond))
	if f.Card != "card_0002" || !f.Ahead {
		t.Errorf("%+v", f)
	}
	apply(s, state.SummaryLoaded{FetchSummary: f, Meta: meta(1500 * time.Millisecond), Summary: api.CardSummary{ID: "card_0002", TransactionCount: new(7)}})
	none[state.FetchSummary](t, tick(s, 61*time.Second))
	// Back and forth within the minute costs nothing.
	do(t, s, state.SelectCard{Card: ""})
	do(t, s, state.SelectCard{Card: "card_0002"})
	none[state.FetchSummary](t, tick(s, 61400*time.Millisecond))
	one[state.FetchSummary](t, tick(s, 62*time.Second))
	do(t, s, state.InspectCard{Card: "card_0002"})
	if in := s.Info.Inspected(); in.Summary == nil || *in.Summary.TransactionCount != 7 {
		t.Error("the inspector does not open with what was read ahead")
	}
}

func TestACodeThatAListLeftOutIsNotANewOne(t *testing.T) {
	s := settled(t, copyArmed)
	old := pendingCode("3ds_old", "card_0001", "111111", 0)
	listed(t, s, 2*time.Second, pendingCode("3ds_first", "card_0002", "000000", 0))
	again := func() api.Challenge { c := old; c.OTP = api.NewOTP("111111"); return c }
	listed(t, s, 4*time.Second, again())
	if shownWallet(s) == "" {
		t.Fatal("the code is no news at all")
	}
	do(t, s, codes.Arm{Card: "card_0001"})
	none[secrets.CopyOTP](t, listed(t, s, 6*time.Second))
	none[secrets.CopyOTP](t, listed(t, s, 8*time.Second, again()))
	if n := shownWallet(s); n != "" {
		t.Errorf("told again: %s", n)
	}
	if c := s.Codes.Checkout(); c.Card != "card_0001" || c.Caught != "" {
		t.Errorf("checkout %+v", c)
	}
	if at := s.Codes.All()[0].SeenAt; !at.Equal(meta(4 * time.Second).At) {
		t.Errorf("seen at %v", at)
	}
}

func TestArmingAnotherCardTellsOfTheFirst(t *testing.T) {
	s := settled(t)
	do(t, s, codes.Arm{Card: "card_0001"})
	do(t, s, codes.Arm{Card: "card_0002"})
	wantNotice(t, s, kernel.Info, "armed: the next code of fb ••0002", "fb ••0001 is not armed any more")
}
