package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/nighttest"
)

func TestWhatReportsPrint(t *testing.T) {
	s := shops(t)
	ids := strings.Fields(s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{id}"))
	for _, body := range []string{
		`{"card_id":"` + ids[0] + `","type":"settlement","amount":3.25,"merchant":"Acme"}`,
		`{"card_id":"` + ids[1] + `","type":"settlement","amount":1.2,"merchant":"a|b *c* <d>"}`,
		`{"card_id":"` + ids[1] + `","type":"refund","amount":0.07,"merchant":"a|b *c* <d>"}`,
		`{"card_id":"` + ids[1] + `","type":"authorization","amount":2,"merchant":"Acme"}`,
	} {
		s.ask(http.MethodPost, "/sandbox/transactions", body)
	}
	for _, form := range []string{"table", "json", "jsonl", "csv", "md"} {
		args := []string{"report", "--since", "24h"}
		if form != "table" {
			args = append(args, "--"+form)
		}
		s.does(cli.ExitDone, args...)
		s.golden("report." + form)
	}
	for _, by := range []string{"card", "bin", "merchant", "day"} {
		s.does(cli.ExitDone, "report", "--by", by, "--md")
		s.golden("report-" + by + ".md")
	}
	if s.does(cli.ExitDone, "report"); s.errs != "from 2026-02-22T12:00:00Z to 2026-03-01T12:00:01Z\n" {
		t.Errorf("the range is %q", s.errs)
	}
	if s.does(cli.ExitDone, "report", "--jsonl"); s.errs != "" {
		t.Errorf("beside JSON it says %q", s.errs)
	}
}

// seedsOfReports is how many worlds the comparison has.
func seedsOfReports(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("REPORT_SEEDS"))
	if err != nil {
		return 1
	}
	return n
}

// TestReportsAreRightToTheCent compares every line with what the sandbox adds up of
// its own table, or with the plain sum of the transactions where it does not: as the
// pages are, and with the rows of all of them shuffled and doubled.
func TestReportsAreRightToTheCent(t *testing.T) {
	seeds, right, reports, figures := seedsOfReports(t), 0, 0, 0
	for seed := range seeds {
		ok := t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			now := func() time.Time { return standing().Add(34*time.Minute + 56*time.Second) }
			s := serve(t, sandbox.Config{Seed: uint64(seed + 1), Now: now, Cards: 12, Transactions: 600, History: sandbox.DefaultHistory, NoLimits: true})
			truth := s.everything()
			for _, shuffled := range []bool{false, true} {
				if shuffled {
					s.intercept(s.shuffle(uint64(seed)))
				}
				ages := []string{"24h", "7d", "14d", "30d", "2026-02-25"}
				if !nighttest.On && seeds == 1 { // The pages of the longest age hold all others.
					ages = []string{"24h", "30d"}
				}
				for _, since := range ages {
					for _, by := range []string{"campaign", "card", "bin", "merchant", "day"} {
						if since == "24h" && by == "day" {
							continue
						}
						figures += s.compareReport(truth, since, by)
						reports++
					}
				}
			}
		})
		if ok {
			right++
		}
	}
	t.Logf("reports: %d of %d worlds add up, %d reports with %d figures, half of them from shuffled and doubled pages", right, seeds, reports, figures)
	if figures < 400*seeds {
		t.Errorf("only %d figures", figures)
	}
}

// sums are those of a line, in cents.
type sums struct{ spent, settled, refunded, attempts, declines int }

// counted is a transaction of the sandbox.
type counted struct {
	at                  time.Time
	card, bin, merchant string
	kind                string
	cents               int
}

func cents(v any) int {
	f, _ := v.(float64)
	return int(math.Round(100 * f))
}

// everything reads all transactions past the commands.
func (s *served) everything() []counted {
	s.t.Helper()
	bins := make(map[string]string)
	for _, c := range s.rows("/v1/cards?per_page=100") {
		bins[fmt.Sprint(c["id"])] = fmt.Sprint(c["bin_id"])
	}
	var all []counted
	for page := 1; ; page++ {
		rows := s.rows(fmt.Sprintf("/v1/transactions?per_page=100&page=%d", page))
		for _, r := range rows {
			at, err := time.Parse(time.RFC3339, fmt.Sprint(r["created_at"]))
			merchant, ok := r["merchant"].(map[string]any)
			if err != nil || !ok {
				s.t.Fatal(r, err)
			}
			card := fmt.Sprint(r["card_id"])
			all = append(all, counted{at, card, bins[card], strings.ToLower(fmt.Sprint(merchant["name"])), fmt.Sprint(r["type"]), cents(r["amount"])})
		}
		if len(rows) < 100 {
			return all
		}
	}
}

// rows are those of a list.
func (s *served) rows(path string) []map[string]any {
	s.t.Helper()
	list, ok := s.ask(http.MethodGet, path, "")["data"].([]any)
	if !ok {
		s.t.Fatalf("%s is no list", path)
	}
	out := make([]map[string]any, len(list))
	for i, v := range list {
		if out[i], ok = v.(map[string]any); !ok {
			s.t.Fatal(v)
		}
	}
	return out
}

// compareReport runs a report and returns how many figures of it are right.
func (s *served) compareReport(all []counted, since, by string) (figures int) {
	s.t.Helper()
	lines := s.lines(s.does(cli.ExitDone, "report", "--since", since, "--by", by, "--jsonl"))
	last := lines[len(lines)-1]
	from, to := s.time(last["from"]), s.time(last["to"])
	want := s.stated(all, by, from, to)
	var before map[string]sums
	var sumBefore int
	if last["spent_before"] != nil {
		now := to.Add(-time.Second) // A second that has begun is of the range.
		before = s.stated(all, by, from.Add(-now.Sub(from)), from.Add(-time.Microsecond))
	} else if since == "24h" || since == "7d" {
		s.t.Errorf("%s by %s is not compared", since, by)
	}
	var sum sums
	for _, l := range lines[:len(lines)-1] {
		name := ""
		if l["name"] != nil {
			name = fmt.Sprint(l["name"])
		}
		if by == "merchant" {
			name = strings.ToLower(name)
		}
		if got := figuresOf(l); got != want[name] {
			s.t.Errorf("%s by %s: %q is %+v, want %+v", since, by, name, got, want[name])
		}
		if before != nil && by != "day" {
			sumBefore += before[name].spent
			if got := cents(l["spent_before"]); got != before[name].spent {
				s.t.Errorf("%s by %s: %q was %d before, want %d", since, by, name, got, before[name].spent)
			}
			figures++
		}
		sum.add(want[name])
		delete(want, name)
		figures += 5
	}
	for name, left := range want {
		if left != (sums{}) {
			s.t.Errorf("%s by %s: %q is missing: %+v", since, by, name, left)
		}
	}
	if got := figuresOf(last); got != sum || last["by"] != "total" || sum.attempts == 0 {
		s.t.Errorf("%s by %s: in all %+v, want %+v", since, by, got, sum)
	}
	if before != nil && by != "day" && cents(last["spent_before"]) != sumBefore {
		s.t.Errorf("%s by %s: %v before in all, want %d", since, by, last["spent_before"], sumBefore)
	}
	return figures + 5
}

func (s *served) time(v any) time.Time {
	s.t.Helper()
	at, err := time.Parse(time.RFC3339, fmt.Sprint(v))
	must(s.t, err)
	return at
}

func figuresOf(l map[string]any) sums {
	count := func(name string) int { f, _ := l[name].(float64); return int(f) }
	return sums{cents(l["spent"]), cents(l["settled"]), cents(l["refunded"]), count("attempts"), count("declines")}
}

func (s *sums) add(o sums) {
	s.spent += o.spent
	s.settled += o.settled
	s.refunded += o.refunded
	s.attempts += o.attempts
	s.declines += o.declines
}

// stated are the sums of a span: as the sandbox has them by campaign and day, else
// added up.
func (s *served) stated(all []counted, by string, from, to time.Time) map[string]sums {
	s.t.Helper()
	out := make(map[string]sums)
	add := func(name string, more sums) {
		sum := out[name]
		sum.add(more)
		out[name] = sum
	}
	if by == "campaign" || by == "day" {
		q := url.Values{"from": {from.Format(time.RFC3339Nano)}, "to": {to.Format(time.RFC3339Nano)}}
		for _, r := range s.rows("/sandbox/spend?" + q.Encode()) {
			count := func(name string) int { f, _ := r[name].(float64); return int(f) }
			declines := count("declines")
			add(fmt.Sprint(r[by]), sums{cents(r["spend"]), cents(r["settled"]), cents(r["refunded"]), count("authorizations") + declines, declines})
		}
		return out
	}
	for _, c := range all {
		if c.at.Before(from) || c.at.After(to) {
			continue
		}
		name := map[string]string{"card": c.card, "bin": c.bin, "merchant": c.merchant}[by]
		switch c.kind {
		case "settlement":
			add(name, sums{spent: -c.cents, settled: -c.cents})
		case "refund":
			add(name, sums{spent: -c.cents, refunded: c.cents})
		case "authorization":
			add(name, sums{attempts: 1})
		case "decline":
			add(name, sums{attempts: 1, declines: 1})
		}
	}
	return out
}

// shuffle answers for transactions with the rows of all pages in another order, each
// of them twice.
func (s *served) shuffle(seed uint64) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		q := r.URL.Query()
		if r.URL.Path != "/v1/transactions" || !q.Has("from") {
			return false
		}
		asked, _ := strconv.Atoi(q.Get("page"))
		var rows []json.RawMessage
		for page := 1; ; page++ {
			q.Set("page", strconv.Itoa(page))
			again := r.Clone(r.Context())
			again.URL.RawQuery = q.Encode()
			rec := httptest.NewRecorder()
			s.world.Handler().ServeHTTP(rec, again)
			var list struct{ Data []json.RawMessage }
			if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil {
				s.t.Error(err)
				return false
			}
			rows = append(rows, list.Data...)
			if len(list.Data) < api.MaxPerPage {
				break
			}
		}
		rows = append(rows, slices.Clone(rows)...)
		rand.New(rand.NewPCG(seed, 7)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		first := min(len(rows), (max(asked, 1)-1)*api.MaxPerPage)
		body, err := json.Marshal(map[string]any{"data": rows[first:min(len(rows), first+api.MaxPerPage)], "pagination": map[string]int{"page": asked, "per_page": api.MaxPerPage, "total": len(rows)}})
		if err != nil {
			s.t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, err = w.Write(body)
		return err == nil
	}
}

// holding is what a sandbox holds by its own tables, in cents.
type holding struct {
	cards map[string]int
	all   int
	// silent is what it let go within two days without a transaction, which no client can know.
	silent     int
	terminated map[string]bool
}

// TestHoldsAreThoseOfTheSandbox compares what is held, in all and by card, with the sandbox's own tables. It is
// the same whatever the range is and whatever the report is by, and left out where what tells it is not read.
func TestHoldsAreThoseOfTheSandbox(t *testing.T) {
	seeds := []uint64{7, 11, 12} // Each is held to the bar; of further ones the sum is.
	each := len(seeds)
	for seed := range uint64(seedsOfReports(t)) {
		seeds = append(seeds, 1001+seed)
	}
	var said, held, silent, cards, cardsRight, near int
	for i, seed := range seeds {
		file := filepath.Join(t.TempDir(), "world.db")
		s := serve(t, sandbox.Config{Seed: seed, Path: file, Now: standing, History: sandbox.DefaultHistory, NoLimits: true})
		truth := s.holding(file)
		estimate, byCard := s.heldInAll()
		n, right := s.compareCards(byCard, &truth)
		cards, cardsRight = cards+n, cardsRight+right
		t.Logf("seed %d: $%.2f held by the program, $%.2f by the sandbox and $%.2f let go without a transaction; %d of %d cards to the cent",
			seed, float64(estimate)/100, float64(truth.all)/100, float64(truth.silent)/100, right, n)
		said, held, silent = said+estimate, held+truth.all, silent+truth.silent
		switch {
		case within(estimate, truth.all, truth.silent):
			near++
		case i < each:
			t.Errorf("seed %d: %d cents are held, want %d", seed, estimate, truth.all)
		}
		if i < each {
			s.terminatedHoldNothing(file, byCard)
		}
	}
	t.Logf("open holds: %d of %d worlds within 5 %%, %d of %d cards to the cent, %+.1f %% in sum", near, len(seeds), cardsRight, cards, 100*float64(said-held)/float64(held))
	if !within(said, held, silent) || 6*cardsRight < 5*cards {
		t.Errorf("%d cents are held in all worlds, want %d", said, held)
	}
	s := serve(t, sandbox.Config{Now: standing, Cards: 12, Transactions: 600, History: sandbox.DefaultHistory, NoLimits: true})
	s.does(cli.ExitDone, "report", "--since", "24h", "--by", "merchant", "--alone", "--template", "{by} {holds}{spent_before}{change}")
	if !strings.HasSuffix(s.out, "\ntotal \n") {
		t.Error(s.out)
	}
}

// within reports whether an estimate is within 5 % of the truth, between what is held with and without what
// was let go in silence.
func within(estimate, held, silent int) bool {
	return 100*estimate >= 95*held && 100*estimate <= 105*(held+silent)
}

// heldInAll is what reports say is held in all and by card, in cents.
func (s *served) heldInAll() (held int, cards map[string]int) {
	s.t.Helper()
	held = -1
	for _, args := range [][]string{
		{"24h", "card"}, {"24h", "merchant"}, {"7d", "campaign"}, {"7d", "day"}, {"2026-02-23", "card"}, {"14d", "bin"}, {"30d", "merchant"}, {"30d", "card"},
	} {
		lines := s.lines(s.does(cli.ExitDone, "report", "--since", args[0], "--by", args[1], "--jsonl"))
		sum, by := 0, make(map[string]int)
		for _, l := range lines[:len(lines)-1] {
			sum += cents(l["holds"])
			by[fmt.Sprint(l["name"])] = cents(l["holds"])
		}
		got := cents(lines[len(lines)-1]["holds"])
		if held < 0 {
			held, cards = got, by
		}
		// Of holds that settle in parts each line rounds what is likely left.
		if got != held || sum > got || got-sum > len(lines) {
			s.t.Errorf("%q: %d cents are held, %d in its lines, want %d", args, got, sum, held)
		}
		for card, cents := range by {
			if args[1] == "card" && cents != cards[card] {
				s.t.Errorf("%q: %s holds %d cents, want %d", args, card, cents, cards[card])
			}
		}
	}
	return held, cards
}

// terminatedHoldNothing terminates a card that holds something.
func (s *served) terminatedHoldNothing(file string, cards map[string]int) {
	s.t.Helper()
	for card, held := range cards {
		if held == 0 {
			continue
		}
		s.ask(http.MethodDelete, "/v1/cards/"+card, "")
		truth := s.holding(file)
		_, after := s.heldInAll()
		s.compareCards(after, &truth)
		if after[card] != 0 || !truth.terminated[card] {
			s.t.Errorf("%s is terminated and holds %d cents", card, after[card])
		}
		return
	}
	s.t.Error("no card holds anything")
}

// compareCards returns how many cards hold something, and of how many it is right to the cent.
func (s *served) compareCards(said map[string]int, truth *holding) (n, right int) {
	s.t.Helper()
	for card, cents := range truth.cards {
		if n++; said[card] == cents {
			right++
		}
	}
	for card, cents := range said {
		if truth.terminated[card] && cents != 0 {
			s.t.Errorf("%s is terminated and holds %d cents", card, cents)
		}
		if _, ok := truth.cards[card]; !ok && cents != 0 {
			n++
		}
	}
	return n, right
}

// holding reads the tables of a sandbox.
func (s *served) holding(file string) holding {
	s.t.Helper()
	rows, err := sandbox.Export(file)
	must(s.t, err)
	h := holding{cards: make(map[string]int), terminated: make(map[string]bool)}
	ids := make([]string, 0, 100)
	for _, c := range s.rows("/v1/cards?per_page=100&order=asc") {
		ids = append(ids, fmt.Sprint(c["id"]))
	}
	if len(rows.Cards) > len(ids) {
		s.t.Fatalf("%d cards are listed of %d", len(ids), len(rows.Cards))
	}
	for i, k := range rows.Cards {
		h.terminated[ids[i]] = k.Status == "terminated"
	}
	ended := make(map[int64]bool) // authorizations that hold something or are settled
	for _, one := range rows.Holds {
		ended[one.Auth] = true
		if one.Amount > 0 {
			h.cards[ids[one.Card-1]] += int(one.Amount)
		}
		h.all += int(one.Amount)
	}
	last := int64(0)
	for _, x := range rows.Txns {
		last = max(last, x.At)
		if x.Type == "settlement" {
			ended[x.Root] = true
		}
	}
	for i, x := range rows.Txns {
		if x.Type == "authorization" && x.At > last-50*3600000 && !h.terminated[ids[x.Card-1]] && !ended[int64(i+1)] {
			h.silent += int(x.Amount)
		}
	}
	return h
}

// TestCampaignsAreThoseOfTheConfiguration by a pattern and by metadata.
func TestCampaignsAreThoseOfTheConfiguration(t *testing.T) {
	s := shops(t)
	ids := strings.Fields(s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{id}"))
	s.ask(http.MethodPost, "/sandbox/transactions", `{"card_id":"`+ids[1]+`","type":"authorization","amount":2,"merchant":"Acme"}`)
	file := filepath.Join(t.TempDir(), "config.toml")
	for rule, want := range map[string]string{"*/*/*": "fb/spring/01 2\n", "metadata:team": " 2\na b 1\ntotal 3\n"} {
		must(t, os.WriteFile(file, []byte("campaign = "+strconv.Quote(rule)+"\n"), 0o600))
		s.does(cli.ExitDone, "report", "--config", file, "--template", "{name} {attempts}")
		if !strings.HasPrefix(s.out, want) {
			t.Errorf("%s: %q, want %q", rule, s.out, want)
		}
	}
}

// TestAListAsksEachCardForItsMetadata where that tells campaigns, of those alone that the
// rest of the filter lets through.
func TestAListAsksEachCardForItsMetadata(t *testing.T) {
	s := shops(t)
	file := filepath.Join(t.TempDir(), "config.toml")
	must(t, os.WriteFile(file, []byte("campaign = \"metadata:team\"\n"), 0o600))
	asked := 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/v1/cards/card_") {
			asked++
		}
		return false
	})
	for filter, want := range map[string]struct {
		out   string
		asked int
	}{
		`campaign="a b"`:         {"a b 5.00\n", 3},
		`campaign="a b" bal<20`:  {"a b 5.00\n", 2},
		`campaign="a b" bal>100`: {"", 0},
		"!campaign~a bal>20":     {" 25.00\n", 1},
		"bal<6":                  {"a b 5.00\n", 1},
	} {
		asked = 0
		if got := s.does(cli.ExitDone, "cards", "list", "--config", file, filter, "--template", "{campaign} {balance}"); got != want.out || asked != want.asked {
			t.Errorf("%s: %q of %d cards, want %q of %d", filter, got, asked, want.out, want.asked)
		}
	}
	asked = 0
	if s.does(cli.ExitDone, "cards", "list", "--config", file, "bal<6"); asked != 0 {
		t.Errorf("%d cards are read for nothing", asked)
	}
	if said := s.does(cli.ExitUsage, "transactions", "list", "--config", file, "campaign=a"); said != "" {
		t.Errorf("it prints %q, and the metadata of cards tells campaigns", said)
	}
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/v1/cards/card_") {
			return false
		}
		http.Error(w, `{"error":"not_found","message":"no","code":404,"request_id":"req_1"}`, http.StatusNotFound)
		return true
	})
	if s.does(cli.ExitFailed, "cards", "list", "--config", file, "campaign=x", "--csv"); !strings.Contains(s.errs, "read the metadata of card card_") {
		t.Errorf("a card that is not there: %s", s.errs)
	}
}

func TestReportsAreRefusedInALine(t *testing.T) {
	s := frozen(t)
	for line, want := range map[string]string{
		"report --since 36h":           `--since takes today, 24h, days such as 7d or 2w up to 30d, or a date of the last 30 days such as 2026-03-01 (UTC), not "36h"`,
		"report --since 31d":           `not "31d"`,
		"report --since 0d":            `not "0d"`,
		"report --since 2026-01-29":    "--since takes a date from 2026-01-30 to 2026-03-01 (UTC)",
		"report --since 2026-03-02":    "--since takes a date from 2026-01-30 to 2026-03-01 (UTC)",
		"report --since 24h --by day":  "--since 24h has no whole days",
		"report --by campaigns":        `not "campaigns" (did you mean "campaign"?)`,
		"report --md --csv":            "--csv and --md exclude each other",
		"report --fields spend":        `no field "spend" (did you mean "spent"?)`,
		"report today":                 `takes no argument "today"`,
		"report --since 0001-01-01":    "--since takes",
		"report --since=":              "--since takes",
		"report --since 2026-02-30":    "--since takes",
		"report --since 24h --by days": "--by takes one of",
	} {
		if code := s.run(strings.Fields(line)...); code == cli.ExitDone || s.out != "" || !strings.Contains(s.errs, want) || strings.Count(s.errs, "\n") != 1 {
			t.Errorf("%s ends with %d: %s%s", line, code, s.out, s.errs)
		}
	}
	s.does(cli.ExitDone, "report", "--since", "2026-01-30")
}

// TestABrokenReportPrintsNothing: figures of a part would look like all.
func TestABrokenReportPrintsNothing(t *testing.T) {
	s := serve(t, sandbox.Config{Now: standing, Transactions: 600, Cards: 5, History: sandbox.DefaultHistory})
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("page") != "3" {
			return false
		}
		w.WriteHeader(http.StatusTeapot)
		return true
	})
	if s.does(cli.ExitFailed, "report", "--since", "30d"); s.out != "" || !strings.Contains(s.errs, "; 200 were read, no report") {
		t.Errorf("%q, %q", s.out, s.errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("page") == "2" {
			stop()
		}
		return false
	})
	var out, errs bytes.Buffer
	root := commands(program{app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: api.NewAPIKey(s.key)}, Errs: &errs, Now: time.Now}, &out}) //nolint:forbidigo // the clock of main
	root.SetArgs([]string{"report", "--since", "30d", "--csv"})
	if code := cli.ExitCode(root.ExecuteContext(ctx)); code != cli.ExitInterrupted || out.Len() > 0 {
		t.Errorf("interrupted: %d, %q", code, out.String())
	}
}

// TestAReportTakesAgesAsOthersDo: a day is 24 hours, a week 7 days.
func TestAReportTakesAgesAsOthersDo(t *testing.T) {
	s := frozen(t)
	report := func(since string) string {
		return s.does(cli.ExitDone, "report", "--since", since, "--by", "campaign", "--csv")
	}
	for alike, since := range map[string]string{"1d": "24h", "1w": "7d", "2W": "14d"} {
		if got := report(alike); got != report(since) {
			t.Errorf("%s is not %s:\n%s", alike, since, got)
		}
	}
	if s.does(cli.ExitUsage, "transactions", "list", "--from", "1d", "--to", "2d"); !strings.Contains(s.errs, "--from is after --to") {
		t.Error(s.errs)
	}
}
