package burn

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

// Text is how long a balance lasts, such as 40 m, 5.2 h or 1.3 d.
func Text(w *lang.Words, d time.Duration) string {
	unit, name := unitOf(w, d)
	return w.Number(inUnit(d, unit)) + " " + name
}

// Short is how long the balance lasts: 1.3 d, or ≤1.3 d.
func (r Runway) Short(w *lang.Words) string {
	if r.AtMost {
		return "≤" + Text(w, r.Left)
	}
	return Text(w, r.Left)
}

// Text is how long the balance lasts with its range: 1.3 d (0.9–1.8). One that may be shorter for what is not known
// has none.
func (r Runway) Text(w *lang.Words) string {
	if r.AtMost {
		return r.Short(w)
	}
	unit, _ := unitOf(w, r.Left)
	low, high := inUnit(r.Low, unit), inUnit(r.High, unit)
	if low == high {
		return Text(w, r.Left)
	}
	if r.High >= muchMore*unit {
		return Text(w, r.Left) + " (" + Text(w, r.Low) + "–" + Text(w, r.High) + ")"
	}
	return Text(w, r.Left) + " (" + w.Number(low+"–"+high) + ")"
}

// muchMore is from how many of its unit on the ends of a range have units of their own.
const muchMore = 100

func unitOf(w *lang.Words, d time.Duration) (unit time.Duration, name string) {
	switch {
	case d < time.Hour:
		return time.Minute, w.Tc("unit", "m")
	case d < 24*time.Hour:
		return time.Hour, w.Tc("unit", "h")
	}
	return 24 * time.Hour, w.Tc("unit", "d")
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
