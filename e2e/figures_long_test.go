//go:build long

package e2e

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

// made is a transaction as the server lists it: the books are added up of these, and not by
// the packages of the program.
type made struct {
	at                            time.Time
	card, bin, merchant, campaign string
	kind                          string
	cents                         int64
}

// books reads all that the server has.
func (d *driver) books() (all []made) {
	d.t.Helper()
	type card struct{ bin, campaign string }
	cards := make(map[string]card)
	list := func(path string, visit func(map[string]any)) {
		for page := 1; ; page++ {
			rows, ok := d.api(http.MethodGet, fmt.Sprintf("%sper_page=100&page=%d", path, page), nil)["data"].([]any)
			if !ok {
				d.t.Fatal(path)
			}
			for _, r := range rows {
				visit(r.(map[string]any)) //nolint:forcetypeassert // it fails the test
			}
			if len(rows) < 100 {
				return
			}
		}
	}
	list("/cards?", func(r map[string]any) {
		parts := strings.SplitN(fmt.Sprint(r["label"]), "/", 3)
		campaign := ""
		if len(parts) > 1 {
			campaign = strings.Join(parts[:2], "/")
		}
		cards[fmt.Sprint(r["id"])] = card{fmt.Sprint(r["bin_id"]), campaign}
	})
	list("/transactions?", func(r map[string]any) {
		at, err := time.Parse(time.RFC3339, fmt.Sprint(r["created_at"]))
		merchant, ok := r["merchant"].(map[string]any)
		amount, number := r["amount"].(float64)
		if err != nil || !ok || !number {
			d.t.Fatal(r, err)
		}
		id := fmt.Sprint(r["card_id"])
		all = append(all, made{
			at, id, cards[id].bin, strings.ToLower(fmt.Sprint(merchant["name"])), cards[id].campaign,
			fmt.Sprint(r["type"]), int64(math.Round(100 * amount)),
		})
	})
	return all
}

// begins is from when on a range counts.
func begins(r ledger.Range, now time.Time) time.Time {
	if r == ledger.Today {
		return now.Truncate(24 * time.Hour)
	}
	days := map[ledger.Range]int{ledger.Last24h: 1, ledger.Last7d: 7, ledger.Last14d: 14, ledger.Last30d: 30}[r]
	return now.Add(-time.Duration(days) * 24 * time.Hour).Truncate(time.Hour)
}

// tally is what a figure counts.
type tally struct{ spent, declined, attempts int64 }

func (s tally) add(m made) tally {
	switch m.kind {
	case "settlement", "refund":
		s.spent -= m.cents
	case "decline":
		s.declined++
		s.attempts++
	case "authorization":
		s.attempts++
	}
	return s
}

func tallyOf(t ledger.Totals) tally {
	return tally{int64(t.Spent() / api.Cent), int64(t.Declined), int64(t.Attempts())}
}

// compared counts figures of one moment, and those of them that were marked as no more than a part.
type compared struct{ figures, marked int }

// compareFigures compares every figure of spending with the books: what is not marked is right to the cent, and
// all ways to a figure have the same one.
func compareFigures(t *testing.T, s *state.Store, all []made) (out compared) {
	t.Helper()
	l, now := s.Insight.Ledger(), s.ServerNow()
	for _, r := range []ledger.Range{ledger.Today, ledger.Last24h, ledger.Last7d, ledger.Last14d, ledger.Last30d} {
		whole := tally{}
		of := map[ledger.By]map[string]tally{}
		for by, name := range ways() {
			of[by] = make(map[string]tally)
			for _, m := range all {
				if !m.at.Before(begins(r, now)) {
					of[by][name(m)] = of[by][name(m)].add(m)
				}
			}
		}
		for _, one := range of[ledger.ByCard] {
			whole.spent, whole.declined, whole.attempts = whole.spent+one.spent, whole.declined+one.declined, whole.attempts+one.attempts
		}
		total := l.Total(ledger.Account(), r)
		complete := total.Coverage.Complete
		figure := func(what string, got, want tally) {
			if out.figures++; !complete {
				out.marked++
				return
			}
			if got != want {
				t.Errorf("%v, %s: %+v, want %+v", r, what, got, want)
			}
		}
		figure("account", tallyOf(total.Totals), whole)
		for by := range ways() {
			rows, sum := l.Table(by, r, nil)
			added, shown := tally{}, make(map[string]bool)
			for _, row := range rows {
				name, _ := l.Name(by, row.Place)
				got := tallyOf(row.Now)
				added.spent, added.declined, added.attempts = added.spent+got.spent, added.declined+got.declined, added.attempts+got.attempts
				shown[strings.ToLower(name)] = true
				figure(fmt.Sprintf("%v %s", by, name), got, of[by][strings.ToLower(name)])
				if one := l.Total(ledger.Scope{By: by, Name: name}, r); tallyOf(one.Totals) != got {
					t.Errorf("%v, %v %s: %+v by itself, %+v in the table", r, by, name, one.Totals, row.Now)
				}
			}
			for name, want := range of[by] {
				if complete && want != (tally{}) && !shown[name] {
					t.Errorf("%v, %v: %s is missing: %+v", r, by, name, want)
				}
			}
			if added != tallyOf(sum.Totals) || sum.Totals != total.Totals {
				t.Errorf("%v: the rows of %v come to %+v, the account to %+v", r, by, added, total.Totals)
			}
		}
	}
	spent, complete := s.Insight.Spent24h()
	day := l.Total(ledger.Account(), ledger.Last24h)
	cards, hours := api.USD(0), api.USD(0)
	for _, c := range s.Cards.All().All() {
		cards += c.Spent24h
	}
	for _, h := range l.Bars(ledger.Account(), ledger.Last24h) {
		hours += h.Spent()
	}
	if spent != day.Spent() || complete != day.Coverage.Complete || cards != spent || hours != spent {
		t.Errorf("24 hours: %s in the header, %s on the cards, %s by hour, %s in the table", spent, cards, hours, day.Spent())
	}
	return out
}

// ways are what tables are of, and how a transaction is called there.
func ways() map[ledger.By]func(made) string {
	return map[ledger.By]func(made) string{
		ledger.ByCard: func(m made) string { return strings.ToLower(m.card) }, ledger.ByCampaign: func(m made) string { return m.campaign },
		ledger.ByBIN: func(m made) string { return strings.ToLower(m.bin) }, ledger.ByMerchant: func(m made) string { return m.merchant },
	}
}

// TestFiguresAreRightOrMarked compares the figures of twenty worlds with the books of their servers: at the start,
// while the past is read, and after.
func TestFiguresAreRightOrMarked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			o := options{seed: 4000 + seed, cards: 12, txns: 600, history: sandbox.DefaultHistory, store: func(c *settings.Config) { c.SpendHourly = 3600 }}
			story(t, o, func(d *driver) {
				all := d.books()
				var sum, last compared
				moments := 0
				for range 40 {
					d.inside(func(s *state.Store) { last = compareFigures(t, s, all) })
					sum.figures, sum.marked = sum.figures+last.figures, sum.marked+last.marked
					moments++
					if last.marked == 0 && moments > 30 {
						break
					}
					d.wait(time.Second)
				}
				header := strings.SplitN(d.screen(), "\n", 2)[0]
				d.press("$")
				d.inside(func(s *state.Store) {
					spent, _ := s.Insight.Spent24h()
					text := s.Privacy.Display().Dollars(spent)
					if !strings.Contains(header, "spent 24h "+text) || !strings.Contains(d.line("since "), "spent    "+text+" since") {
						t.Errorf("%s is not in %q or %q", text, header, d.line("since "))
					}
				})
				if last.marked > 0 || sum.marked == 0 {
					t.Errorf("%d of %d figures were marked, %d of the last", sum.marked, sum.figures, last.marked)
				}
				t.Logf("%d figures at %d moments, %d of them marked", sum.figures, moments, sum.marked)
			})
		})
	}
}
