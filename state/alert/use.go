package alert

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

// Use is a transaction that was made just now. Now is this machine's clock.
type Use struct {
	api.Transaction
	Campaign string
	Now      time.Time
}

// Country alerts to a use in a country that neither the card nor its campaign was used in
// before, as far back as the ledger was read, which does not hold it yet: that has to be a
// week.
func (l *List) Country(le *ledger.Ledger, u Use) (changed bool) {
	code := strings.ToUpper(strings.TrimSpace(string(u.Merchant.Country)))
	if code == "" || u.Type == api.TransactionRefund || !le.Coverage(ledger.Last7d).Complete {
		return false
	}
	scope := ledger.OfCard(u.CardID)
	there, anywhere := le.InCountry(scope, u.Merchant.Country)
	if u.Campaign != "" && !there {
		scope = ledger.Scope{By: ledger.ByCampaign, Name: u.Campaign}
		there, anywhere = le.InCountry(scope, u.Merchant.Country)
	}
	if there || !anywhere {
		return false
	}
	since := le.ReadBack()
	a := l.Saying(Alert{
		ID: idOf(NewCountry, scope) + ID(" "+code), Kind: NewCountry, Card: u.CardID, Campaign: u.Campaign, Since: u.Now,
		Count: 1, Transaction: u.ID,
	}, func(w *lang.Words) string {
		return w.Tf("first use in %s since %s: %s", code, w.Time(since, "Jan 2"), what(w, &u.Transaction))
	})
	return l.Find(a.ID) == nil && l.Raise(a, false)
}

// declineID names the alert of the declines of a card, stormID that of retries at a
// merchant.
func declineID(card api.CardID) ID { return ID("decline " + card) }

func stormID(s *decline.Storm) ID {
	return ID("storm " + string(s.Card) + " " + strings.ToLower(string(s.Merchant)))
}

// Decline alerts to a payment that was declined: to a card's together, and once to a storm
// of retries, nil for none. Why is as far as it is known.
func (l *List) Decline(r *Rules, u Use, why decline.Answer, storm *decline.Storm) (changed bool) {
	if storm != nil {
		if done, ok := l.done[u.CardID]; ok && !storm.Tries[0].At.After(done) && l.Find(declineID(u.CardID)) == nil {
			return false
		}
		if r.Storms {
			return l.storm(u, why, storm)
		}
	}
	if !r.Declines {
		return false
	}
	id, n := declineID(u.CardID), 1
	if a := l.Find(id); a != nil {
		n += a.Count
	}
	return l.Raise(l.Saying(Alert{
		ID: id, Kind: Declined, Card: u.CardID, Since: u.Now, Count: n, Transaction: u.ID,
	}, func(w *lang.Words) string { return declinedText(w, &u.Transaction, n, why) }), false)
}

// storm alerts to a storm of retries. It takes the place of an alert to its first ones.
func (l *List) storm(u Use, why decline.Answer, storm *decline.Storm) bool {
	id, n := stormID(storm), len(storm.Tries)
	if a := l.Find(declineID(u.CardID)); a != nil && a.Count <= n {
		l.End(a.ID)
	}
	return l.Raise(l.Saying(Alert{
		ID: id, Kind: RetryStorm, Card: u.CardID, Since: u.Now, Count: n, Transaction: u.ID,
	}, func(w *lang.Words) string { return stormText(w, storm, &u.Transaction, why) }), false)
}

// Explained says the cause of a decline in its alert.
func (l *List) Explained(t *api.Transaction, why decline.Answer, storm *decline.Storm) (changed bool) {
	one := *t // The text may be asked for in another language later.
	t = &one
	a, text := l.Find(declineID(t.CardID)), (func(*lang.Words) string)(nil)
	if a != nil && a.Transaction == t.ID {
		n := a.Count
		text = func(w *lang.Words) string { return declinedText(w, t, n, why) }
	} else if storm != nil {
		if a = l.Find(stormID(storm)); a != nil && a.Transaction == t.ID {
			text = func(w *lang.Words) string { return stormText(w, storm, t, why) }
		}
	}
	if text == nil {
		return false
	}
	before := a.Text
	*a = l.Saying(*a, text)
	return a.Text != before
}

// what is a transaction in words.
func what(w *lang.Words, t *api.Transaction) string {
	who := string(t.Merchant.Name)
	if who == "" {
		who = w.T("an unknown merchant")
	}
	return w.Tf("%s at %s", w.Size(t), who)
}

// declinedText says how often a card was declined, and of the last time what and why.
func declinedText(w *lang.Words, t *api.Transaction, n int, why decline.Answer) string {
	text := what(w, t)
	if n > 1 {
		text = w.Tf("%d times, the last %s", n, text)
	}
	return because(w, text, why)
}

func stormText(w *lang.Words, s *decline.Storm, t *api.Transaction, why decline.Answer) string {
	n := len(s.Tries)
	minutes := max(1, int((s.Tries[n-1].At.Sub(s.Tries[0].At)+time.Minute-1)/time.Minute))
	return because(w, w.Tf("%d declines in %d min, the last %s", n, minutes, what(w, t)), why)
}

func because(w *lang.Words, text string, why decline.Answer) string {
	if cause := why.Line(w); cause != "" {
		text += ": " + cause
	}
	return text
}
