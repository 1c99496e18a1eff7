package budget

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"
)

func start() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// takeUntil takes as often as it may, at most n times.
func takeUntil(b *Budget, now time.Time, n int, kind Kind, p Priority) int {
	for i := range n {
		if ok, _ := b.Take(now, kind, p, "lane"); !ok {
			return i
		}
	}
	return n
}

func TestMinuteLimits(t *testing.T) {
	tests := []struct {
		name string
		kind Kind
		want int
	}{
		{"any", Other, 1000},
		{"creations", Create, 50},
		{"details", Details, 30},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, now := New(), start()
			if got := takeUntil(b, now, 2000, tt.kind, User); got != tt.want {
				t.Fatalf("took %d, want %d", got, tt.want)
			}
			ok, wait := b.Take(now, tt.kind, User, "lane")
			if ok || wait < time.Minute || wait > 63*time.Second {
				t.Fatalf("got %v, wait %v", ok, wait)
			}
			if ok, _ := b.Take(now.Add(wait-time.Millisecond), tt.kind, User, "lane"); ok {
				t.Error("taken before the wait was over")
			}
			if ok, _ := b.Take(now.Add(wait), tt.kind, User, "lane"); !ok {
				t.Error("refused after the wait")
			}
		})
	}
}

func TestDetailsLimitLeavesOthersAlone(t *testing.T) {
	b, now := New(), start()
	takeUntil(b, now, 100, Details, User)
	if ok, _ := b.Take(now, Other, High, "cards"); !ok {
		t.Error("a read was refused because of the details limit")
	}
}

func TestReserveIsForTheUser(t *testing.T) {
	b, now := New(), start()
	taken := 0
	for minute := range 10 {
		taken += takeUntil(b, now.Add(time.Duration(minute)*2*time.Minute), 1000, Other, High)
	}
	if taken != PerHour-Reserve {
		t.Fatalf("background took %d", taken)
	}
	later := now.Add(25 * time.Minute)
	ok, wait := b.Take(later, Other, High, "cards")
	if ok || wait < 35*time.Minute || wait > 36*time.Minute {
		t.Errorf("background: %v, wait %v", ok, wait)
	}
	if got := takeUntil(b, later, 1000, Other, User); got != 1000 {
		t.Errorf("user took %d", got)
	}
	if got := takeUntil(b, later.Add(2*time.Minute), 2000, Other, User); got != 1000 {
		t.Errorf("user took %d of the rest", got)
	}
	if ok, _ := b.Take(later.Add(4*time.Minute), Other, User, "op"); ok {
		t.Error("the hour was overrun")
	}
}

// TestNoWindowIsOverrun plays random traffic and checks every rolling window
// exactly, with arrivals that are up to a second late.
func TestNoWindowIsOverrun(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	b, now := New(), start()
	var sent []time.Time
	for range 60_000 {
		now = now.Add(time.Duration(random.ExpFloat64() * float64(50*time.Millisecond)))
		if random.IntN(500) == 0 {
			now = now.Add(time.Duration(random.IntN(40)) * time.Second)
		}
		if ok, _ := b.Take(now, Other, User, "lane"); ok {
			sent = append(sent, now)
		}
	}
	for _, w := range []struct {
		span  time.Duration
		limit int
	}{{time.Minute, PerMinute}, {time.Hour, PerHour}} {
		first, most := 0, 0
		for i := range sent {
			for sent[i].Sub(sent[first]) >= w.span+time.Second {
				first++
			}
			most = max(most, i-first+1)
		}
		if most > w.limit || most < w.limit*9/10 {
			t.Errorf("%v: most %d of %d", w.span, most, w.limit)
		}
	}
}

func TestUsed(t *testing.T) {
	b, now := New(), start()
	takeUntil(b, now, 7, Other, High)
	b.Take(now, Details, User, "details")
	b.Take(now, Other, User, "details")
	u := b.Used(now)
	if u.Minute != 9 || u.Hour != 9 || u.Lanes["lane"] != 7 || u.Lanes["details"] != 2 {
		t.Errorf("got %+v", u)
	}
	if u = b.Used(now.Add(2 * time.Minute)); u.Minute != 0 || u.Hour != 9 {
		t.Errorf("after two minutes: %+v", u)
	}
	if u = b.Used(now.Add(2 * time.Hour)); u.Hour != 0 || len(u.Lanes) != 0 {
		t.Errorf("after two hours: %+v", u)
	}
}

func TestClockSetBackStandsStill(t *testing.T) {
	b, now := New(), start()
	takeUntil(b, now, 1000, Other, User)
	if ok, wait := b.Take(now.Add(-time.Hour), Other, User, "lane"); ok || wait <= 0 {
		t.Errorf("got %v %v", ok, wait)
	}
	if got := b.Used(now.Add(-time.Hour)).Minute; got != 1000 {
		t.Errorf("used %d", got)
	}
}

func TestRestart(t *testing.T) {
	old, now := New(), start()
	for i := range 100 {
		old.Take(now.Add(time.Duration(i)*time.Second), Other, High, "cards")
	}
	now = now.Add(100 * time.Second)
	takeUntil(old, now, 30, Details, User)
	data, err := json.Marshal(old.Export(now))
	if err != nil {
		t.Fatal(err)
	}
	var entries []Entry
	if err := json.Unmarshal(data, &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) > 12 {
		t.Errorf("%d entries for 100 seconds", len(entries))
	}
	restarted := now.Add(5 * time.Second)
	b := New()
	b.Elsewhere(restarted, entries, 0)
	if u := b.Used(restarted); u.Hour != 130 || u.Lanes["cards"] != 100 || u.Minute < 85 {
		t.Errorf("got %+v", u)
	}
	if ok, _ := b.Take(restarted, Details, User, "details"); ok {
		t.Error("the details of the run before are forgotten")
	}
	if ok, _ := b.Take(restarted, Create, User, "op"); !ok {
		t.Error("creations are blocked by other requests")
	}
	if u := b.Used(restarted.Add(time.Hour + 30*time.Second)); u.Hour != 1 && u.Hour != 0 {
		t.Errorf("an hour later: %+v", u)
	}
}

// TestAnHourIsFewEntries and none of them is forgotten before its hour is over.
func TestAnHourIsFewEntries(t *testing.T) {
	b, now := New(), start()
	for range 360 {
		b.Take(now, Other, High, "codes")
		now = now.Add(10 * time.Second)
	}
	entries := b.Export(now)
	if len(entries) > 75 {
		t.Errorf("%d entries for an hour of a lane", len(entries))
	}
	for later := time.Duration(0); later < 62*time.Minute; later += 7 * time.Second {
		other := New()
		other.Elsewhere(now.Add(later), entries, 1)
		want := b.Used(now.Add(later)).Hour
		if got := other.Used(now.Add(later)).Hour; got < want-1 || got > want+6 { // Ten seconds of this one leave at their end.
			t.Errorf("%s later the other counts %d, this one %d", later, got, want)
		}
	}
}

func TestElsewhereIgnores(t *testing.T) {
	now := start()
	for name, e := range map[string]Entry{
		"old":      {now.Add(-2 * time.Hour), "a", Other, false, 5},
		"ahead":    {now.Add(2 * time.Hour), "a", Other, false, 5},
		"nothing":  {now, "a", Other, false, 0},
		"negative": {now, "a", Other, false, -5},
		"huge":     {now, "a", Other, false, PerHour + 1},
	} {
		b := New()
		b.Elsewhere(now, []Entry{e}, 0)
		if u := b.Used(now); u.Hour != 0 {
			t.Errorf("%s: %+v", name, u)
		}
	}
}
