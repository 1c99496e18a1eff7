package history_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

func record(n int, action string, outcome state.OpStatus) state.Record {
	return state.Record{
		At: panetest.At(time.Duration(n) * time.Minute), User: "ann", Action: action, Card: "card_0001", Name: "广告/春 🚀 ••0001",
		Amount: 50 * api.Dollar, Outcome: outcome, Tries: 1, Took: 120 * time.Millisecond, Key: api.IdempotencyKey(fmt.Sprintf("%dabcdefghij", -n)),
		RequestID: "req_1",
	}
}

// account has a history of four.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "广告/春 🚀", 100*api.Dollar)}
	done, refused, lost, unknown := record(-4, "fund", state.OpStatusDone), record(-3, "withdraw", state.OpStatusRefused), record(-2, "fund", state.OpStatusNotSent), record(-1, "freeze", state.OpStatusUnknown)
	done.CardBefore, done.CardAfter, done.WalletAfter, done.WalletShown = new(50*api.Dollar), new(100*api.Dollar), new(900*api.Dollar), new(950*api.Dollar)
	refused.Err, lost.Err = "the wallet is too low", "connection refused"
	unknown.Amount, unknown.Tries = 0, 3
	a.Past = []state.Record{unknown, lost, refused, done} // Newest first, as they are read.
	a.Wait(0)
	return a
}

func loaded(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := account(t, changes...)
	a.Do(state.LoadHistory{})
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, history.New(panetest.Theme(t)), w, h)
}

func TestAHistoryThatWasNotReadSaysWhy(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Silent = true
	a.Do(state.LoadHistory{})
	open(t, a, 80, 12).See("1 History  loading", "loading history…")
	a = account(t)
	a.Err = errors.New("the file is gone")
	a.Do(state.LoadHistory{})
	open(t, a, 80, 12).See("this session only", "history not loaded: the file is gone")
	a = panetest.New(t)
	a.Wait(0)
	a.Do(state.LoadHistory{})
	open(t, a, 80, 12).See("1 History  0", "no operations from this machine yet")
}

func TestTheKeysOfARecord(t *testing.T) {
	t.Parallel()
	a := loaded(t)
	s := open(t, a, 120, 14)
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0001"})
	s.Asks(keymap.Fund, state.Fund("card_0001", 0))
	s.Asks(keymap.Down, nil)
	s.See("not reached, not sent")
	// The oldest is exported first.
	if got := len(s.Act(keymap.Export)); got != 1 {
		t.Errorf("%d exports", got)
	}
	s.Exports(keymap.Export, "2026-03-01T11:56:00Z", "2026-03-01T11:57:00Z", "2026-03-01T11:58:00Z", "2026-03-01T11:59:00Z")
	s.Filter("refused")
	s.See("2 of 4", "✗ refused", "connection refused")
	s.SeeNot("✓ done")
	s.Filter("x")
	s.See("no record matches; esc clears the filter")
	s.Asks(keymap.Fund, nil)
}
