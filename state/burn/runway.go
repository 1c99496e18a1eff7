package burn

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// Horizon is the longest runway that is told: beyond it nothing is known of what
// is spent.
const Horizon = 30 * 24 * time.Hour

// Runway is how long a balance lasts, with its range. A time of Horizon stands for
// that long or longer.
type Runway struct{ Left, Low, High time.Duration }

// Runway returns how long a balance (USD) lasts. The balance is what can be spent
// still: what is held is not.
func (b *Burn) Runway(balance api.USD) Runway {
	if balance <= 0 {
		return Runway{}
	}
	low, high := b.bounds(float64(balance) / max(b.level, 1))
	return Runway{b.lasts(balance, b.level), b.lasts(balance, high), b.lasts(balance, low)}
}

// lasts returns how long a balance lasts at a level.
func (b *Burn) lasts(balance api.USD, level float64) time.Duration {
	if level <= 0 {
		return Horizon
	}
	need := float64(balance) / level // average hours
	if need >= Horizon.Hours() {
		return Horizon
	}
	if b.shape == nil {
		return time.Duration(need * float64(time.Hour))
	}
	days := time.Duration(need / 24)
	need -= float64(days * 24)
	at := b.now
	for range 24 {
		next := at.Truncate(time.Hour).Add(time.Hour)
		comes := b.shape.at(at) * next.Sub(at).Hours()
		if comes >= need {
			break
		}
		need -= comes
		at = next
	}
	return days*24*time.Hour + at.Sub(b.now) + time.Duration(need/b.shape.at(at)*float64(time.Hour))
}
