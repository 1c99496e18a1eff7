package reveal_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/reveal"
)

// account has one card; its details go to the vault.
func account(t *testing.T) (*panetest.Account, *vault.Vault) {
	t.Helper()
	a, v := panetest.New(t), &vault.Vault{}
	a.Hold = v.Hold
	a.Cards = []api.CardItem{panetest.Card("card_0001", "广告/春 🚀", 100*api.Dollar)}
	a.Wait(0)
	return a, v
}

func draw(t *testing.T, a *panetest.Account, v *vault.Vault, w int) string {
	t.Helper()
	lines := reveal.New(panetest.Theme(t), v).View(a.Store, w)
	panetest.Rectangle(t, lines, w, reveal.Height)
	return panetest.Text(lines)
}

// TestADetailTakesTwoLinesWhereOneIsTooShort draws it on the smallest screen.
func TestADetailTakesTwoLinesWhereOneIsTooShort(t *testing.T) {
	t.Parallel()
	a, v := account(t)
	a.Do(secrets.RevealCard{Card: "card_0001"})
	for w, want := range map[int]int{30: 2, 40: 2, 60: 1, 80: 1, 160: 1} {
		lines := strings.Split(draw(t, a, v, w), "\n")
		number, rest := -1, -1
		for i, l := range lines {
			if strings.Contains(l, "4111 1111 1111 1111") {
				number = i
			}
			if strings.Contains(l, "exp ") {
				rest = i
			}
		}
		if number != 1 || rest != want {
			t.Errorf("%d cells: the number is on line %d, the expiry on %d, want 1 and %d", w, number, rest, want)
		}
	}
}

func TestWithoutDetailsNothingIsShown(t *testing.T) {
	t.Parallel()
	a, v := account(t)
	a.Silent = true
	a.Do(secrets.RevealCard{Card: "card_0001"})
	drawn := draw(t, a, v, 80)
	panetest.See(t, drawn, "loading details…")
	if strings.Contains(drawn, "4111") {
		t.Error("a number is shown that was not read")
	}
	a, v = account(t)
	a.Do(secrets.RevealCard{Card: "card_0001"})
	v.Forget()
	drawn = draw(t, a, v, 80)
	panetest.See(t, drawn, "not loaded")
	if strings.Contains(drawn, "4111") {
		t.Error("a number is shown that the vault forgot")
	}
}
