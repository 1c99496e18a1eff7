// Package txlink says which hold, settlement and refund belong together.
//
// The contract names no parent of a transaction: which settlement took the
// place of which hold, and what a refund gives back, is told by card, merchant,
// amount and time. That is a guess and called one, but for a transaction whose
// own steps tell the times of the others.
package txlink

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

const (
	// Within is how long after a hold its settlement may come, and after a
	// settlement its refund.
	Within = 10 * 24 * time.Hour
	// nearPart is what part of an amount another may differ by that is perhaps
	// still the same purchase: one fifth, as with a tip.
	nearPart = 5
	// openRows is how many unpaired rows of a merchant are compared with a later
	// one, the latest.
	openRows = 200
)

// Related is a transaction that another most likely belongs with.
type Related struct {
	Row api.Transaction
	// Told says that the steps of the transaction tell it: it is no guess.
	Told bool
	// Same says that the amounts are the same.
	Same bool
	// Of is how many it could be as well, itself counted.
	Of int
}

// Link returns what a transaction belongs with, oldest first: the hold, the
// settlement that took its place and the refund of that, but for itself. rows
// are those of its card about its time, oldest first, itself among them; steps
// are its own timeline, where it was read.
func Link(t api.Transaction, rows []api.Transaction, steps []api.TimelineStep) []Related {
	told, doubt := stepped(t, rows, steps)
	if len(told) > 0 && len(doubt) == 0 {
		return told
	}
	at := slices.IndexFunc(rows, func(r api.Transaction) bool { return r.ID == t.ID })
	if at < 0 {
		return nil
	}
	found := tied(rows)
	var out []Related
	follow := func(way []tie) {
		sure := tie{same: true, of: 1}
		for i := at; way[i].ok; i = way[i].at {
			// What is linked over another is no surer than that.
			r := rows[way[i].at]
			sure.same, sure.of = sure.same && way[i].same, max(sure.of, way[i].of, doubt[r.ID])
			out = append(out, Related{Row: r, Same: sure.same, Of: sure.of})
		}
	}
	follow(found.before)
	slices.Reverse(out)
	follow(found.after)
	return out
}

// stepped returns the rows that the steps of a transaction are about (ASSUMED
// 27): those of its card and merchant that were made at their times. Processors
// settle many purchases at one time: of several rows a step is about the one of
// the same amount. Where that is not one either, doubt holds each that it could
// be, and how many they are.
func stepped(t api.Transaction, rows []api.Transaction, steps []api.TimelineStep) (told []Related, doubt map[api.TransactionID]int) {
	var sure []int
	own := false
	for _, step := range steps {
		if !own && step.At.Equal(t.CreatedAt) {
			own = true // This step is about the transaction itself.
			continue
		}
		could := madeAt(step.At, t, rows)
		switch len(could) {
		case 0:
		case 1:
			sure = append(sure, could[0])
		default:
			if doubt == nil {
				doubt = make(map[api.TransactionID]int)
			}
			for _, i := range could {
				doubt[rows[i].ID] = len(could)
			}
		}
	}
	slices.Sort(sure)
	for _, i := range slices.Compact(sure) {
		told = append(told, Related{Row: rows[i], Told: true, Same: size(&rows[i]) == size(&t), Of: 1})
	}
	return told, doubt
}

// tie is where in the rows a partner is; the zero value is none.
type tie struct {
	ok   bool
	at   int
	same bool
	of   int
}

// ties are the partners of rows: of each settlement and refund the row before,
// of each hold and settlement the row after. No row is the partner of two.
type ties struct{ before, after []tie }

// madeAt returns the places of the rows of another kind that were made for a
// transaction at a time: of several those of its amount, if there are any.
func madeAt(at time.Time, t api.Transaction, rows []api.Transaction) []int {
	var all, same []int
	for i := range rows {
		r := &rows[i]
		if !r.CreatedAt.Equal(at) || r.Type == t.Type || r.Type == api.TransactionDecline || merchantKey(r) != merchantKey(&t) {
			continue
		}
		if all = append(all, i); size(r) == size(&t) {
			same = append(same, i)
		}
	}
	if len(same) > 0 {
		return same
	}
	return all
}

// tied pairs the rows of one card, which are oldest first: first those of the
// same amount, then those that come near.
func tied(rows []api.Transaction) ties {
	t := ties{make([]tie, len(rows)), make([]tie, len(rows))}
	for _, step := range [...][2]api.TransactionType{
		{api.TransactionAuthorization, api.TransactionSettlement}, {api.TransactionSettlement, api.TransactionRefund},
	} {
		t.pairSame(rows, step[0], step[1])
		t.pairNear(rows, step[0], step[1])
	}
	return t
}

// purchases are rows that may each be the one that a later row is about. most
// is how many they were since there was none: who is taken last was in doubt
// as well.
type purchases struct {
	rows []int
	most int
}

// pairSame pairs rows of one merchant and amount in the order of time.
func (t *ties) pairSame(rows []api.Transaction, from, to api.TransactionType) {
	type name struct {
		merchant string
		amount   api.Units
	}
	open := make(map[name]*purchases)
	for i := range rows {
		r := &rows[i]
		if merchantKey(r) == "" || r.Type != from && r.Type != to {
			continue
		}
		key := name{merchantKey(r), size(r)}
		p := open[key]
		if p == nil {
			p = &purchases{}
			open[key] = p
		}
		for len(p.rows) > 0 && r.CreatedAt.Sub(rows[p.rows[0]].CreatedAt) > Within {
			p.rows = p.rows[1:]
		}
		if len(p.rows) == 0 {
			p.most = 0
		}
		if r.Type == from {
			p.rows = append(p.rows, i)
			p.most = max(p.most, len(p.rows))
			continue
		}
		if len(p.rows) > 0 {
			t.tie(p.rows[0], i, true, p.most)
			p.rows = p.rows[1:]
		}
	}
}

// pairNear pairs what is left, each with the nearest amount of its merchant
// among the latest.
func (t *ties) pairNear(rows []api.Transaction, from, to api.TransactionType) {
	left := make(map[string][]int)
	for i := range rows {
		r := &rows[i]
		key := merchantKey(r)
		switch {
		case key == "":
		case r.Type == from && !t.after[i].ok:
			if left[key] = append(left[key], i); len(left[key]) > openRows {
				left[key] = left[key][1:]
			}
		case r.Type == to && !t.before[i].ok:
			open, best, of := left[key], -1, 0
			for n, at := range open {
				h := &rows[at]
				if !near(h, r) || r.CreatedAt.Sub(h.CreatedAt) > Within {
					continue
				}
				if of++; best < 0 || apart(h, r) < apart(&rows[open[best]], r) {
					best = n
				}
			}
			if best >= 0 {
				t.tie(open[best], i, false, of)
				left[key] = slices.Delete(open, best, best+1)
			}
		}
	}
}

func (t *ties) tie(earlier, later int, same bool, of int) {
	t.after[earlier], t.before[later] = tie{true, later, same, of}, tie{true, earlier, same, of}
}

func near(a, b *api.Transaction) bool { return apart(a, b)*nearPart <= max(size(a), size(b)) }

// apart is how much two amounts of one currency differ by.
func apart(a, b *api.Transaction) api.Units {
	d := size(a) - size(b)
	return max(d, -d)
}

// size is an amount without its sign: a settlement is negative where the
// hold before it is not (ASSUMED 16).
func size(t *api.Transaction) api.Units { u := t.Sent(); return max(u, -u) }

// merchantKey is the same for what one merchant charged in one currency; empty for no merchant.
func merchantKey(t *api.Transaction) string {
	name := strings.ToLower(string(t.Merchant.Name))
	if name == "" || t.InUSD() {
		return name
	}
	return name + "\x00" + string(t.Currency)
}

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
