package txns

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// newPane is a feed of an account with three cards; read says that all of them
// were.
func newPane(t *testing.T, read bool) *Pane {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := state.New(settings.Config{
		Screen: &settings.Screen{},
		NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.Sweep},
	})
	_, effects := s.Tick(now)
	for _, e := range effects {
		if f, ok := e.(state.FetchCards); ok && read {
			s.Apply(state.CardsLoaded{FetchCards: f, Meta: kernel.Meta{Sent: now, At: now}, TotalPages: 1, Total: 3, Items: []api.CardItem{
				{ID: "card_1", Label: "fb/spring/01", Last4: "2039", Status: api.CardActive},
				{ID: "card_2", Label: "fb/spring/02", Last4: "2040", Status: api.CardActive},
				{ID: "card_3", Label: "gg/one", Last4: "2039", Status: api.CardActive},
			}})
		}
	}
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := New(&th)
	p.Sync(s, kernel.TopicAll)
	return p
}

// TestOnlyWhatTheAPIAnswersWhollyIsSearchedFor: all that matches a filter must
// be in the answer to its search.
func TestOnlyWhatTheAPIAnswersWhollyIsSearchedFor(t *testing.T) {
	p := newPane(t, true)
	for text, want := range map[string]txns.Search{
		"":                              {},
		"google 2039":                   {},
		"country=US mcc=5411":           {},
		"type=declined":                 {Type: api.TransactionDecline},
		"what~clin":                     {Type: api.TransactionDecline},
		"type~/^hold$/":                 {Type: api.TransactionAuthorization},
		"type=hold,refund":              {},
		"type!=hold,refund,declined":    {},
		"!type=hold":                    {},
		"merchant~Google":               {Merchant: "google"},
		"merchant=google":               {Merchant: "google"},
		`merchant~"google ads"`:         {Merchant: "google ads"},
		"merchant~goo merchant~ads,":    {Merchant: "goo"},
		"merchant~a,b":                  {},
		"merchant!~goo":                 {},
		"merchant~/goo.*/":              {},
		"merchant~Ünal":                 {},
		"card=2040":                     {Card: "card_2"},
		"card=2039":                     {},
		"card=2039 label~spring":        {Card: "card_1"},
		"label~/0[12]/ card=2040":       {Card: "card_2"},
		"label=gg/one":                  {Card: "card_3"},
		"campaign=gg/one":               {Card: "card_3"},
		"campaign=fb/spring":            {},
		"campaign=FB/spring !card=2039": {Card: "card_2"},
		"label=nobody":                  {},
		"label!~fb":                     {},
		"amt<20":                        {Max: 20 * api.Dollar},
		"amt<=20 amt<30":                {Max: 20 * api.Dollar},
		"amt=5":                         {Max: 5 * api.Dollar},
		"amt>50":                        {},
		"!amt<20":                       {},
		"amt>50 type=settled":           {Type: api.TransactionSettlement},
		"amt>50 type=settlement":        {Type: api.TransactionSettlement},
		"amt>50 type=refund amt<90":     {Type: api.TransactionRefund, Min: 50 * api.Dollar, Max: 90 * api.Dollar},
		"age>30h age>2h":                {Older: 30 * time.Hour},
		"age<7d age<=9d":                {Younger: 7 * 24 * time.Hour},
		"!age>30h":                      {},
		"fb type=ref /x.*y/ age<30d":    {Type: api.TransactionRefund, Younger: 30 * 24 * time.Hour},
	} {
		p.filter.Set(text)
		p.applyFilter()
		if p.filter.On() && p.query.All() {
			t.Errorf("%q is not understood", text)
		}
		if got := p.searched(); got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
	p = newPane(t, false)
	p.filter.Set("card=2040")
	if p.applyFilter(); p.searched().On() {
		t.Error("searches for a card before all are known")
	}
}

// TestWhatWasFoundIsListedAgainWhenItsTermsAre edits a filter to a wider one and
// back: the list and a file of it are as they were.
func TestWhatWasFoundIsListedAgainWhenItsTermsAre(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	refunds := func(name string, n int, ago time.Duration) (rows []api.Transaction) {
		for i := range n {
			rows = append(rows, api.Transaction{
				ID: api.TransactionID(name + string(rune('a'+i))), CardID: "card_1", Type: api.TransactionRefund, Amount: api.Dollar,
				CreatedAt: now.Add(-ago - time.Duration(i)*time.Minute),
			})
		}
		return rows
	}
	s := state.New(settings.Config{Screen: &settings.Screen{}, NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.History}})
	meta := kernel.Meta{Sent: now, At: now}
	var effects []kernel.Effect
	for range 3 {
		_, more := s.Tick(now)
		effects = append(effects, more...)
		now = now.Add(time.Second)
	}
	for _, e := range effects {
		if f, ok := e.(txns.Fetch); ok {
			s.Apply(txns.Loaded{Fetch: f, Meta: meta, Items: refunds("fed", 3, time.Hour)})
		}
	}
	p := newPane(t, true)
	p.Sync(s, kernel.TopicAll)
	p.filter.Set("type=r")
	p.applyFilter()
	asked := p.seek([]kernel.Intent{txns.LoadOlder{}})
	if len(asked) != 1 {
		t.Fatal("nothing is asked for")
	}
	_, effects, err := s.Dispatch(asked[0])
	if err != nil || len(effects) != 1 {
		t.Fatalf("%v, %+v", err, effects)
	}
	older, ok := effects[0].(txns.FetchOlder)
	if !ok {
		t.Fatalf("%+v", effects[0])
	}
	s.Apply(txns.OlderLoaded{FetchOlder: older, Meta: meta, Items: refunds("old", 9, 30*time.Hour)})
	p.Sync(s, kernel.TopicFeed)
	p.Act(keymap.OpenFilter)
	for _, step := range []struct {
		key, text string
		want      int
	}{{"", "", 12}, {"backspace", "", 3}, {"r", "r", 12}, {"e", "e", 3}, {"backspace", "", 12}, {" ", " ", 12}, {"x", "x", 0}, {"backspace", "", 12}} {
		if step.key != "" {
			p.Type(step.key, step.text)
		}
		file, ok := p.export()[0].(pane.ExportRows)
		if len(p.order) != step.want || !ok || file.Rows.N != step.want {
			t.Errorf("%q lists %d and writes %d, want %d", p.filter.Text(), len(p.order), file.Rows.N, step.want)
		}
	}
}
