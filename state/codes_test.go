package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
)

// challenge is pending for five minutes from a moment of the server's.
func challenge(id api.ChallengeID, created time.Duration, otp string) api.Challenge {
	return api.Challenge{
		ID: id, CardID: first, Merchant: api.Text("shop " + id), Amount: new(10 * dollar), OTP: api.NewOTP(otp),
		Status: api.ChallengePending, CreatedAt: at(created), ExpiresAt: at(created + 5*time.Minute),
	}
}

// pollCodes answers the next poll of the codes.
func pollCodes(t *testing.T, s *state.Store, d time.Duration, items ...api.Challenge) []kernel.Effect {
	t.Helper()
	f := one[codes.Fetch](t, tick(s, d))
	return apply(s, codes.Loaded{Fetch: f, Meta: meta(d), Items: items})
}

func ids(s *state.Store) string {
	out := ""
	for _, c := range s.Codes.All() {
		out += string(c.ID)
		if c.Replaced {
			out += "(old)"
		}
		out += " "
	}
	return out
}

func TestWhatIsNotPendingIsNotACode(t *testing.T) {
	s := newStore()
	done, over := challenge("a", 0, "111111"), challenge("b", -5*time.Minute, "222222")
	done.Status = api.ChallengeCompleted
	topics, _ := s.Apply(codes.Loaded{Fetch: one[codes.Fetch](t, tick(s, 0)), Meta: meta(0), Items: []api.Challenge{done, over}})
	if len(s.Codes.All()) != 0 || topics != kernel.TopicHealth {
		t.Errorf("codes %s, topics %b", ids(s), topics)
	}
	if !done.OTP.IsZero() || !over.OTP.IsZero() {
		t.Error("codes that nobody shows stay in memory")
	}
}

func TestVanishedCodesLeaveAndAreOverwritten(t *testing.T) {
	s := newStore()
	a, b := challenge("a", 0, "111111"), challenge("b", time.Second, "222222")
	pollCodes(t, s, time.Second, a, b)
	pollCodes(t, s, 2*time.Second, challenge("b", time.Second, "222222"))
	if got := ids(s); got != "b " {
		t.Error(got)
	}
	if !a.OTP.IsZero() {
		t.Error("the code that left is still in memory")
	}
	if b.OTP.IsZero() {
		t.Error("the code that stays was overwritten")
	}
}

func TestEveryCopyOfACodeButOneIsOverwritten(t *testing.T) {
	s := newStore()
	polls := make([]api.Challenge, 3)
	for i := range polls {
		polls[i] = challenge("a", 0, "111111")
		pollCodes(t, s, time.Duration(i)*time.Second, polls[i])
	}
	left := 0
	for _, p := range polls {
		if !p.OTP.IsZero() {
			left++
		}
	}
	if n, ok := s.Codes.Newest(); !ok || n.OTP.Expose() != "111111" || left != 1 {
		t.Errorf("%d copies left, newest %v", left, ok)
	}
	// An answer nobody waits for is overwritten as well.
	late := challenge("a", 0, "111111")
	apply(s, codes.Loaded{Meta: meta(time.Second), Items: []api.Challenge{late}})
	if !late.OTP.IsZero() {
		t.Error("a late answer stays in memory")
	}
}

func TestCodesExpireByTheServersClock(t *testing.T) {
	for _, skew := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		t.Run(fmt.Sprint(skew), func(t *testing.T) {
			s := newStore()
			var otp api.OTP
			for i := range 8 {
				d := time.Duration(i)*time.Second + time.Duration(i*137)*time.Millisecond
				sent, got := at(d), at(d+80*time.Millisecond)
				date := sent.Add(skew + 40*time.Millisecond).Truncate(time.Second)
				m := kernel.Meta{Sent: sent, At: got, Clock: poll.SampleClock(sent, got, date)}
				f := one[codes.Fetch](t, tick(s, d))
				c := challenge("a", skew, "111111") // Made at zero of our clock, on the server's.
				otp = c.OTP
				apply(s, codes.Loaded{Fetch: f, Meta: m, Items: []api.Challenge{c}})
			}
			c, ok := s.Codes.Newest()
			if !ok {
				t.Fatal("no code")
			}
			tick(s, 20*time.Second)
			left := c.Left(s.ServerNow())
			if want := 4*time.Minute + 40*time.Second; left < want-time.Second || left > want+time.Second {
				t.Errorf("%v left, want %v", left, want)
			}
			tick(s, 5*time.Minute-time.Second)
			if len(s.Codes.All()) != 1 {
				t.Error("ended before its time")
			}
			tick(s, 5*time.Minute+time.Second)
			if len(s.Codes.All()) != 0 || !otp.IsZero() && !c.OTP.IsZero() {
				t.Error("still there after its time, or in memory")
			}
			if _, ok := s.Codes.Newest(); ok {
				t.Error("an ended code may be copied")
			}
		})
	}
}

func TestAMissingCodeIsFetchedById(t *testing.T) {
	s := newStore()
	listed := challenge("a", 0, "")
	f := one[codes.FetchOne](t, pollCodes(t, s, 0, listed))
	if f.Challenge != "a" {
		t.Errorf("asks for %s", f.Challenge)
	}
	none[codes.FetchOne](t, pollCodes(t, s, time.Second, listed)) // Under way.
	apply(s, state.FetchFailed{Meta: meta(2 * time.Second), Effect: f, Err: unreachable()})
	none[codes.FetchOne](t, pollCodes(t, s, 2*time.Second, listed))
	one[codes.FetchOne](t, pollCodes(t, s, 3*time.Second, listed))
	apply(s, state.FetchFailed{Meta: meta(3 * time.Second), Effect: f, Err: limited(4 * time.Second)})
	none[codes.FetchOne](t, pollCodes(t, s, 6*time.Second, listed))
	one[codes.FetchOne](t, pollCodes(t, s, 7*time.Second, listed))
	apply(s, state.Deferred{Meta: meta(7 * time.Second), Effect: f, Wait: 2 * time.Second})
	none[codes.FetchOne](t, pollCodes(t, s, 8*time.Second, listed))
	one[codes.FetchOne](t, pollCodes(t, s, 9*time.Second, listed))
	// The server has no code yet: it is asked again, but not every second.
	apply(s, codes.OneLoaded{Meta: meta(9 * time.Second), Item: challenge("a", 0, "")})
	none[codes.FetchOne](t, pollCodes(t, s, 11*time.Second, listed))
	one[codes.FetchOne](t, pollCodes(t, s, 12*time.Second, listed))
	topics, _ := s.Apply(codes.OneLoaded{Meta: meta(12 * time.Second), Item: challenge("a", 0, "111111")})
	if n, ok := s.Codes.Newest(); !ok || n.OTP.Expose() != "111111" || topics&kernel.TopicCodes == 0 || !n.SeenAt.Equal(at(0)) {
		t.Fatalf("newest %+v %v", n, ok)
	}
	// Later lists lack the code; it stays.
	none[codes.FetchOne](t, pollCodes(t, s, 20*time.Second, listed))
	if n, ok := s.Codes.Newest(); !ok || n.OTP.Expose() != "111111" {
		t.Error("the code is lost")
	}
}

func TestAChallengeReadByIdThatEndedLeaves(t *testing.T) {
	s := newStore()
	pollCodes(t, s, 0, challenge("a", 0, ""))
	done := challenge("a", 0, "111111")
	done.Status = api.ChallengeCompleted
	apply(s, codes.OneLoaded{Meta: meta(time.Second), Item: done})
	if len(s.Codes.All()) != 0 || !done.OTP.IsZero() {
		t.Error("it stays")
	}
	unknown := challenge("z", 0, "111111")
	if topics, _ := s.Apply(codes.OneLoaded{Meta: meta(time.Second), Item: unknown}); topics != 0 || !unknown.OTP.IsZero() {
		t.Error("a challenge nobody lists is kept")
	}
}

func TestAChallengeThatLacksItsTimesLastsAsTheContractSays(t *testing.T) {
	for _, tt := range []struct {
		name string
		lack func(*api.Challenge)
		ends time.Duration
	}{
		{"the end", func(c *api.Challenge) { c.ExpiresAt = time.Time{} }, -time.Minute + 5*time.Minute},
		{"both", func(c *api.Challenge) { c.CreatedAt, c.ExpiresAt = time.Time{}, time.Time{} }, 2*time.Second + 5*time.Minute},
		{"the beginning", func(c *api.Challenge) { c.CreatedAt = time.Time{} }, -time.Minute + 5*time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore()
			listed := func() api.Challenge {
				c := challenge("a", -time.Minute, "111111")
				tt.lack(&c)
				return c
			}
			pollCodes(t, s, 2*time.Second, listed())
			c, ok := s.Codes.Newest()
			if !ok || !c.ExpiresAt.Equal(at(tt.ends)) || !c.SeenAt.Equal(at(2*time.Second)) {
				t.Fatalf("code %+v %v", c, ok)
			}
			for d := 10 * time.Second; d < 12*time.Minute; d += 10 * time.Second {
				pollCodes(t, s, d, listed())
				if n := len(s.Codes.All()); (n > 0) != (d < tt.ends) {
					t.Fatalf("%d codes at %v", n, d)
				}
			}
			// One that left the list and came back is another.
			if tt.name == "both" {
				pollCodes(t, s, 12*time.Minute)
				pollCodes(t, s, 13*time.Minute, listed())
				if len(s.Codes.All()) != 1 {
					t.Error("not shown")
				}
			}
		})
	}
}

func TestAnAmountThatIsNotToldIsNotZero(t *testing.T) {
	s := newStore()
	none, some := challenge("a", 0, "111111"), challenge("b", -time.Second, "222222")
	none.Amount = nil
	pollCodes(t, s, 0, none, some)
	if c := s.Codes.All(); c[0].AmountKnown || c[0].Amount != 0 || !c[1].AmountKnown || c[1].Amount != 10*dollar {
		t.Errorf("codes %+v", c)
	}
	f := one[codes.Fetch](t, tick(s, time.Second))
	told := challenge("a", 0, "111111")
	told.Amount = new(api.USD(0))
	topics, _ := s.Apply(codes.Loaded{Fetch: f, Meta: meta(time.Second), Items: []api.Challenge{told, challenge("b", -time.Second, "222222")}})
	if topics&kernel.TopicCodes == 0 || !s.Codes.All()[0].AmountKnown {
		t.Error("an amount told later is not shown")
	}
}

func TestCopyingACode(t *testing.T) {
	s := settled(t)
	a, b := challenge("a", 0, "111111"), challenge("b", -285*time.Second, "222222")
	pollCodes(t, s, 5*time.Second, a, b)
	newest := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{}))
	if newest.Challenge != "a" || newest.OTP.Expose() != "111111" || newest.TTL != 30*time.Second {
		t.Errorf("newest: %s for %v", newest.Challenge, newest.TTL)
	}
	apply(s, secrets.ClipChanged{Seq: newest.Seq, State: secrets.ClipCopied})
	if got := s.Secrets.Clip().What; got != "code for shop a $10.00, fb ••0001" {
		t.Error(got)
	}
	if c := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{Challenge: "b"})); c.TTL != 10*time.Second {
		t.Errorf("one that ends soon stays for %v", c.TTL)
	}
	if v := s.Check(secrets.CopyCode{Challenge: "z"}); v.Reason == "" {
		t.Error("a code nobody knows can be copied")
	}
}

func TestACodeWhoseTimeIsOverIsNotCopiedBeforeTheNextTick(t *testing.T) {
	s := newStore()
	pollCodes(t, s, 0, challenge("a", 0, "111111"))
	apply(s, state.SummaryLoaded{Meta: meta(5 * time.Minute)})
	if _, ok := s.Codes.Newest(); ok {
		t.Error("it may be copied")
	}
	if v := s.Check(secrets.CopyCode{Challenge: "a"}); v.Reason == "" {
		t.Error("it may be copied by its id")
	}
}

func TestAListWithAnItemThatCannotBeRead(t *testing.T) {
	s := newStore()
	pollCodes(t, s, 0, challenge("a", -3*time.Second, "111111"), challenge("b", -2*time.Second, "222222"))
	bad := api.Unread{Route: "/3ds", ID: "a"}
	m := meta(time.Second)
	m.Unread = []api.Unread{bad}
	f := one[codes.Fetch](t, tick(s, time.Second))
	apply(s, codes.Loaded{Fetch: f, Meta: m, Items: []api.Challenge{challenge("b", -2*time.Second, "222222"), challenge("c", -time.Second, "333333")}})
	if got := ids(s); got != "c b a " {
		t.Error(got)
	}
	if c, ok := s.Codes.Newest(); !ok || c.OTP.Expose() != "333333" {
		t.Errorf("newest %+v", c)
	}
	wantNotice(t, s, kernel.Warn, "1 item", "cannot be read", "a")
	if src := s.Poll.Source(poll.Codes); len(src.Unread) != 1 || src.Unread[0] != bad {
		t.Errorf("%+v", src.Unread)
	}
	f = one[codes.Fetch](t, tick(s, 2*time.Second))
	m.Sent, m.At = at(2*time.Second), at(2*time.Second)
	if topics, _ := s.Apply(codes.Loaded{Fetch: f, Meta: m}); topics&kernel.TopicNotice != 0 {
		t.Error("it is told again")
	}
	pollCodes(t, s, 3*time.Second)
	if src := s.Poll.Source(poll.Codes); len(src.Unread) != 0 || len(s.Codes.All()) != 0 {
		t.Errorf("%+v, %s", src.Unread, ids(s))
	}
}

func TestAChallengeListedTwiceReplacesNothing(t *testing.T) {
	s := newStore()
	pollCodes(t, s, 0, challenge("a", -time.Second, "111111"), challenge("a", -time.Second, "111111"))
	if c, ok := s.Codes.Newest(); !ok || c.OTP.Expose() != "111111" || c.Replaced || s.Codes.Waiting() != 1 || len(s.Codes.All()) != 1 {
		t.Errorf("%s, newest %+v", ids(s), c)
	}
}

func TestACodeThatChangesIsShown(t *testing.T) {
	s := newStore()
	old := challenge("a", 0, "111111")
	pollCodes(t, s, 0, old)
	f := one[codes.Fetch](t, tick(s, time.Second))
	topics, _ := s.Apply(codes.Loaded{Fetch: f, Meta: meta(time.Second), Items: []api.Challenge{challenge("a", 0, "999999")}})
	if topics&kernel.TopicCodes == 0 {
		t.Error("the panes are not told")
	}
	if n, _ := s.Codes.Newest(); n.OTP.Expose() != "999999" || !old.OTP.IsZero() {
		t.Errorf("shows %q", n.OTP.Expose())
	}
	f = one[codes.Fetch](t, tick(s, 2*time.Second))
	topics, _ = s.Apply(codes.Loaded{Fetch: f, Meta: meta(2 * time.Second), Items: []api.Challenge{challenge("a", 0, "999999")}})
	if topics&kernel.TopicCodes != 0 {
		t.Error("the panes are told of nothing")
	}
}

func TestCodesAreNewestFirst(t *testing.T) {
	s := newStore()
	a, b, c := challenge("a", -3*time.Second, "111111"), challenge("b", -time.Second, "222222"), challenge("c", -2*time.Second, "333333")
	tie := challenge("d", -time.Second, "444444")
	pollCodes(t, s, 0, a, b, c, tie)
	if got := ids(s); got != "d b c a " {
		t.Error(got)
	}
	if n, ok := s.Codes.Newest(); !ok || n.ID != "d" || n.OTP.Expose() != "444444" || n.Amount != 10*dollar {
		t.Errorf("newest %+v", n)
	}
}
