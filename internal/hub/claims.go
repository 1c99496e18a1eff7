package hub

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
)

// claims says who takes which code.
type claims struct {
	save func([]Claim) error

	mu   sync.Mutex
	rows map[api.ChallengeID]Claim
}

// Claim is who takes a code.
type Claim struct {
	Challenge api.ChallengeID `json:"challenge_id"`
	Card      api.CardID      `json:"card_id"`
	Name      string          `json:"by"`
	At        time.Time       `json:"at"`
}

func newClaims(save func([]Claim) error) claims {
	return claims{save: save, rows: make(map[api.ChallengeID]Claim)}
}

// of returns who takes a code; empty for nobody.
func (c *claims) of(id api.ChallengeID) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[id].Name
}

// add stores a claim. One that cannot be stored counts until the hub ends.
func (c *claims) add(row Claim) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows[row.Challenge] = row
	return c.save(slices.Collect(maps.Values(c.rows)))
}

// restore puts back what an earlier run stored.
func (c *claims) restore(rows []Claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, row := range rows {
		c.rows[row.Challenge] = row
	}
}

// keep forgets the claims of codes that are over.
func (c *claims) keep(st *state.Store) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.rows {
		if !slices.ContainsFunc(st.Codes.All(), func(code codes.Code) bool { return code.ID == id }) {
			delete(c.rows, id)
		}
	}
}

// claim says that the person takes a code. Nobody is prevented from using it.
func (s *Server) claim(r *request) (answer, error) {
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	var in struct {
		Challenge api.ChallengeID `json:"challenge_id"`
	}
	if json.Unmarshal(body, &in) != nil || in.Challenge == "" {
		return answer{}, invalid("challenge_id is missing")
	}
	row := Claim{Challenge: in.Challenge, Name: r.person.Name, At: s.cfg.Now().UTC()}
	var card cardlist.Card
	found := false
	err = s.read(r.Context(), func(st *state.Store) {
		for _, c := range st.Codes.All() {
			if c.ID != in.Challenge {
				continue
			}
			card, _ = st.Cards.Get(c.Card)
			row.Card, found = c.Card, s.seesCode(r.person, card, c.Card)
		}
	})
	if err != nil || !found {
		return answer{}, orNotFound(err)
	}
	s.noteClaim(r, row, card)
	if err := s.claims.add(row); err != nil {
		s.cfg.Tell("claims are not stored: " + err.Error())
	}
	if err := s.shareClaim(r.Context(), row); err != nil {
		return answer{}, err
	}
	data, err := s.tellClaim(row, card)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: data, age: -1}, nil
}

// noteClaim has a claim in the audit, once for each who takes the code. The claim counts
// without it: the others have to know of it, and the person has the code already.
func (s *Server) noteClaim(r *request, row Claim, card cardlist.Card) {
	if s.claims.of(row.Challenge) == row.Name {
		return
	}
	record := state.Record{
		Action: "claim", Card: row.Card, Name: card.Name(), Label: string(card.Label), Outcome: state.OpStatusDone,
		Method: http.MethodPost, Route: "/hub/v1/claims", By: r.actor(), Err: "the code of " + string(row.Challenge),
	}
	if card.ID == "" {
		record.Name = ""
	}
	if _, err := s.cfg.Audit.Add(record); err != nil {
		s.cfg.Tell("a claim of " + row.Name + " is not in the audit: " + err.Error())
	}
}

// tellClaim tells those who see a card's codes, and returns what they are told.
func (s *Server) tellClaim(row Claim, card cardlist.Card) ([]byte, error) {
	data, err := encode(row)
	if err == nil {
		s.streams.note(string(card.Label), card.ID != "", team.Buyer, stream.Note{Name: "claim " + string(row.Challenge), Event: "claim", Data: data})
	}
	return data, err
}

// shareClaim has the other hubs know of a claim.
func (s *Server) shareClaim(ctx context.Context, row Claim) error {
	if s.cfg.Several == nil || s.cfg.Several.Claimed == nil {
		return nil
	}
	return s.read(ctx, func(*state.Store) { s.cfg.Several.Claimed(row) })
}

// Claim takes in what another hub tells of who takes a code.
func (s *Server) Claim(ctx context.Context, row Claim) error {
	var card cardlist.Card
	if err := s.read(ctx, func(st *state.Store) { card, _ = st.Cards.Get(row.Card) }); err != nil {
		return err
	}
	if err := s.claims.add(row); err != nil {
		return err
	}
	_, err := s.tellClaim(row, card)
	return err
}

// listClaims lists who takes which of the codes that the person sees.
func (s *Server) listClaims(r *request) (answer, error) {
	out := listOf[Claim]{Data: []Claim{}}
	err := s.read(r.Context(), func(st *state.Store) {
		s.claims.mu.Lock()
		defer s.claims.mu.Unlock()
		for _, row := range s.claims.rows {
			if card, _ := st.Cards.Get(row.Card); s.seesCode(r.person, card, row.Card) {
				out.Data = append(out.Data, row)
			}
		}
	})
	if err != nil {
		return answer{}, err
	}
	slices.SortFunc(out.Data, func(a, b Claim) int { return a.At.Compare(b.At) })
	return jsonOf(out, -1)
}
