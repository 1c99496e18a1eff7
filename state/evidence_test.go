package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
)

// leftOpen leaves an operation to a person: it was asked for until nobody
// could tell. asked are the reads that wait for their answers.
func leftOpen(t *testing.T, s *state.Store, in kernel.Intent) (op state.Op, d time.Duration, asked []kernel.Effect) {
	t.Helper()
	op, d = sent(t, s, in), 2*time.Second
	for range 20 {
		fail(s, d, op, unreachable())
		if now, ok := s.Ops.ByID(op.ID); ok && now.Phase == state.Unsettled {
			return now, d, asked
		}
		d += 30 * time.Second
		effects := tick(s, d)
		asked = append(asked, effects...)
		if again := all[state.Do](effects); len(again) > 0 {
			op = again[0].Op
		}
	}
	t.Fatal("it is asked for for ever")
	return op, d, asked
}

func TestEvidenceOfAFund(t *testing.T) {
	for _, tt := range []struct {
		name    string
		balance api.USD
		spent   api.USD
		want    state.Suggestion
	}{
		{"as if it happened", 125 * dollar, 0, state.SuggestsDone},
		{"as before", 100 * dollar, 0, state.SuggestsNotDone},
		{"it happened, and a merchant charged", 122 * dollar, 3 * dollar, state.SuggestsDone},
		{"it did not, and a merchant charged", 97 * dollar, 3 * dollar, state.SuggestsNotDone},
		{"something else", 50 * dollar, 0, state.SuggestsNothing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			op, d, asked := leftOpen(t, s, state.Fund(first, 25*dollar))
			e, ok := s.Ops.Evidence(op.ID)
			if !ok || !e.CardAt.IsZero() || e.Suggests != state.SuggestsNothing {
				t.Fatalf("before anything is read: %+v %v", e, ok)
			}
			if e.Method != "POST" || e.Path != "/cards/card_0001/fund" || e.Body != `{"amount":25}` {
				t.Errorf("sent %s %s %s", e.Method, e.Path, e.Body)
			}
			again := one[state.FetchSummary](t, do(t, s, state.ReadAgain{Op: op.ID}))
			apply(s, state.SummaryLoaded{FetchSummary: again, Meta: meta(d + time.Second), Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: tt.balance, Label: "fb"}})
			if tt.spent > 0 {
				charge(t, s, asked, d+2*time.Second, tt.spent)
			}
			e, _ = s.Ops.Evidence(op.ID)
			if e.Suggests != tt.want || e.Card != tt.balance || !e.CardAt.Equal(at(d+time.Second)) {
				t.Errorf("%+v", e)
			}
			if n := len(e.Since); (n > 0) != (tt.spent > 0) {
				t.Errorf("%d transactions since", n)
			}
		})
	}
}

// charge lists a settlement on the first card.
func charge(t *testing.T, s *state.Store, asked []kernel.Effect, d time.Duration, amount api.USD) {
	t.Helper()
	for _, f := range all[txns.Fetch](asked) {
		apply(s, txns.Loaded{Fetch: f, Meta: meta(d), Items: []api.Transaction{
			{ID: "txn_1", CardID: first, Type: api.TransactionSettlement, Amount: -amount, CreatedAt: at(d - time.Second)},
			{ID: "txn_0", CardID: first, Type: api.TransactionSettlement, Amount: -amount, CreatedAt: at(-time.Hour)},
		}})
		return
	}
	t.Fatal("the feed is not asked for")
}

func TestASummaryFromBeforeIsNoEvidence(t *testing.T) {
	s := settled(t)
	early := one[state.FetchSummary](t, do(t, s, state.Refresh{Card: first}))
	op, d, _ := leftOpen(t, s, state.Fund(first, 25*dollar))
	apply(s, state.SummaryLoaded{FetchSummary: early, Meta: meta(d + time.Second), Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: 100 * dollar}})
	if e, _ := s.Ops.Evidence(op.ID); !e.CardAt.IsZero() || e.Suggests != state.SuggestsNothing {
		t.Errorf("%+v", e)
	}
}

func TestATwinFromBeforeIsNoEvidence(t *testing.T) {
	s := known(t)
	made := sent(t, s, issue("fb/new"))
	apply(s, state.OpDone{Meta: meta(1500 * time.Millisecond), Op: made.ID, Card: "card_0008", Returned: &api.Card{
		ID: "card_0008", BIN: "bin_1", Label: "fb/new", Status: api.CardActive, CreatedAt: at(time.Second),
	}})
	op, d, asked := leftOpen(t, s, issue("fb/new"))
	if e, _ := s.Ops.Evidence(op.ID); len(e.Appeared) != 0 || e.Suggests != state.SuggestsNothing {
		t.Errorf("%+v", e)
	}
	// One of the same second that was not known before may be the one.
	twin := item("card_0009", api.CardActive, 25*dollar)
	twin.Label, twin.BIN, twin.CreatedAt = "fb/new", "bin_1", at(time.Second)
	for _, f := range all[state.FetchCards](asked) {
		apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(d + time.Second), TotalPages: 1, Items: []api.CardItem{twin}})
	}
	if e, _ := s.Ops.Evidence(op.ID); len(e.Appeared) != 1 || e.Appeared[0].ID != "card_0009" || e.Suggests != state.SuggestsDone {
		t.Errorf("%+v", e)
	}
}

func TestEvidenceOfAnIssueIsACardThatAppeared(t *testing.T) {
	s := known(t)
	op, d, asked := leftOpen(t, s, issue("fb/new"))
	if got, ok := s.Ops.Unsettled("card_none"); !ok || got.ID != op.ID {
		t.Errorf("it is not found without a card: %+v %v", got, ok)
	}
	list := func(items ...api.CardItem) {
		for _, f := range all[state.FetchCards](asked) {
			apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(d + time.Second), TotalPages: 1, Items: items})
		}
	}
	made := func(id api.CardID, label string, when time.Duration) api.CardItem {
		c := item(id, api.CardActive, 25*dollar)
		c.Label, c.BIN, c.CreatedAt = api.Text(label), "bin_1", at(when)
		return c
	}
	list(made("card_0008", "fb/new", -time.Hour), made("card_0009", "fb/other", 3*time.Second), made("card_0010", "fb/new", 3*time.Second))
	e, _ := s.Ops.Evidence(op.ID)
	if len(e.Appeared) != 1 || e.Appeared[0].ID != "card_0010" || e.Suggests != state.SuggestsDone {
		t.Errorf("%+v", e)
	}
	f := one[state.Forget](t, do(t, s, state.Resolve{Op: op.ID, Happened: true}))
	if f.Status != state.OpStatusResolvedDone || s.Ops.PendingCount() != 0 {
		t.Errorf("%+v", f)
	}
	if _, ok := s.Ops.Evidence(op.ID); ok {
		t.Error("there is evidence of what is over")
	}
	wantNoUndo(t, s, "terminate it instead")
}

func TestRefusalsAreKeptForWhoWaits(t *testing.T) {
	s := known(t)
	for _, tt := range []struct {
		err   error
		field string
	}{
		{&api.Error{Status: 400, ID: "invalid_request", Message: "bin_id is not a known BIN"}, cardcsv.BIN},
		{&api.Error{Status: 400, ID: "invalid_request", Message: "Label must have at most 64 characters, not the amount"}, cardcsv.Label},
		{&api.Error{Status: 400, ID: "insufficient_funds", Message: "too low"}, cardcsv.Amount},
		{&api.Error{Status: 400, ID: "invalid_state", Message: "no"}, ""},
	} {
		op := sent(t, s, issue("fb/new"))
		fail(s, 2*time.Second, op, tt.err)
		r, ok := s.Ops.Refused(op.ID)
		if !ok || r.Field != tt.field || r.Reason == "" || r.Op.Key != op.Key {
			t.Errorf("%v: %+v %v", tt.err, r, ok)
		}
		if _, ok := s.Ops.ByID(op.ID); ok {
			t.Error("what was refused is under way")
		}
	}
	// A BIN that was refused makes the list stale.
	one[bins.Fetch](t, do(t, s, bins.Load{}))

	op := sent(t, s, state.Freeze(first))
	apply(s, state.Deferred{Meta: meta(3 * time.Second), Effect: state.Do{Op: op}, Wait: 5 * time.Second})
	if r, ok := s.Ops.Refused(op.ID); !ok || r.Reason != "the request limit is used up, try again in 5 s" {
		t.Errorf("%+v %v", r, ok)
	}
	if r, ok := s.Ops.Refused(99); ok {
		t.Errorf("%+v", r)
	}
	for range 50 {
		op = sent(t, s, state.Freeze(first))
		fail(s, 4*time.Second, op, refused())
	}
	if _, ok := s.Ops.Refused(op.ID); !ok {
		t.Error("the latest is forgotten")
	}
}

func TestACodeTellsWhatItsCardLacks(t *testing.T) {
	s := settled(t)
	code := func(id api.ChallengeID, card api.CardID, amount api.USD) api.Challenge {
		return api.Challenge{
			ID: id, CardID: card, Merchant: "Acme", Amount: new(amount), OTP: api.NewOTP("123456"), Status: api.ChallengePending,
			CreatedAt: at(0), ExpiresAt: at(5 * time.Minute),
		}
	}
	for _, f := range all[codes.Fetch](tick(s, 3*time.Second)) {
		apply(s, codes.Loaded{Fetch: f, Meta: meta(3 * time.Second), Items: []api.Challenge{
			code("3ds_1", first, 167*dollar+60*api.Cent), code("3ds_2", second, 50*dollar+30*api.Cent),
		}})
	}
	if l, ok := s.Codes.CardShortfall(first, 0); !ok || l.Amount != 67*dollar+60*api.Cent || l.Merchant != "Acme" {
		t.Errorf("%+v %v", l, ok)
	}
	if got := s.Codes.Shortfall("3ds_2"); got != dollar {
		t.Errorf("30 cents are topped up with %s", got)
	}
	if got := s.Codes.Shortfall("3ds_9"); got != 0 {
		t.Errorf("an unknown code lacks %s", got)
	}
	tick(s, 6*time.Minute)
	if l, ok := s.Codes.CardShortfall(first, 0); ok {
		t.Errorf("a code that has ended lacks %+v", l)
	}
}

// TestAReadingIsNotTakenAwayByALaterTry reads the card between two tries: it is
// still shown, and tells nothing of the second.
func TestAReadingIsNotTakenAwayByALaterTry(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 25*dollar))
	fail(s, 2*time.Second, op, cut())
	f := one[state.FetchSummary](t, do(t, s, state.ReadAgain{Op: op.ID}))
	apply(s, state.SummaryLoaded{FetchSummary: f, Meta: meta(3 * time.Second), Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: 125 * dollar}})
	if e, _ := s.Ops.Evidence(op.ID); e.CardEarlier || e.Suggests != state.SuggestsDone {
		t.Errorf("as it was read: %+v", e)
	}
	again, d := resent(t, s, 3*time.Second, time.Minute)
	fail(s, d, again, cut())
	if e, _ := s.Ops.Evidence(op.ID); e.Card != 125*dollar || !e.CardAt.Equal(at(3*time.Second)) || !e.CardEarlier || e.Suggests != state.SuggestsNothing {
		t.Errorf("after the next try: %+v", e)
	}
}
