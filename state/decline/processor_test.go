package decline_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/txlink"
)

// purchase is what is true when a processor decides, apart from what a dashboard sees
// of it.
type purchase struct {
	at            time.Time
	amount        api.USD
	shop          api.Merchant
	status, later api.CardStatus // then, and when it was read next
	balance, held api.USD
	binMost       api.USD
	limit, used   api.USD
	allowed       []api.Text
	expires       time.Time
	asked         bool // for a code
	answered      bool
	issuerSaysNo  bool
}

// breach says of each cause whether it stops the purchase.
func (p *purchase) breach(c decline.Cause) bool {
	switch c {
	case decline.Terminated:
		return p.status == api.CardTerminated
	case decline.Frozen:
		return p.status == api.CardFrozen
	case decline.Expired:
		return !p.at.Before(p.expires)
	case decline.Category:
		return len(p.allowed) > 0 && !slices.Contains(p.allowed, p.shop.MCC) && !slices.Contains(p.allowed, p.shop.Category)
	case decline.BINMaximum:
		return p.amount > p.binMost
	case decline.MonthlyLimit:
		return p.amount+p.used+p.held > p.limit
	case decline.Balance:
		return p.amount+p.held > p.balance
	case decline.Challenge:
		return p.asked && !p.answered
	default:
		return p.issuerSaysNo
	}
}

func causes() []decline.Cause {
	return []decline.Cause{
		decline.Terminated, decline.Frozen, decline.Expired, decline.Category, decline.BINMaximum,
		decline.MonthlyLimit, decline.Balance, decline.Challenge, decline.Other,
	}
}

// decide returns the first cause that stops the purchase, in the order of one of two
// processors; a code is asked for when all else is well.
func (p *purchase) decide(order int) decline.Cause {
	checks := causes()
	if order == 1 {
		checks = []decline.Cause{
			decline.Terminated, decline.Expired, decline.Frozen, decline.Balance, decline.BINMaximum,
			decline.MonthlyLimit, decline.Category, decline.Challenge, decline.Other,
		}
	}
	for _, c := range checks {
		if p.breach(c) {
			return c
		}
	}
	return decline.Unknown
}

// good draws a purchase that nothing stops.
func good(r *rand.Rand) *purchase {
	cents := func(from, to int) api.USD { return api.USD(from*100+r.IntN((to-from)*100)) * api.Cent }
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(86_400)) * time.Second)
	shops := []api.Merchant{
		{Name: "FACEBK ADS", Category: "advertising", MCC: "7311"},
		{Name: "Google Ads", Category: "advertising", MCC: "7311"},
		{Name: "Uber", Category: "transport", MCC: "4121"},
		{Name: "Cloud Ltd", Category: "software", MCC: "5734"},
	}
	p := &purchase{at: at, amount: cents(1, 400), shop: shops[r.IntN(len(shops))], status: api.CardActive, expires: at.AddDate(2, 0, 0)}
	if r.IntN(2) == 0 {
		p.held = cents(0, 200)
	}
	p.balance = p.amount + p.held + cents(0, 900)
	p.binMost = p.amount + cents(0, 2000)
	p.used = cents(0, 3000)
	p.limit = p.used + p.amount + p.held + cents(0, 3000)
	if r.IntN(3) == 0 {
		p.allowed = []api.Text{p.shop.MCC, "9999"}
	}
	if r.IntN(4) == 0 {
		p.asked, p.answered = true, true
	}
	return p
}

// spoil makes a cause stop the purchase, by a little or by much.
func (p *purchase) spoil(c decline.Cause, r *rand.Rand) {
	some := api.USD(1+r.IntN(int(p.amount/api.Cent))) * api.Cent
	switch c {
	case decline.Terminated:
		p.status = api.CardTerminated
	case decline.Frozen:
		p.status = api.CardFrozen
	case decline.Expired:
		p.expires = p.at.Add(-time.Duration(r.IntN(90*24)) * time.Hour)
	case decline.Category:
		p.allowed = []api.Text{"8062", "hotels"}
	case decline.BINMaximum:
		p.binMost = p.amount - some
	case decline.MonthlyLimit:
		p.limit = max(api.Cent, p.used+p.held+p.amount-some)
	case decline.Balance:
		p.balance = max(0, p.amount+p.held-some)
	case decline.Challenge:
		p.asked, p.answered = true, false
	default:
		p.issuerSaysNo = true
	}
}

// wait lets the card be frozen, unfrozen or terminated before it is read again, now and
// then.
func (p *purchase) wait(r *rand.Rand) {
	p.later = p.status
	if p.status == api.CardTerminated || r.IntN(20) > 0 {
		return
	}
	p.later = []api.CardStatus{api.CardActive, api.CardFrozen, api.CardTerminated}[r.IntN(3)]
}

// sight is how likely a dashboard knows each fact.
type sight struct{ status, balance, bin, limit, month, categories, expiry, challenges float64 }

// facts are what a dashboard sees of a purchase.
func (p *purchase) facts(s sight, truth decline.Cause, r *rand.Rand) *decline.Facts {
	knows := func(chance float64) bool { return r.Float64() < chance }
	f := &decline.Facts{At: p.at, Amount: p.amount, Merchant: p.shop, Held: txlink.Held{USD: p.held}, Month: p.used}
	if knows(s.status) {
		f.Before = p.status
	}
	if knows(s.status) {
		f.After = p.later
	}
	if knows(s.balance) {
		f.BalanceAfter = &p.balance
	}
	if knows(s.bin) {
		f.BINMaximum = &p.binMost
	}
	if knows(s.limit) {
		f.Limit = &p.limit
	}
	if f.MonthRead = knows(s.month); !f.MonthRead {
		f.Month = api.USD(r.Float64() * float64(p.used)) // As far as it was read.
	}
	if knows(s.categories) {
		f.CategoriesKnown, f.Categories = true, p.allowed
	}
	if knows(s.expiry) {
		f.Expires = p.expires
	}
	if knows(s.challenges) {
		f.Challenges, f.ThreeDS = p.challenges(r), p.threeDS(truth)
	}
	return f
}

// threeDS is what the detail says: a code is asked for when all else is well.
func (p *purchase) threeDS(truth decline.Cause) api.Text {
	switch {
	case truth == decline.Challenge:
		return "failed"
	case p.asked && p.answered:
		return "authenticated"
	default:
		return "not_required"
	}
}

// challenges are those of the card: that of the purchase, and now and then one of
// another purchase about that time.
func (p *purchase) challenges(r *rand.Rand) (out []decline.Challenge3DS) {
	if r.IntN(8) == 0 {
		other := p.amount + 7*api.Dollar
		at := p.at.Add(-time.Duration(r.IntN(200)) * time.Second)
		out = append(out, decline.Challenge3DS{Merchant: "Somewhere else", Amount: &other, Status: api.ChallengeExpired, CreatedAt: at.Add(-api.ChallengeLifetime), ExpiresAt: at})
	}
	if !p.asked {
		return out
	}
	c := decline.Challenge3DS{Merchant: p.shop.Name, Amount: &p.amount, Status: api.ChallengeExpired, CreatedAt: p.at.Add(-api.ChallengeLifetime), ExpiresAt: p.at}
	if p.answered {
		c.Status, c.CreatedAt, c.ExpiresAt = api.ChallengeCompleted, p.at.Add(-time.Minute), p.at.Add(4*time.Minute)
	}
	return append(out, c)
}

// reasons are the words of three servers for each cause.
func reasons() map[decline.Cause][3]api.Text {
	return map[decline.Cause][3]api.Text{
		decline.Terminated:   {"card_terminated", "Closed card", "CARD TERMINATED"},
		decline.Frozen:       {"card_frozen", "Card is frozen", "CARD_SUSPENDED"},
		decline.Expired:      {"card_expired", "Expired card", "CARD HAS EXPIRED"},
		decline.Category:     {"category_not_allowed", "Merchant category blocked", "MCC_BLOCKED"},
		decline.BINMaximum:   {"bin_limit_exceeded", "Exceeds maximum transaction amount", "AMOUNT_LIMIT_EXCEEDED"},
		decline.MonthlyLimit: {"spending_limit_exceeded", "Monthly limit reached", "CARD_LIMIT_EXCEEDED"},
		decline.Balance:      {"insufficient_balance", "Not sufficient funds", "INSUFFICIENT_FUNDS"},
		decline.Challenge:    {"challenge_expired", "3-D Secure authentication failed", "3DS_EXPIRED"},
		decline.Other:        {"suspected_fraud", "Incorrect CVV", "RESTRICTED"},
	}
}

// TestInjectedDeclines injects declines of all causes and counts which are told
// right: with the words of three servers, and with none. The cause is decided by a
// processor that knows nothing of the rules.
func TestInjectedDeclines(t *testing.T) {
	t.Parallel()
	const injected = 1000
	full := sight{1, 1, 1, 1, 1, 1, 1, 1}
	usual := sight{0.98, 1, 0.99, 0.97, 0.95, 0.95, 0.98, 0.98}
	poor := sight{0.5, 0.7, 0.7, 0.5, 0.5, 0.2, 0.5, 0.5}
	for _, c := range []struct {
		name     string
		sight    sight
		words    bool
		doubled  float64 // how often a second cause is there as well
		leastPer float64 // of a thousand that have to be right
	}{
		{"reasons, usual sight", usual, true, 0.05, 950},
		{"reasons, poor sight", poor, true, 0.1, 950},
		{"no reasons, full sight", full, false, 0.05, 950},
		{"no reasons, usual sight", usual, false, 0.05, 950},
		{"no reasons, poor sight", poor, false, 0.2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(len(c.name))))
			right, unknown, certain, wrongCertain, stated := 0, 0, 0, 0, 0
			for i := range injected {
				p := good(r)
				want := causes()[i%len(causes())]
				p.spoil(want, r)
				if r.Float64() < c.doubled {
					p.spoil(causes()[r.IntN(8)], r)
				}
				p.wait(r)
				truth := p.decide(i / len(causes()) % 2)
				f := p.facts(c.sight, truth, r)
				if c.words {
					f.Reasons = []api.Text{reasons()[truth][r.IntN(3)]}
				}
				got := decline.Explain(nil, f)
				ok := got.Cause == truth || truth == decline.Other && got.Cause == decline.Unknown
				if ok {
					right++
				} else {
					t.Logf("%v told as %v (%v): %s", truth, got.Cause, got.Confidence, got.Evidence)
				}
				if got.Cause == decline.Unknown {
					unknown++
				}
				switch got.Confidence {
				case decline.Certain:
					certain++
					if !ok {
						wrongCertain++
					}
				case decline.Stated:
					stated++
				default:
				}
			}
			t.Logf("%s: %d of %d right, %d certain of which %d wrong, %d stated, %d unknown", c.name, right, injected, certain, wrongCertain, stated, unknown)
			if wrongCertain > 0 {
				t.Errorf("%d are certain and wrong", wrongCertain)
			}
			if float64(right) < c.leastPer {
				t.Errorf("%d of %d right", right, injected)
			}
			if !c.words && c.sight == full && certain < injected/2 {
				t.Errorf("only %d are certain where all is known", certain)
			}
		})
	}
}
