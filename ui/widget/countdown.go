package widget

import (
	"strconv"
	"time"
)

// Countdown returns the time left as m:ss, rounded down so that it never
// promises more than there is; a time that has passed is 0:00.
func Countdown(left time.Duration) string {
	s := int64(max(left, 0) / time.Second)
	b := strconv.AppendInt(make([]byte, 0, 8), s/60, 10)
	b = append(b, ':', byte('0'+s%60/10), byte('0'+s%10))
	return string(b)
}

// Age returns how long ago something was, short enough for a title: 0.4s,
// 12s, 3m, 2h, 3d. It rounds down; a negative age is 0.0s.
func Age(d time.Duration) string {
	d = max(d, 0)
	b := make([]byte, 0, 8)
	switch {
	case d < 10*time.Second:
		tenths := int64(d / (100 * time.Millisecond))
		b = strconv.AppendInt(b, tenths/10, 10)
		b = append(b, '.', byte('0'+tenths%10), 's')
	case d < time.Minute:
		b = append(strconv.AppendInt(b, int64(d/time.Second), 10), 's')
	case d < time.Hour:
		b = append(strconv.AppendInt(b, int64(d/time.Minute), 10), 'm')
	case d < 24*time.Hour:
		b = append(strconv.AppendInt(b, int64(d/time.Hour), 10), 'h')
	default:
		b = append(strconv.AppendInt(b, int64(d/(24*time.Hour)), 10), 'd')
	}
	return string(b)
}

// AgeOfRow returns an age for a list that users look at all day: below a
// minute it moves every ten seconds only: now, 10s, 50s, 3m, 2h, 3d.
func AgeOfRow(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return "now"
	case d < time.Minute:
		return Age(d.Truncate(10 * time.Second))
	default:
		return Age(d)
	}
}

// Ago is AgeOfRow in a sentence: just now, 10s ago, 3m ago.
func Ago(d time.Duration) string {
	if d < 10*time.Second {
		return "just now"
	}
	return AgeOfRow(d) + " ago"
}

// AgeCoarse returns an age in whole seconds and more, for lists that are not
// redrawn ten times a second: 0s, 12s, 3m, 2h, 3d.
func AgeCoarse(d time.Duration) string {
	if d < 10*time.Second {
		return string([]byte{byte('0' + max(d, 0)/time.Second), 's'})
	}
	return Age(d)
}
