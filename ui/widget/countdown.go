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
