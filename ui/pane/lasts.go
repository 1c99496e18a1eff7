package pane

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/state/burn"
)

// Lasts is how long a balance lasts, such as 40 m, 5.2 h or 1.3 d.
func Lasts(d time.Duration) string {
	unit, name := lastsUnit(d)
	return inUnit(d, unit) + " " + name
}

// LastsRange is how long a balance lasts with its range: 1.3 d (0.9–1.8).
func LastsRange(r burn.Runway) string {
	unit, _ := lastsUnit(r.Left)
	low, high := inUnit(r.Low, unit), inUnit(r.High, unit)
	if low == high {
		return Lasts(r.Left)
	}
	return Lasts(r.Left) + " (" + low + "–" + high + ")"
}

func lastsUnit(d time.Duration) (unit time.Duration, name string) {
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
	case d >= burn.Horizon:
		return fmt.Sprintf("%d+", burn.Horizon/unit)
	case unit == time.Minute || n >= 10:
		return fmt.Sprintf("%d", int(n))
	default:
		return fmt.Sprintf("%.1f", float64(int(n*10))/10)
	}
}
