package alert

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

// account is what insight reads, and the alerts that it raises.
type account struct {
	t        *testing.T
	ledger   *ledger.Ledger
	cards    map[api.CardID]cardlist.Card
	judged   map[api.CardID]bool
	campaign map[string]time.Duration
	left     map[api.CardID]time.Duration
	vague    *burn.Runway           // of all cards; nil for those of left
	short    map[api.CardID]api.USD // what the next charge of those takes that cannot pay for it
	wallet   time.Duration          // 0 for unknown
	funding  time.Duration
	asked    int
	now      time.Time
	list     List
	insight  *Insight
	n        int
}

func noon() time.Time { return time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC) }

func newAccount(t *testing.T, cards ...api.CardID) *account {
	t.Helper()
	a := &account{
		t: t, ledger: ledger.New(), now: noon(), cards: make(map[api.CardID]cardlist.Card), judged: make(map[api.CardID]bool),
		campaign: make(map[string]time.Duration), left: make(map[api.CardID]time.Duration),
	}
	a.ledger.Advance(a.now)
	for _, id := range cards {
		a.cards[id] = cardlist.Card{ID: id, BIN: "bin_1", Label: "fb/" + api.Text(id), Status: api.CardActive, Balance: 500 * api.Dollar}
		a.ledger.Describe(id, "bin_1", "fb")
	}
	a.insight = NewInsight(a, &a.list)
	return a
}

func (a *account) Ledger() *ledger.Ledger { return a.ledger }

func lasting(d time.Duration) (burn.Runway, bool) {
	return burn.Runway{Left: d, Low: d, High: d}, d > 0
}

func (a *account) CardRunway(id api.CardID) (burn.Runway, bool) {
	a.asked++
	if a.vague != nil {
		return *a.vague, false
	}
	return lasting(a.left[id])
}

func (a *account) CardShort(id api.CardID) (free, charge api.USD, short bool) {
	charge, short = a.short[id]
	return a.cards[id].Balance, charge, short
}

func (a *account) CampaignRunway(name string) (burn.Runway, bool) { return lasting(a.campaign[name]) }
func (a *account) WalletRunway() (burn.Runway, bool)              { return lasting(a.wallet) }
func (a *account) FundingRunway() (burn.Runway, bool)             { return lasting(a.funding) }
func (a *account) Campaign(api.CardID, api.Text) string           { return "fb" }

func (a *account) Card(id api.CardID) (c cardlist.Card, before, ok bool) {
	c, ok = a.cards[id]
	before, a.judged[id] = a.judged[id], true
	return c, before, ok
}

// read covers the days before now.
func (a *account) read(days int) { a.ledger.Cover(a.now.AddDate(0, 0, -days), a.now) }

// use adds transactions of a card, which is compared then.
func (a *account) use(id api.CardID, kind api.TransactionType, n int, at time.Time, amount api.USD) {
	for range n {
		a.n++
		a.ledger.Add(a.now, []api.Transaction{{
			ID: api.TransactionID(fmt.Sprint(a.n)), CardID: id, Type: kind, Amount: amount, CreatedAt: at, Merchant: api.Merchant{Name: "Ads", Country: "IE"},
		}})
	}
	a.insight.Changed(id)
}

// after lets time pass, and returns the alerts and those that are news.
func (a *account) after(d time.Duration, r Rules) (all, news string) {
	a.now = a.now.Add(d)
	a.ledger.Advance(a.now)
	a.ledger.Cover(a.now.Add(-d-time.Second), a.now)
	a.insight.Update(&r, a.now, a.now)
	return texts(a.list.All(a.now)), texts(a.list.News())
}

func texts(list []Alert) string {
	var lines []string
	for _, a := range list {
		lines = append(lines, fmt.Sprintf("%s %s%s%s: %s", a.Kind, a.Card, a.Campaign, a.BIN, a.Text))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

func (a *account) want(what, got, want string) {
	a.t.Helper()
	if got != want {
		a.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestRunwaysAlertOncePerCrossing(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1", "c2")
	r := Rules{WalletLasts: 24 * time.Hour, CampaignLasts: 6 * time.Hour, CardLasts: time.Hour, Cards: 10 * api.Dollar}
	a.left["c1"], a.campaign["fb"], a.wallet = 30*time.Minute, 20*time.Hour, 40*time.Hour
	all, _ := a.after(time.Minute, r)
	a.want("nothing was read", all, "")
	a.read(2)
	all, news := a.after(time.Minute, r)
	a.want("so at first", all, "runs out c1: lasts 30 m, less than 1.0 h")
	a.want("so at first", news, "")
	a.left["c2"] = 50 * time.Minute
	all, _ = a.after(time.Second, r)
	a.want("not compared while nothing changes", all, "runs out c1: lasts 30 m, less than 1.0 h")
	a.insight.Changed("c2")
	a.left["c1"] = 2 * time.Hour
	_, news = a.after(time.Second, r)
	a.want("a card crosses", news, "runs out c2: lasts 50 m, less than 1.0 h")
	a.left["c2"] = 70 * time.Minute
	all, news = a.after(time.Minute, r)
	a.want("what alerts is compared each minute", all, "runs out c2: lasts 1.1 h, clears at 1.2 h")
	a.want("it is no news", news, "")
	a.left["c2"] = 0 // Nothing is spent.
	a.campaign["fb"], a.wallet = 5*time.Hour, 20*time.Hour
	all, news = a.after(time.Minute, r)
	want := "runs out : lasts 20 h with the cards, less than 1.0 d; runs out fb: lasts 5.0 h, less than 6.0 h"
	a.want("wallet and campaign", all, want)
	a.want("both are news", news, want)
	a.funding = 3 * time.Hour
	all, _ = a.after(time.Minute, r)
	a.want("the shorter of both", all, strings.Replace(want, "20 h with the cards", "3.0 h as cards are funded", 1))
	low := a.cards["c1"]
	low.Balance = 9 * api.Dollar
	a.cards["c1"], a.left["c1"] = low, time.Minute
	a.insight.Changed("c1")
	all, _ = a.after(time.Second, r)
	if strings.Contains(all, "c1") {
		t.Errorf("a card that is low alerts twice: %s", all)
	}
	all, _ = a.after(time.Minute, Rules{})
	a.want("without rules", all, "")
}

// TestARunwayAlertOutlastsAVagueForecast: it ends when the money lasts again, not when nobody can say.
func TestARunwayAlertOutlastsAVagueForecast(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1")
	r := Rules{CardLasts: time.Hour, Cards: 10 * api.Dollar}
	a.read(2)
	a.vague = &burn.Runway{Left: 50 * time.Minute, Low: time.Minute, High: burn.Horizon}
	a.insight.Changed("c1")
	all, _ := a.after(time.Minute, r)
	a.want("a vague forecast alone", all, "")
	a.vague, a.left["c1"] = nil, 50*time.Minute
	a.insight.Changed("c1")
	all, _ = a.after(time.Minute, r)
	a.want("a known one", all, "runs out c1: lasts 50 m, less than 1.0 h")
	a.vague = &burn.Runway{Left: 2 * time.Hour, Low: time.Minute, High: burn.Horizon}
	all, news := a.after(time.Minute, r)
	a.want("it became vague", all, "runs out c1: spending is too uneven to say how long it lasts")
	a.want("it became vague", news, "")
	a.vague = &burn.Runway{Left: 20 * time.Hour, Low: 2 * time.Hour, High: burn.Horizon}
	all, _ = a.after(time.Minute, r)
	a.want("it lasts beyond the line at least", all, "")
}

func TestDeclineRatesAlertAtEachLine(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1", "c2")
	r := Rules{Rate: []int{15, 25}, RateFrom: 20}
	a.use("c1", api.TransactionDecline, 5, a.now, api.Dollar)
	a.use("c1", api.TransactionAuthorization, 15, a.now, api.Dollar)
	a.use("c2", api.TransactionAuthorization, 80, a.now, api.Dollar)
	a.read(5)
	all, _ := a.after(time.Minute, r)
	a.want("five days of seven", all, "")
	a.read(8)
	all, news := a.after(time.Minute, r)
	at25 := "decline rate c1: 25 % declined in 7 days, 5 of 20, your threshold 25 %"
	a.want("so at first", all, at25)
	a.want("so at first", news, "")
	a.use("c2", api.TransactionDecline, 15, a.now, api.Dollar)
	a.after(time.Second, r)
	a.want("a card", texts(a.list.All(a.now)), at25+"; decline rate c2: 16 % declined in 7 days, 15 of 95, your threshold 15 %, 12 more to 25 %")
	_, news = a.after(time.Minute, r)
	more := "17 % declined in 7 days, 20 of 115, your threshold 15 %, 12 more to 25 %"
	a.want("account, BIN and campaign", news, "decline rate : "+more+"; decline rate bin_1: "+more+"; decline rate fb: "+more)
	a.use("c2", api.TransactionDecline, 12, a.now, api.Dollar)
	_, news = a.after(time.Minute, r)
	if !strings.Contains(news, "c2: 25 % declined in 7 days, 27 of 107, your threshold 25 %") {
		t.Errorf("the next line is no news: %q", news)
	}
	r.Rates = []Own[[]int]{{"*", nil}}
	a.insight.Reset()
	all, _ = a.after(time.Minute, r)
	if strings.Contains(all, " c1:") || strings.Contains(all, " fb:") {
		t.Errorf("lines of their own do not hold: %s", all)
	}
}

// TestATerminatedCardHasNoDeclineRate: nothing can be done about it any more.
func TestATerminatedCardHasNoDeclineRate(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1")
	r := Rules{Rate: []int{15}, RateFrom: 20}
	a.use("c1", api.TransactionDecline, 5, a.now, api.Dollar)
	a.use("c1", api.TransactionAuthorization, 15, a.now, api.Dollar)
	a.read(8)
	all, _ := a.after(time.Minute, r)
	if !strings.Contains(all, " c1:") {
		t.Errorf("active: %s", all)
	}
	c := a.cards["c1"]
	c.Status = api.CardTerminated
	a.cards["c1"] = c
	a.insight.Changed("c1")
	all, _ = a.after(time.Minute, r)
	if strings.Contains(all, " c1:") {
		t.Errorf("terminated: %s", all)
	}
}

func TestASpikeEndsWithItsHours(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1")
	r := Rules{Spike: 3, SpikeFrom: 100 * api.Dollar}
	for h := 2; h < 20; h++ {
		a.use("c1", api.TransactionSettlement, 1, a.now.Add(-time.Duration(h)*time.Hour), -50*api.Dollar)
	}
	a.read(3)
	all, _ := a.after(time.Minute, r)
	a.want("as usual", all, "")
	a.use("c1", api.TransactionSettlement, 4, a.now, -50*api.Dollar)
	_, news := a.after(time.Second, r)
	a.want("a card", news, "spend spike c1: $200.00 since 12:00, 4.0 times the usual $50.00/h")
	_, news = a.after(time.Minute, r)
	a.want("its campaign", news, "spend spike fb: $200.00 since 12:00, 4.0 times the usual $50.00/h")
	all, _ = a.after(time.Hour, r)
	a.want("an hour later", all, "spend spike c1: $200.00 from 12:00 to 13:00, 4.0 times the usual $50.00/h; spend spike fb: $200.00 from 12:00 to 13:00, 4.0 times the usual $50.00/h")
	all, _ = a.after(time.Hour, r)
	a.want("two hours later", all, "")
}

func TestACountryIsNewWhereNeitherCardNorCampaignWas(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1", "c2", "c3")
	a.use("c1", api.TransactionSettlement, 1, a.now.AddDate(0, 0, -2), -api.Dollar)
	use := func(id api.CardID, campaign, country string) Use {
		return Use{Transaction: api.Transaction{ID: "t", CardID: id, Type: api.TransactionAuthorization, Amount: -api.Dollar, Merchant: api.Merchant{Name: "Acme", Country: api.Text(country)}}, Campaign: campaign, Now: a.now}
	}
	a.read(5)
	if a.list.Country(a.ledger, use("c1", "fb", "RO")) {
		t.Error("five days are enough")
	}
	a.read(9)
	for name, c := range map[string]struct {
		u    Use
		want string
	}{
		"new":                  {use("c1", "fb", "ro"), "new country c1fb: first use in RO since Mar 5: $1.00 at Acme"},
		"new to a card alone":  {use("c1", "", "RO"), "new country c1: first use in RO since Mar 5: $1.00 at Acme"},
		"known":                {use("c1", "fb", "ie"), ""},
		"known of another":     {use("c2", "fb", "IE"), ""},
		"new to the campaign":  {use("c3", "fb", "RO"), "new country c3fb: first use in RO since Mar 5: $1.00 at Acme"},
		"a card without past":  {use("c2", "", "RO"), ""},
		"a new campaign":       {use("c2", "gg", "RO"), ""},
		"a country not stated": {use("c1", "fb", ""), ""},
	} {
		var l List
		l.Country(a.ledger, c.u)
		a.want(name, texts(l.News()), c.want)
		l.Country(a.ledger, c.u)
		a.want(name+", again", texts(l.News()), "")
	}
}

func TestAStormAlertsOnce(t *testing.T) {
	t.Parallel()
	tries := func(n int) *decline.Storm {
		s := &decline.Storm{Card: "c1", Merchant: "ads"}
		for i := range n {
			s.Tries = append(s.Tries, decline.Try{ID: api.TransactionID(fmt.Sprint(i)), Card: "c1", Merchant: "ads", At: noon().Add(time.Duration(i) * time.Minute)})
		}
		return s
	}
	use := func(i int) Use {
		return Use{Transaction: api.Transaction{ID: api.TransactionID(fmt.Sprint(i)), CardID: "c1", Type: api.TransactionDecline, Amount: 5 * api.Dollar, Merchant: api.Merchant{Name: "Ads"}}, Now: noon()}
	}
	r := &Rules{Declines: true, Storms: true}
	var l List
	for i, want := range []string{"declined c1: $5.00 at Ads", "", "retry storm c1: 3 declines in 2 min, the last $5.00 at Ads", ""} {
		var storm *decline.Storm
		if i >= 2 {
			storm = tries(i + 1)
		}
		l.Decline(r, use(i), decline.Answer{}, storm)
		if got := texts(l.News()); got != want {
			t.Errorf("decline %d: news %q, want %q", i, got, want)
		}
	}
	if got := texts(l.All(noon())); got != "retry storm c1: 4 declines in 3 min, the last $5.00 at Ads" {
		t.Errorf("alerts %q", got)
	}
	l.Explained(&api.Transaction{ID: "3", CardID: "c1", Amount: 5 * api.Dollar, Merchant: api.Merchant{Name: "Ads"}}, decline.Answer{Cause: decline.Frozen, Confidence: decline.Certain}, tries(4))
	if got := texts(l.All(noon())); !strings.HasSuffix(got, "at Ads: card frozen") {
		t.Errorf("the cause is not said: %q", got)
	}
	l.Acknowledge(l.All(noon())[0].ID, noon().Add(4*time.Minute))
	if l.Decline(r, use(4), decline.Answer{}, tries(5)); l.Len() != 0 {
		t.Errorf("a storm that was seen alerts again: %s", texts(l.All(noon())))
	}
	later := &decline.Storm{Card: "c1", Merchant: "ads", Tries: []decline.Try{{At: noon().Add(time.Hour)}, {At: noon().Add(time.Hour)}, {At: noon().Add(time.Hour)}}}
	if l.Decline(r, use(5), decline.Answer{}, later); l.Len() != 1 {
		t.Error("the next storm does not alert")
	}
	var quiet List
	quiet.Decline(&Rules{Declines: true}, use(2), decline.Answer{}, tries(3))
	if got := texts(quiet.All(noon())); got != "declined c1: $5.00 at Ads" {
		t.Errorf("without alerts to storms: %q", got)
	}
}

func TestWhatWasNotReadAlertsToNothing(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1")
	a.wallet, a.campaign["fb"] = time.Hour, time.Hour
	r := Rules{Rate: []int{15}, RateFrom: 20, WalletLasts: 24 * time.Hour, CampaignLasts: 24 * time.Hour}
	a.use("c1", api.TransactionDecline, 5, a.now, api.Dollar)
	a.use("c1", api.TransactionAuthorization, 15, a.now, api.Dollar)
	for _, c := range []struct{ days, alerts int }{{0, 0}, {2, 2}, {5, 2}, {8, 6}} {
		if c.days > 0 {
			a.read(c.days)
		}
		_, news := a.after(time.Minute, r)
		if n := a.list.Len(); n != c.alerts || news != "" {
			t.Errorf("%d days: %d alerts, news %q", c.days, n, news)
		}
	}
}

// TestACardWithoutAForecastRunsOutByItsNextCharge: a forecast that nobody can make is no reason to be
// silent about a card that cannot pay once more.
func TestACardWithoutAForecastRunsOutByItsNextCharge(t *testing.T) {
	t.Parallel()
	a := newAccount(t, "c1")
	r := Rules{CardLasts: time.Hour, Cards: 10 * api.Dollar}
	a.read(2)
	a.short = map[api.CardID]api.USD{"c1": 600 * api.Dollar}
	a.insight.Changed("c1")
	all, _ := a.after(time.Minute, r)
	a.want("it cannot pay once more", all, "runs out c1: $500.00 available, one more charge as in the last 24 h takes $600.00")
	a.short = nil
	a.insight.Changed("c1")
	all, _ = a.after(time.Minute, r)
	a.want("it can again", all, "")
	a.short = map[api.CardID]api.USD{"c1": 600 * api.Dollar}
	a.insight.Changed("c1")
	all, _ = a.after(time.Minute, Rules{Cards: 10 * api.Dollar, Rate: []int{15}})
	a.want("the user wants no such alert", all, "")
}
