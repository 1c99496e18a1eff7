// Package unit holds the two units that the sandbox counts in: cents of USD and
// milliseconds of UTC.
package unit

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Cents is an amount of USD in cents. No amount is ever a float.
type Cents int64

// MaxCents is what larger parsed numbers saturate at, so that sums of many amounts
// cannot overflow.
const MaxCents Cents = 1_000_000_000_000_000

// MostCents is the largest valid amount; a saturated one is above it.
const MostCents = MaxCents - 1

// String returns JSON number text with as few decimals as needed.
func (c Cents) String() string {
	sign, v := "", int64(c)
	if v < 0 {
		sign, v = "-", -v
	}
	whole, part := strconv.FormatInt(v/100, 10), v%100
	switch {
	case part == 0:
		return sign + whole
	case part%10 == 0:
		return sign + whole + "." + strconv.FormatInt(part/10, 10)
	case part < 10:
		return sign + whole + ".0" + strconv.FormatInt(part, 10)
	default:
		return sign + whole + "." + strconv.FormatInt(part, 10)
	}
}

// MarshalJSON writes a JSON number with at most two decimals (ASSUMED 3).
func (c Cents) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// Fixed returns the amount with exactly two decimals, for messages.
func (c Cents) Fixed() string {
	text := c.String()
	switch {
	case c%100 == 0:
		return text + ".00"
	case c%10 == 0:
		return text + "0"
	}
	return text
}

// ParseCents parses the text of one JSON number in USD. The value is rounded
// down to whole cents; exact reports whether it was whole cents. A number out of
// range saturates at MaxCents.
func ParseCents(text string) (value Cents, exact bool, err error) {
	d, err := parseDecimal(text)
	if err != nil {
		return 0, false, err
	}
	value, exact = d.floor()
	return value, exact, nil
}

// decimal is an exact decimal number: digits × 10^exp. digits has no leading
// and no trailing zero, so that it is empty for zero.
type decimal struct {
	negative bool
	digits   string
	exp      int
}

var errNotNumber = errors.New("not a number")

// maxExponent stands for every exponent beyond it: no amount reaches that far.
const maxExponent = 1 << 20

// parseDecimal reads the text of one JSON number, exactly.
func parseDecimal(text string) (decimal, error) {
	var d decimal
	rest, negative := strings.CutPrefix(text, "-")
	d.negative = negative
	whole, rest := leadingDigits(rest)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return decimal{}, errNotNumber
	}
	var part string
	if after, found := strings.CutPrefix(rest, "."); found {
		if part, rest = leadingDigits(after); part == "" {
			return decimal{}, errNotNumber
		}
	}
	if rest != "" {
		exp, err := parseExponent(rest)
		if err != nil {
			return decimal{}, err
		}
		d.exp = exp
	}
	d.digits = strings.TrimLeft(whole+part, "0")
	d.exp -= len(part)
	trimmed := strings.TrimRight(d.digits, "0")
	d.exp += len(d.digits) - len(trimmed)
	d.digits = trimmed
	return d, nil
}

func leadingDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

func parseExponent(s string) (int, error) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, errNotNumber
	}
	s = s[1:]
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	digits, rest := leadingDigits(s)
	if digits == "" || rest != "" {
		return 0, errNotNumber
	}
	exp := maxExponent
	if digits = strings.TrimLeft(digits, "0"); len(digits) < 7 {
		exp = 0
		for _, c := range digits {
			exp = exp*10 + int(c-'0')
		}
	}
	if negative {
		exp = -exp
	}
	return exp, nil
}

// floor returns the number in cents, rounded down, and whether it is exact.
// A number out of range saturates at maxCents.
func (d decimal) floor() (value Cents, exact bool) {
	if d.digits == "" {
		return 0, true
	}
	shift := d.exp + 2
	digits := d.digits
	exact = shift >= 0
	switch {
	case len(digits)+shift > 15:
		value, exact = MaxCents, true
	case shift >= 0:
		value = atoi(digits + strings.Repeat("0", shift))
	case len(digits)+shift > 0:
		value = atoi(digits[:len(digits)+shift])
	}
	if d.negative {
		value = -value
		if !exact {
			value--
		}
	}
	return value, exact
}

// atoi reads at most 15 decimal digits.
func atoi(digits string) Cents {
	var v Cents
	for _, c := range digits {
		v = v*10 + Cents(c-'0')
	}
	return v
}

// Instant is a point in time in milliseconds of the Unix epoch, UTC: the
// precision in which the contract's timestamps leave this server (ASSUMED 25).
type Instant int64

// Spans of time.
const (
	Second Instant = 1000
	Minute         = 60 * Second
	Hour           = 60 * Minute
	Day            = 24 * Hour
)

// Never is before every real instant.
const Never Instant = 0

// Forever is after every real instant.
const Forever Instant = 1_000_000_000_000_000

// InstantOf returns the instant of t, cut to milliseconds.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMilli()) }

// Time returns the instant in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// Month returns the number of the calendar month in UTC, for monthly limits.
func (i Instant) Month() int64 {
	t := i.Time()
	return int64(t.Year())*12 + int64(t.Month()) - 1
}

// MarshalJSON writes an ISO 8601 timestamp that ends in Z, or null for never.
func (i Instant) MarshalJSON() ([]byte, error) {
	if i == Never {
		return []byte("null"), nil
	}
	return []byte(i.Time().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

var errNotInstant = errors.New("not an ISO 8601 date or timestamp")

// ParseInstant parses an ISO 8601 timestamp. A plain date is its first
// millisecond, with wholeDay set (ASSUMED 14). later reports whether digits below
// the millisecond were cut off.
func ParseInstant(text string) (at Instant, wholeDay, later bool, err error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return InstantOf(t), true, false, nil
	}
	// A plus sign that arrives unescaped in a query is read as a space.
	text = strings.Replace(text, " ", "+", 1)
	// A timestamp without an offset is UTC, as all of the contract's are.
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return InstantOf(t), false, t.Nanosecond()%int(time.Millisecond) != 0, nil
		}
	}
	return 0, false, false, errNotInstant
}
