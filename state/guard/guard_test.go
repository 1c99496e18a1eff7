package guard_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
)

const dollar = api.Dollar

// at is a time after the tests' present.
func at(d time.Duration) time.Time { return time.Date(2026, 7, 28, 14, 0, 0, 0, time.UTC).Add(d) }

func movedAt(ago time.Duration, amount api.USD) guard.Moved {
	return guard.Moved{Key: api.IdempotencyKey(ago.String()), At: at(0).Add(-ago), Amount: amount}
}

func local(d time.Duration) string { return at(d).Local().Format("15:04") }

func TestGuardrailsNameTheCapAndWhenThereIsRoom(t *testing.T) {
	day := guard.Guard{MaxDay: 5000 * dollar}
	hour := guard.Guard{MaxHour: 100 * dollar}
	for _, tt := range []struct {
		name   string
		guard  guard.Guard
		amount api.USD
		moved  []guard.Moved
		want   string
	}{
		{"none", guard.Guard{}, 5000 * dollar, []guard.Moved{movedAt(0, 99999*dollar)}, ""},
		{"one operation at its cap", guard.Guard{MaxOperation: 100 * dollar}, 100 * dollar, nil, ""},
		{"one operation above it", guard.Guard{MaxOperation: 100 * dollar}, 100*dollar + api.Cent, nil, "guardrail: at most $100.00 in one operation"},
		{"a day at its cap", day, 100 * dollar, []guard.Moved{movedAt(time.Hour, 4900*dollar)}, ""},
		{
			"a day", day, 101 * dollar,
			[]guard.Moved{movedAt(20*time.Hour, 900*dollar), movedAt(time.Hour, 4000*dollar)},
			"guardrail: $4,900.00 of $5,000.00 a day used; $100.00 left until " + local(4*time.Hour),
		},
		{
			"room comes with the second", day, 2000 * dollar,
			[]guard.Moved{movedAt(20*time.Hour, 900*dollar), movedAt(time.Hour, 4000*dollar)},
			"guardrail: $4,900.00 of $5,000.00 a day used; $100.00 left until " + local(23*time.Hour) + tomorrow(23*time.Hour),
		},
		{"what is a day old is free", day, 5000 * dollar, []guard.Moved{movedAt(24*time.Hour, 5000*dollar)}, ""},
		{"more than ever fits", day, 5001 * dollar, nil, "guardrail: $0.00 of $5,000.00 a day used; $5,000.00 left"},
		{"used up", day, dollar, []guard.Moved{movedAt(time.Minute, 5100*dollar)}, "$5,100.00 of $5,000.00 a day used; $0.00 left until"},
		{"an hour", hour, 50 * dollar, []guard.Moved{movedAt(50*time.Minute, 60*dollar)}, "guardrail: $60.00 of $100.00 an hour used; $40.00 left until " + local(10*time.Minute)},
		{"what is an hour old is free", hour, 100 * dollar, []guard.Moved{movedAt(time.Hour, 60*dollar)}, ""},
		{"a clock set back", hour, 50 * dollar, []guard.Moved{movedAt(-10*time.Minute, 60*dollar)}, "left until " + local(70*time.Minute)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.guard.Refuse(nil, "fb", tt.amount, tt.moved, at(0))
			if got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestLabelCapsCountTheirCardsOnly(t *testing.T) {
	g := guard.Guard{MaxDay: 1000 * dollar, Labels: []guard.LabelCap{
		{Labels: "fb/*", MaxDay: 500 * dollar, MaxOperation: 100 * dollar}, {Labels: "*/test", MaxHour: 20 * dollar},
	}}
	moved := func(label string, amount api.USD) guard.Moved {
		m := movedAt(30*time.Minute, amount)
		m.Label = label
		return m
	}
	for _, tt := range []struct {
		name, label string
		amount      api.USD
		moved       []guard.Moved
		want        string
	}{
		{"within", "fb/1", 100 * dollar, []guard.Moved{moved("fb/2", 400*dollar)}, ""},
		{"used up", "FB/1", 50 * dollar, []guard.Moved{moved("fb/2", 480*dollar)}, "guardrail for fb/*: $480.00 of $500.00 a day used; $20.00 left until " + local(23*time.Hour+30*time.Minute)},
		{"in one operation", "fb/1", 101 * dollar, nil, "guardrail for fb/*: at most $100.00 in one operation"},
		{"of another label", "gg/1", 101 * dollar, []guard.Moved{moved("fb/2", 480*dollar)}, ""},
		{"the second pattern", "fb/test", 15 * dollar, []guard.Moved{moved("gg/test", 10*dollar)}, "guardrail for */test: $10.00 of $20.00 an hour used"},
		{"all together", "gg/1", 600 * dollar, []guard.Moved{moved("fb/2", 480*dollar)}, "guardrail: $480.00 of $1,000.00 a day used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := g.Refuse(nil, tt.label, tt.amount, tt.moved, at(0)); got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	if (guard.Guard{Labels: []guard.LabelCap{{Labels: "x", MaxOperation: dollar}}}).Sums() || !g.Sums() {
		t.Error("what is looked back for")
	}
}

// tomorrow is added to a time of the next day here.
func tomorrow(d time.Duration) string {
	if at(d).Local().YearDay() != at(0).Local().YearDay() {
		return " tomorrow"
	}
	return ""
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, label string
		want           bool
	}{
		{"*", "", true},
		{"*", "anything/at all", true},
		{"", "", true},
		{"", "x", false},
		{"prod", "prod", true},
		{"prod", "prod/1", false},
		{"prod/*", "prod/1", true},
		{"prod/*", "xprod/1", false},
		{"*prod", "my-PROD", true},
		{"*prod", "prod/1", false},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "abc", true},
		{"a*b*c", "acb", false},
		{"*ab*ab*", "ab", false},
		{"a*a", "a", false},
		{"**", "x", true},
		{"Ж*", "жук", true},
		{"fb/2026*", " fb/ 2026-1", true},
		{"fb/2026*", "fb／２０２６-1", true},
		{"prod", " ", false},
	} {
		if got := guard.Match(tt.pattern, tt.label); got != tt.want {
			t.Errorf("%q on %q: %v", tt.pattern, tt.label, got)
		}
	}
}
