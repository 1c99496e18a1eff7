package burn

import (
	"fmt"
	"time"
)

// Text is how long a balance lasts, such as 40 m, 5.2 h or 1.3 d.
func Text(d time.Duration) string {
	unit, name := unitOf(d)
	return inUnit(d, unit) + " " + name
}

// String is how long the balance lasts with its range: 1.3 d (0.9–1.8).
func (r Runway) String() string {
	unit, _ := unitOf(r.Left)
	low, high := inUnit(r.Low, unit), inUnit(r.High, unit)
	if low == high {
		return Text(r.Left)
	}
	return Text(r.Left) + " (" + low + "–" + high + ")"
}

func unitOf(d time.Duration) (unit time.Duration, name string) {
	switch {
	case d < time.Hour:
		return time.Minute, "m"
	case d < 24*time.Hour:
		return time.Hour, "h"
	}
	return 24 * time.Hour, "d"
}

// inUnit is a number with as many digits as it is worth.
func inUnit(d, unit time.Duration) string {
	switch n := float64(d) / float64(unit); {
	case d >= Horizon:
		return fmt.Sprintf("%d+", Horizon/unit)
	case unit == time.Minute || n >= 10:
		return fmt.Sprintf("%d", int(n))
	default:
		return fmt.Sprintf("%.1f", float64(int(n*10))/10)
	}
}
