package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

// TestGoldenLedgers reads the traces of testdata. Each line is one of
//
//	now TIME                                       the server's clock
//	card CARD BIN CAMPAIGN                         describes a card
//	cover FROM TO                                  all of it was read; FROM may be "begin"
//	txn ID CARD TIME TYPE AMOUNT MERCHANT          a reading of a transaction; "next" begins another page
//	want SCOPE RANGE name=value …                  figures, computed by hand
//	day SCOPE DATE name=value …                    of a day
//	hour SCOPE TIME name=value …                   of an hour
//	holes FROM TO count                            what was not read
//
// A scope is account, card:ID, bin:ID, campaign:NAME or merchant:NAME; _ in names
// is a space, "-" is empty.
func TestGoldenLedgers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d traces, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			g := &golden{t: t, ledger: ledger.New()}
			for n, line := range strings.Split(string(text), "\n") {
				line, _, _ = strings.Cut(line, "#")
				if words := strings.Fields(line); len(words) > 0 {
					g.line = n + 1
					g.do(words)
				}
			}
			if g.wanted == 0 {
				t.Error("no figure is compared")
			}
		})
	}
}

type golden struct {
	t      *testing.T
	ledger *ledger.Ledger
	now    time.Time
	page   []api.Transaction
	line   int
	wanted int
}

func (g *golden) do(w []string) {
	if w[0] != "txn" {
		g.flush()
	}
	switch w[0] {
	case "now":
		g.now = g.time(w[1])
		g.ledger.Advance(g.now)
	case "card":
		g.ledger.Describe(api.CardID(w[1]), api.BINID(name(w[2])), name(w[3]))
	case "cover":
		g.ledger.Cover(g.time(w[1]), g.time(w[2]))
	case "txn":
		amount, err := api.ParseUSD(w[5])
		if err != nil {
			g.t.Fatalf("line %d: %v", g.line, err)
		}
		g.page = append(g.page, api.Transaction{
			ID: api.TransactionID(w[1]), CardID: api.CardID(w[2]), CreatedAt: g.time(w[3]),
			Type: api.TransactionType(w[4]), Amount: amount, Merchant: api.Merchant{Name: api.Text(name(w[6]))},
		})
	case "next":
	case "want":
		g.compare(w[3:], g.ledger.Total(scope(w[1]), ranges()[w[2]]))
	case "day":
		days := g.ledger.Days(scope(w[1]), ledger.Days)
		g.bucket(w[3:], days, g.time(w[2]))
	case "hour":
		g.bucket(w[3:], g.ledger.Hours(scope(w[1]), ledger.Hours), g.time(w[2]))
	case "holes":
		if got := len(g.ledger.Holes(ledger.Span{From: g.time(w[1]), To: g.time(w[2])})); strconv.Itoa(got) != w[3] {
			g.t.Errorf("line %d: %d holes", g.line, got)
		}
	default:
		g.t.Fatalf("line %d: %s", g.line, w[0])
	}
}

func (g *golden) flush() {
	if len(g.page) > 0 {
		g.ledger.Add(g.now, g.page)
		g.page = nil
	}
}

func (g *golden) bucket(want []string, all []ledger.Bucket, at time.Time) {
	i := slices.IndexFunc(all, func(b ledger.Bucket) bool { return b.Start.Equal(at) })
	if i < 0 {
		g.t.Fatalf("line %d: no bucket starts at %v", g.line, at)
	}
	g.compare(want, ledger.Sum{Totals: all[i].Totals, Open: all[i].Open, Coverage: ledger.Coverage{Complete: all[i].Complete}})
}

func (g *golden) compare(want []string, got ledger.Sum) {
	g.t.Helper()
	g.wanted++
	rate := 0
	if got.Attempts() > 0 {
		rate = 1000 * int(got.Declined) / got.Attempts()
	}
	figures := map[string]string{
		"settled": got.Settled.String(), "refunded": got.Refunded.String(), "spent": got.Spent().String(),
		"held": got.Held.String(), "open": got.Open.USD.String(), "before": got.Before.Spent.String(),
		"compared":   strconv.FormatBool(got.Compared),
		"authorized": fmt.Sprint(got.Authorized), "declined": fmt.Sprint(got.Declined), "attempts": fmt.Sprint(got.Attempts()),
		"permille": strconv.Itoa(rate), "complete": strconv.FormatBool(got.Coverage.Complete),
		"before-complete": strconv.FormatBool(got.BeforeRead.Complete), "since": got.Coverage.Since.Format(layout),
	}
	for _, w := range want {
		key, value, _ := strings.Cut(w, "=")
		if have, ok := figures[key]; !ok || have != value {
			g.t.Errorf("line %d: %s is %s, want %s", g.line, key, have, value)
		}
	}
}

const layout = "2006-01-02T15:04"

func (g *golden) time(s string) time.Time {
	if s == "begin" {
		return time.Time{}
	}
	for _, l := range []string{layout, time.DateOnly, "2006-01-02T15:04:05.000"} {
		if at, err := time.Parse(l, s); err == nil {
			return at
		}
	}
	g.t.Fatalf("line %d: %s is no time", g.line, s)
	return time.Time{}
}

func name(s string) string {
	if s == "-" {
		return ""
	}
	return strings.ReplaceAll(s, "_", " ")
}

func scope(s string) ledger.Scope {
	by, of, _ := strings.Cut(s, ":")
	kinds := map[string]ledger.By{
		"account": ledger.ByAccount, "card": ledger.ByCard, "bin": ledger.ByBIN, "campaign": ledger.ByCampaign, "merchant": ledger.ByMerchant,
	}
	return ledger.Scope{By: kinds[by], Name: name(of)}
}

func ranges() map[string]ledger.Range {
	return map[string]ledger.Range{"today": ledger.Today, "24h": ledger.Last24h, "7d": ledger.Last7d, "14d": ledger.Last14d, "30d": ledger.Last30d}
}
