package decline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/txlink"
)

func noon() time.Time { return time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC) }

func usd(dollars float64) *api.USD {
	u := api.USD(dollars * float64(api.Dollar))
	return &u
}

// well is a purchase of $25 of which all is known and nothing was the matter.
func well() *decline.Facts {
	return &decline.Facts{
		At: noon(), Amount: 25 * api.Dollar, Merchant: api.Merchant{Name: "Ads", MCC: "7311", Category: "advertising"}, DetailRead: true,
		Before: api.CardActive, After: api.CardActive, BalanceAfter: usd(100), BINMaximum: usd(500), Limit: usd(1000), Month: 300 * api.Dollar, MonthRead: true,
		CategoriesKnown: true, Expires: noon().AddDate(1, 0, 0), ThreeDS: "not_required",
	}
}

func TestWordsAndFigures(t *testing.T) {
	t.Parallel()
	asked := decline.Challenge3DS{Merchant: "ADS", Amount: usd(25), Status: api.ChallengeExpired, CreatedAt: noon().Add(-5 * time.Minute), ExpiresAt: noon()}
	askedAt := asked.CreatedAt.Local().Format(time.TimeOnly)
	for name, c := range map[string]struct {
		change func(*decline.Facts)
		sure   decline.Confidence
		want   string // the cause, the evidence, the advice
	}{
		"terminated in an earlier run, by a clock that may have been set": {
			func(f *decline.Facts) { f.Before, f.After, f.EarlierRun = api.CardTerminated, "", true },
			decline.Likely, "likely card terminated: the card was terminated before; issue another card",
		},
		"limit that the BIN does not allow to be raised": {
			func(f *decline.Facts) { f.Month, f.BINMonthly = 980*api.Dollar, usd(1000) },
			decline.Likely, "likely monthly limit: $980.00 of $1,000.00 used, asked $25.00; the BIN allows $1,000.00 a month; issue another card",
		},
		"limit that the API says was exceeded, and that was raised since": {
			func(f *decline.Facts) { f.Reasons, f.LimitLater = []api.Text{"monthly limit exceeded"}, true },
			decline.Stated, `monthly limit: the API says "monthly limit exceeded"; raise the monthly limit to $325.00`,
		},
		"limit that the API says was exceeded although it was read before": {
			func(f *decline.Facts) { f.Reasons = []api.Text{"monthly limit exceeded"} },
			decline.Stated, `monthly limit: the API says "monthly limit exceeded"; raise the monthly limit`,
		},
		"low": {func(f *decline.Facts) { f.BalanceAfter = usd(3.10) }, decline.Certain, "balance too low: balance $3.10, asked $25.00; fund $21.90"},
		"low and held": {
			func(f *decline.Facts) { f.BalanceAfter, f.Held = usd(3.10), txlink.Held{USD: 2 * api.Dollar} },
			decline.Certain, "balance too low: balance $3.10, of which ~$2.00 held, asked $25.00; fund $23.90",
		},
		"held":  {func(f *decline.Facts) { f.Held = txlink.Held{USD: 80 * api.Dollar} }, decline.Likely, "likely balance too low: balance $100.00, of which ~$80.00 held, asked $25.00; fund $5.00"},
		"limit": {func(f *decline.Facts) { f.Month = 980 * api.Dollar }, decline.Likely, "likely monthly limit: $980.00 of $1,000.00 used, asked $25.00; raise the monthly limit to $1,005.00"},
		"limit with holds": {
			func(f *decline.Facts) {
				f.Month, f.Held, f.BalanceAfter = 970*api.Dollar, txlink.Held{USD: 10 * api.Dollar}, usd(100)
			},
			decline.Likely, "likely monthly limit: $970.00 of $1,000.00 used, ~$10.00 held, asked $25.00; raise the monthly limit to $1,005.00",
		},
		"limit, month not read": {
			func(f *decline.Facts) { f.Month, f.MonthRead = 980*api.Dollar, false },
			decline.Likely, "likely monthly limit: $980.00 of $1,000.00 used, asked $25.00; raise the monthly limit to $1,005.00",
		},
		"bin":              {func(f *decline.Facts) { f.BINMaximum = usd(20) }, decline.Certain, "over BIN max: asked $25.00, the BIN allows $20.00; charge at most $20.00, or use another BIN"},
		"category":         {func(f *decline.Facts) { f.Categories = []api.Text{"4121", "transport"} }, decline.Likely, "likely category blocked: category 7311 is not one of the 2 allowed; allow category 7311"},
		"category by name": {func(f *decline.Facts) { f.Categories = []api.Text{"Advertising"} }, decline.NotKnown, "cause not known: nothing known explains it; ask the merchant or the issuer"},
		"frozen":           {func(f *decline.Facts) { f.Before, f.After = api.CardFrozen, api.CardFrozen }, decline.Likely, "likely card frozen: the card was frozen before and after; unfreeze the card"},
		"frozen since": {
			func(f *decline.Facts) { f.Before, f.After = "", api.CardFrozen },
			decline.NotKnown, "cause not known: nothing known explains it; not known: whether the card, which is frozen now, was frozen then; ask the merchant or the issuer",
		},
		"frozen since, and active before": {
			func(f *decline.Facts) { f.Before, f.After = api.CardActive, api.CardFrozen },
			decline.NotKnown, "cause not known: nothing known explains it; not known: status; ask the merchant or the issuer",
		},
		"frozen since, and low": {func(f *decline.Facts) { f.After, f.BalanceAfter = api.CardFrozen, usd(3) }, decline.Likely, "likely balance too low: balance $3.00, asked $25.00; fund $22.00"},
		"terminated":            {func(f *decline.Facts) { f.Before, f.After = api.CardTerminated, api.CardTerminated }, decline.Certain, "card terminated: the card was terminated before; issue another card"},
		"terminated since": {
			func(f *decline.Facts) { f.After = api.CardTerminated },
			decline.NotKnown, "cause not known: nothing known explains it; not known: whether the card, which is terminated now, was terminated then; issue another card",
		},
		"terminated at some time, and empty": {
			func(f *decline.Facts) { f.Before, f.After, f.Ended, f.BalanceAfter = "", "", true, usd(0) },
			decline.Likely, "likely card terminated: the card is terminated, and was empty; issue another card",
		},
		"terminated before this run, and empty": {
			func(f *decline.Facts) {
				f.Before, f.After, f.Ended, f.BalanceAfter = "", api.CardTerminated, true, usd(0)
			},
			decline.Likely, "likely card terminated: the card is terminated, and was empty; issue another card",
		},
		"terminated later: there was money on it": {
			func(f *decline.Facts) { f.Before, f.After, f.Ended, f.BalanceAfter = "", "", true, usd(3) },
			decline.Likely, "likely balance too low: balance $3.00, asked $25.00; fund $22.00",
		},
		"terminated later: it was active": {
			func(f *decline.Facts) { f.After, f.Ended, f.BalanceAfter = api.CardTerminated, true, usd(0) },
			decline.Likely, "likely balance too low: balance $0.00, asked $25.00; fund $25.00",
		},
		"expired": {func(f *decline.Facts) { f.Expires = noon() }, decline.Certain, "card expired: the card expired on 14 Mar 2026; issue another card"},
		"code": {
			func(f *decline.Facts) { f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{asked} },
			decline.Certain, "3DS failed: a code for ADS was asked for at " + askedAt + " and not answered; try again and answer the code",
		},
		"code of another merchant": {
			func(f *decline.Facts) {
				c := asked
				c.Merchant = "Taxi"
				f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{c}
			},
			decline.NotKnown, "cause not known: nothing known explains it; not known: 3DS challenges; ask the merchant or the issuer",
		},
		"code of another amount": {
			func(f *decline.Facts) {
				c := asked
				c.Amount = usd(26)
				f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{c}
			},
			decline.Likely, "likely 3DS failed: a code for ADS was asked for at " + askedAt + " and not answered; try again and answer the code",
		},
		"code long ago": {
			func(f *decline.Facts) {
				f.At = noon().Add(6 * time.Minute)
				f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{asked}
			},
			decline.NotKnown, "cause not known: nothing known explains it; not known: 3DS challenges; ask the merchant or the issuer",
		},
		"code answered": {
			func(f *decline.Facts) {
				c := asked
				c.Status = api.ChallengeCompleted
				f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{c}
			},
			decline.NotKnown, "cause not known: nothing known explains it; not known: 3DS challenges; ask the merchant or the issuer",
		},
		"low, but not all is known":            {func(f *decline.Facts) { f.BalanceAfter, f.CategoriesKnown = usd(3.10), false }, decline.Likely, "likely balance too low: balance $3.10, asked $25.00; fund $21.90"},
		"frozen before, active after, and low": {func(f *decline.Facts) { f.Before, f.BalanceAfter = api.CardFrozen, usd(3) }, decline.Likely, "likely balance too low: balance $3.00, asked $25.00; fund $22.00"},
		"frozen before, not read since, and low": {
			func(f *decline.Facts) { f.Before, f.After, f.BalanceAfter = api.CardFrozen, "", usd(3) },
			decline.Likely, "likely card frozen: the card was frozen before; unfreeze the card",
		},
		"not read since": {func(f *decline.Facts) { f.After = "" }, decline.NotKnown, "cause not known: nothing known explains it; not known: status; ask the merchant or the issuer"},
		"code that ended some minutes before": {
			func(f *decline.Facts) {
				f.At = noon().Add(4 * time.Minute)
				f.ThreeDS, f.Challenges = "", []decline.Challenge3DS{asked}
			},
			decline.Likely, "likely 3DS failed: a code for ADS was asked for at " + askedAt + " and not answered; try again and answer the code",
		},
		"code, and low": {
			func(f *decline.Facts) {
				f.ThreeDS, f.BalanceAfter, f.Challenges = "", usd(3), []decline.Challenge3DS{asked}
			},
			decline.Likely, "likely 3DS failed: a code for ADS was asked for at " + askedAt + " and not answered; try again and answer the code",
		},
		"one is left, but the API means another": {
			func(f *decline.Facts) { f.Reasons, f.CategoriesKnown = []api.Text{"do_not_honor"}, false },
			decline.NotKnown, `cause not known: the API says "do_not_honor"; nothing known explains it; not known: allowed categories; ask the merchant or the issuer`,
		},
		"what is left": {func(f *decline.Facts) { f.CategoriesKnown = false }, decline.NotKnown, "cause not known: nothing known explains it; not known: allowed categories; ask the merchant or the issuer"},
		"two are left": {
			func(f *decline.Facts) { f.CategoriesKnown, f.BINMaximum, f.DetailRead = false, nil, false },
			decline.NotKnown, "cause not known: nothing known explains it; not known: allowed categories, BIN maximum; open the transaction: it may say why",
		},
		"stated with figures": {
			func(f *decline.Facts) { f.Reasons, f.BalanceAfter = []api.Text{"INSUFFICIENT_FUNDS"}, usd(3.10) },
			decline.Stated, `balance too low: the API says "INSUFFICIENT_FUNDS"; balance $3.10, asked $25.00; fund $21.90`,
		},
		"stated, no figures": {
			func(f *decline.Facts) { f.Reasons = []api.Text{"INSUFFICIENT_FUNDS"} },
			decline.Stated, `balance too low: the API says "INSUFFICIENT_FUNDS"; balance $100.00, asked $25.00: holds left less than that available; fund the card`,
		},
		"stated low, held": {
			func(f *decline.Facts) {
				f.Reasons, f.Held = []api.Text{"INSUFFICIENT_FUNDS"}, txlink.Held{USD: 80 * api.Dollar}
			},
			decline.Stated, `balance too low: the API says "INSUFFICIENT_FUNDS"; balance $100.00, of which ~$80.00 held, asked $25.00; fund $5.00`,
		},
		"stated low, above what the BIN allows": {
			func(f *decline.Facts) {
				f.Reasons, f.BalanceAfter, f.BINMaximum = []api.Text{"INSUFFICIENT_FUNDS"}, usd(3.10), usd(20)
			},
			decline.Stated, `balance too low: the API says "INSUFFICIENT_FUNDS"; balance $3.10, asked $25.00; asked $25.00, the BIN allows $20.00; charge at most $20.00, or use another BIN`,
		},
		"stated against what is known": {func(f *decline.Facts) { f.Reasons, f.BalanceAfter = []api.Text{"card_frozen"}, usd(3.10) }, decline.Stated, `card frozen: the API says "card_frozen"; unfreeze the card`},
		"a limit": {
			func(f *decline.Facts) { f.Reasons, f.BINMaximum = []api.Text{"Limit exceeded"}, usd(20) },
			decline.Stated, `over BIN max: the API says "Limit exceeded"; asked $25.00, the BIN allows $20.00; charge at most $20.00, or use another BIN`,
		},
		"a limit that was not passed": {func(f *decline.Facts) { f.Reasons = []api.Text{"Limit exceeded"} }, decline.Stated, `"Limit exceeded": the API says "Limit exceeded"; ask the merchant or the issuer`},
		"words without a cause": {
			func(f *decline.Facts) { f.Reasons, f.BalanceAfter = []api.Text{"Do not honor"}, usd(3) },
			decline.Certain, `balance too low: the API says "Do not honor"; balance $3.00, asked $25.00; fund $22.00`,
		},
		"words without a cause, and nothing else": {
			func(f *decline.Facts) { f.Reasons = []api.Text{"Do not honor"} },
			decline.NotKnown, `cause not known: the API says "Do not honor"; nothing known explains it; ask the merchant or the issuer`,
		},
	} {
		f := well()
		c.change(f)
		a := decline.Explain(nil, f)
		if got := a.String() + ": " + a.Evidence + "; " + a.Advice(nil); got != c.want || a.Confidence != c.sure {
			t.Errorf("%s: %q, %v", name, got, a.Confidence)
		}
		// What is short is added to what was there.
		if a.Fix == decline.Fund && a.Shortfall > 0 && a.Needs != *f.BalanceAfter+a.Shortfall {
			t.Errorf("%s: it lacks %s of %s, and needs %s", name, a.Shortfall, *f.BalanceAfter, a.Needs)
		}
	}
}

func TestACauseHasOneName(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for cause := range decline.Causes {
		name := cause.String()
		if names[name] || len(name) > 16 && cause != decline.Other {
			t.Errorf("%q is long, or the name of two causes", name)
		}
		names[name] = true
		sure, guess := decline.Answer{Cause: cause, Confidence: decline.Certain}, decline.Answer{Cause: cause, Confidence: decline.Likely}
		if cause == decline.Unknown {
			if sure.Words(nil) != name || sure.Brief(nil)+sure.Short(nil)+sure.Line(nil) != "" {
				t.Errorf("an unknown cause is %q, %q", sure.Words(nil), sure.Brief(nil))
			}
			continue
		}
		for _, got := range []string{sure.Words(nil), sure.Brief(nil), sure.Short(nil), sure.Line(nil), sure.String()} {
			if got != name {
				t.Errorf("%q is %q", name, got)
			}
		}
		for _, got := range []string{guess.Words(nil), guess.Brief(nil), guess.Line(nil), guess.String()} {
			if got != "likely "+name {
				t.Errorf("a guess of %q is %q", name, got)
			}
		}
		if got := guess.Short(nil); got != name+"?" {
			t.Errorf("a guess of %q is %q", name, got)
		}
	}
}

// TestNothingKnown holds that nothing is made up where nothing is known.
func TestNothingKnown(t *testing.T) {
	t.Parallel()
	a := decline.Explain(nil, &decline.Facts{At: noon(), Amount: api.Dollar})
	if a.Cause != decline.Unknown || a.Confidence != decline.NotKnown || a.Fix != decline.ReadDetails || strings.Count(a.Evidence, ",") != 6 {
		t.Errorf("%+v", a)
	}
}

func tries(card, shop string, minutes ...float64) []decline.Try {
	var out []decline.Try
	for i, m := range minutes {
		out = append(out, decline.Try{
			ID: api.TransactionID(fmt.Sprint(card, shop, i)), Card: api.CardID(card), Merchant: api.Text(shop), At: noon().Add(time.Duration(m * float64(time.Minute))),
		})
	}
	return out
}

func TestStorms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tries []decline.Try
		want  []int // how many each storm has
	}{
		"none":                 {nil, nil},
		"two":                  {tries("c1", "a", 0, 1), nil},
		"three":                {tries("c1", "a", 0, 5, 10), []int{3}},
		"three, too slow":      {tries("c1", "a", 0, 5, 10.1), nil},
		"slow, then fast":      {tries("c1", "a", 0, 9, 18, 19, 20), []int{4}},
		"two storms":           {tries("c1", "a", 0, 1, 2, 30, 31, 32, 33), []int{3, 4}},
		"thirty":               {tries("c1", "a", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29), []int{30}},
		"two merchants":        {append(tries("c1", "a", 0, 1), tries("c1", "b", 2)...), nil},
		"two cards":            {append(tries("c1", "a", 0, 1), tries("c2", "a", 2)...), nil},
		"one merchant spelled": {append(tries("c1", "Ads", 0, 1), tries("c1", "ADS", 2)...), []int{3}},
		"read twice":           {append(tries("c1", "a", 0, 1), tries("c1", "a", 0, 1)...), nil},
		"by time":              {append(tries("c1", "a", 50, 51, 52, 53), tries("c2", "a", 0, 1, 2)...), []int{3, 4}},
	} {
		for seed := range uint64(5) {
			all := slices.Clone(c.tries)
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			var got []int
			for _, s := range decline.Storms(all) {
				got = append(got, len(s.Tries))
				if !slices.IsSortedFunc(s.Tries, func(a, b decline.Try) int { return a.At.Compare(b.At) }) {
					t.Errorf("%s: not in the order of time", name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

func TestMoreToALine(t *testing.T) {
	t.Parallel()
	for attempts := range 60 {
		for declined := range attempts + 1 {
			for _, line := range []int{1, 15, 25, 50, 99, 100} {
				want := 0
				for !decline.Reached(declined+want, attempts+want, line) && want < 7000 {
					want++
				}
				got, ok := decline.MoreTo(declined, attempts, line)
				if ok != (want < 7000) || ok && got != want {
					t.Fatalf("%d of %d to %d %%: %d, %v, want %d", declined, attempts, line, got, ok, want)
				}
			}
		}
	}
	if _, ok := decline.MoreTo(1, 2, 101); ok {
		t.Error("more than all can be declined")
	}
	if rate, ok := decline.Rate(1, 8); !ok || rate != 12.5 {
		t.Errorf("rate %v", rate)
	}
	if _, ok := decline.Rate(0, 0); ok {
		t.Error("there is a rate without attempts")
	}
}

func TestTheNextLineIsTold(t *testing.T) {
	t.Parallel()
	lines := []int{15, 25}
	for _, c := range []struct {
		declined, attempts, from, reached int
		next                              string
	}{
		{0, 0, 0, 0, ""},
		{0, 20, 20, 0, "4 more declines reach 15 %"},
		{3, 20, 20, 1, "past 15 %, 3 declines to 25 %"},
		{5, 20, 20, 2, "past 25 %"},
		{20, 20, 20, 2, "past 25 %"},
		{1, 3, 20, 2, "from 20 payments on"},
		{0, 18, 20, 0, "from 20 payments on"},
	} {
		if got := decline.Reaches(c.declined, c.attempts, lines); got != c.reached {
			t.Errorf("%d of %d reach %d lines, want %d", c.declined, c.attempts, got, c.reached)
		}
		if got := decline.Next(nil, c.declined, c.attempts, c.from, lines); got != c.next {
			t.Errorf("%d of %d: %q, want %q", c.declined, c.attempts, got, c.next)
		}
	}
	if got := decline.Next(nil, 1, 2, 0, []int{101}); got != "" {
		t.Errorf("a line that no rate reaches: %q", got)
	}
}
