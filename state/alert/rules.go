package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/ledger"
)

// Rules say what the user is alerted to. The zero value is nothing.
type Rules struct {
	// Wallet and Cards are the balances, in USD, below which the wallet and an
	// active card are low; 0 is never.
	Wallet, Cards api.USD
	// WalletLasts, CampaignLasts and CardLasts are how long the money has to last at
	// the present rate; 0 is never.
	WalletLasts, CampaignLasts, CardLasts time.Duration
	// Limit are the parts of their monthly limit, in percent and ascending, that
	// active cards alert at.
	Limit []int
	// Rate are the lines of the decline rate, in percent and ascending, of cards,
	// BINs, campaigns and the account, over seven days and from RateFrom attempts on.
	Rate     []int
	RateFrom int
	// Spike is how many times its usual hour a card or a campaign may spend, and
	// SpikeFrom how many USD it has to be; Spike 0 is never.
	Spike     int
	SpikeFrom api.USD
	// Declines alerts to each declined payment, a card's together, Storms once to a
	// storm of retries, Countries to a country that no payment was made in before.
	Declines, Storms, Countries bool
	// Deposit is how long a deposit may be pending; 0 is as long as it likes.
	Deposit time.Duration
	// Expiry are how many days before its end, ascending, a card alerts; a card that has
	// expired with a balance does then as well.
	Expiry []int
	// Idle is how long an active card with a balance may not be used; 0 is as long
	// as it likes.
	Idle time.Duration
	// Low, Lasts, Rates and Spikes are lines of their own for some cards and
	// campaigns.
	Low    []Own[api.USD]
	Lasts  []Own[time.Duration]
	Rates  []Own[[]int]
	Spikes []Own[int]
	// Quiet is when the user is not called.
	Quiet Hours
}

// Defaults returns the rules of an empty configuration file. They are nowhere else.
func Defaults() Rules {
	return Rules{
		Cards:       10 * api.Dollar,
		WalletLasts: 24 * time.Hour, CampaignLasts: 6 * time.Hour, CardLasts: time.Hour,
		Limit:  []int{75, 90, 100},
		Expiry: []int{7, 30},
		Rate:   []int{15, 25}, RateFrom: 20,
		Spike: 3, SpikeFrom: 100 * api.Dollar,
		Declines: true, Storms: true, Countries: true,
		Deposit: time.Hour, Idle: 7 * 24 * time.Hour,
	}
}

// Own is a line of their own for the cards and campaigns that a name fits: a pattern of
// labels, in which * stands for any text, a campaign, or a card's last four digits or id.
type Own[T any] struct {
	Of   string
	Line T
}

// subject is what a line may be for.
type subject struct{ names, labels []string }

func ofCard(c *cardlist.Card) subject {
	return subject{names: []string{string(c.ID), string(c.Last4)}, labels: []string{string(c.Label)}}
}

func ofScope(s ledger.Scope) subject {
	if s.By != ledger.ByCampaign {
		return subject{}
	}
	return subject{labels: []string{s.Name}}
}

// exact reports whether a name is that of the subject, and fits whether it is a pattern
// of it.
func (s subject) exact(name string) bool {
	for _, n := range append(s.names, s.labels...) {
		if n != "" && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func (s subject) fits(pattern string) bool {
	for _, l := range s.labels {
		if guard.Match(pattern, l) {
			return true
		}
	}
	return false
}

// lineOf returns the line that holds: that of the very name, else the first that fits,
// else the one for all.
func lineOf[T any](own []Own[T], all T, s subject) T {
	for i := range own {
		if s.exact(own[i].Of) {
			return own[i].Line
		}
	}
	for i := range own {
		if s.fits(own[i].Of) {
			return own[i].Line
		}
	}
	return all
}

// Below is the balance, USD, below which a card is low; 0 is never.
func (r *Rules) Below(c *cardlist.Card) api.USD { return lineOf(r.Low, r.Cards, ofCard(c)) }

// Lines are the lines that hold for a card, a campaign or the account.
type Lines struct {
	// Below is a balance, USD, Lasts how long it has to last, Rate percents of
	// declines, Spike times of the usual hour; zero is never.
	Below api.USD
	Lasts time.Duration
	Rate  []int
	Spike int
}

// OfCard returns the lines of a card.
func (r *Rules) OfCard(c *cardlist.Card) Lines {
	s := ofCard(c)
	return Lines{lineOf(r.Low, r.Cards, s), lineOf(r.Lasts, r.CardLasts, s), lineOf(r.Rates, r.Rate, s), lineOf(r.Spikes, r.Spike, s)}
}

// Of returns the lines of a campaign or a BIN, and of everything: what holds where
// nothing has lines of its own. Balances are those of cards.
func (r *Rules) Of(s ledger.Scope) Lines {
	lines := Lines{Below: r.Cards, Lasts: r.CampaignLasts, Rate: lineOf(r.Rates, r.Rate, ofScope(s)), Spike: lineOf(r.Spikes, r.Spike, ofScope(s))}
	if s.By == ledger.ByCampaign {
		lines.Lasts = lineOf(r.Lasts, r.CampaignLasts, ofScope(s))
		lines.Below = lineOf(r.Low, r.Cards, ofScope(s))
	}
	return lines
}

// OfBalances reports whether any rule is about the balance of a card.
func (r *Rules) OfBalances() bool {
	return r.Cards > 0 || len(r.Low) > 0 || r.CardLasts > 0 || len(r.Lasts) > 0
}

// insight reports whether any rule needs the sums of spending.
func (r *Rules) insight() bool {
	return r.WalletLasts > 0 || r.CampaignLasts > 0 || r.CardLasts > 0 || len(r.Lasts) > 0 ||
		len(r.Rate) > 0 || len(r.Rates) > 0 || r.Spike > 0 || len(r.Spikes) > 0
}

// Reach returns when what the rules compare of the past begins, as of now on the server's clock: zero where
// they compare nothing.
func (r *Rules) Reach(l *ledger.Ledger, now time.Time) time.Time {
	var first time.Time
	reach := func(on bool, from time.Time) {
		if on && (first.IsZero() || from.Before(first)) {
			first = from
		}
	}
	reach(r.insight(), l.Begin(ledger.Last24h))
	reach(len(r.Rate) > 0 || len(r.Rates) > 0 || r.Countries, l.Begin(ledger.Last7d))
	reach(r.Idle > 0, now.Add(-r.Idle))
	return first
}

// Hours are hours of each day in which the user is not called, in local time since
// midnight. From and To are the same where there are none; To may be on the next day.
type Hours struct {
	From, To time.Duration
	// Except are the kinds that call the user all the same.
	Except []Kind
}

// In reports whether a local time is within the hours.
func (h Hours) In(t time.Time) bool {
	at := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
	if h.From <= h.To {
		return h.From <= at && at < h.To
	}
	return h.From <= at || at < h.To
}

// Holds reports whether an alert of a kind is held at a local time.
func (h Hours) Holds(k Kind, t time.Time) bool { return h.In(t) && !slices.Contains(h.Except, k) }

// String is the hours as in 23:00-07:00; empty for none.
func (h Hours) String() string {
	if h.From == h.To {
		return ""
	}
	return clock(h.From) + "-" + clock(h.To)
}

// Until is when the hours end, as in 07:00.
func (h Hours) Until() string { return clock(h.To) }

func clock(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
}

// ParseHours reads hours as in 23:00-07:00; empty for none.
func ParseHours(text string) (h Hours, ok bool) {
	if text == "" {
		return Hours{}, true
	}
	from, to, found := strings.Cut(text, "-")
	h.From, ok = parseClock(from)
	if !found || !ok {
		return Hours{}, false
	}
	h.To, ok = parseClock(to)
	if !ok || h.From == h.To {
		return Hours{}, false
	}
	return h, true
}

func parseClock(text string) (time.Duration, bool) {
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, false
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
}

// Held are alerts that began in quiet hours. The zero value is empty.
type Held struct{ ids []ID }

// Add holds an alert.
func (h *Held) Add(id ID) {
	if len(h.ids) < kept && !slices.Contains(h.ids, id) {
		h.ids = append(h.ids, id)
	}
}

// Release returns what to say of the alerts that were held and that the user has not
// seen, and holds none; empty for none. Shown is in the language of the screen.
func (h *Held) Release(l *List, now time.Time) (text, shown string) {
	text, shown = h.text(nil, l, now), h.text(l.words, l, now)
	h.ids = nil
	return text, shown
}

func (h *Held) text(w *lang.Words, l *List, now time.Time) string {
	var count [kinds]int
	n := 0
	for _, id := range h.ids {
		if a := l.Find(id); a != nil && !a.Quiet(now) {
			count[a.Kind]++
			n++
		}
	}
	if n == 0 {
		return ""
	}
	var parts []string
	for k, c := range count {
		switch {
		case c == 1:
			parts = append(parts, w.T(Kind(k).String()))
		case c > 1:
			parts = append(parts, w.Tf("%d %s", c, w.T(Kind(k).String())))
		}
	}
	return strings.Join(parts, ", ")
}

// Len counts the alerts that are held.
func (h *Held) Len() int { return len(h.ids) }
