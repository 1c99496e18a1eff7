package alerts_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/alerts"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// account alerts to cards below 10 USD, of which it has one.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	rules := func(c *settings.Config) { c.Alerts = alert.Rules{Cards: 10 * api.Dollar} }
	a := panetest.New(t, append(changes, rules)...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "広告/春 🚀", 5*api.Dollar), panetest.Card("card_0002", "fb", 500*api.Dollar)}
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, alerts.New(panetest.Theme(t), panetest.Keys()), w, h)
}

// TestWhatTheFormHasNotIsEditedInTheSettings: the foot says where what raised an alert is changed.
func TestWhatTheFormHasNotIsEditedInTheSettings(t *testing.T) {
	t.Parallel()
	a := panetest.New(t, func(c *settings.Config) { c.Alerts = alert.Rules{Deposit: time.Minute} })
	a.Deposits = []api.Deposit{{ID: "dep_1", Currency: "usdt", Status: api.DepositPending, CreatedAt: panetest.At(-time.Hour)}}
	a.Wait(2 * time.Second)
	open(t, a, 100, 14).See("1 Alerts  1", "set by alerts.deposit_minutes", "ctrl+e edits this setting")
}

// TestTheFootNamesEveryThreshold turns off each rule by itself. Thresholds of some cards or campaigns only are left out.
func TestTheFootNamesEveryThreshold(t *testing.T) {
	t.Parallel()
	foot := func(rules alert.Rules) string {
		a := panetest.New(t, func(c *settings.Config) { c.Alerts = rules })
		a.Silent = true // No alert takes the place.
		a.Wait(0)
		return open(t, a, 120, 24).Text()
	}
	all := settings.Defaults().Alerts
	all.Wallet = 100 * api.Dollar
	whole, of := foot(all), reflect.TypeOf(all)
	for i := range of.NumField() {
		switch name := of.Field(i).Name; name {
		case "Low", "Lasts", "Rates", "Spikes", "RateFrom", "Quiet":
		default:
			less := all
			reflect.ValueOf(&less).Elem().Field(i).SetZero()
			if foot(less) == whole {
				t.Errorf("the foot does not name %s:\n%s", name, whole)
			}
		}
	}
}

func TestPrivateAlertsShowNoFigureAndNoLabel(t *testing.T) {
	t.Parallel()
	a := account(t, panetest.Private)
	a.Wait(2 * time.Second)
	s := open(t, a, 100, 14)
	s.See("1 Alerts  1", "card 1")
	s.SeeNot("5.00", "広告", "0001")
}

// TestANarrowListNamesTheCardAndSaysBelowWhatIsTheMatter has room for one of the two.
func TestANarrowListNamesTheCardAndSaysBelowWhatIsTheMatter(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 40, 8)
	panetest.See(t, s.Line("│▸"), "low balance", "広告/春 🚀 ••0001")
	s.See("$5.00, below $10.00")
	s.Fits()
}

// TestAnUnfinishedListSaysWhatWasNotReadYet as other figures do that are a lower bound.
func TestAnUnfinishedListSaysWhatWasNotReadYet(t *testing.T) {
	t.Parallel()
	for _, low := range []bool{true, false} {
		a := panetest.New(t, func(c *settings.Config) {
			c.Alerts = alert.Rules{Cards: 10 * api.Dollar, Rate: []int{15}, RateFrom: 20, Limit: []int{75}}
		})
		a.Cards = []api.CardItem{panetest.Card("card_0001", "fb", 500*api.Dollar)}
		if low {
			a.Cards[0].Balance = 5 * api.Dollar
		}
		a.Txns = []api.Transaction{panetest.Settled("txn_1", "card_0001", "Meta", -40*api.Dollar, -time.Hour)}
		a.Wait(2 * time.Second)
		s := open(t, a, 100, 14)
		s.See("transactions read since Feb 28 12:00")
		if low {
			s.See("1 Alerts  ≥1 · ")
		} else {
			s.See("1 Alerts  ≥0 · ", "no alerts so far · transactions read")
		}
		s.Fits()
		a.Store.Insight.Ledger().Cover(panetest.At(-20*24*time.Hour), panetest.At(0))
		a.Wait(time.Minute)
		s.Look()
		s.SeeNot("not read yet", "≥0", "≥1 ", "so far")
	}
}
