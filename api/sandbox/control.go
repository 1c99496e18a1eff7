package sandbox

import (
	"context"
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// controlRoutes are the endpoints below /sandbox, which make things happen:
//
//	POST   /challenges                {card_id?, merchant?, amount?, otp?}
//	POST   /challenges/{id}/complete  the purchase goes through the card's rules
//	POST   /challenges/{id}/expire    the purchase is declined
//	POST   /transactions              {card_id, type, amount, merchant?, category?, mcc?, country?, decline_reason?}
//	POST   /deposits                  {currency, amount_usd, status?}
//	POST   /deposits/{id}/confirm     the deposit is credited
//	POST   /deposits/{id}/expire      it never will be
//	POST   /clock                     {advance_seconds}
//	POST   /faults                    {kind, route?, times?, probability?, latency_ms?}
//	GET    /faults                    what is in force
//	DELETE /faults                    nothing is any more
//	GET    /report                    what reached the server
//
// A card_id may be the beginning of one, or the card's last four digits.
// They ask for no key: only this machine reaches them. Bodies are JSON and say
// so. What cannot be done is answered with a 4xx and the documented error body.
func controlRoutes() []route {
	const ok, created = http.StatusOK, http.StatusCreated
	return []route{
		{method: "POST", template: "/challenges", status: created, write: triggerChallenge},
		{method: "POST", template: "/challenges/{challenge_id}/complete", status: ok, write: triggerComplete},
		{method: "POST", template: "/challenges/{challenge_id}/expire", status: ok, write: triggerExpire},
		{method: "POST", template: "/transactions", status: created, write: triggerTransaction},
		{method: "POST", template: "/deposits", status: created, write: triggerDeposit},
		{method: "POST", template: "/deposits/{deposit_id}/confirm", status: ok, write: triggerConfirm},
		{method: "POST", template: "/deposits/{deposit_id}/expire", status: ok, write: triggerDepositEnd},
		{method: "POST", template: "/clock", status: ok, write: triggerClock},
		{method: "POST", template: "/faults", status: created, write: addFault},
		{method: "GET", template: "/faults", status: ok, read: listFaults},
		{method: "DELETE", template: "/faults", status: ok, write: clearFaults},
		{method: "GET", template: "/report", status: ok, read: getReport},
	}
}

// answerControl serves the control to callers on this machine. Web pages are
// kept out: one names its origin, and one that gave its own name this machine's
// address names another host.
func (s *Server) answerControl(w http.ResponseWriter, r *http.Request, path string) answer {
	local := isLoopback(hostOf(r.RemoteAddr)) && isLoopback(hostOf(r.Host)) && r.Header.Get("Origin") == ""
	if r.RemoteAddr != wire.InProcessAddr && !local {
		return refuse(&wire.Error{
			Status: http.StatusForbidden, ID: "forbidden", Message: "the control answers to this machine only",
		})
	}
	rt, id, others := match(s.control, r.Method, path)
	if rt == nil {
		return unrouted(others)
	}
	if r.ContentLength != 0 && r.Header.Get("Content-Type") == "" {
		return refuse(wire.Invalid("Content-Type must be application/json"))
	}
	a := s.perform(w, r, rt, &request{id: id, query: r.URL.RawQuery, scope: r.Method + " " + r.URL.EscapedPath()})
	if rt.template == "/clock" && a.status == http.StatusOK {
		// What became due is done before the answer, also when nothing runs.
		if _, err := s.catchUp(r.Context()); err != nil {
			return s.failed(r.Context(), err)
		}
	}
	return a
}

// anyCard finds the card that a trigger names, or else an active one.
func (c *change) anyCard(ctx context.Context, f *wire.Form) (*sim.Card, error) {
	id, named := f.Text("card_id")
	if f.Err != nil {
		return nil, f.Err
	}
	if named {
		return c.namedCard(ctx, id)
	}
	seqs, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt, `SELECT seq FROM cards WHERE status = 'active'
		ORDER BY last_used DESC, seq DESC LIMIT 1`)
	if err != nil {
		return nil, err
	}
	if len(seqs) == 0 {
		return nil, wire.WrongState("there is no active card")
	}
	return cardAt(ctx, c.tx, seqs[0])
}

// parseMerchant reads who charges a card; what is not named is that of the
// card's usual merchant.
func (c *change) parseMerchant(f *wire.Form, label string) sim.Merchant {
	rng := c.s.world.Rand("merchant", int64(c.now))
	m := sim.PlatformOf(label, rng).Charge(rng).Merchant
	for name, field := range map[string]*string{
		"merchant": &m.Name, "category": &m.Category, "mcc": &m.MCC, "country": &m.Country,
	} {
		if value, set := f.Text(name); set && value != "" {
			*field = value
		}
	}
	return m
}

func triggerChallenge(ctx context.Context, c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.anyCard(ctx, f)
	if err != nil {
		return nil, err
	}
	p := sim.Purchase{Amount: 2500, Merchant: c.parseMerchant(f, k.Label)}
	if amount, set := f.Money("amount", 1, unit.MostCents); set {
		p.Amount = amount
	}
	otp, set := f.Text("otp")
	if set && !isCode(otp) {
		f.Fail("otp must be six digits")
	}
	if f.Err != nil {
		return nil, f.Err
	}
	if k.Status != sim.CardActive {
		return nil, wire.WrongState("the card is %s", k.Status)
	}
	h, err := c.challenge(ctx, k, p, otp)
	if err != nil {
		return nil, err
	}
	return c.s.shownChallenge(h), nil
}

func isCode(text string) bool {
	return len(text) == 6 && strings.Trim(text, "0123456789") == ""
}

// pendingChallenge finds a challenge that can still be ended.
func (c *change) pendingChallenge(ctx context.Context, id string) (*challengeRow, error) {
	seq, ok := c.s.world.Seq(challengePrefix, id)
	if !ok {
		return nil, wire.NotFound("challenge")
	}
	h, err := challengeAt(ctx, c.tx, seq, c.now)
	if err != nil {
		return nil, err
	}
	if h.status != statusPending {
		return nil, wire.WrongState("the challenge is %s", h.status)
	}
	return h, nil
}

func triggerComplete(ctx context.Context, c *change, req *request) (any, error) {
	h, err := c.pendingChallenge(ctx, req.id)
	if err != nil {
		return nil, err
	}
	t, err := c.completeChallenge(ctx, h)
	if err != nil {
		return nil, err
	}
	return endedChallenge{c.s.shownChallenge(h), c.s.shownTransaction(t)}, nil
}

// endedChallenge is a challenge with the transaction that came of it.
type endedChallenge struct {
	challenge
	Transaction transaction `json:"transaction"`
}

func triggerExpire(ctx context.Context, c *change, req *request) (any, error) {
	h, err := c.pendingChallenge(ctx, req.id)
	if err != nil {
		return nil, err
	}
	t, err := c.expireChallenge(ctx, h)
	if err != nil {
		return nil, err
	}
	return endedChallenge{c.s.shownChallenge(h), c.s.shownTransaction(t)}, nil
}
