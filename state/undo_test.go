package state_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// whole is a card as the API answers a change with.
func whole(id api.CardID, label string, change func(*api.Card)) api.Card {
	c := api.Card{
		ID: id, Label: api.Text(label), Last4: api.Text(id[len(id)-4:]), Status: api.CardActive, Balance: 100 * dollar,
		SpendingLimit: new(500 * dollar), AllowedCategories: []api.Text{"7311"}, AutoFreezeAt: new(10 * dollar),
	}
	if change != nil {
		change(&c)
	}
	return c
}

// written answers an operation as done.
func written(s *state.Store, d time.Duration, op state.Op, card api.Card) {
	apply(s, state.OpDone{
		Meta: meta(d), Op: op.ID, Card: card.ID, Status: card.Status, CardBalance: new(card.Balance), Returned: &card,
	})
}

func wantUndo(t *testing.T, s *state.Store, want kernel.Intent) {
	t.Helper()
	got, why := s.UndoNext()
	if change, ok := got.(state.Write); ok && change.Seen != nil {
		change.Seen = nil
		got = change
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("undo is %#v (%s), want %#v", got, why, want)
	}
}

func wantNoUndo(t *testing.T, s *state.Store, says string) {
	t.Helper()
	if got, why := s.UndoNext(); got != nil || !strings.Contains(why, says) {
		t.Errorf("undo is %#v because %q, want nothing because %q", got, why, says)
	}
}

func TestUndoTakesBackTheLastWrite(t *testing.T) {
	s := settled(t)
	wantNoUndo(t, s, "nothing to undo")

	op := sent(t, s, state.Freeze(first))
	wantNoUndo(t, s, "still under way")
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: first, Status: api.CardFrozen})
	wantUndo(t, s, state.Unfreeze(first))
	op = sent(t, s, state.Unfreeze(first))
	written(s, 3*time.Second, op, whole(first, "fb", nil))
	wantUndo(t, s, state.Freeze(first)) // Undoing an undo redoes.

	op = sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{
		Meta: meta(4 * time.Second), Op: op.ID, Card: first, Moved: new(20 * dollar),
		CardBalance: new(120 * dollar), WalletBalance: new(980 * dollar),
	})
	wantUndo(t, s, state.Withdraw(first, 20*dollar)) // What was moved, not what was asked for.
	op = sent(t, s, state.Withdraw(first, 20*dollar))
	apply(s, state.OpDone{Meta: meta(5 * time.Second), Op: op.ID, Card: first, CardBalance: new(100 * dollar), WalletBalance: new(1000 * dollar)})
	wantUndo(t, s, state.Fund(first, 20*dollar))

	// What was refused changed nothing: the write before it is still the last.
	op = sent(t, s, state.Freeze(first))
	fail(s, 6*time.Second, op, refused())
	wantUndo(t, s, state.Fund(first, 20*dollar))
}

func TestUndoOfAChangeBringsBackWhatIsKnown(t *testing.T) {
	s := settled(t)
	change := func(c api.UpdateCardRequest) state.Write { return state.Update(first, c) }

	op := sent(t, s, change(api.UpdateCardRequest{AutoFreezeAt: new(5 * dollar)}))
	written(s, 2*time.Second, op, whole(first, "fb", func(c *api.Card) { c.AutoFreezeAt = new(5 * dollar) }))
	wantNoUndo(t, s, "automatic freeze before is not reported")

	// The answer told everything, so the next changes can be taken back.
	op = sent(t, s, change(api.UpdateCardRequest{AutoFreezeAt: new(8 * dollar), Label: new("gg"), AllowedCategories: &[]string{"5734"}, SpendingLimit: new(600 * dollar)}))
	written(s, 3*time.Second, op, whole(first, "gg", func(c *api.Card) {
		c.AutoFreezeAt, c.SpendingLimit, c.AllowedCategories = new(8*dollar), new(600*dollar), []api.Text{"5734"}
	}))
	wantUndo(t, s, change(api.UpdateCardRequest{
		AutoFreezeAt: new(5 * dollar), Label: new("fb"), AllowedCategories: &[]string{"7311"}, SpendingLimit: new(500 * dollar),
	}))

	// Somebody else changed it since.
	apply(s, state.SummaryLoaded{
		FetchSummary: state.FetchSummary{Seq: 1 << 40, Card: first}, Meta: meta(4 * time.Second),
		Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: 100 * dollar, Label: "gg", SpendingLimit: new(700 * dollar)},
	})
	wantNoUndo(t, s, "the limit of gg ••0001 was changed since")

	op = sent(t, s, change(api.UpdateCardRequest{Metadata: map[string]string{"a": "b"}}))
	written(s, 5*time.Second, op, whole(first, "gg", nil))
	wantNoUndo(t, s, "metadata is merged")
}

func TestUndoIsCheckedAgain(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Freeze(first))
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: first, Status: api.CardFrozen})
	load := func(status api.CardStatus, balance api.USD) {
		apply(s, state.SummaryLoaded{
			FetchSummary: state.FetchSummary{Seq: 1 << 40, Card: first}, Meta: meta(3 * time.Second),
			Summary: api.CardSummary{ID: first, Status: status, Balance: balance, Label: "fb"},
		})
	}
	load(api.CardActive, 100*dollar)
	wantNoUndo(t, s, "fb ••0001 is active since")
	load(api.CardTerminated, 0)
	wantNoUndo(t, s, "is terminated since")

	s = settled(t)
	op = sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: first, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	apply(s, state.SummaryLoaded{
		FetchSummary: state.FetchSummary{Seq: 1 << 40, Card: first}, Meta: meta(3 * time.Second),
		Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: 10 * dollar, Label: "fb"},
	})
	wantNoUndo(t, s, "the card is $15.00 short")
}

func TestWhatCannotBeUndoneSaysWhy(t *testing.T) {
	s := known(t)
	op := sent(t, s, issue("fb/new"))
	written(s, 2*time.Second, op, whole("card_9999", "fb/new", nil))
	wantNoUndo(t, s, "terminate it instead")
	op = sent(t, s, state.Terminate(first))
	apply(s, state.OpDone{Meta: meta(3 * time.Second), Op: op.ID, Card: first, Status: api.CardTerminated, Moved: new(100 * dollar)})
	wantNoUndo(t, s, "permanent")

	s = settled(t)
	op = sent(t, s, state.Update(first, api.UpdateCardRequest{SpendingLimit: new(5 * dollar)}))
	written(s, 2*time.Second, op, whole(first, "fb", nil))
	wantNoUndo(t, s, "the limit before is not known")
	op = sent(t, s, state.Update(second, api.UpdateCardRequest{AllowedCategories: &[]string{}}))
	written(s, 3*time.Second, op, whole(second, "fb", nil))
	wantNoUndo(t, s, "categories before are not reported")
}

func TestAnEarlierRunsWriteIsNotUndone(t *testing.T) {
	s := settled(t)
	s.Resume([]state.Op{{Kind: state.OpFreeze, Card: first, Key: "old", At: at(0), Tries: 1, Write: &api.Write{}}}, at(time.Second))
	op := one[state.Do](t, tick(s, 2*time.Second)).Op
	apply(s, state.OpDone{Meta: meta(3 * time.Second), Op: op.ID, Card: first, Status: api.CardFrozen})
	wantNoUndo(t, s, "nothing to undo in this session")
}
