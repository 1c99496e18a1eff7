package alert

import (
	"testing"
	"time"
)

func clockAt(text string) time.Time {
	t, err := time.Parse(time.DateTime, "2026-03-14 "+text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestQuietHoursMayGoOverMidnight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hours string
		in    []string
		out   []string
	}{
		{"23:00-07:00", []string{"23:00:00", "00:00:00", "06:59:59"}, []string{"07:00:00", "22:59:59", "12:00:00"}},
		{"12:30-14:00", []string{"12:30:00", "13:59:59"}, []string{"12:29:59", "14:00:00", "00:00:00"}},
		{"", nil, []string{"00:00:00", "12:00:00"}},
	} {
		h, ok := ParseHours(c.hours)
		if !ok || h.String() != c.hours {
			t.Errorf("%q: %+v, %v", c.hours, h, ok)
		}
		for _, at := range c.in {
			if !h.In(clockAt(at)) {
				t.Errorf("%s is not in %s", at, c.hours)
			}
		}
		for _, at := range c.out {
			if h.In(clockAt(at)) {
				t.Errorf("%s is in %q", at, c.hours)
			}
		}
	}
	for _, text := range []string{"23", "23:00", "23:00-", "23:00-24:00", "07:00-07:00", "a-b", "23:00-07:00-08:00", "23:60-07:00"} {
		if h, ok := ParseHours(text); ok {
			t.Errorf("%q is read as %+v", text, h)
		}
	}
	h := Hours{From: 23 * time.Hour, To: 7 * time.Hour, Except: []Kind{WalletLow}}
	if h.Holds(WalletLow, clockAt("23:30:00")) || !h.Holds(BalanceLow, clockAt("23:30:00")) || h.Holds(BalanceLow, clockAt("07:00:00")) {
		t.Error("what is held is wrong")
	}
}

func TestWhatWasHeldIsToldOnceAsFarAsItIsStillSo(t *testing.T) {
	t.Parallel()
	var l List
	var h Held
	now := clockAt("07:00:00")
	for _, a := range []Alert{{ID: "1", Kind: Declined}, {ID: "2", Kind: Declined}, {ID: "3", Kind: BalanceLow}, {ID: "4", Kind: SpendSpike}, {ID: "5", Kind: LimitUsed}} {
		l.Raise(a, false)
		h.Add(a.ID)
		h.Add(a.ID)
	}
	l.End("4")
	l.Acknowledge("5", now)
	if h.Len() != 5 {
		t.Errorf("%d are held", h.Len())
	}
	if got, _ := h.Release(&l, now); got != "low balance, 2 declined" {
		t.Errorf("%q", got)
	}
	if got, _ := h.Release(&l, now); got != "" || h.Len() != 0 {
		t.Errorf("again %q", got)
	}
}
