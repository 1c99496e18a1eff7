package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

// The bounds of lines: hours, times of the usual hour, percent, how many lines a rate has,
// and USD.
const (
	MaxHours   = 30 * 24
	MaxTimes   = 100
	MaxPercent = 1000
	MaxLines   = 9
	MaxAmount  = 10_000_000 * api.Dollar
)

// Field is a line that can be set: its name in the configuration and as it is typed.
type Field struct {
	Path              []string
	Label, Hint, Text string
	kind              fieldKind
}

type fieldKind uint8

const (
	dollars fieldKind = iota
	hours
	percents
	times
)

// CardFields are the lines of a card.
func (r *Rules) CardFields(c *cardlist.Card) []Field {
	lines, id := r.OfCard(c), string(c.ID)
	return append([]Field{newField(dollars, amountText(lines.Below), lang.N("below $"), "low", id)}, ownFields(lines, id)...)
}

// CampaignFields are the lines of a campaign.
func (r *Rules) CampaignFields(name string) []Field {
	return ownFields(r.Of(ledger.Scope{By: ledger.ByCampaign, Name: name}), name)
}

func ownFields(l Lines, name string) []Field {
	return []Field{
		newField(hours, hoursText(l.Lasts), lang.N("lasts h"), "hours", name),
		newField(percents, percentsText(l.Rate), lang.N("declines %"), "decline", name),
		newField(times, strconv.Itoa(l.Spike), lang.N("spike times"), "spike", name),
	}
}

// AllFields are the lines of everything that has none of its own.
func (r *Rules) AllFields() []Field {
	return []Field{
		newField(dollars, amountText(r.Wallet), lang.N("wallet $"), "wallet_below"),
		newField(dollars, amountText(r.Cards), lang.N("cards $"), "cards_below"),
		newField(hours, hoursText(r.WalletLasts), lang.N("wallet h"), "wallet_hours"),
		newField(hours, hoursText(r.CampaignLasts), lang.N("campaign h"), "campaign_hours"),
		newField(hours, hoursText(r.CardLasts), lang.N("card h"), "card_hours"),
		newField(percents, percentsText(r.Rate), lang.N("declines %"), "decline_percent"),
		newField(times, strconv.Itoa(r.Spike), lang.N("spike times"), "spike_times"),
		spikeFrom(r.SpikeFrom),
	}
}

func spikeFrom(u api.USD) Field {
	f := newField(dollars, amountText(u), lang.N("spike from $"), "spike_above")
	f.Hint = lang.N("what an hour has to come to")
	return f
}

func newField(k fieldKind, text, label string, path ...string) Field {
	hint := map[fieldKind]string{
		dollars:  lang.N("alerts below; 0: never"),
		hours:    lang.N("hours that the money has to last; 0: never"),
		percents: lang.N("of payments in 7 days, comma-separated; empty: never"),
		times:    lang.N("of the usual hour; 0: never"),
	}[k]
	return Field{Path: append([]string{"alerts"}, path...), Label: label, Hint: hint, Text: text, kind: k}
}

func amountText(u api.USD) string      { return u.String() }
func hoursText(d time.Duration) string { return strconv.Itoa(int(d / time.Hour)) }
func percentsText(list []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]")
}

// Parse returns what was typed as TOML, or what is wrong with it. An empty line is never
// reached.
func (f *Field) Parse(w *lang.Words, text string) (toml, problem string) {
	if text = strings.TrimSpace(text); text == "" && f.kind != percents {
		text = "0"
	}
	switch f.kind {
	case dollars:
		usd, err := api.ParseTyped(strings.TrimPrefix(text, "$"))
		if err != nil || usd < 0 || usd > MaxAmount || usd%api.Cent != 0 {
			return "", w.T("an amount in USD, such as 12.50")
		}
		return strconv.Quote(usd.String()), ""
	case hours:
		return whole(w, text, lang.N("whole hours, 0 to %d"), MaxHours)
	case times:
		return whole(w, text, lang.N("whole times, 0 to %d"), MaxTimes)
	default:
		return percentList(w, text)
	}
}

func whole(w *lang.Words, text, format string, most int) (toml, problem string) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return "", w.Tf(format, most)
	}
	return strconv.Itoa(n), ""
}

func percentList(w *lang.Words, text string) (toml, problem string) {
	list := []int{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(part), "%")); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > MaxPercent {
			return "", w.Tf("whole numbers, 1 to %d, such as 15, 25", MaxPercent)
		}
		list = append(list, n)
	}
	if len(list) > MaxLines {
		return "", w.Tf("at most %d lines", MaxLines)
	}
	slices.Sort(list)
	return "[" + percentsText(slices.Compact(list)) + "]", ""
}

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
