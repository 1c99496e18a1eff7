package state_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

func alerting(c *settings.Config) {
	c.Alerts = alert.Rules{
		Wallet: 100 * dollar, Cards: 40 * dollar, Declines: true, Deposit: time.Hour,
		Low: []alert.Own[api.USD]{{Of: "0003", Line: 5 * dollar}, {Of: "gg/*", Line: 0}, {Of: "f*", Line: 20 * dollar}},
	}
}

// answerLane answers the next request of a lane; all others are left alone.
func answerLane[T kernel.Effect](t *testing.T, s *state.Store, d time.Duration, ev func(T) kernel.Event) {
	t.Helper()
	for _, e := range all[T](tick(s, d)) {
		apply(s, ev(e))
		return
	}
	t.Fatalf("at %s nothing of this kind is due", d)
}

// balances brings a page of cards with a balance each.
func balances(t *testing.T, s *state.Store, d time.Duration, list ...api.CardItem) {
	t.Helper()
	answerLane(t, s, d, func(f state.FetchCards) kernel.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), TotalPages: 1, Total: 3, Items: list}
	})
}

// matter is what the alerts say, a line each.
func matter(s *state.Store) string {
	var b strings.Builder
	for _, a := range s.Alerts.All() {
		b.WriteString(a.Kind.String() + ": " + string(a.Card) + " " + a.Text + "\n")
	}
	return b.String()
}

// shownWallet is the news, a line each.
func shownWallet(s *state.Store) string {
	var lines []string
	for _, n := range s.News.Drain() {
		lines = append(lines, string(n.Kind)+": "+n.Line())
	}
	return strings.Join(lines, "\n")
}

func labelled(id api.CardID, label api.Text, balance api.USD) api.CardItem {
	c := item(id, api.CardActive, balance)
	c.Label = label
	return c
}

func TestALowBalanceAlertsOncePerCrossing(t *testing.T) {
	s := settled(t, alerting)
	if matter(s) != "" || shownWallet(s) != "" {
		t.Fatalf("alerts at the start: %s", matter(s))
	}
	step := 11 * time.Second
	for i, c := range []struct {
		balance      api.USD
		want, report string
	}{
		{1999 * api.Cent, "low balance: card_0001 $19.99, below $20.00\n", "alert: low balance · card 0001 fb · $19.99, below $20.00"},
		{1500 * api.Cent, "low balance: card_0001 $15.00, below $20.00\n", ""},
		{2000 * api.Cent, "low balance: card_0001 $20.00, clears at $22.00\n", ""},
		{1900 * api.Cent, "low balance: card_0001 $19.00, below $20.00\n", ""},
		{2199 * api.Cent, "low balance: card_0001 $21.99, clears at $22.00\n", ""},
		{2200 * api.Cent, "", ""},
		{2000 * api.Cent, "", ""},
		{1000 * api.Cent, "low balance: card_0001 $10.00, below $20.00\n", "alert: low balance · card 0001 fb · $10.00, below $20.00"},
	} {
		balances(t, s, time.Duration(i+1)*step, item("card_0001", api.CardActive, c.balance))
		if got := matter(s); got != c.want {
			t.Errorf("%s: alerts %q, want %q", c.balance, got, c.want)
		}
		if got := shownWallet(s); got != c.report {
			t.Errorf("%s: news %q, want %q", c.balance, got, c.report)
		}
	}
	balances(t, s, 9*step, item("card_0001", api.CardFrozen, dollar))
	if got := matter(s); got != "" {
		t.Errorf("a frozen card alerts: %s", got)
	}
}

func TestALowBalanceCallsNobodyWhoTookTheMoney(t *testing.T) {
	s := settled(t, alerting)
	op := one[state.Do](t, do(t, s, state.Withdraw(first, 90*dollar))).Op
	s.News.Drain()
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Moved: new(90 * dollar), CardBalance: new(10 * dollar), WalletBalance: new(1090 * dollar)})
	if got := matter(s); got != "low balance: card_0001 $10.00, below $20.00\n" {
		t.Errorf("alerts %q", got)
	}
	if got := shownWallet(s); strings.Contains(got, "low balance") {
		t.Errorf("news %q", got)
	}
	balances(t, s, 11*time.Second, item(first, api.CardActive, 30*dollar))
	balances(t, s, 22*time.Second, item(first, api.CardActive, 9*dollar))
	if got := shownWallet(s); !strings.Contains(got, "low balance") {
		t.Errorf("the next fall is no news: %q", got)
	}
}

func TestTheAlertOfACardThatIsListedNoMoreEnds(t *testing.T) {
	s := settled(t, alerting)
	sweep := func(now time.Duration, items ...api.CardItem) {
		t.Helper()
		for _, f := range all[state.FetchCards](tick(s, now)) {
			apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(now), TotalPages: 1, Total: len(items), Items: items})
		}
	}
	other := item("card_0002", api.CardFrozen, 50*dollar)
	sweep(6*time.Minute, item("card_0001", api.CardActive, dollar), other)
	if matter(s) == "" {
		t.Fatal("nothing alerts")
	}
	sweep(12*time.Minute, other)
	sweep(18*time.Minute, other)
	if _, ok := s.Cards.Get("card_0001"); ok || matter(s) != "" {
		t.Errorf("alerts of a card that is gone: %s", matter(s))
	}
	// Where it comes back it is looked at for the first time.
	shownWallet(s)
	sweep(24*time.Minute, item("card_0001", api.CardActive, dollar), other)
	if matter(s) == "" || shownWallet(s) != "" {
		t.Errorf("alerts %q", matter(s))
	}
}

func TestTheFirstRuleThatFitsHolds(t *testing.T) {
	s := settled(t, alerting)
	balances(t, s, 11*time.Second,
		labelled("card_0003", "fb/x", 10*dollar), labelled("card_0004", "gg/x", 0), labelled("card_0005", "tt/x", 39*dollar), labelled("card_0006", "fb/x", 30*dollar))
	if got, want := matter(s), "low balance: card_0005 $39.00, below $40.00\n"; got != want {
		t.Errorf("alerts %q, want %q", got, want)
	}
	if got := shownWallet(s); got != "" {
		t.Errorf("a card that was low at first sight is news: %s", got)
	}
}

func TestWalletAndDepositsAlert(t *testing.T) {
	s := settled(t, alerting)
	answerLane(t, s, 11*time.Second, func(f wallets.Fetch) kernel.Event {
		return wallets.Loaded{Fetch: f, Meta: meta(11 * time.Second), Wallet: api.Wallet{Balance: 99 * dollar}}
	})
	if got := shownWallet(s); got != "alert: wallet low · $99.00, below $100.00" {
		t.Errorf("news %q", got)
	}
	pending := api.Deposit{ID: "dep_1", Currency: "usdt", Status: api.DepositPending, CreatedAt: at(0), CreditedUSD: new(250 * dollar)}
	answerLane(t, s, 62*time.Second, func(f wallets.FetchDeposits) kernel.Event {
		return wallets.DepositsLoaded{FetchDeposits: f, Meta: meta(62 * time.Second), Items: []api.Deposit{pending}}
	})
	later := one[wallets.FetchDeposits](t, tick(s, time.Hour-time.Second))
	if got := shownWallet(s); got != "" {
		t.Errorf("too soon: %q", got)
	}
	tick(s, time.Hour)
	if got, want := shownWallet(s), "alert: deposit pending · usdt, $250.00, since "+at(0).Local().Format("Jan 2 15:04"); got != want {
		t.Errorf("news %q, want %q", got, want)
	}
	if s.Alerts.Open() != 2 {
		t.Errorf("%d open", s.Alerts.Open())
	}
	pending.Status = api.DepositConfirmed
	apply(s, wallets.DepositsLoaded{FetchDeposits: later, Meta: meta(2 * time.Hour), Items: []api.Deposit{pending}})
	tick(s, 2*time.Hour+time.Second)
	if got := shownWallet(s); got != "deposit_credited: deposit credited · $250.00" {
		t.Errorf("news %q", got)
	}
	if got := matter(s); strings.Contains(got, "deposit") {
		t.Errorf("alerts %s", got)
	}
}

func TestDeclinesOfACardAreOneAlertUntilSomebodyHasSeenIt(t *testing.T) {
	s := settled(t, alerting)
	decline := func(n int, d time.Duration, merchant api.Text) {
		row := txn(n, -d, api.TransactionDecline, 250*dollar)
		row.Merchant.Name = merchant
		feedPage(s, pollFeed(t, s, d), d, false, row, txn(1000+n, -d, api.TransactionSettlement, -dollar))
	}
	decline(1, 5*time.Second, "Meta")
	if got, want := shownWallet(s), "transaction: decline · card 0001 fb · Meta · $250.00\nalert: declined · card 0001 fb · $250.00 at Meta: likely balance too low · $249 short\ntransaction: settlement · card 0001 fb · -$1.00"; !sameLines(got, want) {
		t.Errorf("news %q, want %q", got, want)
	}
	decline(2, 9*time.Second, "Google")
	if got := matter(s); got != "declined: card_0001 2 times, the last $250.00 at Google: likely balance too low · $249 short\n" {
		t.Errorf("alerts %q", got)
	}
	if got := shownWallet(s); strings.Contains(got, "alert") {
		t.Errorf("told again: %q", got)
	}
	do(t, s, alerts.Acknowledge{ID: s.Alerts.All()[0].ID})
	if got := matter(s); got != "" {
		t.Errorf("still there: %s", got)
	}
	decline(3, 13*time.Second, "TikTok")
	if got := matter(s); got != "declined: card_0001 $250.00 at TikTok: likely balance too low · $249 short\n" {
		t.Errorf("alerts %q", got)
	}
}

// sameLines compares texts whose lines may be in another order.
func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	count := make(map[string]int)
	for _, l := range x {
		count[l]++
	}
	for _, l := range y {
		count[l]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestSeenAndSnoozedAlertsAreNotCounted(t *testing.T) {
	s := settled(t, alerting)
	balances(t, s, 11*time.Second, item("card_0001", api.CardActive, dollar))
	shownWallet(s)
	id := s.Alerts.All()[0].ID
	do(t, s, alerts.Snooze{ID: id})
	if s.Alerts.Open() != 0 || len(s.Alerts.All()) != 1 {
		t.Errorf("%d open of %d", s.Alerts.Open(), len(s.Alerts.All()))
	}
	hot := all[state.FetchCards](tick(s, 11*time.Second+alert.SnoozeFor-time.Second))[0]
	if s.Alerts.Open() != 0 || shownWallet(s) != "" {
		t.Error("reminded too soon")
	}
	tick(s, 11*time.Second+alert.SnoozeFor)
	if got := shownWallet(s); s.Alerts.Open() != 1 || got != "alert: low balance · card 0001 fb · $1.00, below $20.00" {
		t.Errorf("%d open, told %q", s.Alerts.Open(), got)
	}
	do(t, s, alerts.Acknowledge{ID: id})
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(2 * time.Hour), Items: []api.CardItem{item("card_0001", api.CardActive, 2*dollar)}})
	if s.Alerts.Open() != 0 || shownWallet(s) != "" {
		t.Error("what was seen is told again")
	}
	do(t, s, alerts.Acknowledge{ID: id})
	if s.Alerts.Open() != 1 {
		t.Error("seen cannot be taken back")
	}
}

func TestARefusedKeyAlertsUntilItIsTakenAgain(t *testing.T) {
	s := settled(t, alerting)
	f := one[codes.Fetch](t, tick(s, 3*time.Second))
	apply(s, state.FetchFailed{Meta: meta(3 * time.Second), Effect: f, Err: unauthorized()})
	if got := shownWallet(s); !strings.HasPrefix(got, "alert: key refused · ") {
		t.Errorf("news %q", got)
	}
	pollCodes(t, s, 20*time.Second)
	if got := matter(s); got != "" {
		t.Errorf("alerts %q", got)
	}
}

func TestRulesThatChangeHoldAtOnce(t *testing.T) {
	s := settled(t, alerting)
	s.Reload(settings.Reloadable{Alerts: alert.Rules{Cards: 200 * dollar}})
	if got := matter(s); got != "low balance: card_0001 $100.00, below $200.00\n" {
		t.Errorf("alerts %q", got)
	}
	s.Reload(settings.Reloadable{})
	if got := matter(s); got != "" {
		t.Errorf("alerts %q", got)
	}
}

func TestACodeIsNewsOnceAndWithoutItsDigits(t *testing.T) {
	s := newStore()
	for _, e := range all[codes.Fetch](tick(s, 0)) {
		apply(s, codes.Loaded{Fetch: e, Meta: meta(0), Items: []api.Challenge{challenge("old", -time.Minute, "111111")}})
	}
	if got := shownWallet(s); got != "" {
		t.Errorf("a code from before: %q", got)
	}
	pollCodes(t, s, 2*time.Second, challenge("old", -time.Minute, "111111"), challenge("new", time.Second, "482913"))
	news := s.News.Drain()
	if len(news) != 1 || news[0].Line() != "code ready · card_0001 · shop new · $10.00" {
		t.Fatalf("news %+v", news)
	}
	if strings.Contains(news[0].Line()+news[0].ID+news[0].Text, "482913") {
		t.Error("the code is in the news")
	}
	pollCodes(t, s, 4*time.Second, challenge("new", time.Second, "482913"))
	if got := shownWallet(s); got != "" {
		t.Errorf("told again: %q", got)
	}
}

func TestTheFirstReadingOfTheFeedIsNoNews(t *testing.T) {
	s := newStore(alerting)
	for _, f := range all[txns.Fetch](tick(s, 0)) {
		feedPage(s, f, 0, false, txn(1, time.Minute, api.TransactionDecline, dollar))
	}
	if got := shownWallet(s) + matter(s); got != "" {
		t.Errorf("%q", got)
	}
}

func TestAnAlertSaysWhetherItsBeginningIsKnown(t *testing.T) {
	s := newStore(alerting)
	balances(t, s, 0, labelled("card_a", "fa", 3*dollar), labelled("card_b", "fb", 50*dollar))
	balances(t, s, time.Minute, labelled("card_a", "fa", 3*dollar), labelled("card_b", "fb", 3*dollar))
	got := make(map[api.CardID]bool)
	for _, a := range s.Alerts.All() {
		got[a.Card] = a.AtLeast
	}
	if len(got) != 2 || !got["card_a"] || got["card_b"] {
		t.Errorf("at least: %v", got)
	}
}

// TestAnAlertThatHadNoRoomComesWhenThereIsSome has more low cards than alerts
// are held of: when one is funded, another takes its place, which has not
// changed since.
func TestAnAlertThatHadNoRoomComesWhenThereIsSome(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Alerts = alert.Rules{Cards: 40 * dollar} })
	low := make([]api.CardItem, 0, 502)
	for i := range 502 {
		low = append(low, item(api.CardID(fmt.Sprintf("card_low_%03d", i)), api.CardActive, dollar))
	}
	balances(t, s, 11*time.Second, low...)
	if n := len(s.Alerts.All()); n != 500 {
		t.Fatalf("%d alerts", n)
	}
	for i, want := range []int{500, 500, 499} {
		step := time.Duration(i+1) * time.Minute
		balances(t, s, step, item(low[i].ID, api.CardActive, 100*dollar))
		if n := len(s.Alerts.All()); n != want {
			t.Errorf("after %d were funded: %d alerts", i+1, n)
		}
	}
}

func TestQuietHoursHoldAlerts(t *testing.T) {
	of := func(d time.Duration) time.Duration {
		local := at(d).Local()
		return time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
	}
	s := settled(t, alerting, func(c *settings.Config) {
		c.Alerts.Quiet = alert.Hours{From: of(0), To: of(30 * time.Minute), Except: []alert.Kind{alert.WalletLow}}
	})
	due := tick(s, 11*time.Second)
	for _, f := range all[state.FetchCards](due) {
		apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(11 * time.Second), TotalPages: 1, Total: 2, Items: []api.CardItem{item("card_0001", api.CardActive, dollar)}})
	}
	if n, quiet := s.Alerts.Held(); n != 1 || !quiet || s.Alerts.Open() != 1 {
		t.Errorf("%d held, %d open, quiet %v", n, s.Alerts.Open(), quiet)
	}
	if got := shownWallet(s); got != "" {
		t.Errorf("a held alert is told: %q", got)
	}
	apply(s, wallets.Loaded{Fetch: one[wallets.Fetch](t, due), Meta: meta(12 * time.Second), Wallet: api.Wallet{Balance: 99 * dollar}})
	if got := shownWallet(s); got != "alert: wallet low · $99.00, below $100.00" {
		t.Errorf("an excepted alert is not told: %q", got)
	}
	tick(s, 29*time.Minute)
	if got := shownWallet(s); got != "" {
		t.Errorf("before the end: %q", got)
	}
	tick(s, 30*time.Minute)
	news := s.News.Drain()
	if len(news) != 1 || news[0].Line() != "alerts of quiet hours · low balance" || news[0].Brief(s.Privacy.Display()) != "alerts of quiet hours: low balance" {
		t.Errorf("at the end: %+v", news)
	}
	tick(s, 31*time.Minute)
	if got := shownWallet(s); got != "" {
		t.Errorf("again: %q", got)
	}
}

// TestNewsOfACampaignNamesIt, but a notification does not: others see it.
func TestNewsOfACampaignNamesIt(t *testing.T) {
	n := news.News{Kind: news.Alert, Campaign: "fb/spring", Type: "runs out", Text: "lasts 2 h"}
	if got := n.Line(); got != "runs out · campaign fb/spring · lasts 2 h" {
		t.Errorf("%q", got)
	}
	if got := n.Brief(display.Display{}); got != "runs out" {
		t.Errorf("a notification says %q", got)
	}
}

// TestAnAlertSaysTheCauseAsSoonAsItIsKnown, and not with the answer after it.
func TestAnAlertSaysTheCauseAsSoonAsItIsKnown(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 9000*dollar)}, alerting)
	row := txn(1, -5*time.Second, api.TransactionDecline, 1500*dollar)
	row.CardID, row.Merchant.Name = first, "Meta"
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	if got := matter(s); strings.Contains(got, "BIN") {
		t.Fatalf("before: %q", got)
	}
	offered(t, s)
	if got := matter(s); !strings.Contains(got, "BIN") {
		t.Errorf("alerts %q", got)
	}
}
