package sim

import "github.com/cardtop/cardtop/api/sandbox/unit"

// planEvents plans what the owner does to the card whatever it spends.
func (l *life) planEvents(d draft) {
	start, end := max(l.h.Start, l.k.Created), l.h.End
	within := func(least, most float64) unit.Instant {
		share := least + (most-least)*l.rng.Float64()
		return start + unit.Instant(share*float64(end-start))
	}
	if d.suspended() {
		at := within(0.3, 0.97)
		l.later(happening{at: at, kind: isFrozen})
		if l.rng.IntN(3) > 0 {
			l.later(happening{at: at + l.between(3*unit.Hour, 40*unit.Hour), kind: isThawed})
		}
	}
	switch over := l.campaign.last + l.between(unit.Day, 3*unit.Day); {
	case d.terminated():
		l.later(happening{at: min(over, within(0.5, 0.95)), kind: isEnded})
	case l.campaign.stopped && l.rng.IntN(3) == 0:
		l.later(happening{at: over, kind: isEmptied})
	}
}

// manage does what the card's owner does.
func (l *life) manage(e happening) {
	k := l.k
	if k.Status == CardTerminated {
		return
	}
	switch e.kind {
	case isFunded:
		l.awaited = false
		l.fund(e.at, l.lot)
	case isFrozen:
		if k.Status == CardActive {
			k.Status, k.Frozen = CardFrozen, e.at
		}
	case isThawed:
		if k.Balance < k.AutoFreezeAt+l.lot/4 {
			l.fund(e.at, l.lot)
		}
		k.Status, k.Frozen = CardActive, unit.Never
	case isRaised:
		k.Limit = min(l.bin.MaxMonthly, k.Limit+k.Limit/2/10_000*10_000+10_000)
	case isEmptied:
		l.fund(e.at, -(k.Balance - k.Held))
		if k.Status == CardActive && k.Balance < k.AutoFreezeAt {
			k.Status, k.Frozen = CardFrozen, e.at
		}
	default:
		l.end(e.at)
	}
}

// end terminates the card; its merchant does not know.
func (l *life) end(at unit.Instant) {
	l.fund(at, -l.k.Balance)
	l.k.Status, l.k.Held = CardTerminated, 0
	for i := range l.holds {
		l.holds[i].amount = 0
	}
	at += l.between(10*unit.Minute, 20*unit.Hour)
	for range 2 + l.rng.IntN(3) {
		l.later(happening{at: at, kind: isRetried, amount: l.lot / 4, merchant: l.usual})
		at += l.between(20*unit.Second, 2*unit.Minute)
	}
}

// fund moves money from the wallet to the card; a negative amount the other way.
func (l *life) fund(at unit.Instant, amount unit.Cents) {
	l.k.Balance += amount
	l.h.move(at, amount)
}

// watch lets the owner fund a card that runs low, mostly in time.
func (l *life) watch(at unit.Instant) {
	if l.k.Balance-l.k.Held >= l.lot/2 || at > l.campaign.last {
		return
	}
	if l.rng.IntN(4) > 0 {
		l.await(at + l.between(5*unit.Minute, unit.Hour))
	} else {
		l.await(at + l.between(2*unit.Hour, 11*unit.Hour))
	}
}

// await plans funds, unless they are on their way.
func (l *life) await(at unit.Instant) {
	if !l.awaited {
		l.awaited = true
		l.later(happening{at: at, kind: isFunded})
	}
}

// react lets the owner react to a decline.
func (l *life) react(at unit.Instant, reason string) {
	switch reason {
	case DeclineInsufficient:
		if at <= l.campaign.last {
			l.await(at + l.between(4*unit.Minute, 3*unit.Hour))
		}
	case DeclineLimit:
		if l.refusals == 3 && l.rng.IntN(2) == 0 {
			l.later(happening{at: at + l.between(2*unit.Hour, 20*unit.Hour), kind: isRaised})
		}
	}
}
