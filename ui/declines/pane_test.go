package declines_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/declines"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// TestPrivateModeHidesAmountsAndMerchants also in what helps.
func TestPrivateModeHidesAmountsAndMerchants(t *testing.T) {
	t.Parallel()
	a := panetest.New(t, panetest.Private)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "fb/01", 10*api.Dollar)}
	row := panetest.Settled("txn_b", "card_0001", "Meta", -90*api.Dollar, -time.Minute)
	row.Type, row.BalanceAfter = api.TransactionDecline, new(10*api.Dollar)
	a.Txns = append(a.Txns, row)
	a.Wait(2 * time.Second)
	s := panetest.Open(t, a, declines.New(panetest.Theme(t), keymap.New(keymap.Defaults())), 80, 14)
	s.See("likely balance too low")
	s.SeeNot("90.00", "80.00", "Meta")
}

// TestTheReadingOfCausesIsSeen in the title while it lasts, and what may be more until then is marked.
func TestTheReadingOfCausesIsSeen(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "fb/01", 100*api.Dollar)}
	for i := range 3 {
		row := panetest.Settled(api.TransactionID("txn_"+string(rune('a'+i))), "card_0001", "Meta", -9*api.Dollar, -time.Duration(i+1)*time.Hour)
		row.Type, row.BalanceAfter = api.TransactionDecline, new(100*api.Dollar)
		a.Txns = append(a.Txns, row)
	}
	a.Wait(2 * time.Second)
	s := panetest.Open(t, a, declines.New(panetest.Theme(t), keymap.New(keymap.Defaults())), 80, 14)
	s.See("3 in 24 h · reading causes: 0 of 3", "the last: nothing known explains it; not known: status,", "monthly limit, 3DS challenges")
	read := func(i int) {
		detail := api.TransactionDetail{Transaction: a.Txns[i], DeclineReason: "card_frozen"}
		a.Store.Apply(txns.OneLoaded{FetchOne: txns.FetchOne{Transaction: detail.ID, Ahead: true}, Meta: kernel.Meta{At: panetest.At(0)}, Detail: detail})
		s.Look()
	}
	read(0)
	s.See("3 in 24 h · reading causes: 1 of 3")
	panetest.See(t, s.Line("card frozen"), "≥1", "≥9.00")
	panetest.See(t, s.Line("cause not known"), " 2 ")
	read(1)
	read(2)
	s.SeeNot("reading", "≥", "cause not known")
	panetest.See(t, s.Line("card frozen"), "3", "27.00")
}
