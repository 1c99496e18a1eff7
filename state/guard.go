package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Guard bounds what the dashboards of a profile on this machine may do. The
// server does not know it. A cap of zero is none. Amounts are USD.
type Guard struct {
	// MaxOperation is the most that one operation takes from the wallet, MaxHour
	// and MaxDay the most that all do within a rolling hour and day. What goes
	// back to the wallet is never held up.
	MaxOperation, MaxHour, MaxDay api.USD
	// MaxBulk is the most cards that one plan changes; 0 is all. It does not hold
	// for freezing.
	MaxBulk int
	// ConfirmLabels are patterns of labels; what moves money or is permanent on
	// such a card is confirmed twice. * stands for any text.
	ConfirmLabels []string
	// Labels bound what all cards of a pattern of labels get together. All that
	// fit a card hold.
	Labels []LabelCap
	// Live says that the money is real: then amounts from TypeTwice on are
	// typed twice.
	Live      bool
	TypeTwice api.USD
}

// LabelCap bounds what the cards get whose label is of a pattern, as the caps of
// a Guard do.
type LabelCap struct {
	Labels                        string
	MaxOperation, MaxHour, MaxDay api.USD
}

// Moved is an amount that left the wallet, or may have, and the label that its
// card had then.
type Moved struct {
	Key    api.IdempotencyKey
	At     time.Time
	Amount api.USD // USD
	Label  string
}

// MovedBy tells what records, the oldest first, and operations without an
// answer took from the wallet. What nobody knows counts as moved.
func MovedBy(records []Record, open []Op) []Moved {
	all := make(map[api.IdempotencyKey]Moved)
	for _, r := range records {
		countRecord(all, r)
	}
	for i := range open {
		countOp(all, &open[i])
	}
	out := make([]Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Moved) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.Key), string(b.Key)))
	})
	return out
}

func countRecord(all map[api.IdempotencyKey]Moved, r Record) {
	if r.Action != OpFund.Verb() && r.Action != OpIssue.Verb() {
		return
	}
	switch r.Outcome {
	case FateRefused, FateNotSent, FateJudgedNotDone:
		delete(all, r.Key)
	default:
		m, known := all[r.Key]
		if !known {
			m = Moved{Key: r.Key, At: r.At}
		}
		m.Amount = r.Amount
		m.Label = cmp.Or(r.Label, m.Label)
		all[r.Key] = m
	}
}

func countOp(all map[api.IdempotencyKey]Moved, op *Op) {
	if _, known := all[op.Key]; !known && op.Kind.Takes() {
		all[op.Key] = Moved{Key: op.Key, At: op.At, Amount: op.Amount, Label: op.Label}
	}
}

// caps are those of a pattern of labels; an empty pattern is every card, which
// none has to fit.
func (g Guard) caps() []LabelCap {
	return append([]LabelCap{{MaxOperation: g.MaxOperation, MaxHour: g.MaxHour, MaxDay: g.MaxDay}}, g.Labels...)
}

// holds tells whether the caps are about cards of a label.
func (c LabelCap) holds(label string) bool { return c.Labels == "" || matchLabel(c.Labels, label) }

// Sums tells whether what moved before matters.
func (g Guard) Sums() bool {
	return slices.ContainsFunc(g.caps(), func(c LabelCap) bool { return c.MaxHour > 0 || c.MaxDay > 0 })
}

// Day is the longest span that a guardrail looks back.
const Day = 24 * time.Hour

// Refuse tells why an amount (USD) may not leave the wallet now for a card of a
// label; empty when it may. It names the cap, what is used of it, and when there
// is room.
func (g Guard) Refuse(label string, amount api.USD, moved []Moved, now time.Time) string {
	for _, c := range g.caps() {
		if !c.holds(label) {
			continue
		}
		if c.MaxOperation > 0 && amount > c.MaxOperation {
			return c.name() + ": at most $" + c.MaxOperation.Grouped() + " in one operation"
		}
		if why := c.refuseSum(amount, moved, now); why != "" {
			return why
		}
	}
	return ""
}

// name is the guardrail as it is told.
func (c LabelCap) name() string {
	if c.Labels == "" {
		return "guardrail"
	}
	return "guardrail for " + string(api.Clean(c.Labels))
}

// refuseSum tells why the caps of an hour and a day refuse an amount (USD).
func (c LabelCap) refuseSum(amount api.USD, moved []Moved, now time.Time) string {
	moved = slices.DeleteFunc(slices.Clone(moved), func(m Moved) bool { return !c.holds(m.Label) })
	for _, limit := range []struct {
		most api.USD
		span time.Duration
		name string
	}{{c.MaxDay, Day, "a day"}, {c.MaxHour, time.Hour, "an hour"}} {
		if limit.most <= 0 {
			continue
		}
		used, room := within(moved, amount, limit.most, limit.span, now)
		if used+amount <= limit.most {
			continue
		}
		text := c.name() + ": $" + used.Grouped() + " of $" + limit.most.Grouped() + " " + limit.name + " used; $" + max(0, limit.most-used).Grouped() + " left"
		if !room.IsZero() {
			text += " until " + clockTime(room, now)
		}
		return text
	}
	return ""
}

// within sums what moved in the span that ends now, and tells when an amount
// will fit below a cap; zero when it never will.
func within(moved []Moved, amount, most api.USD, span time.Duration, now time.Time) (used api.USD, room time.Time) {
	var counted []Moved
	for _, m := range moved {
		if now.Sub(m.At) < span {
			counted = append(counted, m)
			used += m.Amount
		}
	}
	slices.SortFunc(counted, func(a, b Moved) int { return a.At.Compare(b.At) })
	left := used
	for _, m := range counted {
		if left -= m.Amount; left+amount <= most {
			return used, m.At.Add(span)
		}
	}
	return used, time.Time{}
}

// clockTime is a time of this day or the next on a person's clock.
func clockTime(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	text := t.Format("15:04")
	if t.YearDay() != now.YearDay() {
		text += " tomorrow"
	}
	return text
}

// matchLabel tells whether a label is of a pattern in which * stands for any
// text. Letters count alike in both cases: a guardrail holds rather too often.
func matchLabel(pattern, label string) bool {
	pattern, label = strings.ToLower(pattern), strings.ToLower(label)
	first, rest, starred := strings.Cut(pattern, "*")
	label, ok := strings.CutPrefix(label, first)
	if !ok || !starred {
		return ok && label == ""
	}
	for parts := strings.Split(rest, "*"); ; parts = parts[1:] {
		if len(parts) == 1 {
			return strings.HasSuffix(label, parts[0])
		}
		_, after, found := strings.Cut(label, parts[0])
		if !found {
			return false
		}
		label = after
	}
}
