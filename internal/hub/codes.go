package hub

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// listChallenges answers pending ones from memory. Who may see no code sees an empty
// list, which says so.
func (s *Server) listChallenges(r *request) (answer, error) {
	q := r.URL.Query()
	status, err1 := word(q, "status", "pending", "completed", "expired")
	_, err2 := identifier(q, "card_id")
	if err := errors.Join(err1, err2); err != nil {
		return answer{}, err
	}
	if !r.person.May(team.Buyer) {
		return withheld(needsBuyer)
	}
	if status != "pending" {
		return s.pastChallenges(r, q)
	}
	if err := s.waitReady(r.Context()); err != nil {
		return answer{}, err
	}
	a := answer{status: http.StatusOK, wipe: true}
	err := s.read(r.Context(), func(st *state.Store) {
		a.age = s.ageOf(st, poll.Codes)
		a.body = s.texts.list(st.Codes.All(), unreadOf(st, poll.Codes, r.person), func(c *codes.Code) bool {
			if c.Status != api.ChallengePending || q.Has("card_id") && q.Get("card_id") != string(c.Card) {
				return false
			}
			if r.person.SeesAll() {
				return true
			}
			card, _ := st.Cards.Get(c.Card)
			return s.seesCode(r.person, card, c.Card)
		})
	})
	return a, err
}

// withheld answers with a list of which the person's role may read nothing. It is no error:
// dashboards of every role poll it.
func withheld(why string) (answer, error) {
	return jsonOf(listOf[struct{}]{Data: []struct{}{}, Withheld: why}, -1)
}

// seesCode reports whether a person may see the codes of a card. A card that the list
// does not know is seen by who sees all.
func (s *Server) seesCode(p *team.Person, card cardlist.Card, id api.CardID) bool {
	if card.ID != id {
		return p.SeesAll()
	}
	return p.Sees(string(card.Label))
}

// pastChallenges reads what memory does not have.
func (s *Server) pastChallenges(r *request, q url.Values) (answer, error) {
	ask := url.Values{}
	for _, name := range []string{"status", "card_id"} {
		if q.Has(name) {
			ask.Set(name, q.Get(name))
		}
	}
	if q.Has("card_id") {
		if _, err := s.see(r.Context(), r.person, q.Get("card_id")); err != nil {
			if isNotFound(err) {
				return answer{status: http.StatusOK, body: []byte(`{"data":[]}`)}, nil
			}
			return answer{}, err
		}
	}
	body, err := s.secretly(r.Context(), r.person, api.Read{Route: "/3ds", Query: ask})
	if err != nil {
		return answer{}, err
	}
	return s.onlySeen(r, body, 0, true)
}

// onlySeen leaves of a list what is about cards that the person may see.
func (s *Server) onlySeen(r *request, body []byte, age time.Duration, secret bool) (answer, error) {
	if r.person.SeesAll() {
		return answer{status: http.StatusOK, body: body, wipe: secret, age: age}, nil
	}
	rows, err := rowsOf(body)
	if secret {
		defer wipe(append(rows, body))
	}
	if err != nil {
		return answer{}, err
	}
	seen, err := s.seenOf(r, rows)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: joinRows(seen, unreadRows(rows)), wipe: secret, age: age}, nil
}

// rowsOf returns copies of the rows of a list.
func rowsOf(body []byte) ([]json.RawMessage, error) {
	var list listOf[json.RawMessage]
	err := json.Unmarshal(body, &list)
	return list.Data, err
}

func wipe(all []json.RawMessage) {
	for _, b := range all {
		clear(b)
	}
}

// unreadRows reports whether a row has no card that can be read: who sees some cards is not
// given it.
func unreadRows(rows []json.RawMessage) []unreadItem {
	for _, row := range rows {
		if cardOf(row) == "" {
			return []unreadItem{{}}
		}
	}
	return nil
}

// cardOf is the card of a row; empty where that cannot be read.
func cardOf(row json.RawMessage) api.CardID {
	var of struct {
		Card api.CardID `json:"card_id"`
	}
	if json.Unmarshal(row, &of) != nil {
		return ""
	}
	return of.Card
}

// joinRows writes a list and what of it cannot be read. It does not grow while it is
// written: what it grew out of would not be wiped.
func joinRows(rows []json.RawMessage, unread []unreadItem) []byte {
	const begin = `{"data":[`
	end := endOf(unread)
	size := len(begin) + len(end)
	for _, row := range rows {
		size += len(row) + len(",")
	}
	out := append(make([]byte, 0, size), begin...)
	for i, row := range rows {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, row...)
	}
	return append(out, end...)
}

// seenOf returns those of some rows, each with its card, that the person may see.
func (s *Server) seenOf(r *request, rows []json.RawMessage) ([]json.RawMessage, error) {
	ids := make([]api.CardID, len(rows))
	for i, row := range rows {
		ids[i] = cardOf(row)
	}
	out := []json.RawMessage{}
	err := s.read(r.Context(), func(st *state.Store) {
		for i, id := range ids {
			if card, ok := st.Cards.Get(id); ok && r.person.Sees(string(card.Label)) {
				out = append(out, rows[i])
			}
		}
	})
	return out, err
}

// getChallenge answers from memory while the code is pending.
func (s *Server) getChallenge(r *request) (answer, error) {
	if !r.person.May(team.Buyer) {
		return answer{}, forbidden(needsBuyer)
	}
	a, found, err := s.pending(r)
	if err != nil || found {
		return a, err
	}
	body, secret, err := s.ended(r)
	if err != nil {
		return answer{}, err
	}
	var of struct {
		Card api.CardID `json:"card_id"`
	}
	if err := json.Unmarshal(body, &of); err != nil {
		if secret {
			clear(body)
		}
		return answer{}, err
	}
	if r.person.SeesAll() {
		return answer{status: http.StatusOK, body: body, wipe: secret}, nil
	}
	seen, err := s.seenOf(r, []json.RawMessage{body})
	if err != nil || len(seen) == 0 {
		if secret {
			clear(body)
		}
		return answer{}, orNotFound(err)
	}
	return answer{status: http.StatusOK, body: body, wipe: secret}, nil
}

func orNotFound(err error) error {
	if err != nil {
		return err
	}
	return notFound()
}

// pending answers with a pending challenge whose code is known.
func (s *Server) pending(r *request) (a answer, found bool, err error) {
	if err := s.waitReady(r.Context()); err != nil {
		return a, false, err
	}
	var hidden bool
	err = s.read(r.Context(), func(st *state.Store) {
		list := st.Codes.All()
		i := slices.IndexFunc(list, func(c codes.Code) bool { return string(c.ID) == r.id })
		if i < 0 {
			return
		}
		card, _ := st.Cards.Get(list[i].Card)
		hidden = !s.seesCode(r.person, card, list[i].Card)
		found = hidden || !list[i].OTP.IsZero()
		if found && !hidden {
			a = answer{status: http.StatusOK, body: s.texts.one(&list[i]), wipe: true, age: s.ageOf(st, poll.Codes)}
		}
	})
	if err == nil && hidden {
		err = notFound()
	}
	return a, found, err
}

// errPending is that a challenge has not ended: its code is secret, and is read for each
// who asks.
var errPending = errors.New("the challenge has not ended")

// ended reads a challenge that memory does not have. All dashboards ask at once what
// became of a code: they share one read. What is remembered of it has no code. A code that
// was pending and is not listed any more is one that ended, also while the service still
// calls it pending.
func (s *Server) ended(r *request) (body []byte, secret bool, err error) {
	was, err := s.wasThere(r.Context(), api.ChallengeID(r.id))
	if err != nil {
		return nil, false, err
	}
	read := challengeRead(r.id)
	body, _, err = s.throughAs(r.Context(), r.person, read, shortly, func(body []byte) ([]byte, error) { return withoutCode(body, was) })
	if errors.Is(err, errPending) {
		body, err = s.secretly(r.Context(), r.person, read)
		return body, true, err
	}
	return body, false, err
}

func challengeRead(id string) api.Read { return api.Read{Route: "/3ds/{challenge_id}", Segment: id} }

// wasThere reports whether a code was pending and is not listed any more.
func (s *Server) wasThere(ctx context.Context, id api.ChallengeID) (was bool, err error) {
	err = s.read(ctx, func(st *state.Store) {
		was = slices.ContainsFunc(st.Codes.Ended(), func(e codes.Ended) bool { return e.ID == id })
	})
	return was, err
}

// fetchEnded reads what became of a code for the hub itself. It shares the read with the
// dashboards, which ask as the hub does; false for a code that is there.
func (s *Server) fetchEnded(ctx context.Context, f codes.FetchOne) (kernel.Event, bool) {
	was, err := s.wasThere(ctx, f.Challenge)
	if err != nil || !was {
		return nil, false
	}
	read := challengeRead(string(f.Challenge))
	body, age, err := s.cache.get(ctx, nameOf(read), shortly, func() ([]byte, error) {
		body, err := s.sendRead(ctx, read)
		if err != nil {
			return nil, err
		}
		return withoutCode(body.Bytes(), true)
	})
	now := s.cfg.Now()
	meta := kernel.Meta{Sent: now.Add(-age), At: now}
	var item api.Challenge
	if err == nil {
		err = json.Unmarshal(body, &item)
	}
	if err != nil {
		return state.FetchFailed{Meta: meta, Effect: f, Err: err}, true
	}
	return codes.OneLoaded{Meta: meta, Item: item}, true
}

// withoutCode returns a challenge without its code when it has ended, and wipes the code.
func withoutCode(body []byte, ended bool) ([]byte, error) {
	defer clear(body)
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	code := fields["otp"]
	defer clear(code)
	var status api.ChallengeStatus
	if err := json.Unmarshal(fields["status"], &status); err != nil {
		return nil, err
	}
	if !ended && status != api.ChallengeCompleted && status != api.ChallengeExpired {
		return nil, errPending
	}
	fields["otp"] = json.RawMessage("null")
	return encode(fields)
}

// codeText is a challenge as it is written up to its code.
type codeText struct {
	of   codes.Code // without its code
	text []byte
}

// codeTexts are challenges as they are written, without their codes: all who are told of a
// code ask for it at once. They belong to the goroutine that owns the store.
type codeTexts map[api.ChallengeID]codeText

// keep forgets challenges that are over, so that no more are kept than there are.
func (t codeTexts) keep(all []codes.Code) {
	if len(t) <= len(all) {
		return
	}
	there := make(map[api.ChallengeID]bool, len(all))
	for i := range all {
		there[all[i].ID] = true
	}
	maps.DeleteFunc(t, func(id api.ChallengeID, _ codeText) bool { return !there[id] })
}

// of writes a challenge up to its code.
func (t codeTexts) of(c *codes.Code) []byte {
	of := *c
	of.OTP = api.OTP{}
	if was, ok := t[c.ID]; ok && was.of == of {
		return was.text
	}
	var amount any
	if c.AmountKnown {
		amount = c.Amount
	}
	rest, _ := encode(struct { // Texts, a number and times.
		ID       api.ChallengeID     `json:"id"`
		Card     api.CardID          `json:"card_id"`
		Merchant api.Text            `json:"merchant"`
		Amount   any                 `json:"amount"`
		Status   api.ChallengeStatus `json:"status"`
		Expires  any                 `json:"expires_at"`
		Created  any                 `json:"created_at"`
	}{c.ID, c.Card, c.Merchant, amount, c.Status, stamp(c.ExpiresAt), stamp(c.CreatedAt)})
	t[c.ID] = codeText{of, append(rest[:len(rest)-1:len(rest)-1], `,"otp":`...)}
	return t[c.ID].text
}

// one writes a challenge with its code.
func (t codeTexts) one(c *codes.Code) []byte {
	text := t.of(c)
	return appendCode(make([]byte, 0, len(text)+codeLen(c)), text, c)
}

// list writes those of some challenges that are seen, with their codes, and what of the
// list cannot be read. A code is copied once, into what is wiped when it is sent.
func (t codeTexts) list(all []codes.Code, unread []unreadItem, seen func(*codes.Code) bool) []byte {
	const begin = `{"data":[`
	end := endOf(unread)
	size := len(begin) + len(end)
	for i := range all {
		if !seen(&all[i]) {
			continue
		}
		size += len(t.of(&all[i])) + codeLen(&all[i]) + len(",")
	}
	out := append(make([]byte, 0, size), begin...)
	for i := range all {
		if !seen(&all[i]) {
			continue
		}
		if len(out) > len(begin) {
			out = append(out, ',')
		}
		out = appendCode(out, t.of(&all[i]), &all[i])
	}
	return append(out, end...)
}

// endOf is the end of a list of which something cannot be read.
func endOf(unread []unreadItem) string {
	if len(unread) == 0 {
		return `]}`
	}
	list, _ := encode(unread) // Texts and numbers.
	return `],"unread":` + string(list) + `}`
}

// codeLen is no less than what appendCode adds to the text of a challenge.
func codeLen(c *codes.Code) int { return len(`null}`) + len(c.OTP.Bytes()) }

func appendCode(to, text []byte, c *codes.Code) []byte {
	to = append(to, text...)
	if c.OTP.IsZero() {
		return append(to, `null}`...)
	}
	return append(append(append(to, '"'), digits(c.OTP.Bytes())...), `"}`...)
}
