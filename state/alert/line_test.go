package alert

import (
	"os"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

func TestADeclineRateSaysHowFarTheNextLineIs(t *testing.T) {
	t.Parallel()
	lines := []int{15, 25}
	for _, c := range []struct {
		declined, attempts, was, level int
		text                           string
	}{
		{19, 19, 0, 0, ""}, // Too few.
		{2, 20, 0, 0, ""},
		{3, 20, 0, 1, "15 % declined in 7 days, 3 of 20, your threshold 15 %, 3 more to 25 %"},
		{14, 100, 1, 1, "14 % declined in 7 days, 14 of 100, clears below 13 %, 15 more to 25 %"},
		{12, 100, 1, 0, ""},
		{25, 100, 1, 2, "25 % declined in 7 days, 25 of 100, your threshold 25 %"},
		{24, 100, 2, 2, "24 % declined in 7 days, 24 of 100, clears below 23 %"},
	} {
		if level, text := rateOf(nil, ledger.Tries{Attempts: c.attempts, Declined: c.declined}, lines, 20, c.was); level != c.level || text != c.text {
			t.Errorf("%+v: %d, %q", c, level, text)
		}
	}
	if level, _ := rateOf(nil, ledger.Tries{Attempts: 100, Declined: 100}, nil, 1, 0); level != 0 {
		t.Error("it alerts without lines")
	}
}

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// trace is one of the present hour, the last one, and so many before them that spent
// 10 USD each.
func trace(now, last api.USD, past int) *burn.Trace {
	t := &burn.Trace{Known: burn.Hours - 1, Now: time.Date(2026, 3, 1, 12, 34, 0, 0, time.UTC)}
	t.Hours[0].Spent, t.Hours[1].Spent = now*api.Dollar, last*api.Dollar
	for i := range past {
		t.Hours[2+i].Spent = 10 * api.Dollar
	}
	return t
}

func TestASpikeIsAgainstTheUsualHour(t *testing.T) {
	t.Parallel()
	unread := trace(500, 0, 20)
	unread.Known = burn.Hours - 2
	share := trace(30, 0, 20) // Of a hold at the share that settles.
	share.Hours[0].Spent += 12_345
	for name, c := range map[string]struct {
		t     *burn.Trace
		times int
		from  api.USD
		was   bool
		want  string
	}{
		"below":               {trace(29, 0, 20), 3, 0, false, ""},
		"reached":             {trace(30, 0, 20), 3, 0, false, "$30.00 since 12:00, 3.0 times the usual $10.00/h"},
		"whole cents":         {share, 3, 0, false, "$30.01 since 12:00, 3.0 times the usual $10.00/h"},
		"the last hour":       {trace(1, 45, 20), 3, 0, false, "$45.00 from 11:00 to 12:00, 4.5 times the usual $10.00/h"},
		"idle hours in it":    {trace(30, 0, 6), 3, 0, false, "$30.00 since 12:00, 3.0 times the usual $10.00/h"},
		"nothing is usual":    {trace(500, 0, 5), 3, 0, false, ""},
		"not read":            {unread, 3, 0, false, ""},
		"too little":          {trace(99, 0, 20), 3, 100 * api.Dollar, false, ""},
		"never":               {trace(500, 0, 20), 0, 0, false, ""},
		"still so":            {trace(24, 0, 20), 3, 0, true, "$24.00 since 12:00, 2.4 times the usual $10.00/h"},
		"over":                {trace(23, 0, 20), 3, 0, true, ""},
		"so little, but was":  {trace(79, 0, 20), 3, 100 * api.Dollar, true, ""},
		"enough to stay so":   {trace(80, 0, 20), 3, 100 * api.Dollar, true, "$80.00 since 12:00, 8.0 times the usual $10.00/h"},
		"as usual, never was": {trace(10, 10, 23), 3, 0, false, ""},
	} {
		if spike, text := spikeOf(nil, c.t, c.times, c.from, c.was); text != c.want || spike != (c.want != "") {
			t.Errorf("%s: %v, %q", name, spike, text)
		}
	}
}

func TestTheVeryNameGoesBeforePatterns(t *testing.T) {
	t.Parallel()
	own := []Own[int]{{"fb/*", 1}, {"*", 2}, {"card_1", 3}, {"2039", 4}, {"fb/spring", 5}, {"", 6}}
	for _, c := range []struct {
		card cardlist.Card
		want int
	}{
		{cardlist.Card{ID: "card_1", Last4: "2039", Label: "fb/spring"}, 3},
		{cardlist.Card{ID: "card_2", Last4: "2039", Label: "fb/spring"}, 4},
		{cardlist.Card{ID: "card_3", Label: "FB/Spring"}, 5},
		{cardlist.Card{ID: "card_3", Label: "fb/spring/07"}, 1},
		{cardlist.Card{ID: "card_3", Label: "gg"}, 2},
		{cardlist.Card{ID: "card_3"}, 2},
	} {
		if got := lineOf(own, 0, ofCard(&c.card)); got != c.want {
			t.Errorf("%+v: %d, want %d", c.card, got, c.want)
		}
	}
	r := Rules{CampaignLasts: 6, CardLasts: 1, Lasts: []Own[time.Duration]{{"fb/*", 9}}}
	if got := r.Of(ledger.Scope{By: ledger.ByCampaign, Name: "fb/spring"}).Lasts; got != 9 {
		t.Errorf("a campaign has %d", got)
	}
	if got := r.Of(ledger.Scope{By: ledger.ByCampaign, Name: "gg"}).Lasts; got != 6 {
		t.Errorf("another campaign has %d", got)
	}
	if got := r.OfCard(&cardlist.Card{Label: "gg"}).Lasts; got != 1 {
		t.Errorf("a card has %d", got)
	}
}
