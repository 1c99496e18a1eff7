package cmd

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// hostile is what a label may hold: it acts on no terminal, ends no line and is no
// formula.
const hostile = `=1+1\u001b]0;pwned\u0007\u001b[31m\"a,b\"\u202e\u0000\n<x>&/1`

// shops makes a world of a few cards and transactions that goldens show whole.
func shops(t *testing.T) *served {
	t.Helper()
	s := serve(t, sandbox.Config{Now: standing, Cards: -1, Transactions: -1, Wallet: "100"})
	for _, body := range []string{
		`{"bin_id":"424242","amount":25,"label":"fb/spring/01"}`,
		`{"bin_id":"424242","amount":5,"label":"` + hostile + `","metadata":{"team":"a b"}}`,
		`{"bin_id":"555555","amount":12.5}`,
	} {
		s.ask(http.MethodPost, "/v1/cards", body)
	}
	s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--template", "{id}")
	id, _, _ := strings.Cut(s.out, "\n")
	for _, body := range []string{
		`{"card_id":"` + id + `","type":"authorization","amount":3.25,"merchant":"Acme \u001b[31m& Söhne"}`,
		`{"card_id":"` + id + `","type":"decline","amount":900,"merchant":"Bad Shop"}`,
	} {
		s.ask(http.MethodPost, "/sandbox/transactions", body)
	}
	s.ask(http.MethodPost, "/sandbox/challenges", `{"card_id":"`+id+`","merchant":"Acme","amount":12.5,"otp":"482913"}`)
	return s
}

func TestWhatListsPrint(t *testing.T) {
	s := shops(t)
	for _, list := range []string{"cards", "transactions", "deposits", "bins", "codes"} {
		for _, form := range []string{"table", "json", "jsonl", "csv"} {
			args := []string{list, "list"}
			if form != "table" {
				args = append(args, "--"+form)
			}
			s.does(cli.ExitDone, args...)
			s.golden(list + "." + form)
			if strings.Contains(s.out, "482913") {
				t.Errorf("%q prints a code", args)
			}
		}
	}
	s.does(cli.ExitDone, "wallet")
	s.golden("wallet.table")
	s.does(cli.ExitDone, "deposits", "address", "usdt", "--csv")
	s.golden("address.csv")
}

// TestATemplateReadsWhatItsFieldsNeed prints last4, which needs no transactions as last does.
func TestATemplateReadsWhatItsFieldsNeed(t *testing.T) {
	s, read := shops(t), 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/transactions") {
			read++
		}
		return false
	})
	for template, reads := range map[string]bool{"{id} {last4}": false, "{id} {left}": true} {
		read = 0
		if s.does(cli.ExitDone, "cards", "list", "--template", template); (read > 0) != reads {
			t.Errorf("%s reads the transactions %d times", template, read)
		}
	}
}

// TestAListIsBounded: whatever is listed in pages.
func TestAListIsBounded(t *testing.T) {
	s := serve(t, sandbox.Config{Seed: 7, Quiet: true, NoLimits: true})
	for _, list := range []string{"cards", "transactions", "deposits", "codes"} {
		if got := s.lines(s.does(cli.ExitDone, list, "list", "--jsonl", "--limit", "1")); len(got) != 1 {
			t.Errorf("%s: %d of 1", list, len(got))
		}
		if s.does(cli.ExitUsage, list, "list", "--limit", "-1"); !strings.Contains(s.errs, "--limit takes a whole number") {
			t.Errorf("%s: %s", list, s.errs)
		}
	}
}

func TestOneIsPrintedInFull(t *testing.T) {
	s := shops(t)
	for name, args := range map[string][]string{
		"card.table": {"cards", "show", "fb/spring/01"}, "card.json": {"cards", "show", "fb/spring/01", "--json"},
		"transaction.json": {"transactions", "show", s.first("transactions"), "--json"},
		"code.json":        {"codes", "show", s.first("codes"), "--json"},
	} {
		s.does(cli.ExitDone, args...)
		s.golden(name)
	}
	if got := s.does(cli.ExitDone, "codes", "show", s.first("codes"), "--template", "{code}"); got != "482913\n" {
		t.Errorf("the code is %q", got)
	}
}

// first is the id of the first of a list.
func (s *served) first(list string) string {
	s.t.Helper()
	id, _, _ := strings.Cut(s.does(cli.ExitDone, list, "list", "--template", "{id}"), "\n")
	return id
}

// TestFiltersAreThoseOfTheScreen: what passes, and what a wrong one says.
func TestFiltersAreThoseOfTheScreen(t *testing.T) {
	s := frozen(t)
	all := s.lines(s.does(cli.ExitDone, "cards", "list", "--jsonl"))
	number := func(v any) float64 { f, _ := v.(float64); return f }
	text := func(v any) string { f, _ := v.(string); return f }
	for filter, keep := range map[string]func(map[string]any) bool{
		"status=frozen bal<500": func(c map[string]any) bool { return c["status"] == "frozen" && number(c["balance"]) < 500 },
		"!status=active":        func(c map[string]any) bool { return c["status"] != "active" },
		"FB": func(c map[string]any) bool {
			return strings.Contains(strings.ToLower(text(c["label"])), "fb") || strings.Contains(text(c["bin_id"]), "fb")
		},
		"/^fb.*0[1-9]$/": func(c map[string]any) bool {
			l := text(c["label"])
			return strings.HasPrefix(l, "fb") && slices.Contains([]string{"01", "02", "03", "04", "05", "06", "07", "08", "09"}, l[max(0, len(l)-2):])
		},
		"net=visa age<90000d": func(map[string]any) bool { return false },
	} {
		if strings.Contains(filter, "90000d") {
			s.does(cli.ExitUsage, "cards", "list", filter)
			continue
		}
		want := slices.DeleteFunc(slices.Clone(all), func(c map[string]any) bool { return !keep(c) })
		got := s.lines(s.does(cli.ExitDone, "cards", "list", filter, "--jsonl"))
		if len(got) != len(want) || len(got) == 0 {
			t.Errorf("%q prints %d cards, want %d", filter, len(got), len(want))
		}
	}
	for line, want := range map[string]string{
		"cards list lable~fb":                    "filter: no field lable (did you mean label?)",
		"cards list bal<":                        "filter: a term is not complete: bal: USD",
		"cards list --status froze":              `--status takes one of active, frozen, terminated, not "froze" (did you mean "frozen"?)`,
		"cards list --limit -1":                  "--limit takes a whole number from 0",
		"cards list --json --csv":                "--csv and --json exclude each other",
		"cards list --fields id,lable":           `no field "lable" (did you mean "label"?)`,
		"cards list --template {id}{x":           "--template: a { is not closed: fields are written as {id}",
		"cards list --template {{.id":            "--template: a { is not closed",
		"cards list --template {id}{}":           "--template: {} names no field: id, label",
		"cards list --template {lable}":          `--template: no field "lable" (did you mean "label"?)`,
		"transactions list amt":                  "",
		"transactions list type=hld":             "hld is no type",
		"transactions list --from yesterday":     "--from takes a date such as",
		"transactions list --min-amount 1e3":     "--min-amount takes an amount in USD such as 12.50 or -12.50",
		"transactions show":                      "an id is missing",
		"transactions show txn_nobody":           "no transaction has that id: cardtop transactions list prints them",
		"codes show 3ds_nobody":                  "no code has that id: cardtop codes list prints them",
		"transactions show a/../b":               "",
		"deposits address doge":                  `no currency "doge"`,
		"cards show nothing":                     "no card has that id, last four digits or label",
		"cards show card_000000000000000":        "no card has that id",
		"cards show card_../../wallet/balance":   "",
		"cards show":                             "a card is missing",
		"cards nonsense":                         `unknown command "nonsense"`,
		"codes show 3ds_1/../../wallet":          "",
		"bins list --sandbox --profile nonsense": "",
	} {
		if code := s.run(strings.Fields(line)...); want != "" && (code == cli.ExitDone || !strings.Contains(s.errs, want)) {
			t.Errorf("%s ends with %d: %s", line, code, s.errs)
		}
		if code := strings.Count(s.errs, "\n"); code > 1 || internal.MatchString(s.errs) {
			t.Errorf("%s says %q", line, s.errs)
		}
	}
}

// TestAListIsPrintedWhileItIsRead: a page is out before the next is asked for, and
// what was printed before a failure is said.
func TestAListIsPrintedWhileItIsRead(t *testing.T) {
	s := serve(t, sandbox.Config{Now: standing, Cards: 250, Transactions: 1})
	pages := 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/cards" {
			pages++
		}
		return false
	})
	if got := strings.Count(s.does(cli.ExitDone, "cards", "list", "--csv"), "\n"); got != 251 || pages != 3 {
		t.Errorf("%d lines of %d pages", got, pages)
	}
	pages = 0
	if got := strings.Count(s.does(cli.ExitDone, "cards", "list", "--limit", "7"), "\n"); got != 8 || pages != 1 {
		t.Errorf("%d lines of %d pages", got, pages)
	}
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("page") != "2" {
			return false
		}
		w.WriteHeader(http.StatusTeapot)
		return true
	})
	if s.does(cli.ExitFailed, "cards", "list", "--jsonl"); strings.Count(s.out, "\n") != 100 || !strings.Contains(s.errs, "; 100 were printed") {
		t.Errorf("printed %d lines: %s", strings.Count(s.out, "\n"), s.errs)
	}
}

func TestErrorsAreObjectsWhereJSONIsAskedFor(t *testing.T) {
	s := frozen(t)
	s.does(cli.ExitUsage, "cards", "list", "--json", "lable~fb")
	want := `{"error":{"code":"usage","message":"filter: no field lable (did you mean label?), as in label~us","exit":2}}` + "\n"
	if s.errs != want || s.out != "" {
		t.Errorf("printed %q and %q", s.out, s.errs)
	}
	s.key = "sk_test_other0123456789"
	s.does(cli.ExitAuth, "wallet", "--jsonl")
	if got, _ := s.lines(s.errs)[0]["error"].(map[string]any); got["code"] != "auth" || got["exit"] != 4.0 || got["request_id"] == nil {
		t.Errorf("printed %q", s.errs)
	}
}

// TestADepositAddressThatChangedIsNotPrinted: money sent there may be lost.
func TestADepositAddressThatChangedIsNotPrinted(t *testing.T) {
	s := frozen(t)
	if got := s.does(cli.ExitDone, "deposits", "address", "--template", "{currency} {seen}"); got != "btc false\neth false\nsol false\nusdt false\n" {
		t.Errorf("printed %q", got)
	}
	s.pin("usdt", "0x1")
	s.does(cli.ExitFailed, "deposits", "address", "usdt")
	if s.out != "" || !strings.Contains(s.errs, "the usdt address is not the one seen since 2026-02-01") {
		t.Errorf("printed %q, %q", s.out, s.errs)
	}
}

// TestARunwayKnownOnlyAtMostIsNotPrintedAsANumber: what is paid in yen costs dollars that nobody knows of.
func TestARunwayKnownOnlyAtMostIsNotPrintedAsANumber(t *testing.T) {
	s := serve(t, sandbox.Config{Seed: 3, Now: standing, Cards: 12, Transactions: 6000, History: sandbox.DefaultHistory, NoLimits: true})
	id := strings.TrimSpace(s.does(cli.ExitDone, "cards", "list", "left<20d", "--limit", "1", "--template", "{id}"))
	s.ask(http.MethodPost, "/sandbox/transactions", `{"card_id":"`+id+`","type":"authorization","amount":1500,"currency":"JPY","merchant":"Acme"}`)
	if got := s.does(cli.ExitDone, "cards", "list", "left<20d", "--template", "{id} <{left}>"); !strings.Contains(got, id+" <>\n") {
		t.Errorf("with a charge in yen of %s %q is printed", id, got)
	}
}

func TestExitCodesAreOneTable(t *testing.T) {
	s := frozen(t)
	s.does(cli.ExitDone, "exit-codes")
	for _, e := range cli.Exits() {
		if !strings.Contains(s.out, fmt.Sprintf("%3d  %s", e.Code, e.Name)) {
			t.Errorf("%d is not there:\n%s", e.Code, s.out)
		}
	}
}

// TestFiguresFilterAndArePrinted: each term lets through the cards whose printed figure
// says so, and the declines are those of the report.
func TestFiguresFilterAndArePrinted(t *testing.T) {
	s := serve(t, sandbox.Config{Seed: 3, Now: standing, Cards: 12, Transactions: 6000, History: sandbox.DefaultHistory, NoLimits: true})
	all := s.lines(s.does(cli.ExitDone, "cards", "list", "--jsonl", "--fields", "id,status,campaign,spent,last,left,burn,decl7,idle"))
	number := func(v any) float64 { // -1 where it is not known.
		f, ok := v.(float64)
		if !ok {
			return -1
		}
		return f
	}
	for filter, keep := range map[string]func(map[string]any) bool{
		"left<3d":    func(c map[string]any) bool { return number(c["left"]) >= 0 && number(c["left"]) < 3 },
		"burn>1":     func(c map[string]any) bool { return number(c["burn"]) > 1 },
		"decl7>5":    func(c map[string]any) bool { return number(c["decl7"]) > 5 },
		"decl7<101%": nil,
		"spent>20":   func(c map[string]any) bool { return number(c["spent"]) > 20 },
		"last<12h": func(c map[string]any) bool {
			at, err := time.Parse(time.RFC3339, fmt.Sprint(c["last"]))
			return err == nil && standing().Sub(at) < 12*time.Hour
		},
		"idle>12h":         func(c map[string]any) bool { return number(c["idle"]) > 0.5 },
		"campaign~/^fb/":   func(c map[string]any) bool { return strings.HasPrefix(fmt.Sprint(c["campaign"]), "fb") },
		"left>0m burn>0.5": func(c map[string]any) bool { return number(c["left"]) > 0 && number(c["burn"]) > 0.5 },
	} {
		if keep == nil {
			s.does(cli.ExitUsage, "cards", "list", filter)
			continue
		}
		var want, got []string
		for _, c := range all {
			if keep(c) {
				want = append(want, fmt.Sprint(c["id"]))
			}
		}
		for _, c := range s.lines(s.does(cli.ExitDone, "cards", "list", filter, "--jsonl")) {
			got = append(got, fmt.Sprint(c["id"]))
			for _, name := range []string{"spent", "last", "left", "burn", "decl7", "idle", "campaign"} {
				if _, printed := c[name]; printed != strings.Contains(filter, name) {
					t.Errorf("%q prints %v", filter, c)
				}
			}
		}
		if !slices.Equal(got, want) || len(got) == 0 || len(got) == len(all) {
			t.Errorf("%q prints %d of %d cards, want %d", filter, len(got), len(all), len(want))
		}
	}
	declined := make(map[string]float64)
	for _, l := range s.lines(s.does(cli.ExitDone, "report", "--by", "card", "--since", "7d", "--jsonl")) {
		if l["by"] == "card" && number(l["attempts"]) > 0 {
			declined[fmt.Sprint(l["name"])] = number(l["decline_rate"])
		}
	}
	compared := 0
	for _, c := range all {
		if want, ok := declined[fmt.Sprint(c["id"])]; ok {
			compared++
			if got := number(c["decl7"]); got < want-0.1 || got > want+0.1 {
				t.Errorf("decl7 is %v of %v, want %v", got, c["id"], want)
			}
		}
	}
	if compared < 5 {
		t.Errorf("%d cards are compared: %v", compared, declined)
	}
	if text := s.does(cli.ExitDone, "cards", "list", "left<3d"); !strings.Contains(text, "LEFT") {
		t.Errorf("the table has no left:\n%s", text)
	}
}

// TestACardIsAskedForByItsDigitsOrLabel in the lists, too.
func TestACardIsAskedForByItsDigitsOrLabel(t *testing.T) {
	s := shops(t)
	card := s.lines(s.does(cli.ExitDone, "cards", "list", "--order", "asc", "--jsonl"))[0]
	said := func(field string) string { text, _ := card[field].(string); return text }
	for _, list := range []string{"transactions", "codes"} {
		want := s.does(cli.ExitDone, list, "list", "--card", said("id"), "--jsonl")
		for _, field := range []string{"last4", "label"} {
			if got := s.does(cli.ExitDone, list, "list", "--card", said(field), "--jsonl"); got != want {
				t.Errorf("%s of %s: %q, of its id %q", list, said(field), got, want)
			}
		}
		s.does(cli.ExitUsage, list, "list", "--card", "nothing like it")
	}
}

// TestAWordFindsAmountsOfTransactions with its comma and without.
func TestAWordFindsAmountsOfTransactions(t *testing.T) {
	s := serve(t, sandbox.Config{Seed: 3, Now: standing, Cards: 12, Transactions: 900, NoLimits: true})
	row := s.lines(s.does(cli.ExitDone, "transactions", "list", "--jsonl", "amt>=1000", "amt<10000", "--limit", "1", "--fields", "id,amount"))[0]
	value, ok := row["amount"].(float64)
	if !ok {
		t.Fatalf("no amount: %v", row)
	}
	amount := fmt.Sprintf("%.2f", math.Abs(value))
	for _, word := range []string{amount, amount[:1] + "," + amount[1:]} {
		if found := s.does(cli.ExitDone, "transactions", "list", "--jsonl", word); !strings.Contains(found, fmt.Sprint(row["id"])) {
			t.Errorf("%s does not find %v: %q", word, row, found)
		}
	}
}

// TestTransactionsHaveTheLabelsAndCampaignsThatAreAskedFor: where fields name them all
// cards are read, and a campaign lets through what its cards had.
func TestTransactionsHaveTheLabelsAndCampaignsThatAreAskedFor(t *testing.T) {
	s := serve(t, sandbox.Config{Seed: 3, Now: standing, Cards: 12, Transactions: 900, NoLimits: true})
	campaigns := make(map[string]string)
	for _, c := range s.lines(s.does(cli.ExitDone, "cards", "list", "--jsonl", "--fields", "id,campaign")) {
		campaigns[fmt.Sprint(c["id"])] = fmt.Sprint(c["campaign"])
	}
	want := make(map[string]int)
	for _, row := range s.lines(s.does(cli.ExitDone, "transactions", "list", "--jsonl", "--fields", "card_id,label")) {
		want[campaigns[fmt.Sprint(row["card_id"])]]++
		if row["label"] == nil {
			t.Fatalf("the label is asked for, and not read: %v", row)
		}
	}
	if row := s.lines(s.does(cli.ExitDone, "transactions", "list", "--jsonl", "--limit", "1", "--fields", "last4"))[0]; row["last4"] == nil {
		t.Errorf("the digits are asked for, and not read: %v", row)
	}
	delete(want, "<nil>")
	for campaign, n := range want {
		got := s.lines(s.does(cli.ExitDone, "transactions", "list", "--jsonl", "campaign="+campaign))
		if len(got) != n || n == 0 {
			t.Errorf("campaign %s has %d transactions, want %d", campaign, len(got), n)
		}
	}
	if len(want) < 2 {
		t.Errorf("campaigns: %v", want)
	}
}

// TestAListWithAnItemThatCannotBeRead prints the others, names it in one line and says by
// the exit code that this is not all.
func TestAListWithAnItemThatCannotBeRead(t *testing.T) {
	s := frozen(t)
	bodies := map[string]string{
		"/v1/cards":                  `{"data":[{"id":"card_bad","status":"active"},{"id":"card_good","status":"active","balance":5,"last4":"2039","label":"fb"}],"pagination":{"page":1,"per_page":100,"total":2,"total_pages":1}}`,
		"/v1/transactions":           `{"data":[{"id":"txn_bad","type":"settlement","amount":"many","created_at":"2026-03-01T11:00:00Z"},{"id":"txn_good","card_id":"card_good","type":"settlement","amount":-5,"created_at":"2026-03-01T11:00:00Z"}],"pagination":{"page":1}}`,
		"/v1/wallet/deposits":        `{"data":[null,{"id":"dep_good","status":"pending"}]}`,
		"/v1/bins":                   `{"data":[{"id":7},{"id":"bin_good"}]}`,
		"/v1/webhooks":               `[{"id":"wh_good","url":"https://a.example"},{"url":"https://b.example"}]`,
		"/v1/3ds":                    `{"data":[{"id":"3ds_bad","status":"pending","otp":true},{"id":"3ds_good","card_id":"card_good","status":"pending","otp":"482913","created_at":"2026-03-01T12:00:00Z"}]}`,
		"/v1/wallet/deposit-address": `{"addresses":{"btc":"bad","sol":"good"},"networks":{"btc":5,"sol":"solana"}}`,
	}
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		body, ok := bodies[r.URL.Path]
		if ok {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Date", standing().Format(http.TimeFormat))
			_, _ = io.WriteString(w, body)
		}
		return ok
	})
	for _, tt := range []struct {
		args  []string
		names string
	}{
		{[]string{"cards", "list"}, "card_bad"},
		{[]string{"transactions", "list"}, "txn_bad"},
		{[]string{"deposits", "list"}, "/wallet/deposits, item 1"},
		{[]string{"bins", "list"}, "/bins, item 1"},
		{[]string{"webhooks", "list"}, "/webhooks, item 2"},
		{[]string{"codes", "list"}, "3ds_bad"},
		{[]string{"deposits", "address"}, "btc"},
	} {
		code := s.run(append(tt.args, "--jsonl")...)
		if code != cli.ExitIncomplete || !strings.Contains(s.out, "good") || strings.Count(s.out, "\n") != 1 || !strings.Contains(s.errs, `"code":"incomplete"`) || !strings.Contains(s.errs, tt.names) || strings.Count(s.errs, "\n") != 1 {
			t.Errorf("%v: %d, %q, %q", tt.args, code, s.out, s.errs)
		}
	}
	if code := s.run("report", "--by", "card"); code != cli.ExitIncomplete || !strings.Contains(s.errs, "txn_bad") {
		t.Errorf("report: %d, %q, %q", code, s.out, s.errs)
	}
	// What was asked for is there: a warning is enough.
	if code := s.run("otp"); code != cli.ExitDone || s.out != "482913\n" || !strings.Contains(s.errs, "3ds_bad") {
		t.Errorf("otp: %d, %q, %q", code, s.out, s.errs)
	}
}

// TestACodeOfAnUnknownStatus is printed when none is pending, and says so by its exit code.
func TestACodeOfAnUnknownStatus(t *testing.T) {
	s := frozen(t)
	body := `{"data":[{"id":"3ds_odd","card_id":"card_1","status":"declined","otp":"111111","created_at":"2026-03-01T12:00:00Z"}]}`
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/3ds" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Date", standing().Format(http.TimeFormat))
		_, _ = io.WriteString(w, body)
		return true
	})
	if code := s.run("otp"); code != cli.ExitIncomplete || s.out != "111111\n" || !strings.Contains(s.errs, "no pending code") || !strings.Contains(s.errs, "declined") {
		t.Errorf("%d, %q, %q", code, s.out, s.errs)
	}
	body = strings.Replace(body, `]}`, `,{"id":"3ds_old","card_id":"card_1","status":"pending","otp":"222222","merchant":"Acme","created_at":"2026-03-01T11:59:00Z"}]}`, 1)
	if code := s.run("otp"); code != cli.ExitDone || s.out != "222222\n" {
		t.Errorf("%d, %q, %q", code, s.out, s.errs)
	}
}

// TestALabelIsOneLineInEveryForm: a tab or a line break in it is a blank, so that no column and no row is made of it, and
// what is printed names the card. One that is typed is refused.
func TestALabelIsOneLineInEveryForm(t *testing.T) {
	s, _ := oneCard(t)
	card := s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":25,"label":"a\tb\r\nc\u2028d\u001b[2J,e"}`)
	const label = "a b c d,e"
	for form, want := range map[string]string{
		"--json": `"` + label + `"`, "--jsonl": `"` + label + `"`, "--csv": `"` + label + `",25`, "--md": "| " + label + " |", "--template={label}|{balance}": label + "|",
	} {
		args := []string{"cards", "list", form, "--fields", "label,balance", "balance=25"}
		if strings.HasPrefix(form, "--template") {
			args = slices.Delete(args, 3, 5)
		}
		out := s.does(cli.ExitDone, args...)
		if !strings.Contains(out, want) || strings.ContainsAny(out, "\t\r\x1b\u2028") || form != "--json" && strings.Count(out, "\n") > 4 {
			t.Errorf("%s: %q, want %q", form, out, want)
		}
	}
	for _, typed := range []string{"x\ty", "x\ny", "x\x1by"} {
		s.does(cli.ExitFailed, "cards", "edit", fmt.Sprint(card["id"]), "--label", typed, "--yes")
		if !strings.Contains(s.errs, "the label holds a control character") {
			t.Errorf("%q is typed: %s", typed, s.errs)
		}
	}
	if got := s.object("cards", "show", label)["id"]; got != card["id"] {
		t.Errorf("%q is %v, not %v", label, got, card["id"])
	}
}

// TestCSVIsForProgramsThatAreKnown, and one form is chosen.
func TestCSVIsForProgramsThatAreKnown(t *testing.T) {
	s := serve(t, sandbox.Config{})
	if s.does(cli.ExitUsage, "cards", "list", "--csv-for", "lotus"); !strings.Contains(s.errs, "takes excel, excel-comma or") {
		t.Error(s.errs)
	}
	if s.does(cli.ExitUsage, "cards", "list", "--csv-for", "excel", "--csv"); !strings.Contains(s.errs, "exclude each other") {
		t.Error(s.errs)
	}
}
