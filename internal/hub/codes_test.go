package hub

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/settings"
)

// TestCodesOfOthersAreWiped takes a list of the service with codes, of which a person may
// see those of some cards: what is left of the rest, also where the list is none, is wiped.
func TestCodesOfOthersAreWiped(t *testing.T) {
	t.Parallel()
	st := state.New(settings.Config{})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	st.Recall(state.Snapshot{At: now, CardsAt: now, Cards: cardlist.ListOf(cardlist.Card{ID: "card_1", Label: "fb/a"}, cardlist.Card{ID: "card_2", Label: "gg/a"})})
	s := &Server{calls: make(chan loop.Call), stopped: make(chan struct{})}
	go func() {
		for call := range s.calls {
			call(st)
		}
	}()
	defer close(s.calls)
	r := &request{Request: new(http.Request), person: &team.Person{Name: "bob", Role: team.Buyer, Labels: []string{"fb/*"}}}
	const mine = `{"card_id":"card_1", "otp":"482913"}`
	for _, tt := range []struct{ body, want string }{
		{`{"data": [` + mine + `, {"card_id":"card_2","otp":"117395"}], "pagination":{}}`, `{"data":[` + mine + `]}`},
		{`{"data":[` + mine + `,` + mine + `]}`, `{"data":[` + mine + `,` + mine + `]}`},
		{`{"data":[]}`, `{"data":[]}`},
		{`{"data":[` + mine, ""},
	} {
		body := []byte(tt.body)
		a, err := s.onlySeen(r, body, 0, true)
		if string(a.body) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("of %s bob sees %s, %v", tt.body, a.body, err)
		}
		if !bytes.Equal(body, make([]byte, len(body))) {
			t.Errorf("left is %s", body)
		}
		if tt.want != "" && (!a.wipe || cap(a.body) > len(a.body)+len(",")) {
			t.Errorf("the answer is wiped %t, in %d of %d bytes", a.wipe, len(a.body), cap(a.body))
		}
	}
	plain := []byte(`{"data":[]}`)
	if _, err := s.onlySeen(r, plain, 0, false); err != nil || plain[0] == 0 {
		t.Errorf("what is no secret is wiped: %v", err)
	}
}
