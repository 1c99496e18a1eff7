package sandbox

import (
	"context"
	"math/rand/v2"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
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
		var act func(context.Context, *change) error
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
func (t *traffic) randomCard(ctx context.Context, c *change, status string) (*sim.Card, error) {
	start := t.rng.Int64()
	rows, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt, `SELECT seq FROM cards WHERE status = ?1
		AND seq >= (SELECT 1 + ?2 % coalesce(max(seq), 1) FROM cards) ORDER BY seq LIMIT 1`, status, start)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		rows, err = sqlite.Collect(ctx, c.tx, sqlite.ScanInt, `SELECT seq FROM cards WHERE status = ? ORDER BY seq LIMIT 1`, status)
	}
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return cardAt(ctx, c.tx, rows[0])
}

// campaignRest is how long after its last transaction a campaign is over.
const campaignRest = 3 * unit.Day

// spender returns an active card to charge, or nil when there is none. Where campaigns
// run it is one of theirs, the busier the likelier, or now and then one that was never
// used.
func (t *traffic) spender(ctx context.Context, c *change) (*sim.Card, error) {
	if t.rate.amount == 0 {
		return t.randomCard(ctx, c, sim.CardActive)
	}
	if t.rng.IntN(10) == 0 {
		if k, err := t.randomCard(ctx, c, sim.CardActive); err != nil || k == nil || k.LastUsed == unit.Never {
			return k, err
		}
	}
	for range 4 {
		rows, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt, `SELECT t.card FROM (SELECT coalesce(max(seq), 0) AS last, coalesce(
				(SELECT seq FROM transactions WHERE created_at > ?1 ORDER BY created_at, seq LIMIT 1), 1) AS first FROM transactions)
			JOIN transactions t ON t.seq = first + ?2 % (last - first + 1)`, c.now-campaignRest, t.rng.Int64())
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		if k, err := cardAt(ctx, c.tx, rows[0]); err != nil || k.Status == sim.CardActive {
			return k, err
		}
	}
	return nil, nil
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

func (t *traffic) chargeCard(ctx context.Context, c *change) error {
	if t.rng.IntN(10) == 0 {
		return t.attemptDecline(ctx, c)
	}
	k, err := t.spender(ctx, c)
	if err != nil || k == nil {
		return err
	}
	txn, err := c.authorize(ctx, k, t.affordable(k, c.now), sim.NotChallenged)
	if err != nil || txn.kind != sim.TxnAuthorization {
		return err
	}
	return c.schedule(ctx, c.now+t.between(5*unit.Second, 90*unit.Second), jobSettle, txn.seq, t.settledAmount(txn.amount))
}

// settledAmount returns what an authorization settles for: mostly its amount.
func (t *traffic) settledAmount(amount unit.Cents) unit.Cents {
	if t.rng.IntN(6) > 0 {
		return amount
	}
	return max(1, amount*unit.Cents(85+t.rng.IntN(25))/100)
}

// attemptDecline makes an attempt that the rules of the card decline.
func (t *traffic) attemptDecline(ctx context.Context, c *change) error {
	k, err := (*sim.Card)(nil), error(nil)
	if t.rng.IntN(3) == 0 {
		k, err = t.randomCard(ctx, c, sim.CardFrozen)
	} else {
		k, err = t.spender(ctx, c)
	}
	if err != nil || k == nil {
		return err
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
	_, err = c.decline(ctx, k, p, reason, sim.NotChallenged)
	return err
}

// startChallenge starts a challenge; most are completed in time.
func (t *traffic) startChallenge(ctx context.Context, c *change) error {
	k, err := t.spender(ctx, c)
	if err != nil || k == nil {
		return err
	}
	h, err := c.challenge(ctx, k, t.affordable(k, c.now), "")
	if err != nil || t.rng.IntN(t.rate.answered) == 0 {
		return err
	}
	return c.schedule(ctx, c.now+t.between(25*unit.Second, 120*unit.Second), jobComplete, h.seq, 0)
}

// receiveDeposit adds a pending deposit.
func (t *traffic) receiveDeposit(ctx context.Context, c *change) error {
	coins := sim.Currencies()
	coin := coins[t.rng.IntN(len(coins))]
	amount := 5000 * unit.Cents(2+t.rng.IntN(20))
	if t.rate.deposit > 0 {
		amount = max(1000, t.rate.deposit*unit.Cents(50+t.rng.IntN(100))/100/500*500)
	}
	d, err := c.detectDeposit(ctx, coin.Code, amount)
	if err != nil {
		return err
	}
	return c.schedule(ctx, c.now+coin.Block, jobBlock, d.seq, 0)
}
