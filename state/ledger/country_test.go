package ledger_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

func abroad(id int, card, country string, at time.Time) api.Transaction {
	t := purchase(id, card, "Ads", at, api.Dollar)
	t.Merchant.Country = api.Text(country)
	return t
}

func TestWhereACardWasUsed(t *testing.T) {
	t.Parallel()
	day := start().AddDate(0, 0, -1)
	l := ledger.New()
	for _, c := range []string{"c1", "c2", "c3"} {
		l.Describe(api.CardID(c), "bin", "fb/"+c[:1])
	}
	l.Add(start(), []api.Transaction{abroad(1, "c1", " ie", day), abroad(2, "c2", "US", day), abroad(3, "c3", "", day)})
	l.Cover(day.Truncate(24*time.Hour), start())
	closed, ok := l.Close(day)
	if !ok {
		t.Fatal("the day is not closed")
	}
	restored := ledger.New()
	restored.Restore(start(), closed)
	for _, c := range []struct {
		of              string
		code            api.Text
		there, anywhere bool
	}{
		{"c1", "IE", true, true},
		{"c1", "ie ", true, true},
		{"c1", "US", false, true},
		{"c2", "US", true, true},
		{"c3", "IE", false, false},
		{"c3", "", false, false},
		{"c1", "", false, true},
		{"c4", "IE", false, false},
	} {
		for name, l := range map[string]*ledger.Ledger{"read": l, "restored": restored} {
			if there, anywhere := l.InCountry(ledger.OfCard(api.CardID(c.of)), c.code); there != c.there || anywhere != c.anywhere {
				t.Errorf("%s %s in %q: %v, %v", name, c.of, c.code, there, anywhere)
			}
		}
	}
	fb := ledger.Scope{By: ledger.ByCampaign, Name: "fb/c"}
	if there, _ := l.InCountry(fb, "US"); !there {
		t.Error("a campaign was not used where its card was")
	}
}
