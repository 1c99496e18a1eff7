// Package guard holds the guardrails of a profile: caps on what leaves the wallet,
// and which cards are confirmed twice.
package guard

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Guard bounds what the dashboards of a profile on this machine may do. The
// server does not know them. A cap of zero is none. Amounts are USD.
type Guard struct {
	// MaxOperation is the most that one operation moves out of the wallet, MaxHour
	// and MaxDay the most that all do within a rolling hour and day. Nothing limits
	// what goes back to the wallet.
	MaxOperation, MaxHour, MaxDay api.USD
	// MaxBulk is the most cards that one plan changes; 0 is all. Freezing has no limit.
	MaxBulk int
	// ConfirmLabels are patterns of labels; what moves money or is permanent on
	// such a card is confirmed twice. * stands for any text.
	ConfirmLabels []string
	// Labels bound what all cards of a pattern of labels get together. All
	// patterns that a card fits apply to it.
	Labels []LabelCap
	// Live reports whether the money is real: then amounts from TypeTwice on are
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

// Caps returns the caps for all cards, then those of the patterns of labels.
func (g Guard) Caps() []LabelCap {
	return append([]LabelCap{{MaxOperation: g.MaxOperation, MaxHour: g.MaxHour, MaxDay: g.MaxDay}}, g.Labels...)
}

// Applies reports whether the caps are for cards of a label. An empty pattern is
// for every card.
func (c LabelCap) Applies(label string) bool { return c.Labels == "" || Match(c.Labels, label) }

// ByLabel reports whether it matters which label a card has.
func (g Guard) ByLabel() bool { return len(g.Labels)+len(g.ConfirmLabels) > 0 }

// Sums reports whether what moved before matters.
func (g Guard) Sums() bool {
	return slices.ContainsFunc(g.Caps(), func(c LabelCap) bool { return c.MaxHour > 0 || c.MaxDay > 0 })
}

// Day is the longest span that a guardrail looks back.
const Day = 24 * time.Hour

// Refuse returns why an amount (USD) may not leave the wallet now for a card of a
// label; empty when it may. It names the cap, what is used of it, and when enough
// is free.
func (g Guard) Refuse(w *lang.Words, label string, amount api.USD, moved []Moved, now time.Time) string {
	for _, c := range g.Caps() {
		if !c.Applies(label) {
			continue
		}
		if c.MaxOperation > 0 && amount > c.MaxOperation {
			return w.Tf("%s: at most %s in one operation", c.name(w), w.Dollars(c.MaxOperation))
		}
		if why := c.RefuseSum(w, amount, moved, now); why != "" {
			return why
		}
	}
	return ""
}

// name is the guardrail as messages call it.
func (c LabelCap) name(w *lang.Words) string {
	if c.Labels == "" {
		return w.T("guardrail")
	}
	return w.Tf("guardrail for %s", string(api.Clean(c.Labels)))
}

// RefuseSum returns why the caps of an hour and a day refuse an amount (USD);
// empty when they do not.
func (c LabelCap) RefuseSum(w *lang.Words, amount api.USD, moved []Moved, now time.Time) string {
	moved = slices.DeleteFunc(slices.Clone(moved), func(m Moved) bool { return !c.Applies(m.Label) })
	for _, limit := range []struct {
		most api.USD
		span time.Duration
		text string
	}{{c.MaxDay, Day, lang.N("%s: %s of %s a day used; %s left")}, {c.MaxHour, time.Hour, lang.N("%s: %s of %s an hour used; %s left")}} {
		if limit.most <= 0 {
			continue
		}
		used, room := within(moved, amount, limit.most, limit.span, now)
		if used+amount <= limit.most {
			continue
		}
		text := w.Tf(limit.text, c.name(w), w.Dollars(used), w.Dollars(limit.most), w.Dollars(max(0, limit.most-used)))
		if !room.IsZero() {
			text += w.Tf(" until %s", clockTime(w, room, now))
		}
		return text
	}
	return ""
}

// within returns what moved in the span that ends now, and when an amount will
// fit below a cap; zero when it never will.
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

// clockTime formats a local time of this day or the next.
func clockTime(w *lang.Words, t, now time.Time) string {
	t, now = t.Local(), now.Local()
	text := t.Format("15:04")
	if t.YearDay() != now.YearDay() {
		text = w.Tf("%s tomorrow", text)
	}
	return text
}

// Match reports whether a label fits a pattern in which * stands for any text. Case, blanks
// and full-width forms make no difference: a guardrail rather applies too often.
func Match(pattern, label string) bool {
	pattern, label = fold(pattern), fold(label)
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

// fold returns text in lower case, without blanks, with plain letters and digits for full-width ones.
func fold(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case '\uff01' <= r && r <= '\uff5e':
			return r - '\uff01' + '!'
		}
		return r
	}, s))
}
