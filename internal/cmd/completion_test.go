package cmd

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/complete"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// shelf is a user whose dashboard has saved some cards, and who has no key at hand.
func shelf(tb testing.TB, home string, cards []cardlist.Card) program {
	tb.Helper()
	for _, dir := range []string{home, home + "/CONFIG"} {
		must(tb, os.MkdirAll(dir, 0o700))
	}
	env := config.Env{BaseURL: "https://api.example.com/v1"}
	dir := folder(tb, config.DefaultPaths(), accounts.Login{Profile: "default", Mode: "TEST", BaseURL: env.BaseURL, Key: api.NewAPIKey(servedKey)}).Cache
	snap := state.Snapshot{At: standing(), Total: len(cards)}
	for _, c := range cards {
		snap.Cards.Add(c)
	}
	snap.Transactions = []api.Transaction{{ID: "txn_1", CardID: "card_1", CreatedAt: standing()}, {ID: "txn_2", CardID: "card_1", CreatedAt: standing()}}
	must(tb, cache.Open(dir, cache.Account{Origin: "https://api.example.com", Mode: "TEST", Key: api.NewAPIKey(servedKey)}).Save(snap))
	return program{app.Program{Env: env, Errs: &bytes.Buffer{}, Now: standing}, &bytes.Buffer{}}
}

// offered returns the words that a command line goes on with, and whether a blank
// follows.
func offered(tb testing.TB, p program, args ...string) (words []string, blank bool) {
	tb.Helper()
	var out bytes.Buffer
	p.out = &out
	root := commands(p)
	must(tb, complete.Offer(p.shared(), root, completedWords()))
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, args...))
	root.SetErr(&bytes.Buffer{})
	must(tb, root.ExecuteContext(tb.Context()))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1] == ":4"
}

func someCards() []cardlist.Card {
	card := func(id, label, last4 string, status api.CardStatus) cardlist.Card {
		return cardlist.Card{ID: api.CardID("card_" + id), BIN: "424242", Network: "visa", Last4: api.Text(last4), Label: api.Text(label), Status: status}
	}
	return []cardlist.Card{
		card("1", "fb/spring/01", "2039", api.CardActive), card("2", "fb/spring/02", "4242", api.CardFrozen),
		card("3", "fb/old", "7000", api.CardTerminated), card("4", "twin", "1111", api.CardActive), card("5", "twin", "2222", api.CardActive),
		card("6", "", "9001", api.CardActive), card("7", "a b,c", "3333", api.CardActive), card("8", "--all", "4444", api.CardActive),
	}
}

func TestCommandLinesAreCompleted(t *testing.T) {
	nobody(t)
	p := shelf(t, ".", someCards())
	for line, want := range map[string]string{
		"cards show|fb":                                   "fb/spring/01 fb/spring/02",
		"cards fund|2":                                    "2039 2222",
		"cards freeze|card_":                              "card_1 card_2 card_3 card_4 card_5 card_6 card_7 card_8",
		"cards show|fb/o":                                 "",
		"cards show|twin":                                 "",
		"cards show|":                                     "fb/spring/01 fb/spring/02 9001 a b,c",
		"cards show|fb/spring/01|":                        "",
		"otp|--card|4":                                    "4242 4444",
		"transactions list|--card|card_1":                 "card_1",
		"transactions show|":                              "txn_2 txn_1",
		"cards list|--bin|":                               "424242",
		"cards list|--label|fb/s":                         "fb/spring/01 fb/spring/02",
		"cards list|--status|fr":                          "frozen",
		"cards list|--status=fr":                          "frozen",
		"cards list|--fields|id,l":                        "id,label id,last4 id,last id,left",
		"cards list|--fields|id,label,l":                  "id,label,last4 id,label,last id,label,left",
		"cards list|--template|{id} {bal":                 "{id} {balance}",
		"cards list|--fields|id,le":                       "id,left",
		"history|--fields|time,outc":                      "time,outcome",
		"cards list|st":                                   "status=",
		"cards list|status=":                              "status=active status=frozen status=terminated status=expired",
		"cards list|bal<20 !status=active,f":              "bal<20 !status=active,frozen",
		"cards list|label~fb":                             "label~fb/old label~fb/spring/01 label~fb/spring/02",
		"cards list|label=a":                              `label="a b,c"`,
		"cards list|card=9":                               "card=9001",
		"cards list|bal<":                                 "",
		"cards list|bal<20|net=":                          "net=visa",
		"transactions list|type=d":                        "type=declined",
		"history|--outcome|judged":                        "judged-done judged-not-done",
		"cards list|--json|--j":                           "",
		"webhooks create|--event|card.f":                  "card.frozen card.funded",
		"webhooks create|--event|3ds.challenge,deposit.c": "3ds.challenge,deposit.confirmed",
		"events tail|--event|code":                        "code_ready",
		"cards list|--c":                                  "--config --csv --csv-for",
		"completion|p":                                    "powershell",
		"cards create|--label|f":                          "",
		"cards show|--profile|nobody|fb":                  "",
		"cards show|--base-url|https://b/v1|fb":           "",
	} {
		words := strings.Split(line, "|")
		args := append(strings.Fields(words[0]), words[1:]...)
		if got, _ := offered(t, p, args...); strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	t.Setenv("ASCIINEMA_REC", "1")
	if got, _ := offered(t, p, "cards", "show", "f"); len(got) != 0 {
		t.Errorf("while the screen is recorded it offers %q", got)
	}
	if got, _ := offered(t, p, "cards", "show", "card_1"); len(got) != 1 {
		t.Errorf("while the screen is recorded it offers %q", got)
	}
}

// TestWhatWasListedIsCompleted: no dashboard has to have run.
func TestWhatWasListedIsCompleted(t *testing.T) {
	s, id := oneCard(t)
	p := program{app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: api.NewAPIKey(servedKey)}, Errs: &bytes.Buffer{}, Now: standing}, nil}
	if got, _ := offered(t, p, "cards", "show", "card_"); len(got) != 0 && got[0] != "" {
		t.Errorf("before anything was read it offers %q", got)
	}
	s.does(cli.ExitDone, "cards", "list", "nobody")
	if got, _ := offered(t, p, "cards", "show", "card_"); !slices.Contains(got, id) {
		t.Errorf("it offers %q, not %s", got, id)
	}
	if got, _ := offered(t, p, "cards", "show", "fb/"); len(got) == 0 {
		t.Error("no label is offered")
	}
}

func TestProfilesAreCompleted(t *testing.T) {
	nobody(t)
	p := shelf(t, ".", nil)
	path := config.DefaultPaths().Config
	must(t, os.MkdirAll("CONFIG/cardtop", 0o700))
	must(t, os.WriteFile(path, []byte("[profiles.team]\nbase_url='https://a/v1'\n[profiles.test]\nbase_url='https://b/v1'\n"), 0o600))
	if got, _ := offered(t, p, "wallet", "--profile", "te"); !slices.Equal(got, []string{"team", "test"}) {
		t.Errorf("%q", got)
	}
}

// TestManyCardsAreCompletedInParts: what a shell inserts excludes no card.
func TestManyCardsAreCompletedInParts(t *testing.T) {
	nobody(t)
	var cards []cardlist.Card
	for i := range 3000 {
		cards = append(cards, cardlist.Card{ID: api.CardID(fmt.Sprintf("card_%05d", i)), Last4: "1", Label: api.Text(fmt.Sprintf("%s/%d/x%05d", []string{"fb", "tt"}[i%2], i%5, i)), Status: api.CardActive})
	}
	p := shelf(t, ".", cards)
	for begin, want := range map[string]string{
		"": "fb/ tt/", "fb/": "fb/0/ fb/2/ fb/4/ fb/1/ fb/3/", "fb/0/": "fb/0/x00 fb/0/x01 fb/0/x02", "card_": "card_00 card_01 card_02",
	} {
		got, blank := offered(t, p, "cards", "show", begin)
		if strings.Join(got, " ") != want || blank {
			t.Errorf("%q: %q, %v, want %q", begin, got, blank, want)
		}
	}
	if got, blank := offered(t, p, "cards", "show", "fb/0/x000"); len(got) != 10 || !blank {
		t.Errorf("%q, %v", got, blank)
	}
}

// TestEveryFieldIsCompleted: no command prints fields that are not offered.
func TestEveryFieldIsCompleted(t *testing.T) {
	eachCommand(commands(program{}), func(cmd *cobra.Command, words []string) {
		if cmd.Flags().Lookup("fields") != nil && len(fieldsOf(strings.Join(words, " "))) == 0 {
			t.Errorf("%q", words)
		}
	})
}
