package lang

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// Age returns how long ago something was, short enough for a title: 0.4s,
// 12s, 3m, 2h, 3d. It rounds down; a negative age is 0.0s.
func (w *Words) Age(d time.Duration) string {
	d = max(d, 0)
	b := make([]byte, 0, 8)
	switch {
	case d < 10*time.Second:
		tenths := int64(d / (100 * time.Millisecond))
		b = append(strconv.AppendInt(b, tenths/10, 10), w.decimal()...)
		b = w.unit(append(b, byte('0'+tenths%10)), 0)
	case d < time.Minute:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Second), 10), 0)
	case d < time.Hour:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Minute), 10), 1)
	case d < 24*time.Hour:
		b = w.unit(strconv.AppendInt(b, int64(d/time.Hour), 10), 2)
	default:
		b = w.unit(strconv.AppendInt(b, int64(d/(24*time.Hour)), 10), 3)
	}
	return string(b)
}

// AgeOfRow returns an age for a list that users look at all day: below a
// minute it moves every ten seconds only: now, 10s, 50s, 3m, 2h, 3d.
func (w *Words) AgeOfRow(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return w.Tc("age", "now")
	case d < time.Minute:
		return w.Age(d.Truncate(10 * time.Second))
	default:
		return w.Age(d)
	}
}

// Ago is AgeOfRow in a sentence: just now, 10s ago, 3m ago.
func (w *Words) Ago(d time.Duration) string {
	if d < 10*time.Second {
		return w.T("just now")
	}
	return w.Tf("%s ago", w.AgeOfRow(d))
}

// AgeCoarse returns an age in whole seconds and more, for lists that are not
// redrawn ten times a second: 0s, 12s, 3m, 2h, 3d.
func (w *Words) AgeCoarse(d time.Duration) string {
	if d < 10*time.Second {
		return string(w.unit([]byte{byte('0' + max(d, 0)/time.Second)}, 0))
	}
	return w.Age(d)
}

// Seconds returns a wait in seconds, rounded up: 3 s.
func (w *Words) Seconds(d time.Duration) string {
	b := strconv.AppendInt(nil, int64((d+time.Second-1)/time.Second), 10)
	return string(w.unit(append(b, ' '), 0))
}

// decimal is the sign between a whole number and its fraction.
func (w *Words) decimal() string {
	if w == nil {
		return "."
	}
	return w.signs.decimal
}

// unit appends a unit of time: seconds, minutes, hours, days.
func (w *Words) unit(b []byte, n int) []byte {
	if w == nil {
		return append(b, "smhd"[n])
	}
	return utf8.AppendRune(b, []rune(w.signs.units)[n])
}
