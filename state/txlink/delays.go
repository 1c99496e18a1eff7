package txlink

import (
	"math"
	"time"
)

// Usual is how long after their hold settlements come; the zero value is not known.
type Usual struct {
	// mean is the average, microseconds; log is that of the logarithms of seconds, and spread how far these
	// differ from it.
	mean        float32
	log, spread float32
}

const (
	// How far the logarithms of delays differ: as one that was seen before any, and at least.
	spreadFirst = 1.5
	spreadLeast = 0.2
	// spreadFree is up to how many times that a delay is as good as any: of holds of one amount the
	// earliest settles then.
	spreadFree = 1.5
	// enough is how many delays of a card tell more than those of all cards.
	enough = 8
)

// Delays add up how long after their hold settlements came. The sums are whole, so that they do not depend on
// the order.
type Delays struct {
	micros  int64
	squares int64 // of the thousandths of logarithms
	sum     int32
	n       int32
}

// Add adds a delay.
func (d *Delays) Add(delay time.Duration) {
	log := int32(math.Round(1000 * logSeconds(delay.Microseconds())))
	d.micros += delay.Microseconds()
	d.sum += log
	d.squares += int64(log) * int64(log)
	d.n++
}

// Join adds other delays, or takes them back.
func (d *Delays) Join(o Delays, sign int) {
	d.micros += int64(sign) * o.micros
	d.sum += int32(sign) * o.sum
	d.squares += int64(sign) * o.squares
	d.n += int32(sign) * o.n
}

// Enough reports whether they are so many that they tell what is usual.
func (d *Delays) Enough() bool { return d.n >= enough }

// Usual returns what is usual. Rough leaves out what seldom stays the same when there is another delay.
func (d *Delays) Usual(rough bool) Usual {
	if d.n == 0 {
		return Usual{}
	}
	mean, log := float64(d.micros)/float64(d.n), float64(d.sum)/1000/float64(d.n)
	variance := max(0, float64(d.squares)/1e6/float64(d.n)-log*log)
	spread := math.Sqrt((variance*float64(d.n) + spreadFirst*spreadFirst) / float64(d.n+1)) // A few tell little.
	if rough {
		mean = math.Exp(math.Round(8*math.Log(mean+1)) / 8)
		log, spread = math.Round(2*log)/2, math.Round(4*spread)/4
	}
	return Usual{float32(mean), float32(log), float32(spread)}
}

// logSeconds is the logarithm of an age in seconds. A minute more or less makes no
// difference.
func logSeconds(micros int64) float64 { return math.Log(60 + float64(micros)/1e6) }

// cost is what an age costs for which a settlement is unusual. Late it may always come; sooner than
// settlements are made it cannot.
func (u Usual) cost(age int64) float64 {
	if u.log == 0 {
		return 0
	}
	late := (logSeconds(age) - float64(u.log)) / float64(max(u.spread, spreadLeast))
	if late > 0 {
		return max(0, late-spreadFree)
	}
	early := max(0, -late-spreadFree)
	return early * early
}
