package find

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

// TestTheBestIsFirst lists for each text what is found, in order.
func TestTheBestIsFirst(t *testing.T) {
	t.Parallel()
	labels := []string{"fb/spring/01", "fb/spring/02", "fb/scale/01", "gg/spring/01", "gg/offspring", "spring", "Übung/01", "saas", "fb/sz/1"}
	ix := texts{weights: []int{0, 1}}
	for i, l := range labels {
		ix.set(i, l, "400"+string(rune('0'+i)))
	}
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"spring", []string{"spring", "fb/spring/01", "fb/spring/02", "gg/spring/01", "gg/offspring"}}, // All, the start of a word, within one.
		{"SPRING 01", []string{"fb/spring/01", "gg/spring/01", "fb/spring/02"}},                        // The last has the digits ••4001.
		{"fb/s", []string{"fb/sz/1", "fb/scale/01", "fb/spring/01", "fb/spring/02"}},                   // Equal: the shortest first.
		{"fbs1", []string{"fb/sz/1", "fb/scale/01", "fb/spring/01"}},                                   // Letters in order.
		{"gs01", []string{"gg/spring/01"}},
		{"s", []string{"saas", "spring", "fb/sz/1", "fb/scale/01", "fb/spring/01", "fb/spring/02", "gg/spring/01", "gg/offspring"}},
		{"übung", []string{"Übung/01"}},
		{"4003", []string{"gg/spring/01"}},
		{"••4003", []string{"gg/spring/01"}},
		{"43", nil}, // Figures are found as they are.
		{"gnirps", nil},
		{"spring zz", nil},
	} {
		what, best := read(c.typed), top{}
		ix.search(&what, 0, ix.len(), &best)
		var got []string
		for _, h := range best.hits {
			got = append(got, labels[h.place])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q finds %q, not %q", c.typed, got, c.want)
		}
	}
}

// TestAmountsAreFoundAsTheyAreWritten, with or without a currency and thousands.
func TestAmountsAreFoundAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"1234.50", "$1,234.5", "-1234", "1,234", "1234,50", "1,234.50"} {
		what := read(typed)
		if score, _ := what.score([]byte("meta\x00fb\x000001\x001234.50\x00"), []int{0, 1, 2, 0}); score < fitStart {
			t.Errorf("%s: %d", typed, score)
		}
	}
}

// TestALaterFieldMayMatchBetter than an earlier one does at its start.
func TestALaterFieldMayMatchBetter(t *testing.T) {
	t.Parallel()
	what := read("issue")
	weights := []int{0, 1, 2}
	first, _ := what.score([]byte("issue a card like it\x00duplicate\x00cards\x00"), weights)
	later, _ := what.score([]byte("issue a new card\x00issue\x00cards\x00"), weights)
	if later <= first || first < fitStart {
		t.Errorf("%d, %d", first, later)
	}
}

// TestNoKindDrownsTheOthers: a kind that has many hits does not fill the list, and
// commands are before other kinds that match as well.
func TestNoKindDrownsTheOthers(t *testing.T) {
	t.Parallel()
	var tops [kinds]top
	for i := range int32(80) {
		tops[Card].add(hit{place: i, score: fitStart})
		tops[Transaction].add(hit{place: i, score: fitStart - 1})
	}
	tops[Command].add(hit{score: fitStart})
	tops[Setting].add(hit{score: fitWithin})
	all := mix(&tops, func(Kind, int32) int32 { return 0 })
	if len(all) != most || all[0].kind != Command || all[1].kind != Card {
		t.Fatalf("%d: %v", len(all), all[:2])
	}
	count, setting := map[Kind]int{}, 0
	for i, r := range all {
		count[r.kind]++
		if r.kind == Setting {
			setting = i
		}
	}
	if count[Card] < 15 || count[Transaction] < 15 || setting == 0 || setting > 35 {
		t.Errorf("%v, the setting in line %d", count, setting)
	}
}

// account is a store with a few of everything.
func account(t *testing.T, change ...func(*settings.Config)) *Index {
	t.Helper()
	ix, _ := fetching(t, change...)
	return ix
}

// fetching is account, with what its store asks for.
func fetching(t *testing.T, change ...func(*settings.Config)) (*Index, []kernel.Effect) {
	t.Helper()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	cfg := settings.Config{NewKey: func() api.IdempotencyKey { return "key" }}
	for _, c := range change {
		c(&cfg)
	}
	s := state.New(cfg)
	snap := state.Snapshot{At: now, CardsAt: now, WalletAt: now, FeedAt: now, SeenTo: now}
	for _, c := range []cardlist.Card{
		{ID: "card_1", Label: "fb/spring/01", Last4: "0001", Status: api.CardActive, Balance: 10 * api.Dollar},
		{ID: "card_2", Label: "gg/brand/02", Last4: "0002", Status: api.CardFrozen},
	} {
		snap.Cards.Add(c)
	}
	for i, id := range []api.TransactionID{"txn_1", "txn_2"} {
		snap.Transactions = append(snap.Transactions, api.Transaction{
			ID: id, CardID: "card_1", Type: api.TransactionSettlement, Amount: -1234 * api.Dollar, CreatedAt: now.Add(time.Duration(i-9) * time.Minute),
			Merchant: api.Merchant{Name: "Meta Platforms"},
		})
	}
	s.Recall(snap)
	_, effects := s.Tick(now)
	return New(s, Own{
		Commands:  []CommandText{{ID: "card/freeze", Help: "Freeze the card", Action: "freeze", Place: "On a card"}},
		Settings:  []SettingText{{Name: "alerts.low.gg/*", About: "USD below", Value: "5", Own: true}, {Name: "reveal.seconds", About: "how long", Value: "15"}},
		Accounts:  []AccountText{{ID: "2", Name: "agency", Where: "https://cards.example.org"}},
		Campaigns: func() []CampaignText { return []CampaignText{{"fb/spring", 1}, {"gg/brand", 2}} },
	}), effects
}

// TestWhatCanRunIsFirst of commands that match alike, and one that is named comes before one with only
// its letters.
func TestWhatCanRunIsFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{{"rule", "rules"}, {"freeze", "freeze"}} {
		ix := New(account(t).store, Own{Commands: []CommandText{
			{ID: "rule-cards", Help: "Go to the cards it matches", Action: "rule-cards", Barred: true},
			{ID: "rules", Help: "Show rules: what they match, do and did", Action: "rules"},
			{ID: "freeze", Help: "Freeze the card", Action: "freeze", Barred: true},
			{ID: "far", Help: "For the extra zone", Action: "far"},
		}})
		ix.Ask(c.text)
		for ix.Work(func() bool { return false }) {
		}
		if all := ix.Found(); len(all) < 2 || all[0].ID != c.want {
			t.Errorf("%s finds %v", c.text, all)
		}
	}
}

// TestAPrivateScreenFindsNoNames: not one that a user would guess either.
func TestAPrivateScreenFindsNoNames(t *testing.T) {
	t.Parallel()
	open := account(t)
	var all []Item
	for _, typed := range []string{"fb", "0002", "meta", "1234", "freeze", "reveal", "agency", "gg"} {
		all = append(all, look(open, typed)...)
	}
	hidden := account(t, func(c *settings.Config) { c.Screen = &settings.Screen{Private: true} })
	for _, it := range all {
		row, ok := hidden.Row(it)
		if named := strings.Contains(it.ID, "gg/"); ok != (it.Kind == Setting && !named) {
			t.Errorf("%v is shown as %+v", it, row)
		}
	}
	for _, typed := range []string{"fb", "0002", "meta", "1234"} {
		if found := look(hidden, typed); len(found) != 0 {
			t.Errorf("%q finds %v", typed, found)
		}
	}
	if found := look(hidden, "freeze"); len(found) != 1 {
		t.Errorf("%v", found)
	}
}

// TestSlicesFindTheSame, as small as they may be.
func TestSlicesFindTheSame(t *testing.T) {
	t.Parallel()
	s := crowd(t, 3000, 1500)
	for _, typed := range []string{"fb", "spring 42", "tiktok", "fbc0"} {
		whole, sliced := look(New(s, Own{}), typed), New(s, Own{})
		sliced.Ask(typed)
		n := 0
		for sliced.Work(func() bool { return true }) {
			if n++; len(sliced.Found()) > 0 {
				t.Fatal("found before the end")
			}
		}
		if n < 8 || len(whole) == 0 || !slices.Equal(sliced.Found(), whole) {
			t.Errorf("%q: %d slices find %v, not %v", typed, n, sliced.Found(), whole)
		}
	}
}

// TestWhatChangesIsFoundAtTheNextKey: cards with another label, new cards, cards
// that have gone, new transactions.
func TestWhatChangesIsFoundAtTheNextKey(t *testing.T) {
	t.Parallel()
	first := api.CardItem{ID: "card_1", Label: "fb/spring/01", Last4: "0001", Status: api.CardActive}
	others := []api.CardItem{{ID: "card_2", Label: "zebra/old", Last4: "0002", Status: api.CardActive}, {ID: "card_3", Label: "zebra/new", Last4: "0003", Status: api.CardActive}}
	for _, items := range [][]api.CardItem{append([]api.CardItem{first}, others...), others} {
		ix, effects := fetching(t)
		if found := look(ix, "zebra"); len(found) != 0 {
			t.Fatalf("%v", found)
		}
		answer(ix.store, effects, items)
		got := make(map[string]bool)
		for _, typed := range []string{"zebra", "fb/spring/01"} {
			for _, it := range look(ix, typed) {
				got[it.Kind.String()+" "+it.ID] = true
			}
		}
		for _, want := range []string{"card card_2", "card card_3", "merchant Zebra", "txn txn_9"} {
			if !got[want] {
				t.Errorf("%s is missing in %v", want, got)
			}
		}
		if got["card card_1"] != (len(items) == 3) {
			t.Errorf("of %d cards: %v", len(items), got)
		}
		if found := look(ix, "gg/brand/02"); slices.Contains(found, Item{Kind: Card, ID: "card_2"}) {
			t.Errorf("found by its old label: %v", found)
		}
	}
}

// answer answers what a store asks for with cards and a new transaction.
func answer(s *state.Store, effects []kernel.Effect, items []api.CardItem) {
	meta := kernel.Meta{Sent: s.Now(), At: s.Now()}
	for _, e := range effects {
		if f, ok := e.(state.FetchCards); ok {
			s.Apply(state.CardsLoaded{FetchCards: f, Meta: meta, TotalPages: 1, Total: len(items), Items: items})
		}
		if f, ok := e.(txns.Fetch); ok {
			s.Apply(txns.Loaded{Fetch: f, Meta: meta, Items: []api.Transaction{
				{ID: "txn_9", CardID: "card_2", Type: api.TransactionSettlement, Amount: -api.Dollar, CreatedAt: s.Now().Add(-time.Second), Merchant: api.Merchant{Name: "Zebra"}},
			}})
		}
	}
}

func TestWhatWasChosenLastIsFirst(t *testing.T) {
	t.Parallel()
	var r Recent
	for i := range 3 * recentKept {
		r.Add(Item{Kind: Card, ID: string(rune('a' + i%(recentKept+2)))})
	}
	r.Add(r.Items()[3])
	items := r.Items()
	for i, it := range items {
		if slices.Contains(items[i+1:], it) {
			t.Errorf("%v twice", it)
		}
	}
	if len(items) != recentKept || items[0].ID != "a" || (*Recent)(nil).Items() != nil {
		t.Errorf("%v", items)
	}
}
