package alert

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

func TestWhatIsTypedOfALineBecomesTOML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind               fieldKind
		text, toml, refuse string
	}{
		{dollars, " $12.5 ", `"12.50"`, ""},
		{dollars, "0", `"0.00"`, ""},
		{dollars, "", `"0.00"`, ""},
		{dollars, "-1", "", "an amount"},
		{dollars, "1.005", "", "an amount"},
		{dollars, "10000001", "", "an amount"},
		{hours, "12", "12", ""},
		{hours, "007", "7", ""},
		{hours, "721", "", "0 to 720"},
		{hours, "1.5", "", "whole hours"},
		{hours, " ", "0", ""},
		{times, "", "0", ""},
		{times, "100", "100", ""},
		{times, "101", "", "0 to 100"},
		{times, "-1", "", "whole times"},
		{percents, "25, 15 %,15", "[15, 25]", ""},
		{percents, "", "[]", ""},
		{percents, "0", "", "1 to 1000"},
		{percents, "1,2,3,4,5,6,7,8,9,10", "", "at most 9"},
	} {
		f := Field{kind: c.kind}
		toml, problem := f.Parse(nil, c.text)
		if toml != c.toml || c.refuse == "" && problem != "" || !strings.Contains(problem, c.refuse) {
			t.Errorf("%d %q: %q, %q", c.kind, c.text, toml, problem)
		}
	}
}

func TestTheFieldsOfALineAreItsPresentValues(t *testing.T) {
	t.Parallel()
	r := Defaults()
	r.Low, r.Rates = []Own[api.USD]{{"card_1", 50 * api.Dollar}}, []Own[[]int]{{"fb*", []int{10}}}
	texts := func(all []Field) (out []string) {
		for i := range all {
			out = append(out, strings.Join(all[i].Path, ".")+"="+all[i].Text)
			if toml, problem := all[i].Parse(nil, all[i].Text); problem != "" {
				t.Errorf("%s: its own value is refused: %s %s", all[i].Label, toml, problem)
			}
		}
		return out
	}
	for _, c := range []struct {
		fields []Field
		want   string
	}{
		{r.CardFields(&cardlist.Card{ID: "card_1", Label: "gg"}), "alerts.low.card_1=50.00 alerts.hours.card_1=1 alerts.decline.card_1=15, 25 alerts.spike.card_1=3"},
		{r.CampaignFields("fb/x"), "alerts.hours.fb/x=6 alerts.decline.fb/x=10 alerts.spike.fb/x=3"},
		{r.AllFields(), "alerts.wallet_below=0.00 alerts.cards_below=10.00 alerts.wallet_hours=24 alerts.campaign_hours=6 alerts.card_hours=1 " +
			"alerts.decline_percent=15, 25 alerts.spike_times=3 alerts.spike_above=100.00"},
	} {
		if got := strings.Join(texts(c.fields), " "); got != c.want {
			t.Errorf("%s\nnot %s", got, c.want)
		}
	}
	if !slices.Equal(r.Rate, []int{15, 25}) || r.CardLasts != time.Hour {
		t.Error("the defaults are others")
	}
}
