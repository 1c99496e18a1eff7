package state_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
)

// search answers a page of a search, as a server that compares amounts with
// their sign.
func (l *archive) search(e txns.FetchOlder, m kernel.Meta) txns.OlderLoaded {
	all := l.rows
	defer func() { l.rows = all }()
	a := e.Search
	l.rows = slices.DeleteFunc(slices.Clone(all), func(t api.Transaction) bool {
		return a.Type != "" && t.Type != a.Type || a.Min != 0 && t.Amount < a.Min || a.Max != 0 && t.Amount > a.Max ||
			!strings.Contains(strings.ToLower(string(t.Merchant.Name)), a.Merchant)
	})
	items, more := l.list(a.Card, e.From, e.To, e.Page)
	return txns.OlderLoaded{FetchOlder: e, Meta: m, Items: items, More: more}
}

// old is an account with a decline in every tenth hour of a year.
func old() *archive {
	l := newArchive()
	for i := range 8760 {
		row := txn(i, time.Duration(i)*time.Hour+time.Minute, api.TransactionSettlement, -dollar)
		row.CardID, row.Merchant.Name = []api.CardID{first, second}[i%2], "Meta"
		if i%10 == 9 {
			row.Type, row.Amount, row.Merchant.Name = api.TransactionDecline, 5*dollar, api.Text([]string{"Google", "Acme"}[i/10%2])
		}
		l.rows = append(l.rows, row)
	}
	return l
}

// seek asks for one page of a search and answers it.
func (l *archive) seek(t *testing.T, s *state.Store, d time.Duration, a txns.Search) txns.FetchOlder {
	t.Helper()
	tick(s, d)
	f := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: a}))
	apply(s, l.search(f, meta(d)))
	return f
}

// TestASearchFindsAllThatMatches looks for what any search can be for, while
// time passes and transactions come: with the feed there is every one that the
// search is for, once.
func TestASearchFindsAllThatMatches(t *testing.T) {
	l := old()
	rapid.Check(t, func(rt *rapid.T) {
		s := l.begin(t)
		a := txns.Search{
			Type:     rapid.SampledFrom([]api.TransactionType{api.TransactionDecline, api.TransactionRefund}).Draw(rt, "type"),
			Card:     rapid.SampledFrom([]api.CardID{"", second}).Draw(rt, "card"),
			Merchant: rapid.SampledFrom([]string{"", "goo", "a"}).Draw(rt, "merchant"),
			Max:      api.USD(rapid.IntRange(0, 6).Draw(rt, "max")) * dollar,
			Older:    time.Duration(rapid.SampledFrom([]int{0, 1, 30, 3000}).Draw(rt, "older")) * time.Hour,
			Younger:  time.Duration(rapid.SampledFrom([]int{0, 30, 5000}).Draw(rt, "younger")) * time.Hour,
		}
		d := 2 * time.Second
		for begun := false; !begun || !s.Past.Found().Older.End; begun = true {
			d += time.Second
			l.seek(t, s, d, a)
		}
		have := make(map[api.TransactionID]int)
		for _, row := range slices.Concat(s.Txns.All(), s.Past.Found().Rows) {
			have[row.ID]++
		}
		for _, row := range l.rows {
			ago := s.ServerNow().Sub(row.CreatedAt)
			match := row.Type == a.Type && (a.Card == "" || row.CardID == a.Card) && strings.Contains(strings.ToLower(string(row.Merchant.Name)), a.Merchant) &&
				(a.Max == 0 || row.Amount <= a.Max) && ago > a.Older && (a.Younger == 0 || ago < a.Younger)
			if n := have[row.ID]; n > 1 || match && n == 0 {
				rt.Fatalf("%s is there %d times", row.ID, n)
			}
		}
		if d > 15*time.Second {
			rt.Errorf("%v for %d rows", d, len(s.Past.Found().Rows))
		}
	})
}

func TestWhatIsFoundIsNotTheFeeds(t *testing.T) {
	l := old()
	s := l.begin(t)
	rows, older := len(s.Txns.All()), s.Past.State("")
	spent, complete := s.Insight.Spent24h()
	a := txns.Search{Type: api.TransactionDecline}
	f := l.seek(t, s, 3*time.Second, a)
	if f.Page != 1 || f.To != older.Back || !f.From.IsZero() || f.Search != a || f.Card != "" {
		t.Errorf("asks %+v, the feed goes back to %v", f, older.Back)
	}
	found := s.Past.Found() // The feed holds 8 of the page's rows.
	if len(found.Rows) != 92 || found.Search != a || found.Older.End || !found.Older.Back.Equal(found.Rows[0].CreatedAt) {
		t.Errorf("found %d: %+v", len(found.Rows), found.Older)
	}
	if again := s.Past.State(""); again != older || len(s.Txns.All()) != rows {
		t.Errorf("%+v with %d rows, was %+v with %d", again, len(s.Txns.All()), older, rows)
	}
	if now, all := s.Insight.Spent24h(); now != spent || all != complete {
		t.Errorf("spent %v, was %v", now, spent)
	}
	if row, ok := s.Txns.Get(found.Rows[7].ID); !ok || row.ID != found.Rows[7].ID {
		t.Error("a row that was found is not known")
	}
	// A page a second, one at a time.
	none[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: a}))
	tick(s, 4*time.Second)
	f = one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: a}))
	none[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: a}))
	if f.Page != 2 || f.To != older.Back {
		t.Errorf("goes on with %+v", f)
	}
	// All of the past is another reading, and takes its place.
	f = one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{}))
	if f.Search.On() || f.To != older.Back || len(s.Past.Found().Rows) != 0 {
		t.Errorf("asks %+v, %d found", f, len(s.Past.Found().Rows))
	}
}

func TestALateAnswerOfASearchIsDropped(t *testing.T) {
	l := old()
	declined, google := txns.Search{Type: api.TransactionDecline}, txns.Search{Merchant: "google"}
	for name, other := range map[string]kernel.Intent{
		"ended": txns.EndSearch{}, "another": txns.LoadOlder{Search: google}, "all": txns.LoadOlder{},
	} {
		s := l.begin(t)
		tick(s, 3*time.Second)
		f := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: declined}))
		do(t, s, other)
		apply(s, l.search(f, meta(4*time.Second)))
		if found := s.Past.Found(); len(found.Rows) != 0 || found.Search == declined {
			t.Errorf("%s: %d rows of %+v", name, len(found.Rows), found.Search)
		}
		if rows := len(s.Txns.All()); rows > 100 {
			t.Errorf("%s: the feed holds %d", name, rows)
		}
	}
	// A page of all that is on its way would come among what is found.
	s := l.begin(t)
	tick(s, 3*time.Second)
	f, back := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{})), s.Past.State("").Back
	l.seek(t, s, 4*time.Second, declined)
	items, _ := l.list("", time.Time{}, f.To, 1)
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(5 * time.Second), Items: items, More: true})
	if s.Past.State("").Back != back {
		t.Error("a late page counts as read")
	}
}

func TestANarrowerSearchGoesOnAndAnotherBeginsAnew(t *testing.T) {
	l := old()
	s := l.begin(t)
	feed := s.Past.State("").Back
	l.seek(t, s, 3*time.Second, txns.Search{Type: api.TransactionDecline})
	back := s.Past.Found().Older.Back
	f := l.seek(t, s, 5*time.Second, txns.Search{Type: api.TransactionDecline, Merchant: "goo"})
	if f.To != back || f.Page != 1 || len(s.Past.Found().Rows) != 192 {
		t.Errorf("asks %+v, was read to %v: %d rows", f, back, len(s.Past.Found().Rows))
	}
	f = l.seek(t, s, 7*time.Second, txns.Search{Type: api.TransactionDecline, Merchant: "acme"})
	if f.To != feed || len(s.Past.Found().Rows) != 96 {
		t.Errorf("asks %+v, %d rows", f, len(s.Past.Found().Rows))
	}
}

func TestASearchForAnAgeEndsWhenTimeHasCaughtUp(t *testing.T) {
	l := old()
	s := l.begin(t)
	a := txns.Search{Older: 300 * time.Hour}
	f := l.seek(t, s, 3*time.Second, a)
	if early := f.To.Sub(s.ServerNow().Add(-a.Older)); early < time.Hour-time.Second || early > time.Hour {
		t.Errorf("begins %v early", early)
	}
	tick(s, time.Hour)
	if len(s.Past.Found().Rows) == 0 {
		t.Error("nothing is found")
	}
	tick(s, time.Hour+4*time.Second)
	if found := s.Past.Found(); found.Search.On() || len(found.Rows) != 0 {
		t.Errorf("%d rows, some that became as old since are not among them", len(found.Rows))
	}
}

// TestANarrowerSearchForAnAgeEndsWithTheFirst: what was read back to was for the
// time that the first search began.
func TestANarrowerSearchForAnAgeEndsWithTheFirst(t *testing.T) {
	l := old()
	for name, wider := range map[string]txns.Search{"for the age": {Older: 30 * time.Hour}, "for all ages": {Type: api.TransactionDecline}} {
		s := l.begin(t)
		l.seek(t, s, 3*time.Second, wider)
		a := txns.Search{Type: api.TransactionDecline, Older: 30 * time.Hour}
		l.seek(t, s, 50*time.Minute, a)
		tick(s, 90*time.Minute)
		on := wider.Older == 0
		if found := s.Past.Found(); found.Search.On() != on || len(found.Rows) > 0 != on {
			t.Errorf("%s: %d rows of %+v", name, len(found.Rows), found.Search)
		}
	}
}

// TestRowsThatTheFeedLetsGoOfStayFound fills the feed to its bound while a
// search goes on below it.
func TestRowsThatTheFeedLetsGoOfStayFound(t *testing.T) {
	const fed = 99_500
	s := settled(t)
	rows := make([]api.Transaction, 0, fed)
	for i := range fed {
		rows = append(rows, txn(i, time.Duration(i+1)*time.Minute, api.TransactionSettlement, -dollar))
	}
	feedPage(s, pollFeed(t, s, 4*time.Second), 4*time.Second, false, slices.Clone(rows)...)
	f := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{}))
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(5 * time.Second), Items: rows[fed-100:], More: true})
	poll := pollFeed(t, s, 7*time.Second)
	a := txns.Search{Card: first}
	f = one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Search: a}))
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(8 * time.Second), Items: []api.Transaction{
		rows[fed-1], txn(fed, (fed+1)*time.Minute, api.TransactionSettlement, -dollar),
	}})
	news := make([]api.Transaction, 0, 1000)
	for i := range cap(news) {
		news = append(news, txn(fed+1+i, -time.Duration(i)*time.Millisecond, api.TransactionSettlement, -dollar))
	}
	feedPage(s, poll, 9*time.Second, false, news...)
	if held, found := len(s.Txns.All()), len(s.Past.Found().Rows); held != 100_000 || held+found != fed+1+len(news) {
		t.Errorf("%d are held and %d found", held, found)
	}
}
