package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
)

// cardItem is a card in a list, as the contract has it.
type cardItem struct {
	ID        api.CardID     `json:"id"`
	BIN       api.BINID      `json:"bin_id"`
	Network   api.Text       `json:"network"`
	Last4     api.Text       `json:"last4"`
	Status    api.CardStatus `json:"status"`
	Balance   api.USD        `json:"balance"`
	Label     *api.Text      `json:"label,omitempty"` // nil: not known
	CreatedAt any            `json:"created_at"`
}

type pagination struct {
	Page       int  `json:"page"`
	PerPage    int  `json:"per_page"`
	Total      int  `json:"total"`
	TotalPages *int `json:"total_pages,omitempty"`
}

type listOf[T any] struct {
	Data       []T         `json:"data"`
	Pagination *pagination `json:"pagination,omitempty"`
	// Unread are the items of the service's list that the hub cannot read.
	Unread []unreadItem `json:"unread,omitempty"`
	// Withheld is why the person gets nothing of the list.
	Withheld string `json:"withheld,omitempty"`
}

// unreadItem is an item of the service's list that the hub cannot read: its identifier, or
// else where it stood. One of a list for who sees some cards has neither, however many there
// are: they may be about cards that the person may not see.
type unreadItem struct {
	ID   api.Text `json:"id,omitempty"`
	Page int      `json:"page,omitempty"`
	Row  int      `json:"row,omitempty"`
}

// unreadOf is what of the list of a lane cannot be read, as a person may know it.
func unreadOf(st *state.Store, lane poll.Lane, p *team.Person) (out []unreadItem) {
	for _, u := range st.Poll.Source(lane).Unread {
		if !p.SeesAll() {
			return []unreadItem{{}}
		}
		out = append(out, unreadItem{u.ID, u.Page, u.Row})
	}
	return out
}

// defaultCards and defaultTransactions are the lengths of a page (contract, Limits).
const (
	defaultCards        = 25
	defaultTransactions = 50
)

// listCards answers from memory.
func (s *Server) listCards(r *request) (answer, error) {
	q := r.URL.Query()
	status, err1 := word(q, "status", "active", "frozen", "terminated")
	by, err2 := word(q, "sort", "created_at", "balance", "last_used")
	order, err3 := word(q, "order", "asc", "desc")
	p, err4 := pageOf(q, defaultCards)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return answer{}, err
	}
	cards, unread, age, err := s.cards(r)
	if err != nil {
		return answer{}, err
	}
	label, bin, ofBIN, all := strings.ToLower(q.Get("label")), q.Get("bin_id"), q.Has("bin_id"), r.person.SeesAll()
	var found []*cardlist.Row
	for i := range cards.Len() {
		row := cards.Row(i)
		if (status == "" || string(row.Status()) == status) && (!ofBIN || string(row.BIN()) == bin) &&
			(label == "" || strings.Contains(strings.ToLower(string(row.Label)), label)) && (all || r.person.Sees(string(row.Label))) {
			found = append(found, row)
		}
	}
	s.sortCards(found, by, order != "asc")
	items := []cardItem{}
	for _, row := range cut(p, found) {
		item := cardItem{row.ID, row.BIN(), row.Network(), row.Last4.Text(), row.Status(), row.Balance, &row.Label, stamp(row.Created.Time())}
		if row.NoLabel {
			item.Label = nil
		}
		items = append(items, item)
	}
	pages := (len(found) + p.size - 1) / p.size
	return fromMemory(listOf[cardItem]{Data: items, Pagination: &pagination{p.number, p.size, len(found), &pages}, Unread: unread}, age)
}

// cards returns the cards there are, what of the list cannot be read, and how old that is.
func (s *Server) cards(r *request) (cards cardlist.List, unread []unreadItem, age time.Duration, err error) {
	if err := s.waitReady(r.Context()); err != nil {
		return cards, nil, 0, err
	}
	err = s.read(r.Context(), func(st *state.Store) {
		cards, unread, age = st.Cards.All().Share(), unreadOf(st, poll.Hot, r.person), s.ageOf(st, poll.Sweep)
	})
	return cards, unread, age, err
}

// ageOf is how old what a lane read is.
func (s *Server) ageOf(st *state.Store, lane poll.Lane) time.Duration {
	if s.reader() {
		return s.cfg.Several.Age(lane)
	}
	return max(0, s.cfg.Now().Sub(st.Poll.OKAt(lane)))
}

func (s *Server) sortCards(rows []*cardlist.Row, by string, desc bool) {
	compare := func(a, b *cardlist.Row) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	}
	switch by {
	case "balance":
		older := compare
		compare = func(a, b *cardlist.Row) int { return cmp.Or(cmp.Compare(a.Balance, b.Balance), older(a, b)) }
	case "last_used":
		older := compare
		rank := make(map[api.CardID]int)
		if hot := s.hot.ids.Load(); hot != nil {
			for i, id := range *hot {
				rank[id] = len(*hot) - i
			}
		}
		compare = func(a, b *cardlist.Row) int {
			return cmp.Or(cmp.Compare(rank[a.ID], rank[b.ID]), cmp.Compare(a.Used, b.Used), older(a, b))
		}
	}
	slices.SortFunc(rows, func(a, b *cardlist.Row) int {
		if desc {
			return compare(b, a)
		}
		return compare(a, b)
	})
}

// seen is what is known of a card that a person may see.
type seen struct {
	label, name string
	known       bool // by the list
}

// see finds a card that a person may see. Only who sees all cards has one read that the
// list does not know: others are told the same as of one that they may not see.
func (s *Server) see(ctx context.Context, p *team.Person, id string) (c seen, err error) {
	if err := s.waitReady(ctx); err != nil {
		return c, err
	}
	err = s.read(ctx, func(st *state.Store) {
		card, ok := st.Cards.Get(api.CardID(id))
		c = seen{string(card.Label), card.Name(), ok}
	})
	switch {
	case err != nil:
		return c, err
	case c.known && p.Sees(c.label):
		return c, nil
	case c.known, !p.SeesAll():
		return c, notFound()
	}
	body, _, err := s.through(ctx, p, cardRead(id), shortly)
	if err != nil {
		return c, err
	}
	var card api.CardSummary
	if err := json.Unmarshal(body, &card); err != nil {
		return c, err
	}
	return seen{label: string(card.Label), name: cardlist.Name(card.Label, card.Last4)}, nil
}

func cardRead(id string) api.Read { return api.Read{Route: "/cards/{card_id}", Segment: id} }

// getCard answers with the card's summary.
func (s *Server) getCard(r *request) (answer, error) {
	if _, err := s.see(r.Context(), r.person, r.id); err != nil {
		return answer{}, err
	}
	_, body, age, err := s.seeNow(r)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: body, age: age}, nil
}

// seeNow reads the card, whose label may be another than that of the last sweep.
func (s *Server) seeNow(r *request) (label string, body []byte, age time.Duration, err error) {
	if body, age, err = s.through(r.Context(), r.person, cardRead(r.id), shortly); err != nil {
		return "", nil, 0, err
	}
	var now struct {
		Label api.Text `json:"label"`
	}
	if json.Unmarshal(body, &now) != nil || !r.person.Sees(string(now.Label)) {
		return "", nil, 0, notFound()
	}
	return string(now.Label), body, age, nil
}

// getDetails answers with the card's secrets, once that is in the audit.
func (s *Server) getDetails(r *request) (answer, error) {
	c, err := s.see(r.Context(), r.person, r.id)
	if err != nil {
		return answer{}, err
	}
	if wait := s.limits.Take(r.person.Name, limit.Detail); wait > 0 {
		return answer{}, tooMany(wait)
	}
	label, _, _, err := s.seeNow(r)
	if err != nil {
		return answer{}, err
	}
	record := state.Record{
		Action: "details", Card: api.CardID(r.id), Name: c.name, Label: label, Outcome: state.OpStatusBegun,
		Method: http.MethodGet, Route: "/cards/{card_id}/details", By: r.actor(),
	}
	if _, err := s.cfg.Audit.Add(record); err != nil {
		return answer{}, refuse(http.StatusInternalServerError, "audit_failed", "the audit cannot be written: nothing was read")
	}
	switch ev := s.cfg.Engine.Run(r.Context(), secrets.FetchDetails{Card: api.CardID(r.id)}).(type) {
	case secrets.DetailsLoaded:
		defer ev.Details.Wipe()
		return answer{status: http.StatusOK, body: detailsBody(ev.Details), wipe: true}, nil
	case state.FetchFailed:
		return answer{}, ev.Err
	case state.Deferred:
		return answer{}, tooMany(ev.Wait)
	default:
		return answer{}, errors.New("read details: no answer")
	}
}

// actor is who sends the request, for the journal and the audit.
func (r *request) actor() state.Actor {
	return state.Actor{Name: r.person.Name, Role: r.person.Role.String(), From: r.from()}
}

// detailsBody writes details. The secrets are copied once, into what is wiped when it
// is sent.
func detailsBody(d *api.CardDetails) []byte {
	rest, _ := encode(struct { // Texts and numbers.
		ID      api.CardID  `json:"id"`
		Month   int         `json:"exp_month"`
		Year    int         `json:"exp_year"`
		Holder  api.Text    `json:"holder_name"`
		Address api.Address `json:"billing_address"`
	}{d.ID, d.ExpMonth, d.ExpYear, d.HolderName, d.BillingAddress})
	out := make([]byte, 0, len(rest)+len(d.PAN.Bytes())+len(d.CVV.Bytes())+32)
	out = append(out, rest[:len(rest)-1]...)
	out = append(append(append(out, `,"pan":"`...), digits(d.PAN.Bytes())...), '"')
	return append(append(append(out, `,"cvv":"`...), digits(d.CVV.Bytes())...), `"}`...)
}

// digits returns a secret if nothing in it ends a JSON string; else nothing.
func digits(b []byte) []byte {
	for _, c := range b {
		if c < ' ' || c == '"' || c == '\\' || c > '~' {
			return nil
		}
	}
	return b
}
