package alert

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
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
	text := fmt.Sprintf("first use in %s since %s: %s", code, le.ReadBack().Format("Jan 2"), what(&u.Transaction))
	a := Alert{
		ID: idOf(NewCountry, scope) + ID(" "+code), Kind: NewCountry, Card: u.CardID, Campaign: u.Campaign, Since: u.Now,
		Text: text, Count: 1, Transaction: u.ID,
	}
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
	return l.Raise(Alert{
		ID: id, Kind: Declined, Card: u.CardID, Since: u.Now, Text: declinedText(&u.Transaction, n, why), Count: n, Transaction: u.ID,
	}, false)
}

// storm alerts to a storm of retries. It takes the place of an alert to its first ones.
func (l *List) storm(u Use, why decline.Answer, storm *decline.Storm) bool {
	id, n := stormID(storm), len(storm.Tries)
	if a := l.Find(declineID(u.CardID)); a != nil && a.Count <= n {
		l.End(a.ID)
	}
	return l.Raise(Alert{
		ID: id, Kind: RetryStorm, Card: u.CardID, Since: u.Now, Text: stormText(storm, &u.Transaction, why), Count: n, Transaction: u.ID,
	}, false)
}

// Explained says the cause of a decline in its alert.
func (l *List) Explained(t *api.Transaction, why decline.Answer, storm *decline.Storm) (changed bool) {
	a, text := l.Find(declineID(t.CardID)), ""
	if a != nil && a.Transaction == t.ID {
		text = declinedText(t, a.Count, why)
	} else if storm != nil {
		if a = l.Find(stormID(storm)); a != nil && a.Transaction == t.ID {
			text = stormText(storm, t, why)
		}
	}
	if text == "" || text == a.Text {
		return false
	}
	a.Text = text
	return true
}

// what is a transaction in words.
func what(t *api.Transaction) string {
	who := string(t.Merchant.Name)
	if who == "" {
		who = "an unknown merchant"
	}
	return "$" + max(t.Amount, -t.Amount).Grouped() + " at " + who
}

// declinedText says how often a card was declined, and of the last time what and why.
func declinedText(t *api.Transaction, n int, why decline.Answer) string {
	text := what(t)
	if n > 1 {
		text = fmt.Sprintf("%d times, the last %s", n, text)
	}
	return because(text, why)
}

func stormText(s *decline.Storm, t *api.Transaction, why decline.Answer) string {
	n := len(s.Tries)
	minutes := max(1, int((s.Tries[n-1].At.Sub(s.Tries[0].At)+time.Minute-1)/time.Minute))
	return because(fmt.Sprintf("%d declines in %d min, the last %s", n, minutes, what(t)), why)
}

func because(text string, why decline.Answer) string {
	if cause := why.Line(); cause != "" {
		text += ": " + cause
	}
	return text
}
