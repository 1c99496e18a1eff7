package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// controlRoutes are the endpoints below /sandbox, which cause events and faults:
//
//	POST   /challenges                {card_id?, merchant?, amount?, otp?}
//	POST   /challenges/{id}/complete  the purchase goes through the card's rules
//	POST   /challenges/{id}/expire    the purchase is declined
//	POST   /cards/{id}/expire         {days?}: in so many days, at once without
//	POST   /transactions              {card_id, type, amount, currency?, part?, merchant?, category?, mcc?, country?,
//	                                  decline_reason?, decline_text?}
//	POST   /deposits                  {currency, amount_usd, status?}
//	POST   /deposits/{id}/confirm     credit it to the wallet
//	POST   /deposits/{id}/expire      it will not be credited
//	POST   /clock                     {advance_seconds}
//	POST   /faults                    {kind, route?, times?, probability?, latency_ms?}
//	GET    /faults                    the faults in force
//	DELETE /faults                    remove all faults
//	GET    /report                    requests so far
//	GET    /spend                     {from?, to?} in the query: spending by campaign and day
//
// A card_id may be the beginning of one, or the card's last four digits. No API key
// is needed, only callers on this machine are served. Bodies are application/json.
// Errors are a 4xx with the documented body.
func controlRoutes() []route {
	const ok, created = http.StatusOK, http.StatusCreated
	return []route{
		{method: "POST", template: "/challenges", status: created, write: triggerChallenge},
		{method: "POST", template: "/challenges/{challenge_id}/complete", status: ok, write: triggerComplete},
		{method: "POST", template: "/challenges/{challenge_id}/expire", status: ok, write: triggerExpire},
		{method: "POST", template: "/cards/{card_id}/expire", status: ok, write: triggerCardExpire},
		{method: "POST", template: "/transactions", status: created, write: triggerTransaction},
		{method: "POST", template: "/deposits", status: created, write: triggerDeposit},
		{method: "POST", template: "/deposits/{deposit_id}/confirm", status: ok, write: triggerConfirm},
		{method: "POST", template: "/deposits/{deposit_id}/expire", status: ok, write: triggerDepositEnd},
		{method: "POST", template: "/clock", status: ok, write: triggerClock},
		{method: "POST", template: "/faults", status: created, write: addFault},
		{method: "GET", template: "/faults", status: ok, read: listFaults},
		{method: "DELETE", template: "/faults", status: ok, write: clearFaults},
		{method: "GET", template: "/report", status: ok, read: getReport},
		{method: "GET", template: "/spend", status: ok, read: listSpend},
	}
}

// answerControl serves the control to callers on this machine, but not to web pages:
// a page names its origin, and one that resolves its own name to this machine names
// another host.
func (s *Server) answerControl(w http.ResponseWriter, r *http.Request, path string) answer {
	local := isLoopback(hostOf(r.RemoteAddr)) && isLoopback(hostOf(r.Host)) && r.Header.Get("Origin") == ""
	if r.RemoteAddr != wire.InProcessAddr && !local {
		return errorAnswer(&wire.Error{
			Status: http.StatusForbidden, ID: "forbidden", Message: "the control answers to this machine only",
		})
	}
	rt, id, others := match(s.control, r.Method, path)
	if rt == nil {
		return noRoute(others)
	}
	if r.ContentLength != 0 && r.Header.Get("Content-Type") == "" {
		return errorAnswer(wire.Invalid("Content-Type must be application/json"))
	}
	a := s.perform(w, r, rt, &request{id: id, query: r.URL.RawQuery, scope: r.Method + " " + r.URL.EscapedPath()})
	if rt.template == "/clock" && a.status == http.StatusOK {
		// Jobs that became due are done before the answer, even without Run.
		if _, err := s.catchUp(r.Context()); err != nil {
			return s.answerError(r.Context(), err)
		}
	}
	return a
}

// anyCard returns the card that a trigger names, or else an active one.
func (c *change) anyCard(f *wire.Form) (*sim.Card, error) {
	id, named := f.Text("card_id")
	if f.Err != nil {
		return nil, f.Err
	}
	if named {
		return c.namedCard(id)
	}
	for _, k := range slices.Backward(c.s.byUse.Rows) {
		if k.Status == sim.CardActive {
			return c.s.cardAt(k.Seq)
		}
	}
	return nil, wire.WrongState("there is no active card")
}

// parseMerchant returns the merchant that a trigger names; fields without a value
// are those of a merchant that usually charges the card.
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

// namedCard returns the card of an id, of the beginning of one, with or without its
// prefix, or of the last four digits. It reads all cards unless it has a full id.
func (c *change) namedCard(name string) (*sim.Card, error) {
	k, err := c.s.findCard(name)
	var f *wire.Error
	if err == nil || !errors.As(err, &f) || f.Status != http.StatusNotFound {
		return k, err
	}
	start := strings.TrimPrefix(name, cardPrefix)
	if start == "" {
		return nil, err
	}
	var found []*sim.Card
	var names []string
	for _, k := range c.s.cards.Rows() {
		id, last4 := c.s.world.ID(cardPrefix, k.Seq), c.s.world.Last4(k)
		if last4 == name || strings.HasPrefix(strings.TrimPrefix(id, cardPrefix), start) {
			found, names = append(found, k), append(names, id+" ••"+last4)
		}
	}
	switch len(found) {
	case 0:
		return nil, err
	case 1:
		return c.s.cardAt(found[0].Seq)
	}
	return nil, wire.Invalid("card_id fits several cards: %s", joinNames(names))
}

// joinNames returns the first of some names and how many more there are.
func joinNames(names []string) string {
	const named = 5
	if more := len(names) - named; more > 0 {
		return strings.Join(names[:named], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// parseFault parses the body of POST /sandbox/faults.
func parseFault(body []byte) (wire.Fault, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return wire.Fault{}, err
	}
	one := wire.Fault{Kind: f.RequiredText("kind"), Route: "*", Probability: 1}
	if !slices.Contains(wire.FaultNames(), one.Kind) {
		f.Fail("kind must be one of %s", strings.Join(wire.FaultNames(), ", "))
	}
	if route, set := f.Text("route"); set {
		one.Route = route
	}
	switch {
	case !knownRoute(one.Route, false):
		f.Fail("route must be *, a path such as /cards/{card_id}, or a method and a path")
	case one.OfLists() && !knownRoute(one.Route, true):
		f.Fail("route must be that of a list, such as GET /cards")
	}
	one.Times, _ = f.Integer("times", 1, 1_000_000)
	one.Latency, _ = f.Integer("latency_ms", 1, 600_000)
	if raw, set := f.Raw("probability"); set {
		if json.Unmarshal(raw, &one.Probability) != nil || one.Probability <= 0 || one.Probability > 1 {
			f.Fail("probability must be a number above 0, at most 1")
		}
	}
	if one.Latency == 0 && (one.Kind == wire.FaultLatency || one.Kind == wire.FaultLateCode) {
		f.Fail("latency_ms is required")
	}
	return one, f.Err
}

// knownRoute reports whether a fault may have a route; list asks for one of a list.
func knownRoute(name string, list bool) bool {
	return name == "*" || slices.ContainsFunc(contractRoutes(), func(rt route) bool {
		return (rt.list || !list) && (rt.name() == name || rt.template == name)
	})
}

func addFault(c *change, req *request) (any, error) {
	one, err := parseFault(req.body)
	if err != nil {
		return nil, err
	}
	c.s.faults.Add(one)
	return one, nil
}

func listFaults(s *Server, _ *request) (any, error) {
	return wire.List[wire.Fault]{Data: s.faults.All()}, nil
}

func clearFaults(c *change, _ *request) (any, error) {
	c.s.faults.Clear()
	return wire.List[wire.Fault]{Data: []wire.Fault{}}, nil
}

func getReport(s *Server, _ *request) (any, error) { return s.report.Body(), nil }
