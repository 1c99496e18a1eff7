package plans

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

func TestWhatIsApprovedIsWhatIsLeftNow(t *testing.T) {
	t.Parallel()
	s := dialogtest.Store(t)
	plan := &state.Plan{ID: "plan-1", Kind: state.BulkTerminate, Made: panetest.At(0)}
	for _, key := range []api.IdempotencyKey{"row-1", "row-2", "row-3"} {
		plan.Rows = append(plan.Rows, state.PlanRow{Card: "card_1", Name: "fb", Write: state.Terminate("card_1"), Key: key})
	}
	find := func(fates map[api.IdempotencyKey]state.OpStatus) {
		s.Apply(state.PlansFound{Meta: kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}, Left: []state.LeftPlan{{Plan: plan, Statuses: fates}}})
	}
	find(nil)
	d := NewBatch(panetest.Theme(t), s, plan.ID)
	if text := dialogtest.Text(d, 90, 30); !strings.Contains(text, "Resume 3 cards") {
		t.Fatal(text)
	}
	dialogtest.Type(d, "3")
	// Another dashboard has settled one of them meanwhile.
	find(map[api.IdempotencyKey]state.OpStatus{"row-1": state.OpStatusDone})
	d.Sync(s, kernel.TopicAll)
	if text := dialogtest.Text(d, 90, 30); !strings.Contains(text, "Resume 2 cards") {
		t.Error(text)
	}
}

// TestFundingAFrozenCardIsWarnedOf funds one, and one among several.
func TestFundingAFrozenCardIsWarnedOf(t *testing.T) {
	const warning = "frozen: declines until unfrozen"
	th, in := panetest.Theme(t), state.Fund("card_1", 5*api.Dollar)
	for _, status := range []api.CardStatus{api.CardActive, api.CardFrozen} {
		s := dialogtest.StoreOf(t, guard.Guard{}, status)
		amount := cards.NewAmount(th, s, cards.Transfer{Title: "Fund", Verb: "Fund", Card: "card_1"})
		dialogtest.Type(amount, "5")
		back := dialog.NewConfirm(th, s, dialog.Question{Title: "Withdraw", Verb: "Withdraw", Intent: state.Withdraw("card_1", 5*api.Dollar)})
		for name, d := range map[string]dialog.Dialog{"amount": amount, "confirmation": dialog.NewConfirm(th, s, dialog.Question{Title: "Fund", Verb: "Fund", Intent: in})} {
			for _, size := range [][2]int{{62, 20}, {36, 10}} {
				text := strings.Join(strings.Fields(strings.ReplaceAll(dialogtest.Text(d, size[0], size[1]), "│", " ")), " ")
				if strings.Contains(text, warning) != (status == api.CardFrozen) {
					t.Errorf("%s of a card that is %s, at %v:\n%s", name, status, size, dialogtest.Text(d, size[0], size[1]))
				}
			}
		}
		if strings.Contains(dialogtest.Text(back, 62, 20), warning) {
			t.Error("a withdrawal warns as well")
		}
		many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}, Amount: 5 * api.Dollar}
		plan := NewPlan(th, s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) })
		if text := dialogtest.Text(plan, 90, 20); strings.Contains(text, "1 frozen: decline until unfrozen") != (status == api.CardFrozen) {
			t.Errorf("the plan of a card that is %s:\n%s", status, text)
		}
	}
}

// TestAPlanThatCannotRunOffersNoButton has one row that cannot be done, and
// rows that take more than there is.
func TestAPlanThatCannotRunOffersNoButton(t *testing.T) {
	s := dialogtest.Store(t)
	many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1", "card_gone"}, Amount: 1500 * api.Dollar}
	d := NewPlan(panetest.Theme(t), s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) })
	for range 3 {
		text := dialogtest.Text(d, 90, 20)
		for _, want := range []string{"the wallet is $500.00 short", "deposit first", "nothing is sent", "1 skipped", "the card is not in the list", "▸Cancel"} {
			if !strings.Contains(text, want) {
				t.Errorf("lacks %q:\n%s", want, text)
			}
		}
		if strings.Contains(text, "Fund 1 card $") || strings.Contains(text, "tab") {
			t.Errorf("offers what does nothing:\n%s", text)
		}
		d.Act(keymap.Switch)
	}
	if r := d.Act(keymap.Confirm); !r.Close || len(r.Intents) != 0 || r.Told != "nothing was sent" {
		t.Errorf("%+v", r)
	}
}

// TestAButtonThatComesBackIsNotUnderTheFinger has the wallet fall short and be
// filled again while somebody is on the button: what was seen under enter last
// is Cancel.
func TestAButtonThatComesBackIsNotUnderTheFinger(t *testing.T) {
	s := dialogtest.Store(t)
	th := panetest.Theme(t)
	wallet := func(after time.Duration, balance api.USD) {
		_, effects := s.Tick(panetest.At(after))
		for _, e := range effects {
			if f, ok := e.(wallets.Fetch); ok {
				s.Apply(wallets.Loaded{Fetch: f, Meta: kernel.Meta{Sent: panetest.At(after), At: panetest.At(after)}, Wallet: api.Wallet{Balance: balance}})
				return
			}
		}
		t.Fatal("the wallet is not read")
	}
	one := state.Fund("card_1", 50*api.Dollar)
	many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}, Amount: 50 * api.Dollar}
	dialogs := []dialog.Dialog{
		dialog.NewConfirm(th, s, dialog.Question{Title: "Fund", Verb: "Fund", Intent: one}),
		NewPlan(th, s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) }),
	}
	for _, d := range dialogs {
		d.Act(keymap.Switch)
	}
	wallet(time.Minute, 10*api.Dollar)
	for _, d := range dialogs {
		d.Sync(s, kernel.TopicAll)
		if text := dialogtest.Text(d, 90, 20); !strings.Contains(text, "▸Cancel") {
			t.Error(text)
		}
	}
	wallet(2*time.Minute, 1000*api.Dollar)
	for _, d := range dialogs {
		d.Sync(s, kernel.TopicAll)
		if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || !r.Close {
			t.Errorf("%+v", r)
		}
	}
}
