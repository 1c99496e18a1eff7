package sandbox

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// challengePrefix begins the identifier of a challenge.
const challengePrefix = "3ds_"

// codeLife is how long a code is valid (contract, Limits).
const codeLife = 5 * unit.Minute

// listedFor is how long an ended challenge stays in the list, which clients poll
// every second. It can always be read by its id.
const listedFor = 2 * unit.Hour

// challengeRow is one row of the challenges table.
type challengeRow struct {
	seq      int64
	card     int64
	merchant sim.Merchant
	amount   unit.Cents
	otp      string
	status   string
	expires  unit.Instant
	created  unit.Instant
}

// at returns the challenge as it is at a time: a pending one expires as soon as its time is over
// (ASSUMED 19).
func (h challengeRow) at(now unit.Instant) *challengeRow {
	if h.status == statusPending && h.expires <= now {
		h.status = statusExpired
	}
	return &h
}

// challenge is the contract's 3DS challenge.
type challenge struct {
	ID       string       `json:"id"`
	Card     string       `json:"card_id"`
	Merchant string       `json:"merchant"`
	Amount   unit.Cents   `json:"amount"`
	OTP      string       `json:"otp,omitempty"`
	Status   string       `json:"status"`
	Expires  unit.Instant `json:"expires_at"`
	Created  unit.Instant `json:"created_at"`
}

func (s *Server) challengeBody(h *challengeRow) challenge {
	return challenge{
		ID: s.world.ID(challengePrefix, h.seq), Card: s.world.ID(cardPrefix, h.card), Merchant: h.merchant.Name, Amount: h.amount,
		OTP: h.otp, Status: h.status, Expires: h.expires, Created: h.created,
	}
}

// listChallenges returns the challenges, newest first.
func listChallenges(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	status := q.Choice("status", "", statusPending, statusCompleted, statusExpired)
	if q.Err != nil {
		return nil, q.Err
	}
	list := wire.List[challenge]{Data: []challenge{}}
	card := int64(0)
	if id := q.Text("card_id"); id != "" {
		known := false
		if card, known = s.world.Seq(cardPrefix, id); !known {
			return list, nil
		}
	}
	now := s.clock.Now()
	shown := s.faults.ShowCode()
	for _, h := range s.recentChallenges(now) {
		if card != 0 && h.card != card || status != "" && h.status != status {
			continue
		}
		item := s.challengeBody(h)
		if !shown(item.Created, now) {
			item.OTP = ""
		}
		list.Data = append(list.Data, item)
	}
	return list, nil
}

// recentChallenges returns the challenges that are listed, newest first.
func (s *Server) recentChallenges(now unit.Instant) (list []*challengeRow) {
	for _, h := range slices.Backward(s.challenges.Rows()) {
		// Those of a new world are in the order of time but for minutes.
		if h.created < now-listedFor-unit.Hour {
			break
		}
		if h.expires > now-listedFor {
			list = append(list, h.at(now))
		}
	}
	slices.SortStableFunc(list, func(a, b *challengeRow) int { return cmp.Compare(b.created, a.created) })
	return list
}

func getChallenge(s *Server, req *request) (any, error) {
	seq, ok := s.world.Seq(challengePrefix, req.id)
	if !ok {
		return nil, wire.NotFound("challenge")
	}
	h, err := s.challengeAt(seq, s.clock.Now())
	if err != nil {
		return nil, err
	}
	return s.challengeBody(h), nil
}

func (s *Server) challengeAt(seq int64, now unit.Instant) (*challengeRow, error) {
	h, ok := s.challenges.At(seq)
	if !ok {
		return nil, wire.NotFound("challenge")
	}
	return h.at(now), nil
}

// challenge starts the verification of a purchase. Its code follows from the seed
// unless one is given.
func (c *change) challenge(k *sim.Card, p sim.Purchase, otp string) *challengeRow {
	h := &challengeRow{
		seq: c.s.challenges.Len() + 1, card: k.Seq, merchant: p.Merchant, amount: p.Amount, otp: otp, status: statusPending,
		expires: c.now + codeLife, created: c.now,
	}
	if otp == "" {
		h.otp = c.s.world.OTP(h.seq)
	}
	c.s.challenges.Add(c.tx, *h)
	c.schedule(h.expires, jobExpire, h.seq, 0)
	shown := c.s.challengeBody(h)
	c.emit("3ds.challenge", shown.ID, shown)
	return h
}

// completeChallenge ends a pending challenge and authorizes the purchase by the
// rules of the card.
func (c *change) completeChallenge(h *challengeRow) (*txnRow, error) {
	c.endChallenge(h, statusCompleted)
	k, err := c.s.cardAt(h.card)
	if err != nil {
		return nil, err
	}
	return c.authorize(k, sim.Purchase{Amount: h.amount, Merchant: h.merchant}, sim.ChallengePassed), nil
}

// expireChallenge ends a pending challenge and declines the purchase.
func (c *change) expireChallenge(h *challengeRow) (*txnRow, error) {
	c.endChallenge(h, statusExpired)
	k, err := c.s.cardAt(h.card)
	if err != nil {
		return nil, err
	}
	return c.decline(k, sim.Purchase{Amount: h.amount, Merchant: h.merchant}, sim.DeclineChallenge, sim.ChallengeFailed), nil
}

func (c *change) endChallenge(h *challengeRow, status string) {
	if h.status = status; status == statusExpired {
		h.expires = min(h.expires, c.now)
	}
	c.s.challenges.Set(c.tx, h.seq, *h)
	c.cancel(h.seq, jobComplete, jobExpire)
}

func (c *change) doEndChallenge(j job) error {
	// At time 0 it cannot be expired by time: the stored state decides here.
	h, err := c.s.challengeAt(j.object, 0)
	if err != nil {
		return err
	}
	if h.status != statusPending {
		return nil
	}
	if j.kind == jobExpire {
		_, err := c.expireChallenge(h)
		return err
	}
	t, err := c.completeChallenge(h)
	if err == nil && t.kind == sim.TxnAuthorization && !c.s.quiet {
		c.schedule(c.now+10*unit.Second, jobSettle, t.seq, t.amount)
	}
	return err
}
