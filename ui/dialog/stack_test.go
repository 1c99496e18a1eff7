package dialog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// ticking is a question whose figures are those of the test.
type ticking struct {
	*dialog.Confirm
	figures state.Preview
}

func (t *ticking) Traits() dialog.Traits {
	is := t.Confirm.Traits()
	is.Figures = t.figures
	return is
}

func question(t *testing.T, s *state.Store) *dialog.Confirm {
	t.Helper()
	return dialog.NewConfirm(panetest.Theme(t), s, dialog.Question{Title: "Fund", Verb: "Fund $50.00", Intent: state.Fund("card_1", 50*api.Dollar)})
}

// TestAQuestionTakesNoAnswerOnceAfterItsFiguresChanged has another client move
// money ten times a second.
func TestAQuestionTakesNoAnswerOnceAfterItsFiguresChanged(t *testing.T) {
	s, stack := dialogtest.Store(t), &dialog.Stack{}
	d := &ticking{Confirm: question(t, s)}
	stack.Push(d, panetest.At(0))
	refused := 0
	for now := 10 * time.Second; now < 12*time.Second; now += 100 * time.Millisecond {
		d.figures.WalletBefore++
		s.Tick(panetest.At(now))
		stack.Sync(s, kernel.TopicAll)
		if !stack.Unread(panetest.At(now)) {
			continue
		}
		if refused++; now >= 10*time.Second+500*time.Millisecond {
			t.Errorf("refused at %v", now)
		}
	}
	if refused != 5 {
		t.Errorf("refused %d times", refused)
	}
	for _, size := range [][2]int{{62, 20}, {38, 10}} {
		if text := dialogtest.Text(d, size[0], size[1]); !strings.Contains(text, "the balances just changed") || !strings.Contains(text, "wallet") {
			t.Errorf("it does not say so:\n%s", text)
		}
	}
	if stack.Unread(panetest.At(time.Minute)) {
		t.Error("what changed long ago is not read")
	}
	d.figures.CardBefore++
	s.Tick(panetest.At(2 * time.Minute))
	stack.Sync(s, kernel.TopicAll)
	if !stack.Unread(panetest.At(2 * time.Minute)) {
		t.Error("it refuses once in its life")
	}
}

// TestWhatThisProgramMovesKeepsNoQuestionFromItsAnswer funds the other card
// meanwhile.
func TestWhatThisProgramMovesKeepsNoQuestionFromItsAnswer(t *testing.T) {
	s, stack := dialogtest.StoreOf(t, guard.Guard{}, api.CardActive, api.CardActive), &dialog.Stack{}
	d := question(t, s)
	stack.Push(d, panetest.At(0))
	_, effects, err := s.Dispatch(state.Fund("card_2", 25*api.Dollar))
	if err != nil {
		t.Fatal(err)
	}
	do, ok := effects[0].(state.Do)
	if !ok {
		t.Fatalf("%T", effects[0])
	}
	now := panetest.At(10 * time.Second)
	read := func(balance api.USD) {
		_, effects := s.Tick(now)
		for _, e := range effects {
			if f, ok := e.(wallets.Fetch); ok {
				s.Apply(wallets.Loaded{Fetch: f, Meta: kernel.Meta{Sent: now, At: now}, Wallet: api.Wallet{Balance: balance}})
			}
		}
	}
	read(1000 * api.Dollar)
	stack.Sync(s, kernel.TopicAll)
	s.Apply(state.OpDone{Meta: kernel.Meta{Sent: now, At: now}, Op: do.Op.ID, CardBalance: new(125 * api.Dollar), WalletBalance: new(975 * api.Dollar)})
	stack.Sync(s, kernel.TopicAll)
	if d.Traits().Figures.WalletBefore != 975*api.Dollar || stack.Unread(now) {
		t.Errorf("its own fund surprises: %+v", d.Traits().Figures)
	}
	// What another client moves after that does surprise.
	now = panetest.At(30 * time.Second)
	read(900 * api.Dollar)
	stack.Sync(s, kernel.TopicAll)
	if d.Traits().Figures.WalletBefore != 900*api.Dollar || !stack.Unread(now) {
		t.Errorf("another client's does not: %+v", d.Traits().Figures)
	}
}
