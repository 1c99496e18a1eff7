package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/accounts"
)

// oneCard is a world with one card that holds 25 USD, and 75 in the wallet.
func oneCard(t *testing.T) (s *served, id string) {
	t.Helper()
	s = serve(t, sandbox.Config{Now: standing, Cards: -1, Transactions: -1, Wallet: "100"})
	card := s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":25,"label":"fb/spring/01"}`)
	id, _ = card["id"].(string)
	return s, id
}

// object runs a command for its one object.
func (s *served) object(args ...string) map[string]any {
	s.t.Helper()
	all := s.lines(s.does(cli.ExitDone, append(args, "--json")...))
	if len(all) != 1 {
		s.t.Fatalf("%q prints %d objects", args, len(all))
	}
	return all[0]
}

// balance is what the server has on a card.
func (s *served) balance(id string) any {
	s.t.Helper()
	return s.ask(http.MethodGet, "/v1/cards/"+id, "")["balance"]
}

// writes counts the writes that the server received.
func (s *served) countWrites() *int {
	n := 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			n++
		}
		return false
	})
	return &n
}

func TestEachWriteDoesWhatItSays(t *testing.T) {
	s, id := oneCard(t)
	money := []string{"--yes", "--max-amount", "50"}
	o := s.object(append([]string{"cards", "fund", id, "--amount", "5.25"}, money...)...)
	if o["outcome"] != "done" || o["amount"] != 5.25 || o["card_before"] != 25.0 || o["card_after"] != 30.25 || o["wallet_after"] != 69.75 || s.balance(id) != 30.25 {
		t.Errorf("fund: %v", o)
	}
	if o = s.object(append([]string{"cards", "withdraw", "fb/spring/01", "--amount", "10"}, money...)...); o["card_after"] != 20.25 || s.balance(id) != 20.25 {
		t.Errorf("withdraw: %v", o)
	}
	status := func() any { return s.ask(http.MethodGet, "/v1/cards/"+id, "")["status"] }
	if s.does(cli.ExitDone, "cards", "freeze", id, "-y"); status() != "frozen" || !strings.HasPrefix(s.out, "froze fb/spring/01") {
		t.Errorf("freeze: %s", s.out)
	}
	if o = s.object("cards", "freeze", id, "-y"); o["outcome"] != "skipped" {
		t.Errorf("again: %v", o)
	}
	if s.does(cli.ExitDone, "cards", "unfreeze", id, "-y"); status() != "active" {
		t.Errorf("unfreeze: %s", s.out)
	}
	s.does(cli.ExitDone, "cards", "edit", id, "-y", "--label", "tt/1", "--spending-limit", "40", "--metadata", "team=a=b", "--category", "7311")
	if c := s.ask(http.MethodGet, "/v1/cards/"+id, ""); c["label"] != "tt/1" || c["spending_limit"] != 40.0 {
		t.Errorf("edit: %v", c)
	}
	o = s.object(append([]string{"cards", "create", "--bin", "555555", "--amount", "3", "--label", "new/1"}, money...)...)
	made, _ := o["card_id"].(string)
	if s.balance(made) != 3.0 {
		t.Errorf("create: %v", o)
	}
	if o = s.object("cards", "terminate", made, "-y"); o["amount"] != 3.0 || o["outcome"] != "done" {
		t.Errorf("terminate: %v", o)
	}
	s.does(cli.ExitDone, "history", "--jsonl")
	for _, r := range s.lines(s.out) {
		if r["via"] != "cli" || r["key"] == "" {
			t.Errorf("the history has %v", r)
		}
	}
	if n := strings.Count(s.out, "\n"); n != 7 {
		t.Errorf("the history has %d records:\n%s", n, s.out)
	}
}

// TestNothingIsSentThatIsNotWanted: each line is refused before a write is sent.
func TestNothingIsSentThatIsNotWanted(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	for line, want := range map[string]string{
		"cards fund ID --amount 5":                                              "nobody can be asked without a terminal: --yes",
		"cards fund ID --amount 5 --yes":                                        "money moves without a terminal only up to --max-amount",
		"cards create --bin 424242 --amount 5 --yes":                            "only up to --max-amount",
		"cards withdraw ID --amount 5 --yes":                                    "only up to --max-amount",
		"cards freeze ID":                                                       "--yes",
		"cards terminate ID":                                                    "--yes",
		"cards fund ID --amount 5.01 --yes --max-amount 5":                      "it would move $5.01, and --max-amount allows $5.00",
		"cards fund ID --amount 1e3 --yes --max-amount 5":                       "--amount takes an amount in USD such as 12.50",
		"cards fund ID --amount -5 --yes --max-amount 5":                        "--amount takes an amount in USD",
		"cards fund ID --amount 0.001 --yes --max-amount 5":                     "--amount takes an amount in USD",
		"cards fund ID --amount NaN --yes --max-amount 5":                       "--amount takes an amount in USD",
		"cards fund ID --amount 0 --yes --max-amount 5":                         "--amount 0 moves nothing",
		"cards fund ID --amount 0.99 --yes --max-amount 5":                      "at least $1.00",
		"cards fund ID --amount 5000.01 --yes --max-amount 9000":                "at most $5,000.00 at a time",
		"cards fund ID --amount 80 --yes --max-amount 90":                       "the wallet is $5.00 short",
		"cards withdraw ID --amount 26 --yes --max-amount 90":                   "the card is $1.00 short",
		"cards fund ID --amount 99999999999999999999 --yes --max-amount 1":      "--amount takes",
		"cards fund ID --amount 5 --yes --max-amount 5 --idempotency-key a/../": "--idempotency-key takes up to 128 letters",
		"cards fund card_/../wallet --amount 5 --yes --max-amount 5":            "card",
		"cards fund nope --amount 5 --yes --max-amount 5":                       "no card has that id, last four digits or label",
		"cards edit ID --yes":                                                   "nothing to change",
		"cards edit ID --yes --metadata team":                                   "--metadata takes NAME=VALUE",
		"cards edit ID --yes --label " + strings.Repeat("x", 65):                "at most 64",
		"cards create --amount 5 --yes --max-amount 5":                          "--bin is missing",
		"cards create --bin 1 --amount 5 --yes --max-amount 5":                  "BIN 1 is not offered",
	} {
		code := s.run(strings.Fields(strings.ReplaceAll(line, "ID", id))...)
		if code != cli.ExitFailed && code != cli.ExitUsage || !strings.Contains(s.errs, want) || s.out != "" || strings.Count(s.errs, "\n") != 1 {
			t.Errorf("%s ends with %d: %s%s", line, code, s.out, s.errs)
		}
	}
	if *sent > 0 || s.balance(id) != 25.0 {
		t.Errorf("%d writes were sent", *sent)
	}
}

func TestADryRunPrintsTheRequest(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	if got, want := s.does(cli.ExitDone, "cards", "fund", id, "--amount", "5", "--dry-run"), "POST /cards/"+id+"/fund\n{\"amount\":5}\n"; got != want {
		t.Errorf("printed %q", got)
	}
	if got := s.does(cli.ExitDone, "cards", "create", "--bin", "424242", "--amount", "5.50", "--label", `a"b`, "--dry-run", "--jsonl"); got != `{"method":"POST","path":"/cards","body":{"bin_id":"424242","amount":5.5,"label":"a\"b"},"name":null,"text":null}`+"\n" {
		t.Errorf("printed %q", got)
	}
	for line, want := range map[string]string{
		"cards freeze " + id + " --dry-run":                     "POST /cards/" + id + "/freeze\n",
		"cards freeze " + id + " --dry-run --template {method}": "POST\n",
		"cards freeze " + id + " --dry-run --md":                "| method | path | body | text |\n|---|---|---:|---:|\n| POST | /cards/" + strings.ReplaceAll(id, "_", `\_`) + "/freeze |  |  |\n",
	} {
		if got := s.does(cli.ExitDone, strings.Fields(line)...); got != want {
			t.Errorf("%s: printed %q, want %q", line, got, want)
		}
	}
	s.does(cli.ExitUsage, "cards", "freeze", id, "--dry-run", "--fields", "outcome")
	s.does(cli.ExitFailed, "cards", "fund", id, "--amount", "5000", "--dry-run")
	if *sent > 0 {
		t.Errorf("%d writes were sent", *sent)
	}
}

// TestGuardrailsHold: what the configuration caps, a command does not move.
func TestGuardrailsHold(t *testing.T) {
	s, id := oneCard(t)
	s.configure("[guardrails]\nmax_operation = \"6\"\nmax_hour = \"10\"\n")
	yes := []string{"--yes", "--max-amount", "50"}
	s.does(cli.ExitFailed, append([]string{"cards", "fund", id, "--amount", "7"}, yes...)...)
	if !strings.Contains(s.errs, "guardrail: at most $6.00 in one operation") {
		t.Errorf("says %q", s.errs)
	}
	s.does(cli.ExitDone, append([]string{"cards", "fund", id, "--amount", "6"}, yes...)...)
	s.does(cli.ExitFailed, append([]string{"cards", "fund", id, "--amount", "5"}, yes...)...)
	if !strings.Contains(s.errs, "guardrail: $6.00 of $10.00 an hour used") || s.balance(id) != 31.0 {
		t.Errorf("says %q", s.errs)
	}
}

// configure writes the configuration file.
func (s *served) configure(text string) {
	s.t.Helper()
	path := config.DefaultPaths().Config
	must(s.t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
}

func TestAReadOnlyProfileWritesNothing(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	refused := func(args ...string) {
		t.Helper()
		s.does(cli.ExitFailed, args...)
		if !strings.Contains(s.errs, "read-only: writes are off") || *sent > 0 {
			t.Errorf("%q says %q, sent %d", args, s.errs, *sent)
		}
	}
	refused("cards", "freeze", "--read-only", id, "-y") // As --read-only before a command is read.
	s.does(cli.ExitDone, "cards", "list", "--read-only")
	s.configure("[profiles.team]\nbase_url = \"" + s.url + "/v1\"\nread_only = true\n")
	refused("cards", "freeze", id, "-y")
}

// TestAKeyActsOnce: a second run prints what the first did, also when nothing says
// so but the journal, as after a kill.
func TestAKeyActsOnce(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	fund := []string{"cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5", "--idempotency-key", "order-17"}
	first := s.object(fund...)
	second := s.object(fund...)
	if *sent != 1 || second["again"] != true || second["card_after"] != first["card_after"] || s.balance(id) != 30.0 {
		t.Errorf("sent %d, %v", *sent, second)
	}
	for _, args := range [][]string{
		{"cards", "fund", id, "--amount", "6", "--yes", "--max-amount", "6", "--idempotency-key", "order-17"},
		{"cards", "freeze", id, "--yes", "--idempotency-key", "order-17"},
	} {
		if s.does(cli.ExitUsage, args...); !strings.Contains(s.errs, "this idempotency key was used for another request: fund fb/spring/01") {
			t.Errorf("%q says %s", args, s.errs)
		}
	}
}

// TestAnAnswerThatIsNotWhatWasAskedForIsSaid, with both figures, in each form.
func TestAnAnswerThatIsNotWhatWasAskedForIsSaid(t *testing.T) {
	for body, want := range map[string]string{
		`{"id":"%s","previous_balance":25,"funded_amount":-60,"new_balance":-35,"wallet_balance":75}`:           "$5.00 was asked for and the API moved -$60.00",
		`{"id":"card_of_another","previous_balance":25,"funded_amount":5,"new_balance":30,"wallet_balance":70}`: "the answer is about another card, card_of_another",
	} {
		s, id := oneCard(t)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, strings.Replace(body, "%s", id, 1))
			return true
		})
		fund := []string{"cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5"}
		out := s.does(cli.ExitDone, fund...)
		if !strings.Contains(s.errs, "warning: fund fb/spring/01") || !strings.Contains(s.errs, want) || !strings.Contains(out, want) {
			t.Errorf("prints %q, says %q", out, s.errs)
		}
		o := s.object(fund...)
		if got, _ := o["mismatch"].(string); !strings.Contains(got, want) || o["asked"] != 5.0 || !strings.Contains(s.errs, want) {
			t.Errorf("prints %v", o)
		}
		s.in = id + "\n"
		rows := s.lines(s.does(cli.ExitDone, "cards", "fund", "-", "--amount", "5", "--yes", "--max-amount", "5", "--jsonl"))
		if got, _ := rows[0]["mismatch"].(string); !strings.Contains(got, want) || !strings.Contains(s.errs, want) {
			t.Errorf("prints %v, says %q", rows, s.errs)
		}
		past := s.lines(s.does(cli.ExitDone, "history", "--jsonl"))
		if strings.Contains(body, "card_of_another") { // Its figures are not this card's.
			for name, figure := range map[string]any{
				"outcome": o["card_after"], "wallet": o["wallet_after"], "before": o["card_before"], "row": rows[0]["after"], "history": past[0]["card_after"], "wallet of the history": past[0]["wallet_after"],
			} {
				if figure != nil {
					t.Errorf("%s: %v", name, figure)
				}
			}
			if strings.Contains(out, "$30") || strings.Contains(out, "$70") {
				t.Errorf("prints %q", out)
			}
		}
		if got, _ := past[0]["mismatch"].(string); !strings.Contains(got, want) || past[0]["asked"] != 5.0 {
			t.Errorf("the history has %v", past[0])
		}
	}
}

// TestWhatIsEmptyIsWrongUsage: a variable that is not set does not mean all cards, another
// account or no key.
func TestWhatIsEmptyIsWrongUsage(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	fund := []string{"cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5"}
	for _, args := range [][]string{
		append(fund, "--idempotency-key", ""), append(fund, "--idempotency-key="), append(fund, "--profile", ""), append(fund, "--config", " "), append(fund, "--base-url", ""),
		{"cards", "fund", "", "--amount", "5", "--yes", "--max-amount", "5"},
		{"cards", "list", ""},
		{"cards", "list", " "},
		{"cards", "list", "!"},
		{"cards", "list", `""`},
		{"cards", "list", "status=active", ""},
		{"cards", "list", "--label", ""},
		{"cards", "list", "--bin", ""},
		{"cards", "list", "--fields", ""},
		{"cards", "list", "--fields", "id,,label"},
		{"cards", "list", "--template", ""},
		{"transactions", "list", "--card", ""},
		{"transactions", "list", "--merchant", ""},
		{"transactions", "list", ""},
		{"transactions", "list", "!"},
		{"history", "--card", ""},
		{"history", "--text", ""},
		{"otp", "--card", ""},
		{"cards", "create", "--file", ""},
		{"cards", "create", "--bin", "424242", "--amount", "5", "--label", "", "--yes", "--max-amount", "5"},
		{"operations", "settle", ""},
		{"plans", "resume", ""},
		{"watch", "--for", "1s", "--act", ""},
	} {
		if s.does(cli.ExitUsage, args...); !strings.Contains(s.errs, "empty") && !strings.Contains(s.errs, "not complete") {
			t.Errorf("%q says %s", args, s.errs)
		}
	}
	if *sent > 0 {
		t.Errorf("%d were sent", *sent)
	}
	s.does(cli.ExitDone, "cards", "edit", id, "--label", "", "--yes")
	if *sent != 1 || s.ask(http.MethodGet, "/v1/cards/"+id, "")["label"] == "fb/spring/01" {
		t.Errorf("the label is not cleared: %d sent", *sent)
	}
	a := s.assist("--allow", "fund", "--max-amount", "10")
	for tool, call := range map[string]string{
		"cards_fund": `{"card":"` + id + `","amount":5,"idempotency_key":""}`, "cards_list": `{"label":""}`, "transactions_list": `{"card":" "}`,
	} {
		if _, failed := a.call(tool, call); !strings.HasPrefix(failed, "usage: ") {
			t.Errorf("%s %s: %q", tool, call, failed)
		}
	}
	if *sent != 1 {
		t.Errorf("an assistant sent %d", *sent-1)
	}
}

// profile is the folder of the account.
func (s *served) profile() string {
	s.t.Helper()
	return folder(s.t, config.DefaultPaths(), accounts.Login{Profile: "default", Mode: "TEST", BaseURL: s.url + "/v1", Key: api.NewAPIKey(s.key)}).State
}

// folder is that of an account; it is made when it is not there.
func folder(tb testing.TB, paths config.Paths, l accounts.Login) accounts.Folder {
	tb.Helper()
	r := accounts.Registry{State: paths.State, Cache: paths.Cache}
	candidates, err := r.Candidates(l)
	must(tb, err)
	f, ok, err := r.Settle(l, candidates, nil)
	if err != nil || !ok {
		tb.Fatal(ok, err)
	}
	return f
}

func TestARefusalOfTheAPIIsTold(t *testing.T) {
	s, id := oneCard(t)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		if err := json.NewEncoder(w).Encode(map[string]any{"error": "insufficient_funds", "message": "too\u001b[31m low", "code": 400, "request_id": "req_7"}); err != nil {
			t.Error(err)
		}
		return true
	})
	s.does(cli.ExitFailed, "cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5", "--json")
	got, _ := s.lines(s.errs)[0]["error"].(map[string]any)
	text, _ := got["message"].(string)
	if s.out != "" || got["request_id"] != "req_7" || !strings.HasPrefix(text, "fund fb/spring/01") || !strings.HasSuffix(text, ": the wallet is too low: too low") {
		t.Errorf("printed %q and %q", s.out, s.errs)
	}
	s.does(cli.ExitDone, "history", "--jsonl")
	if r := s.lines(s.out); len(r) != 1 || r[0]["outcome"] != "refused" || r[0]["error"] != "the wallet is too low: too low" {
		t.Errorf("the history has %v", r)
	}
}

// TestACardOfUnknownStatusTakesAFlagOfItsOwn: --yes does not say that money may go to a card of
// which nobody knows what its status means, of commands and of assistants.
func TestACardOfUnknownStatusTakesAFlagOfItsOwn(t *testing.T) {
	s, id := oneCard(t)
	card := s.ask(http.MethodGet, "/v1/cards/"+id, "")
	card["status"] = "suspended"
	sent := 0
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			sent++
		}
		if r.Method != http.MethodGet || r.URL.Path != "/v1/cards/"+id {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(card)
		return true
	})
	const want = "has the unknown status “suspended”"
	money := []string{"--amount", "5", "--yes", "--max-amount", "50"}
	label, _ := card["label"].(string) // The list, where a label is looked for, says that it is active.
	for _, line := range [][]string{append([]string{"cards", "fund", id}, money...), append([]string{"cards", "fund", label}, money...), append([]string{"cards", "withdraw", id}, money...), {"cards", "terminate", id, "--yes"}} {
		if s.does(cli.ExitFailed, line...); !strings.Contains(s.errs, want) || !strings.Contains(s.errs, "--allow-unknown-status") {
			t.Errorf("%q says %q", line, s.errs)
		}
	}
	s.in = id + "\n"
	if s.does(cli.ExitFailed, append([]string{"cards", "fund", "-", "--allow-unknown-status"}, money...)...); !strings.Contains(s.out, "unknown status “suspended”") {
		t.Errorf("a plan: %q, %q", s.out, s.errs)
	}
	s.in = ""
	a := s.assist("--allow", "fund", "--max-amount", "10", "--max-total", "25")
	if _, failed := a.call("cards_fund", `{"card":"`+id+`","amount":5,"idempotency_key":"k1"}`); !strings.Contains(failed, want) {
		t.Errorf("an assistant: %q", failed)
	}
	if sent > 0 {
		t.Errorf("%d writes were sent", sent)
	}
	if s.does(cli.ExitDone, append([]string{"cards", "fund", id, "--allow-unknown-status"}, money...)...); sent != 1 {
		t.Errorf("allowed: %d writes, %q", sent, s.errs)
	}
}

// TestAnExpiredCardIsNamedAndFundedWithAFlagOnly: the API calls it active. Its money comes back
// without one.
func TestAnExpiredCardIsNamedAndFundedWithAFlagOnly(t *testing.T) {
	s, id := oneCard(t)
	s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":5,"label":"fb/spring/02"}`)
	s.ask(http.MethodPost, "/sandbox/cards/"+id+"/expire", `{}`)
	if got := s.lines(s.does(cli.ExitDone, "cards", "list", "status=expired", "--jsonl")); len(got) != 1 || got[0]["id"] != id || got[0]["status"] != "expired" {
		t.Errorf("expired are %v", got)
	}
	if got := s.lines(s.does(cli.ExitDone, "cards", "list", "expires<30d", "--jsonl")); len(got) != 1 || got[0]["id"] != id || got[0]["expires_at"] == nil {
		t.Errorf("within 30 days expire %v", got)
	}
	if o := s.object("cards", "show", id); o["status"] != "expired" {
		t.Errorf("shown as %v", o["status"])
	}
	sent := s.countWrites()
	money := []string{"--amount", "5", "--yes", "--max-amount", "50"}
	if s.does(cli.ExitFailed, append([]string{"cards", "fund", id}, money...)...); !strings.Contains(s.errs, " expired on ") || !strings.Contains(s.errs, "--allow-expired goes on") || *sent > 0 {
		t.Errorf("funding sends %d and says %q", *sent, s.errs)
	}
	s.does(cli.ExitDone, append([]string{"cards", "withdraw", id}, money...)...)
	if s.does(cli.ExitDone, append([]string{"cards", "fund", id, "--allow-expired"}, money...)...); *sent != 2 {
		t.Errorf("%d writes", *sent)
	}
}

// TestALabelIsLookedForByTheAPI, and what may be a card number is in no request.
func TestALabelIsLookedForByTheAPI(t *testing.T) {
	s, id := oneCard(t)
	last4, _ := s.ask(http.MethodGet, "/v1/cards/"+id, "")["last4"].(string)
	var labels []string
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/cards" {
			labels = append(labels, r.URL.Query().Get("label"))
		}
		return false
	})
	for said, want := range map[string]struct {
		code   int
		labels []string
	}{
		"fb/spring/01":     {cli.ExitDone, []string{"fb/spring/01"}},
		last4:              {cli.ExitDone, []string{""}},
		"spring":           {cli.ExitUsage, []string{"spring", ""}},
		"4242424242424242": {cli.ExitUsage, []string{""}},
	} {
		labels = nil
		if s.does(want.code, "cards", "freeze", said, "--yes"); !slices.Equal(labels, want.labels) {
			t.Errorf("%s: looks for %q, want %q", said, labels, want.labels)
		}
	}
}

// TestARunAfterAKillGoesOn: the first run is cut off after its request was sent. What
// it leaves in its journal a second one with the key settles, and it acts once.
func TestARunAfterAKillGoesOn(t *testing.T) {
	s, id := oneCard(t)
	operations := filepath.Join(s.profile(), "operations")
	var left []byte
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet || left != nil {
			return false
		}
		files, err := filepath.Glob(filepath.Join(operations, "*.jsonl"))
		if err != nil || len(files) != 1 {
			t.Errorf("%v, %v", files, err)
			return false
		}
		// The journal as a kill would leave it at this moment.
		if left, err = os.ReadFile(files[0]); err != nil {
			t.Error(err)
		}
		return false
	})
	fund := []string{"cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5", "--idempotency-key", "order-18"}
	s.does(cli.ExitDone, fund...)
	must(t, errors.Join(os.WriteFile(filepath.Join(operations, "1-killed.jsonl"), left, 0o600), os.Remove(filepath.Join(s.profile(), "history.jsonl"))))
	o := s.object(fund...)
	if o["outcome"] != "done" || s.balance(id) != 30.0 || !strings.Contains(s.errs, "an earlier run with this key began it") {
		t.Errorf("%v: %s", o, s.errs)
	}
	if files, err := filepath.Glob(filepath.Join(operations, "*")); err != nil || len(files) > 1 {
		t.Errorf("left %v", files)
	}
}
