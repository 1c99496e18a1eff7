package checkout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/checkout"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// caught is an account whose armed checkout has brought a code of 25 USD on a
// card with a balance.
func caught(t *testing.T, balance api.USD, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "广告/春 🚀", balance)}
	a.Wait(0)
	a.Do(codes.Arm{Card: "card_0001"})
	a.Codes = []api.Challenge{panetest.Code("3ds_1", "card_0001", "カフェ", "123456", time.Second)}
	a.Wait(2 * time.Second)
	return a
}

func draw(t *testing.T, a *panetest.Account, w int) string {
	t.Helper()
	lines := checkout.New(panetest.Theme(t), panetest.Keys()).View(a.Store, w)
	panetest.Rectangle(t, lines, w, checkout.Height(w))
	return panetest.Text(lines)
}

func TestWhatSpeaksAgainstACaughtCodeIsSaid(t *testing.T) {
	t.Parallel()
	a := caught(t, 10*api.Dollar)
	panetest.See(t, draw(t, a, 100), "$15 short")
	// Where there are too few lines the amount and the merchant share one.
	panetest.See(t, draw(t, a, 60), "$25.00 カフェ", "$15 short", "o copies")
}

func TestAPrivateCodeIsNotDrawn(t *testing.T) {
	t.Parallel()
	open, hidden := draw(t, caught(t, 100*api.Dollar), 100), draw(t, caught(t, 100*api.Dollar, panetest.Private), 100)
	panetest.See(t, hidden, "••• •••", "$•••", "カフェ")
	if strings.Contains(hidden, "25.00") || strings.Contains(hidden, "广告") || !strings.Contains(open, "█") || strings.Contains(hidden, "█") {
		t.Errorf("drawn:\n%s", hidden)
	}
}

func TestWithoutACodeThereIsNoPanel(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	if lines := checkout.New(panetest.Theme(t), panetest.Keys()).View(a.Store, 80); lines != nil {
		t.Errorf("drawn:\n%s", panetest.Text(lines))
	}
}
