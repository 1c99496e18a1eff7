package codetimes_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/codetimes"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// account has had two codes: the first 800 ms after it was made, of which none
// were the API's.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "广告/春 🚀", 100*api.Dollar)}
	a.Wait(2 * time.Second)
	a.Codes = append(a.Codes, panetest.Code("3ds_1", "card_0001", "Meta", "111111", 2200*time.Millisecond))
	a.Wait(time.Second)
	a.Codes = append(a.Codes, panetest.Code("3ds_2", "card_0001", "カフェ", "222222", 3400*time.Millisecond))
	a.Wait(time.Second)
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, codetimes.New(panetest.Theme(t)), w, h)
}

func TestPrivateCodeTimesNameNoMerchant(t *testing.T) {
	t.Parallel()
	s := open(t, account(t, panetest.Private), 100, 14)
	s.See("card 1", " 800 ")
	s.SeeNot("Meta", "广告", "0001")
}

func TestTheKeysOfCodeTimes(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 100, 14)
	s.Exports(keymap.Export, "2026-03-01T12:00:03.400Z", "2026-03-01T12:00:02.200Z")
	s.Asks(keymap.Down, nil)
	s.See(" 800 ms: API 0, poll 800")
	// The cursor stays on its code when another comes in.
	a.Codes = append(a.Codes, panetest.Code("3ds_3", "card_0001", "Third", "333333", 4500*time.Millisecond))
	a.Wait(time.Second)
	s.Look()
	s.See("3 · ms", " 800 ms: API 0, poll 800")
	panetest.See(t, s.Line("│▸"), "Meta")
}
