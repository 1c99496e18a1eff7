package hub

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// txnItem is a transaction in a list, as the contract has it.
type txnItem struct {
	ID           api.TransactionID   `json:"id"`
	CardID       api.CardID          `json:"card_id"`
	Type         api.TransactionType `json:"type"`
	Amount       api.Units           `json:"amount"`
	Currency     api.Text            `json:"currency"`
	Merchant     api.Merchant        `json:"merchant"`
	BalanceAfter *api.USD            `json:"balance_after"`
	CreatedAt    any                 `json:"created_at"`
}

// txnQuery is what transactions are asked for by.
type txnQuery struct {
	card, kind, merchant string
	from, to             time.Time
	least, most          *api.USD
	page
	// sent is the query as it goes to the service, without the page.
	sent url.Values
}

func parseTxnQuery(q url.Values) (t txnQuery, err error) {
	var errs [7]error
	t.kind, errs[0] = word(q, "type", "authorization", "settlement", "refund", "decline")
	t.from, errs[1] = moment(q, "from", false)
	t.to, errs[2] = moment(q, "to", true)
	t.least, errs[3] = amount(q, "min_amount")
	t.most, errs[4] = amount(q, "max_amount")
	t.page, errs[5] = pageOf(q, defaultTransactions)
	t.card, errs[6] = identifier(q, "card_id")
	t.merchant = strings.ToLower(q.Get("merchant"))
	t.sent = url.Values{}
	for _, name := range []string{"card_id", "type", "from", "to", "merchant", "min_amount", "max_amount"} {
		if q.Has(name) {
			t.sent.Set(name, q.Get(name))
		}
	}
	return t, errors.Join(errs[:]...)
}

// fits reports whether a transaction is asked for.
func (q *txnQuery) fits(t *api.Transaction) bool {
	return (q.card == "" || string(t.CardID) == q.card) && (q.kind == "" || string(t.Type) == q.kind) &&
		(q.from.IsZero() || !t.CreatedAt.Before(q.from)) && (q.to.IsZero() || !t.CreatedAt.After(q.to)) &&
		(q.least == nil || t.Sent() >= api.Units(*q.least)) && (q.most == nil || t.Sent() <= api.Units(*q.most)) &&
		(q.merchant == "" || strings.Contains(strings.ToLower(string(t.Merchant.Name)), q.merchant))
}

// listTransactions answers from memory as far as that goes back, and else asks the
// service.
func (s *Server) listTransactions(r *request) (answer, error) {
	q, err := parseTxnQuery(r.URL.Query())
	if err != nil {
		return answer{}, err
	}
	if q.card != "" {
		_, err := s.see(r.Context(), r.person, q.card)
		switch {
		case isNotFound(err):
			return jsonOf(listOf[txnItem]{Data: []txnItem{}, Pagination: &pagination{Page: q.number, PerPage: q.size}}, -1)
		case err != nil:
			return answer{}, err
		}
	}
	if a, ok, err := s.recentTransactions(r, &q); ok || err != nil {
		return a, err
	}
	if r.person.SeesAll() || q.card != "" {
		body, age, err := s.through(r.Context(), r.person, api.Read{Route: "/transactions", Query: q.upstream(q.number, q.size)}, aWhile)
		return answer{status: http.StatusOK, body: body, age: age}, err
	}
	return s.searchTransactions(r, &q)
}

// pin bounds the pages that follow the first, which is of an age.
func (q *txnQuery) pin(first []json.RawMessage, serverNow time.Time, age time.Duration) {
	rows := make([]api.Transaction, len(first))
	for i, row := range first {
		var of struct {
			CreatedAt time.Time `json:"created_at"`
		}
		if json.Unmarshal(row, &of) == nil { // Else the row bounds nothing.
			rows[i].CreatedAt = of.CreatedAt
		}
	}
	q.to = txnlist.Pin(q.to, rows, serverNow.Add(-age))
	q.sent.Set("to", q.to.UTC().Format(time.RFC3339Nano))
}

func (q *txnQuery) upstream(number, size int) url.Values {
	out := url.Values{"page": {strconv.Itoa(number)}, "per_page": {strconv.Itoa(size)}}
	for name, values := range q.sent {
		out[name] = values
	}
	return out
}

// recentTransactions answers from memory; ok is false where that does not go back so
// far.
func (s *Server) recentTransactions(r *request, q *txnQuery) (a answer, ok bool, err error) {
	if err := s.waitReady(r.Context()); err != nil {
		return a, false, err
	}
	var found listOf[txnItem]
	var age time.Duration
	total := 0
	err = s.read(r.Context(), func(st *state.Store) {
		past := st.Past.State("")
		if ok = past.End || !q.from.IsZero() && !past.Back.IsZero() && past.Back.Before(q.from); !ok {
			return
		}
		age, found.Data, found.Unread = s.ageOf(st, poll.Feed), []txnItem{}, unreadOf(st, poll.Feed, r.person)
		sees := s.cardsSeen(st, r)
		rows := st.Txns.All()
		for i := len(rows) - 1; i >= 0; i-- {
			t := &rows[i]
			if !q.fits(t) || !sees(t.CardID) {
				continue
			}
			if total++; total > (q.number-1)*q.size && total <= q.number*q.size {
				found.Data = append(found.Data, txnItem{t.ID, t.CardID, t.Type, t.Sent(), t.Currency, t.Merchant, t.BalanceAfter, stamp(t.CreatedAt)})
			}
		}
	})
	if err != nil || !ok {
		return a, false, err
	}
	found.Pagination = &pagination{Page: q.number, PerPage: q.size, Total: total}
	a, err = fromMemory(found, age)
	return a, true, err
}

// cardsSeen returns what tells whether the person may see a card. It is used where the
// store is.
func (s *Server) cardsSeen(st *state.Store, r *request) func(api.CardID) bool {
	if r.person.SeesAll() {
		return func(api.CardID) bool { return true }
	}
	known := make(map[api.CardID]bool)
	return func(id api.CardID) bool {
		sees, asked := known[id]
		if !asked {
			card, ok := st.Cards.Get(id)
			sees = ok && r.person.Sees(string(card.Label))
			known[id] = sees
		}
		return sees
	}
}

// searchPages bounds how many pages of the service one search reads.
const searchPages = 40

// searchTransactions reads pages of the service, as of the first of them, until it has a
// page of what the person may see. The total is of what was found until then.
func (s *Server) searchTransactions(r *request, q *txnQuery) (answer, error) {
	need, total := q.number*q.size, 0
	out := listOf[json.RawMessage]{Data: []json.RawMessage{}}
	for n := 1; n <= searchPages; n++ {
		body, age, err := s.through(r.Context(), r.person, api.Read{Route: "/transactions", Query: q.upstream(n, api.MaxPerPage)}, aWhile)
		if err != nil {
			return answer{}, err
		}
		var list listOf[json.RawMessage]
		if err := json.Unmarshal(body, &list); err != nil {
			return answer{}, err
		}
		if n == 1 {
			q.pin(list.Data, s.cfg.Engine.ServerNow(), age)
		}
		rows, err := s.seenOf(r, list.Data)
		if err != nil {
			return answer{}, err
		}
		if unread := unreadRows(list.Data); unread != nil {
			out.Unread = unread
		}
		for _, row := range rows {
			if total++; total > need-q.size && total <= need {
				out.Data = append(out.Data, row)
			}
		}
		if total > need || len(list.Data) < api.MaxPerPage {
			out.Pagination = &pagination{Page: q.number, PerPage: q.size, Total: total}
			return jsonOf(out, 0)
		}
	}
	return answer{}, invalid("too much to search: name card_id, or from and to closer together")
}

// getTransaction asks the service. Who may not see all cards is shown those of the
// cards that they see.
func (s *Server) getTransaction(r *request) (answer, error) {
	body, age, err := s.through(r.Context(), r.person, api.Read{Route: "/transactions/{txn_id}", Segment: r.id}, aWhile)
	if err != nil {
		return answer{}, err
	}
	if !r.person.SeesAll() {
		rows, err := s.seenOf(r, []json.RawMessage{body})
		if err != nil || len(rows) == 0 {
			return answer{}, orNotFound(err)
		}
	}
	return answer{status: http.StatusOK, body: body, age: age}, nil
}
