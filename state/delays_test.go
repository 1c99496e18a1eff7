package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/secrets"
)

// TestEachCodesTimeIsToldInParts: what the service kept back, what we took to
// ask, and what the person took.
func TestEachCodesTimeIsToldInParts(t *testing.T) {
	ms := time.Millisecond
	s := settled(t)
	listed(t, s, 2*time.Second)
	listed(t, s, 4*time.Second)
	// Made after the last answer without it: all of the wait is between two polls.
	quick := ofShop("quick", "111111", 4200*ms)
	listed(t, s, 6*time.Second, quick)
	seq := one[secrets.CopyOTP](t, do(t, s, secrets.CopyCode{})).Seq
	apply(s, secrets.ClipChanged{Seq: seq, At: at(7500 * ms), State: secrets.ClipCopied, Until: at(30 * time.Second)})
	// Made before two answers that did not list it.
	late := ofShop("late", "222222", 6100*ms)
	listed(t, s, 8*time.Second, quick)
	listed(t, s, 10*time.Second, quick)
	listed(t, s, 12*time.Second, quick, late)
	// Listed without its digits, which are told half a second later.
	bare := ofShop("bare", "", 12500*ms)
	listed(t, s, 14*time.Second, quick, late, bare)
	bare.OTP = api.NewOTP("333333")
	apply(s, codes.OneLoaded{Meta: meta(14500 * ms), Item: bare})
	for i, want := range []struct {
		id             api.ChallengeID
		api, poll, own time.Duration
	}{{"bare", 500 * ms, 1500 * ms, -1}, {"late", 3900 * ms, 2000 * ms, -1}, {"quick", 0, 1800 * ms, 1500 * ms}} {
		c := s.Codes.Times()[i]
		took, copied := c.Copied()
		if !copied {
			took = -1
		}
		if c.ID != want.id || c.API != want.api || c.Poll != want.poll || took != want.own {
			t.Errorf("%s: API %v, poll %v, copied %v; want %+v", c.ID, c.API, c.Poll, took, want)
		}
	}
	if d := s.Codes.Delays(); d.Seen.N != 3 || d.API.P50 != 500*ms || d.Poll.P50 != 1800*ms || d.Copied.N != 1 {
		t.Errorf("%+v", d)
	}
	rows := s.Codes.TimeRows(s.Codes.Times())
	cells := rows.Row(2)
	for i, want := range map[int]string{0: "2026-03-01T12:00:04.200Z", 1: "2026-03-01T12:00:06.000Z", 2: "2026-03-01T12:00:07.500Z", 3: "0", 4: "1800", 5: "1800", 6: "1500", 7: "Meta"} {
		if cells[i].Text != want {
			t.Errorf("%s: %q, want %q", rows.Columns[i], cells[i].Text, want)
		}
	}
	if empty := rows.Row(0)[6]; empty.Text != "" {
		t.Errorf("a code that was not copied: %q", empty.Text)
	}
}

// ofShop is a code of the card card_0001, each of its own merchant but the first.
func ofShop(id api.ChallengeID, otp string, made time.Duration) api.Challenge {
	c := pendingCode(id, "card_0001", otp, made)
	if id != "quick" {
		c.Merchant = api.Text(id)
	}
	return c
}

func TestACodeThatWasThereBeforeTheStartHasNoTime(t *testing.T) {
	s := newStore()
	pollCodes(t, s, 0, challenge("a", -time.Second, "111111"))
	if n := len(s.Codes.Times()); n != 0 {
		t.Errorf("%d times", n)
	}
}
