package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/wallets"
)

// Keys that are not servedKey.
const (
	secondKey = "sk_test_second9876543210"
	thirdKey  = "sk_test_third0123456789"
)

// second puts another account of the same provider at the address: secondKey and thirdKey reach it. It returns the
// writes that the account receives.
func (s *served) second() *[]string {
	s.t.Helper()
	world, err := sandbox.Open(s.t.Context(), sandbox.Config{Seed: 9, APIKeys: []string{secondKey, thirdKey}, Quiet: true, Now: standing})
	must(s.t, err)
	s.t.Cleanup(func() {
		if err := world.Close(); err != nil {
			s.t.Error(err)
		}
	})
	var writes []string
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if key := r.Header.Get("Authorization"); key != "Bearer "+secondKey && key != "Bearer "+thirdKey {
			return false
		}
		if r.Method != http.MethodGet {
			writes = append(writes, r.Method+" "+r.URL.Path)
		}
		world.Handler().ServeHTTP(w, r)
		return true
	})
	return &writes
}

// rotate has secondKey reach the same account as servedKey.
func (s *served) rotate() {
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer "+secondKey {
			r.Header.Set("Authorization", "Bearer "+servedKey)
		}
		return false
	})
}

// noSuchCard answers 404.
func noSuchCard(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, `{"error":"not_found","message":"no such card","code":404,"request_id":"req_1"}`) // Who asked may have gone.
}

// TestACardThatIsDeniedIsLookedForInTheList: an answer that there is no such card, of a gateway or a server that is
// behind, parts no account from its files.
func TestACardThatIsDeniedIsLookedForInTheList(t *testing.T) {
	for name, deny := range map[string]func(path string) bool{
		"the card":              func(path string) bool { return strings.HasPrefix(path, "/v1/cards/") },
		"the card and the list": func(path string) bool { return strings.HasPrefix(path, "/v1/cards") },
	} {
		t.Run(name, func(t *testing.T) {
			s, id := oneCard(t)
			s.does(0, "cards", "freeze", id, "--yes")
			s.key = secondKey
			denies := true
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Authorization") == "Bearer "+secondKey {
					r.Header.Set("Authorization", "Bearer "+servedKey)
				}
				if !denies || !deny(r.URL.Path) {
					return false
				}
				noSuchCard(w)
				return true
			})
			if code := s.run("cards", "unfreeze", id, "--yes"); code == cli.ExitDone {
				t.Error("it is done although it is denied")
			}
			denies = false
			s.does(0, "cards", "unfreeze", id, "--yes")
			if n := len(s.accounts()); n != 1 {
				t.Errorf("%d folders of accounts", n)
			}
		})
	}
}

// TestWhatIsRecordedOfOtherKeysIsSaidToBeTheirs to somebody with a key that was not used here before.
func TestWhatIsRecordedOfOtherKeysIsSaidToBeTheirs(t *testing.T) {
	s, id := oneCard(t)
	const said = "was not used here before"
	s.key = secondKey
	if s.does(0, "history"); strings.Contains(s.errs, said) {
		t.Errorf("nothing is recorded, and it says %q", s.errs)
	}
	s.key = servedKey
	s.does(0, "cards", "freeze", id, "--yes")
	if s.does(0, "history"); strings.Contains(s.errs, said) {
		t.Errorf("of the key itself it says %q", s.errs)
	}
	s.key = secondKey
	for _, command := range []string{"history", "history --json"} {
		if s.does(0, strings.Fields(command)...); strings.Count(s.errs, said) != 1 {
			t.Errorf("%s says %q", command, s.errs)
		}
	}
}

// leaveUnnamed leaves an operation open that names no card.
func (s *served) leaveUnnamed(key string) {
	s.t.Helper()
	w, err := api.CreateCardWrite(api.CreateCardRequest{BIN: "424242", Amount: 5 * api.Dollar})
	must(s.t, err)
	s.leave(state.Op{Kind: state.OpIssue, Amount: 5 * api.Dollar, Name: "new card", Key: api.IdempotencyKey(key), Tries: 1}, w)
}

// TestFilesOfAnEarlierVersionStayWithTheirAccount has files that record no key.
func TestFilesOfAnEarlierVersionStayWithTheirAccount(t *testing.T) {
	for key, want := range map[string]struct{ folders, records int }{servedKey: {1, 2}, secondKey: {1, 1}} {
		s, id := oneCard(t)
		s.does(0, "cards", "freeze", id, "--yes")
		must(t, os.Remove(s.accounts()[0]))
		s.second()
		s.key = key
		s.does(0, "cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20")
		if got := len(s.accounts()); got != want.folders {
			t.Errorf("%d folders with a record, want %d", got, want.folders)
		}
		records, err := filepath.Glob(filepath.Join(filepath.Dir(s.accounts()[0]), "history.jsonl"))
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		data, err := os.ReadFile(records[0])
		if err != nil || strings.Count(string(data), "\n") != want.records {
			t.Errorf("%d records, want %d, %v:\n%s", strings.Count(string(data), "\n"), want.records, err, data)
		}
	}
}

// accounts are the files that record the keys of accounts.
func (s *served) accounts() (found []string) {
	for _, path := range s.files() {
		if strings.HasSuffix(path, "account.json") {
			found = append(found, path)
		}
	}
	return found
}

// TestAKeyThatNothingIsKnownOfIsAskedAboutOnce has files that name no card.
func TestAKeyThatNothingIsKnownOfIsAskedAboutOnce(t *testing.T) {
	for said, folders := range map[string]int{"same": 1, "other": 2} {
		t.Run(said, func(t *testing.T) {
			s, id := oneCard(t)
			s.leaveUnnamed("unnamed-000001")
			s.rotate()
			s.key = secondKey
			s.does(1, "cards", "freeze", id, "--yes")
			if !strings.Contains(s.errs, "cardtop account same") || !strings.Contains(s.errs, "no card shows whose it is") || strings.Count(s.errs, "\n") != 1 {
				t.Errorf("it says %q", s.errs)
			}
			s.does(0, "account", said)
			s.does(0, "cards", "freeze", id, "--yes")
			if got := len(s.accounts()); got != folders {
				t.Errorf("%d folders of accounts, want %d", got, folders)
			}
		})
	}
}

// TestAMistypedKeyLeavesNothingToAskAbout: the right one that comes after it is a first key.
func TestAMistypedKeyLeavesNothingToAskAbout(t *testing.T) {
	for name, first := range map[string][]string{"a write": {"cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20"}, "a read": {"wallet"}} {
		t.Run(name, func(t *testing.T) {
			s, id := oneCard(t)
			s.key = "sk_test_mistyped000000000"
			s.does(4, first...)
			s.key = servedKey
			s.does(0, "cards", "freeze", id, "--yes")
			if got := len(s.accounts()); got != 1 {
				t.Errorf("%d folders of accounts", got)
			}
			s.key = "sk_test_revoked0000000000" // A key that is refused when something is known stays out of it.
			s.does(4, "cards", "unfreeze", id, "--yes")
			s.key = servedKey
			if got := s.does(0, "history"); !strings.Contains(got, "freeze") || strings.Contains(got, "unfreeze") {
				t.Errorf("the history is %s", got)
			}
		})
	}
}

// TestAnAnswerIsForTheAccountThatWasAskedAbout has two accounts: the cards of the first rule it out, and nothing is
// known of the second.
func TestAnAnswerIsForTheAccountThatWasAskedAbout(t *testing.T) {
	s, id := oneCard(t)
	s.does(0, "cards", "freeze", id, "--yes")
	s.second()
	s.key = secondKey
	s.leaveUnnamed("unnamed-000001")
	s.key = thirdKey
	s.does(1, "cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20")
	if !strings.Contains(s.errs, "cardtop account same") {
		t.Fatalf("it says %q", s.errs)
	}
	s.does(0, "account", "same")
	if got := s.does(0, "operations", "list"); !strings.Contains(got, "unnamed-000001") {
		t.Errorf("the key got the account whose cards it does not have:\n%s", got)
	}
}

// TestWhoIsInterruptedRecordsNoAccount: the cards are ruled out, and the run ends while the addresses are read.
func TestWhoIsInterruptedRecordsNoAccount(t *testing.T) {
	s, id := oneCard(t)
	s.does(0, "cards", "freeze", id, "--yes")
	pin := wallets.Pin{Currency: "btc", Address: "bc1qexample", Network: "bitcoin"}
	if _, err := addresses.Open(filepath.Dir(s.accounts()[0])).Keep([]wallets.Pin{pin}, false); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/cards/") {
			stop()
			return false
		}
		noSuchCard(w)
		return true
	})
	key := api.NewAPIKey(secondKey)
	p := app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: key}, Errs: io.Discard, Now: time.Now} //nolint:forbidigo // the clock of main
	paths, run, err := p.Resolve(config.Flags{})
	must(t, err)
	if _, err := p.FindFolder(ctx, paths, run, config.Key{APIKey: key}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if got := len(s.accounts()); got != 1 {
		t.Errorf("%d folders of accounts", got)
	}
}

// TestProgramsThatOpenANewAccountAtOnceShareIt: one of them makes its folder, and a cap holds for all,
// also where two spell the address in different ways.
func TestProgramsThatOpenANewAccountAtOnceShareIt(t *testing.T) {
	s := serve(t, sandbox.Config{Now: standing, Cards: -1, Transactions: -1, Wallet: "100"})
	id := fmt.Sprint(s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":25}`)["id"])
	s.configure("[guardrails]\nmax_day = \"5\"\n")
	var all sync.WaitGroup
	codes := make([]int, 4)
	for i := range codes {
		one := &served{t: t, world: s.world, url: s.url, key: s.key, dir: s.dir}
		if i%2 == 1 {
			one.url = strings.Replace(s.url, "127.0.0.1", "localhost", 1)
		}
		all.Go(func() { codes[i] = one.run("cards", "fund", id, "--amount", "3", "--yes", "--max-amount", "3") })
	}
	all.Wait()
	done := 0
	for _, code := range codes {
		if code == cli.ExitDone {
			done++
		}
	}
	if found := s.accounts(); done != 1 || len(found) != 1 {
		t.Errorf("%d of them moved $3 of $5, %v; %d folders", done, codes, len(found))
	}
}

// TestAKeyThatIsBeingAskedAboutHoldsUpNobody: while the API is slow to show whose a new key is, programs of other
// accounts go on.
func TestAKeyThatIsBeingAskedAboutHoldsUpNobody(t *testing.T) {
	s, id := oneCard(t)
	s.does(0, "cards", "freeze", id, "--yes")
	asked, answer := make(chan struct{}), make(chan struct{})
	slow := sync.OnceFunc(func() { close(asked); <-answer })
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		slow()
		r.Header.Set("Authorization", "Bearer "+servedKey)
		return false
	})
	var all sync.WaitGroup
	one := &served{t: t, world: s.world, url: s.url, key: secondKey, dir: s.dir}
	var code int
	all.Go(func() { code = one.run("cards", "unfreeze", id, "--yes") })
	<-asked
	other := &served{t: t, world: s.world, url: s.url, key: thirdKey, dir: s.dir}
	if got := other.run("account", "other"); got != cli.ExitDone {
		t.Errorf("another start ends with %d: %s", got, other.errs)
	}
	close(answer)
	if all.Wait(); code != cli.ExitDone {
		t.Errorf("the program that asked ends with %d: %s", code, one.errs)
	}
}

// TestAnAddressOfTwoAccountsIsNoProof: where a provider shows the same deposit address to all, cards tell accounts apart, and
// without any the user, who is shown what the account had.
func TestAnAddressOfTwoAccountsIsNoProof(t *testing.T) {
	const address = "0x9ecc9bbb1f41cb16de6f66c96278270297b6d095"
	for shows, begins := range map[string]int{"with the card ": 0, "with the deposit address " + address: 1} {
		s, id := oneCard(t)
		s.intercept(func(w http.ResponseWriter, _ *http.Request) bool {
			if begins > 0 { // Nothing is known of a card then.
				w.WriteHeader(http.StatusInternalServerError)
			}
			return begins > 0
		})
		s.does(begins, "cards", "freeze", id, "--yes")
		s.pin("USDT", address)
		writes := s.second() // It shows that address as well.
		s.key = secondKey
		s.does(1, "cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20")
		if !strings.Contains(s.errs, "account same") || !strings.Contains(s.errs, shows) || len(*writes) > 0 {
			t.Errorf("%s: it says %q, and the other account received %q", shows, s.errs, *writes)
		}
		if n := len(s.accounts()); n != 1 {
			t.Errorf("%s: %d folders of accounts before it is known which it is", shows, n)
		}
	}
}

// TestAnAddressThatIsNotReadRulesNoAccountOut: a card that the API does not know, and an address that it failed to
// show, is no other account.
func TestAnAddressThatIsNotReadRulesNoAccountOut(t *testing.T) {
	for status, folders := range map[int]int{http.StatusBadGateway: 1, http.StatusForbidden: 2} {
		s, id := oneCard(t)
		s.does(0, "cards", "freeze", id, "--yes")
		s.pin("USDT", "TAddressOfThisAccount")
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") != "Bearer "+secondKey {
				return false
			}
			r.Header.Set("Authorization", "Bearer "+servedKey)
			switch {
			case r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/cards/"):
				noSuchCard(w)
				return true
			case r.Method == http.MethodGet && r.URL.Path == "/v1/cards":
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"data":[],"pagination":{"page":1,"per_page":100,"total":0,"total_pages":0}}`))
				return true
			case strings.Contains(r.URL.Path, "deposit"):
				w.WriteHeader(status)
				return true
			}
			return false
		})
		s.key = secondKey
		s.run("cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20")
		if got := len(s.accounts()); got != folders {
			t.Errorf("%d: %d folders of accounts, want %d: %s", status, got, folders, s.errs)
		}
	}
}

// TestARuledOutAccountRulesOutNoOther: the key of the first of two accounts is changed while nothing shows whose it is. That
// it does not reach the second, which was used until now, does not say that it is of a third.
func TestARuledOutAccountRulesOutNoOther(t *testing.T) {
	s, id := oneCard(t)
	s.does(0, "cards", "freeze", id, "--yes")
	s.second()
	s.key = secondKey
	s.does(0, "cards", "create", "--bin", "424242", "--amount", "20", "--yes", "--max-amount", "20")
	const changed = "sk_test_changed012345678"
	s.key = changed
	var sick atomic.Bool
	sick.Store(true)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer "+changed {
			r.Header.Set("Authorization", "Bearer "+servedKey)
		}
		if sick.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return sick.Load()
	})
	freeze := []string{"cards", "unfreeze", id, "--yes"}
	if s.does(1, freeze...); !strings.Contains(s.errs, "the account that default had until now, with the card ••") {
		t.Fatalf("it says %s", s.errs)
	}
	first := regexp.MustCompile(`the account that default had before that, with the card [a-z].* ••\d{4}, or`)
	if s.does(1, "account", "other"); !first.MatchString(s.errs) {
		t.Fatalf("it says %s", s.errs)
	}
	if s.does(1, freeze...); !first.MatchString(s.errs) {
		t.Errorf("once more it says %s", s.errs)
	}
	s.does(0, "account", "same")
	sick.Store(false)
	s.does(0, freeze...)
	if got := s.does(0, "history"); strings.Count(got, id) < 2 && strings.Count(got, "freeze") < 2 || len(s.accounts()) != 2 {
		t.Errorf("%d accounts, the history is\n%s", len(s.accounts()), got)
	}
}
