package sandbox

import (
	"context"
	"math/rand/v2"
	"sort"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// traffic is simulated activity: charges, challenges and deposits. It follows from
// the seed and the time at which it starts.
type traffic struct {
	s                         *Server
	rng                       *rand.Rand
	charge, challenge, credit unit.Instant // when each happens next
	rate                      rate
}

// maxLag is how far traffic may lag behind before it continues from the current time
// instead of catching up.
const maxLag = unit.Minute

func (s *Server) newTraffic(now unit.Instant) *traffic {
	t := &traffic{s: s, rng: sim.NewRand(s.world.Seed, uint64(now)), rate: rateOf(s.pace)}
	t.charge = now + t.between(unit.Second, 3*unit.Second)
	t.challenge = now + t.between(10*unit.Second, 30*unit.Second)
	t.credit = now + t.between(2*unit.Minute, 6*unit.Minute)
	return t
}

func (t *traffic) between(least, most unit.Instant) unit.Instant {
	return least + unit.Instant(t.rng.Int64N(int64(most-least)))
}

// step runs everything that is due and returns when the next is.
func (t *traffic) step(ctx context.Context, now unit.Instant) (next unit.Instant, err error) {
	for {
		next = min(t.charge, t.challenge, t.credit)
		if next > now {
			return next, nil
		}
		if next < now-maxLag {
			t.charge, t.challenge, t.credit = max(t.charge, now), max(t.challenge, now), max(t.credit, now)
			continue
		}
		var act func(*change) error
		switch next {
		case t.charge:
			act, t.charge = t.chargeCard, next+t.between(t.rate.charge[0], t.rate.charge[1])
		case t.challenge:
			act, t.challenge = t.startChallenge, next+t.between(t.rate.challenge[0], t.rate.challenge[1])
		default:
			act, t.credit = t.receiveDeposit, next+t.between(t.rate.credit[0], t.rate.credit[1])
		}
		if err := t.s.writeAt(ctx, next, act); err != nil {
			return next, err
		}
	}
}

// randomCard returns a card in a state, or nil when there is none.
func (t *traffic) randomCard(status string) *sim.Card {
	cards := t.s.cards.Rows()
	start := t.rng.Int64() % max(1, int64(len(cards)))
	for i := range cards {
		if k := *cards[(start+int64(i))%int64(len(cards))]; k.Status == status {
			return &k
		}
	}
	return nil
}

// campaignRest is how long after its last transaction a campaign is over.
const campaignRest = 3 * unit.Day

// spender returns an active card to charge, or nil when there is none. Where campaigns
// run it is one of theirs, the busier the likelier, or now and then one that was never
// used.
func (t *traffic) spender(now unit.Instant) *sim.Card {
	if t.rate.amount == 0 {
		return t.randomCard(sim.CardActive)
	}
	if t.rng.IntN(10) == 0 {
		if k := t.randomCard(sim.CardActive); k == nil || k.LastUsed == unit.Never {
			return k
		}
	}
	rows := t.s.txns.Rows()
	recent := rows[sort.Search(len(rows), func(i int) bool { return rows[i].at > now-campaignRest }):]
	if len(recent) == 0 {
		recent = rows
	}
	for range 4 {
		pick := t.rng.Int64()
		if len(recent) == 0 {
			return nil
		}
		if k, err := t.s.cardAt(int64(recent[pick%int64(len(recent))].card)); err == nil && k.Status == sim.CardActive {
			return k
		}
	}
	return nil
}

// affordable returns a charge of a small part of the card's balance, so that nobody
// has to fund the cards for days.
func (t *traffic) affordable(k *sim.Card, now unit.Instant) sim.Purchase {
	p := sim.PlatformOf(k.Label, t.rng).Charge(t.rng)
	if t.rate.amount > 0 {
		p.Amount = max(100, t.rate.part(k.Label, now, t.rng.IntN(200)))
	}
	free := k.Balance - k.Held
	if share := free * unit.Cents(10+t.rng.IntN(50)) / 1000; share < p.Amount {
		p.Amount = max(100, share)
	}
	return p
}

func (t *traffic) chargeCard(c *change) error {
	if t.rng.IntN(10) == 0 {
		return t.attemptDecline(c)
	}
	k := t.spender(c.now)
	if k == nil {
		return nil
	}
	txn := c.authorize(k, t.affordable(k, c.now), sim.NotChallenged)
	if txn.kind != sim.TxnAuthorization {
		return nil
	}
	c.schedule(c.now+t.between(5*unit.Second, 90*unit.Second), jobSettle, txn.seq, t.settledAmount(txn.amount))
	return nil
}

// settledAmount returns what an authorization settles for: mostly its amount.
func (t *traffic) settledAmount(amount unit.Cents) unit.Cents {
	if t.rng.IntN(6) > 0 {
		return amount
	}
	return max(1, amount*unit.Cents(85+t.rng.IntN(25))/100)
}

// attemptDecline makes an attempt that the rules of the card decline.
func (t *traffic) attemptDecline(c *change) error {
	var k *sim.Card
	if t.rng.IntN(3) == 0 {
		k = t.randomCard(sim.CardFrozen)
	} else {
		k = t.spender(c.now)
	}
	if k == nil {
		return nil
	}
	p := sim.PlatformOf(k.Label, t.rng).Charge(t.rng)
	switch t.rng.IntN(5) {
	case 0:
		p.Amount += sim.BINOf(k.BIN).MaxTransaction
	case 1:
		p.Amount += k.Limit - k.SpentIn(c.now) - k.Held
	case 2:
		p.Merchant = sim.UnlistedMerchant()
		fallthrough
	default:
		p.Amount += max(0, k.Balance-k.Held)
	}
	reason := k.DeclineReason(p, c.now, 0)
	if reason == "" {
		return nil
	}
	c.decline(k, p, reason, sim.NotChallenged)
	return nil
}

// startChallenge starts a challenge; most are completed in time.
func (t *traffic) startChallenge(c *change) error {
	k := t.spender(c.now)
	if k == nil {
		return nil
	}
	h := c.challenge(k, t.affordable(k, c.now), "")
	if t.rng.IntN(t.rate.answered) == 0 {
		return nil
	}
	c.schedule(c.now+t.between(25*unit.Second, 120*unit.Second), jobComplete, h.seq, 0)
	return nil
}

// receiveDeposit adds a pending deposit.
func (t *traffic) receiveDeposit(c *change) error {
	coins := sim.Currencies()
	coin := coins[t.rng.IntN(len(coins))]
	amount := 5000 * unit.Cents(2+t.rng.IntN(20))
	if t.rate.deposit > 0 {
		amount = max(1000, t.rate.deposit*unit.Cents(50+t.rng.IntN(100))/100/500*500)
	}
	d := c.detectDeposit(coin.Code, amount)
	c.schedule(c.now+coin.Block, jobBlock, d.seq, 0)
	return nil
}

// rate is how often simulated traffic acts, each from the least to the most time
// between two, and for how much.
type rate struct {
	charge, challenge, credit [2]unit.Instant
	answered                  int        // challenges, but for one of so many
	amount                    unit.Cents // of a purchase on average; 0 for what the merchant usually charges
	deposit                   unit.Cents // on average; 0 for a small one
}

// rateOf returns the rate that goes on with campaigns which spend pace in an hour, so
// that a day of traffic is not far more than a day of the history: the larger the
// account, the more charges. Without campaigns the world is busy.
func rateOf(pace unit.Cents) rate {
	if pace == 0 {
		return rate{
			charge:    [2]unit.Instant{2 * unit.Second, 7 * unit.Second},
			challenge: [2]unit.Instant{20 * unit.Second, 40 * unit.Second},
			credit:    [2]unit.Instant{5 * unit.Minute, 15 * unit.Minute},
			answered:  5,
		}
	}
	const usual, most = 40_000, 16
	size := min(max(1, unit.Instant(pace/usual)), most)
	r := rate{
		charge:    [2]unit.Instant{40 * unit.Second / size, 100 * unit.Second / size},
		challenge: [2]unit.Instant{unit.Minute, 2 * unit.Minute},
		credit:    [2]unit.Instant{20 * unit.Minute, unit.Hour},
		answered:  10,
	}
	// Nine of ten charges and challenges become purchases.
	hourly := 0.9 * (perHour(r.charge) + perHour(r.challenge))
	r.amount = unit.Cents(float64(pace) / hourly)
	r.deposit = unit.Cents(float64(pace) / perHour(r.credit))
	return r
}

// perHour returns how often something happens in an hour on average.
func perHour(span [2]unit.Instant) float64 {
	return float64(unit.Hour) / (float64(span[0]+span[1]) / 2)
}

// part returns the amount of one purchase, a percentage of the average by the hour of
// the day where the campaign is.
func (r rate) part(label string, now unit.Instant, percent int) unit.Cents {
	return unit.Cents(float64(r.amount) * sim.Wave(label, now) * float64(percent) / 100)
}
