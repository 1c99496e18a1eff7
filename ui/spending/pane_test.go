package spending_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/spending"
)

// hour is one of the day, of noon of which the tests are a few seconds past.
const hour = time.Hour

// account has three campaigns. In 24 hours fb/spring spent 30 dollars net of a
// refund, gg/test 10 and fb/idle nothing.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	lines := func(c *settings.Config) { c.Alerts.Rate = []int{15, 25} }
	a := panetest.New(t, append([]func(*settings.Config){lines}, changes...)...)
	for i, label := range []api.Text{"fb/spring/01", "fb/spring/02", "gg/test/01", "fb/idle/01"} {
		c := panetest.Card(api.CardID(fmt.Sprintf("card_000%d", i+1)), label, api.USD(i+1)*100*api.Dollar)
		c.BIN = [...]api.BINID{"bin_1", "bin_1", "bin_2", "bin_2"}[i]
		a.Cards = append(a.Cards, c)
	}
	add := func(card api.CardID, kind api.TransactionType, merchant api.Text, dollars int, at time.Duration) {
		txn := panetest.Settled(api.TransactionID(fmt.Sprintf("txn_%04d", len(a.Txns))), card, merchant, api.USD(dollars)*api.Dollar, at)
		txn.Type = kind
		a.Txns = append(a.Txns, txn)
	}
	add("card_0001", api.TransactionSettlement, "Meta Ads", -25, -hour)
	add("card_0002", api.TransactionSettlement, "Meta Ads", -10, -2*hour)
	add("card_0002", api.TransactionRefund, "Meta Ads", 5, -2*hour)
	add("card_0001", api.TransactionAuthorization, "Meta Ads", 7, -3*hour)
	add("card_0003", api.TransactionSettlement, "Google Ads", -10, -4*hour)
	add("card_0003", api.TransactionAuthorization, "Google Ads", 3, -5*hour)
	add("card_0003", api.TransactionDecline, "Google Ads", 9, -5*hour)
	add("card_0003", api.TransactionDecline, "Google Ads", 9, -5*hour)
	add("card_0004", api.TransactionAuthorization, "Meta Ads", 1, -30*hour)
	slices.SortStableFunc(a.Txns, func(x, y api.Transaction) int { return y.CreatedAt.Compare(x.CreatedAt) })
	a.Wait(2 * time.Second)
	return a
}

// past adds a settlement of a day that nothing was read of.
func past(a *panetest.Account, id api.TransactionID, card api.CardID, dollars int, days int) {
	a.Store.Insight.Ledger().Add(panetest.At(0), []api.Transaction{
		panetest.Settled(id, card, "Meta Ads", -api.USD(dollars)*api.Dollar, -time.Duration(days)*24*hour),
	})
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, spending.New(panetest.Theme(t), keymap.New(keymap.Defaults())), w, h)
}

// order is the campaigns from the top.
func order(s *panetest.Screen, names ...string) string {
	var out []string
	for line := range strings.SplitSeq(s.Text(), "\n") {
		for _, name := range names {
			if strings.Contains(line, name) {
				out = append(out, name)
			}
		}
	}
	return strings.Join(out, " ")
}

// TestARateThatAlertsIsMarked in the range that alerts are about, seven days. Others are not, however high.
func TestARateThatAlertsIsMarked(t *testing.T) {
	t.Parallel()
	read := func(from int) *panetest.Screen {
		own := []alert.Own[[]int]{{Of: "gg/test", Line: []int{60, 70}}}
		a := account(t, func(c *settings.Config) { c.Alerts.Rate, c.Alerts.Rates, c.Alerts.RateFrom = []int{15, 50}, own, from })
		a.Store.Insight.Ledger().Cover(panetest.At(-20*24*hour), panetest.At(0))
		a.Wait(time.Minute + time.Second) // Alerts are compared each minute.
		return open(t, a, 160, 27)
	}
	s := read(0)
	s.See("declined 50.0 % 2 of 4")
	s.SeeNot("alert    ", "% !")
	s.Act(keymap.LongerRange)
	panetest.See(t, s.Line("gg/test"), "66.7 % !")
	s.See("declined 40.0 % ! 2 of 5", "alert    past 15 %, 1 decline to 50 %")
	s = read(20)
	panetest.See(t, s.Line("gg/test"), "66.7 %  ")
	s.See("declined 50.0 % 2 of 4")
	s.Act(keymap.LongerRange)
	s.See("alert    from 20 payments on")
	// Of a part of the week none is right.
	s = open(t, account(t), 160, 27)
	s.Act(keymap.LongerRange)
	s.See("declined 40.0 % ≥2 of 5")
	s.SeeNot("alert    ")
}

func TestFiguresThatReachFurtherBackThanWasReadSaySo(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 160, 27)
	s.Act(keymap.LongerRange)
	s.See("spent    ≥$40.00", "≥30.00", "7 d before not read", "· since Feb 28 12:00", "declined 40.0 % ≥2 of 5")
	s.Act(keymap.LongerRange)
	s.See(" 14 d ", "spent    ≥$40.00", "Mar 01", "declined 40.0 % ≥2 of 5")
	s.See("change   – only for 24 h and 7 d") // It says why it is not there.
	s.SeeNot("7 d before")
	s.Act(keymap.LongerRange)
	s.See(" 30 d ", "spent    ≥$40.00", "Mar 01", "change   – nothing older is read")
	s.Act(keymap.LongerRange) // After the longest comes the shortest.
	s.SeeNot("spent    ≥", "· since")
	s.Act(keymap.ShorterRange)
	s.See("Mar 01")
	s.Act(keymap.ShorterRange)
	s.See(" 14 d ", "Mar 01")
	s.Act(keymap.ShorterRange)
	s.See("7 d before not read")

	fresh := open(t, panetest.New(t), 160, 27)
	fresh.See("loading transactions…", "not read yet")
}

func TestAChangeIsToldOnlyWhereTheTimeBeforeWasRead(t *testing.T) {
	t.Parallel()
	a := account(t)
	past(a, "old_1", "card_0001", 20, 8)
	past(a, "old_2", "card_0003", 40, 8)
	s := open(t, a, 160, 27)
	s.Act(keymap.LongerRange)
	panetest.See(t, s.Line("fb/spring"), " – ")
	a.Store.Insight.Ledger().Cover(panetest.At(-20*24*hour), panetest.At(0))
	a.Wait(time.Second)
	s.Look()
	s.See("change   -33 % on the 7 d before")
	panetest.See(t, s.Line("fb/spring"), " +50 % ")
	panetest.See(t, s.Line("gg/test"), " -75 % ")
	panetest.See(t, s.Line("fb/idle"), " – ")
	s.SeeNot("≥", "since")
}

func TestOneKeyTurnsWhatTheRowsAre(t *testing.T) {
	t.Parallel()
	s := open(t, account(t), 160, 27)
	s.Act(keymap.GroupBy)
	s.See("2 BINs", " BIN ")
	panetest.See(t, s.Line("bin_1"), " 30.00 ", " 300.00")
	panetest.See(t, s.Line("bin_2"), " 10.00 ", " 700.00")
	s.Act(keymap.GroupBy)
	s.See("2 merchants", " merchant ")
	panetest.See(t, s.Line("Meta Ads"), " 30.00 ", "0.0 %")
	s.SeeNot("on cards", " cards ")
	s.Act(keymap.GroupBy)
	s.See("4 cards", " card ", "fb/spring/01 ••0001", "on cards")
	panetest.See(t, s.Line("••0002"), " 5.00 ", " 200.00")
	s.Act(keymap.GroupBy)
	s.See("3 campaigns")
}

func TestRowsAreSortedByAnyColumn(t *testing.T) {
	t.Parallel()
	s := open(t, account(t), 160, 27)
	names := []string{"fb/spring", "gg/test", "fb/idle"}
	for _, c := range []struct{ sorted, want string }{
		{"change", "gg/test fb/spring fb/idle"}, // Nothing is known: as they were first seen.
		{"attempts", "gg/test fb/spring fb/idle"},
		{"declined", "gg/test fb/spring fb/idle"},
		{"cards", "fb/spring gg/test fb/idle"},
		{"on cards", "fb/idle fb/spring gg/test"},
		{"left", "fb/spring gg/test fb/idle"},
		{"campaign", "fb/idle fb/spring gg/test"},
		{"spent", "fb/spring gg/test fb/idle"},
	} {
		s.Act(keymap.Sort)
		arrow := "▼"
		if c.sorted == "campaign" || c.sorted == "left" {
			arrow = "▲"
		}
		s.See(c.sorted + arrow)
		if got := order(s, names...); got != c.want && c.sorted != "change" {
			t.Errorf("%s: %s, want %s", c.sorted, got, c.want)
		}
	}
	s.Act(keymap.SortBack)
	s.See("spent▲")
	if got := order(s, names...); got != "fb/idle gg/test fb/spring" {
		t.Errorf("reversed: %s", got)
	}
	head := strings.Split(s.Text(), "\n")
	y := slices.IndexFunc(head, func(l string) bool { return strings.Contains(l, "spent▲") })
	s.Click(2, y)
	s.See("campaign▲")
	s.Click(2, y)
	s.See("campaign▼")
	// A click on a row puts the cursor there, on the chart nowhere.
	s.Click(5, y+2)
	s.See("│▸fb/spring")
	s.Click(5, 2)
	s.See("│▸fb/spring")
}

// TestAllRowsAreSortedByWhatTheStoreSays has more rows than are put in order one by one. The last of them stopped
// spending because its balance is used up.
func TestAllRowsAreSortedByWhatTheStoreSays(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	const last = 80
	var txns []api.Transaction
	for i := range last + 1 {
		id, balance, from := api.CardID(fmt.Sprintf("card_%d", i)), api.USD(1000+i), 0
		if i == last {
			balance, from = 5, 14
		}
		a.Cards = append(a.Cards, panetest.Card(id, api.Text(fmt.Sprintf("fb/%02d/01", i)), balance*api.Dollar))
		for h := from; h < 20; h++ {
			txns = append(txns, panetest.Settled(api.TransactionID(fmt.Sprint(i, "_", h)), id, "Meta", -10*api.Dollar, -time.Duration(h)*hour))
			txns = append(txns, panetest.Settled(api.TransactionID(fmt.Sprint(i, "_", h, "_again")), id, "Meta", -10*api.Dollar, -time.Duration(h)*hour))
		}
	}
	slices.SortStableFunc(txns, func(x, y api.Transaction) int { return y.CreatedAt.Compare(x.CreatedAt) })
	a.Txns = txns[:1]
	a.Wait(2 * time.Second)
	l := a.Store.Insight.Ledger()
	for _, c := range a.Cards {
		l.Describe(c.ID, c.BIN, a.Store.Insight.Campaign(c.ID, c.Label))
	}
	l.Add(panetest.At(0), txns)
	s := open(t, a, 160, 27)
	for range 6 {
		s.Act(keymap.Sort)
	}
	s.See("left▲")
	s.Act(keymap.First)
	if got := order(s, "fb/00", "fb/80"); got != "fb/80 fb/00" {
		t.Errorf("the one that is used up is not the first: %q", got)
	}
}

func TestRowsAreSortedByHowLongTheyLast(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	for i, balance := range []api.USD{100, 3000, 700} {
		id := api.CardID(fmt.Sprintf("card_%d", i))
		a.Cards = append(a.Cards, panetest.Card(id, api.Text(fmt.Sprintf("fb/%d/01", i)), balance*api.Dollar))
		for h := range 20 {
			a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprint(i, h)), id, "Meta", -10*api.Dollar, -time.Duration(h)*hour))
		}
	}
	slices.SortStableFunc(a.Txns, func(x, y api.Transaction) int { return y.CreatedAt.Compare(x.CreatedAt) })
	a.Wait(2 * time.Second)
	s := open(t, a, 160, 27)
	for range 6 {
		s.Act(keymap.Sort)
	}
	s.See("left▲")
	if got := order(s, "fb/0", "fb/1", "fb/2"); got != "fb/0 fb/2 fb/1" {
		t.Errorf("the shortest first: %s", got)
	}
	s.Act(keymap.SortBack)
	if got := order(s, "fb/0", "fb/1", "fb/2"); got != "fb/1 fb/2 fb/0" {
		t.Errorf("the longest first: %s", got)
	}
	panetest.See(t, s.Line("fb/0"), "8.7 h  ") // Only what alerts has the mark.
	panetest.See(t, s.Line("fb/1"), " d ")
	for range 3 {
		s.Act(keymap.GroupBy)
	}
	if got := order(s, "fb/0", "fb/1", "fb/2"); got != "fb/0 fb/1 fb/2" { // BINs have no such column.
		t.Errorf("cards: %s", got)
	}
}

// TestCardsAreInTheOrderOfTheirLabels as they are now: one is renamed, one comes to the
// list after its transaction was read, and one has no label to go by.
func TestCardsAreInTheOrderOfTheirLabels(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 160, 27)
	for range 3 {
		s.Act(keymap.GroupBy)
	}
	for range 6 {
		s.Act(keymap.Sort)
	}
	s.See("card▲")
	labels := []string{"fb/idle/01", "fb/spring/01", "fb/spring/02", "gg/test/01", "FB/j/01", "a/later/01", "an unknown card"}
	want := func(what, want string) {
		t.Helper()
		if got := order(s, labels...); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	want("at first", "fb/idle/01 fb/spring/01 fb/spring/02 gg/test/01")
	for i, id := range []api.CardID{"card_0005", "card_0007"} {
		txn := panetest.Settled(api.TransactionID(fmt.Sprint("txn_new", i)), id, "Meta Ads", -api.Dollar, -hour)
		a.Store.Insight.Ledger().Add(panetest.At(0), []api.Transaction{txn})
	}
	a.Cards[2].Label = "FB/j/01"
	a.Cards = append(a.Cards, panetest.Card("card_0005", "a/later/01", 9*api.Dollar))
	a.Wait(10 * time.Minute)
	s.Look()
	want("later", "a/later/01 an unknown card fb/idle/01 FB/j/01 fb/spring/01 fb/spring/02")
	panetest.See(t, s.Line("a/later/01"), " 9.00 ")
	s.Act(keymap.SortBack)
	want("backwards", "fb/spring/02 fb/spring/01 FB/j/01 fb/idle/01 an unknown card a/later/01")
	s.Act(keymap.Sort)
	s.Act(keymap.Sort)
	a.Cards[4].Balance = 5000 * api.Dollar
	a.Wait(20 * time.Minute)
	s.Look()
	panetest.See(t, s.Line("a/later/01"), " 5,000.00 ")
}

func TestEnterFindsAnyName(t *testing.T) {
	t.Parallel()
	for name, want := range map[api.Text]string{
		`Joe's "Shop"`: `merchant~"Joe's "`, "/root": `merchant="/root"`, "A,B=C": `merchant="A,B=C"`, "plain": "merchant=plain",
	} {
		a := panetest.New(t)
		a.Txns = []api.Transaction{panetest.Settled("txn_1", "card_0001", name, -api.Dollar, -hour)}
		a.Wait(2 * time.Second)
		s := open(t, a, 160, 27)
		s.Act(keymap.GroupBy)
		s.Act(keymap.GroupBy)
		s.Asks(keymap.Inspect, pane.ShowList{List: settings.FeedList, Filter: want})
	}
	// What has no name cannot be asked for.
	a := panetest.New(t)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "", api.Dollar)}
	a.Txns = []api.Transaction{panetest.Settled("txn_1", "card_0001", "", -api.Dollar, -hour)}
	a.Wait(2 * time.Second)
	s := open(t, a, 160, 27)
	s.See("(no campaign)")
	s.Asks(keymap.Inspect, pane.ShowList{List: settings.CardList, Lacks: "no filter finds (no campaign)"})
}

func TestTheExportIsTheTable(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 40, 12)
	s.Act(keymap.Sort)
	s.Act(keymap.Sort) // By attempts.
	in, ok := s.Act(keymap.Export)[0].(pane.ExportRows)
	if !ok {
		t.Fatal("nothing is exported")
	}
	table := func(items rows.Rows) (lines []string) {
		lines = append(lines, strings.Join(items.Columns, ","))
		for i := range items.N {
			var cells []string
			for _, c := range items.Row(i) {
				cells = append(cells, c.Text)
			}
			lines = append(lines, strings.Join(cells, ","))
		}
		return lines
	}
	want := []string{
		"campaign,spent,share,change,attempts,decline_rate,cards,on_cards,left",
		"gg/test,10.00,25.0,,3,66.7,1,300.00,",
		"fb/spring,30.00,75.0,,1,0.0,2,300.00,0.7",
		"fb/idle,0.00,0.0,,0,,1,400.00,",
	}
	if got := table(in.Rows); !slices.Equal(got, want) || in.Rows.What != "campaigns" || !in.Rows.Lacks.IsWhole() {
		t.Errorf("%s %+v:\n%s", in.Rows.What, in.Rows.Lacks, strings.Join(got, "\n"))
	}
	s.Act(keymap.LongerRange)
	for range 3 {
		s.Act(keymap.GroupBy)
	}
	in, _ = s.Act(keymap.Export)[0].(pane.ExportRows)
	if got := table(in.Rows); got[0] != "card,spent,share,change,attempts,decline_rate,on_cards,left,card_id" || !strings.HasSuffix(got[1], ",card_0003") || in.Rows.Lacks.Name != "since-2026-02-28" {
		t.Errorf("%+v: %s", in.Rows.Lacks, got)
	}
}

func TestAFilterFindsNames(t *testing.T) {
	t.Parallel()
	s := open(t, account(t), 100, 20)
	s.Filter("fb")
	s.See("2 of 3 campaigns", "fb/spring", "fb/idle")
	s.SeeNot("gg/test")
	s.Act(keymap.OpenFilter)
	s.Act(keymap.Cancel)
	s.Filter("nothing")
	s.See("no campaign matches; esc clears the filter")
}

func TestAPrivateScreenHidesAmounts(t *testing.T) {
	t.Parallel()
	s := open(t, account(t, panetest.Private), 160, 27)
	s.SeeNot("30.00", "40.00", "75.0", "fb/", "gg/", "█", "░", "$1")
	s.See("•••", "66.7 %", "3 campaigns")
	for range 3 {
		s.Act(keymap.GroupBy)
		s.SeeNot("30.00", "fb/", "Meta", "bin_", "█")
	}
	s.Fits()
}

func TestWhatIsOnTheCardsFollowsThem(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 160, 27)
	a.Cards[0].Balance = 999 * api.Dollar
	a.Cards[1].Label = "gg/test/09"
	a.Cards = append(a.Cards, panetest.Card("card_0005", "fb/spring/05", 50*api.Dollar), panetest.Card("card_0006", "fb/new/01", 70*api.Dollar))
	a.Wait(time.Minute)
	s.Look()
	panetest.See(t, s.Line("fb/spring"), " 25.00 ", " 2 ", " 1,049.00")
	panetest.See(t, s.Line("gg/test"), " 15.00 ", " 2 ", " 500.00")
	s.Act(keymap.GroupBy)
	panetest.See(t, s.Line("bin_1"), " 4 ", " 1,319.00")
	for range 2 {
		s.Act(keymap.GroupBy)
	}
	panetest.See(t, s.Line("••0001"), " 999.00")
	a.Cards[0].Balance = 5 * api.Dollar
	a.Wait(time.Minute)
	s.Look()
	panetest.See(t, s.Line("••0001"), " 5.00")
}

// TestWhatIsOnTheCardsFollowsTheRuleOfCampaigns when that is changed.
func TestWhatIsOnTheCardsFollowsTheRuleOfCampaigns(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := open(t, a, 160, 27)
	settings := a.Store.Reloadable()
	settings.Campaign = "*"
	a.Store.Reload(settings)
	a.Wait(2 * time.Second)
	s.Look()
	panetest.See(t, s.Line("fb/spring/02"), " 5.00 ", " 1 ", " 200.00")
}

// TestTheCursorReachesAllRows of many cards, of which the first alone are in
// order.
func TestTheCursorReachesAllRows(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	const n = 1000
	for i := range n {
		id := api.CardID(fmt.Sprintf("card_%04d", i))
		a.Cards = append(a.Cards, panetest.Card(id, "fb", api.Dollar))
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(id), id, "Meta", -api.USD(n-i)*api.Dollar, -time.Duration(i)*time.Second))
	}
	a.Wait(2 * time.Second)
	s := open(t, a, 160, 27)
	for range 3 {
		s.Act(keymap.GroupBy)
	}
	s.See("1000 cards")
	s.Exports(keymap.Export, names(n)...)
	s = open(t, a, 160, 27)
	for range 3 {
		s.Act(keymap.GroupBy)
	}
	for range 400 {
		s.Act(keymap.Down)
	}
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0400"})
	s.Act(keymap.Last)
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0999"})
}

func names(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("fb ••%04d", i))
	}
	return out
}

// TestTheSummaryHasTheCampaignsInBrief, and fits wherever it is put.
func TestTheSummaryHasTheCampaignsInBrief(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := panetest.Open(t, a, spending.NewSummary(panetest.Theme(t)), 52, 48)
	s.See("5 Spending", "3 campaigns", "spent    ≥$40.00", " left│", "Mar 01")
	panetest.See(t, s.Line("fb/spring"), "≥30.00", "75.0 %")
	s.SeeNot("esc back", "on cards", "attempts")
	s.Act(keymap.ShorterRange)
	s.See(" 14 d ")
	s.Asks(keymap.Inspect, nil)
	s.Asks(keymap.Export, nil)
	s.Fits()
	private := panetest.Open(t, account(t, panetest.Private), spending.NewSummary(panetest.Theme(t)), 52, 48)
	private.SeeNot("40.00", "75.0", "█")
	private.Fits()
}

func TestThePatternThatLabelsShowIsProposed(t *testing.T) {
	a := account(t)
	if s := open(t, a, 120, 40); strings.Contains(s.Text(), "labels fit") {
		t.Errorf("it is proposed where the default fits:\n%s", s.Text())
	}
	a = panetest.New(t)
	for i := range 12 {
		label := api.Text(fmt.Sprintf("%s-%02d", []string{"spring", "summer"}[i%2], i))
		a.Cards = append(a.Cards, panetest.Card(api.CardID(fmt.Sprintf("card_%04d", i)), label, 100*api.Dollar))
	}
	a.Wait(2 * time.Second)
	p := spending.New(panetest.Theme(t), keymap.New(keymap.Defaults()))
	s := panetest.Open(t, a, p, 120, 40)
	if text := s.Text(); !strings.Contains(text, `labels fit "*-"`) || !strings.Contains(text, "e sets it") {
		t.Errorf("nothing is proposed:\n%s", text)
	}
	if in := p.Act(keymap.EditCampaigns); len(in) != 1 || in[0] != (pane.EditSetting{Name: "campaign", Value: "*-"}) {
		t.Errorf("%+v", in)
	}
}
