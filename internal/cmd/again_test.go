package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestAKeyIsForOneRequest: what differs in its body alone is another, and what the first run
// renamed or removed is found by what is known of that run.
func TestAKeyIsForOneRequest(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	twice := func(args ...string) {
		t.Helper()
		before := *sent
		s.does(cli.ExitDone, args...)
		if again := s.object(args...); again["again"] != true || *sent != before+1 {
			t.Errorf("%q: sent %d, %v", args, *sent-before, again)
		}
	}
	refused := func(args ...string) {
		t.Helper()
		before := *sent
		if s.does(cli.ExitUsage, args...); !strings.Contains(s.errs, "this idempotency key was used for another request: ") || *sent != before {
			t.Errorf("%q: sent %d, says %s", args, *sent-before, s.errs)
		}
	}
	twice("cards", "edit", "fb/spring/01", "--label", "fb/spring/02", "--yes", "--idempotency-key", "e")
	twice("cards", "edit", id, "--spending-limit", "50", "--yes", "--idempotency-key", "l")
	refused("cards", "edit", "fb/spring/02", "--label", "fb/spring/03", "--yes", "--idempotency-key", "e")
	refused("cards", "edit", id, "--spending-limit", "60", "--yes", "--idempotency-key", "l")
	twice("cards", "create", "--bin", "424242", "--amount", "5", "--label", "new", "--yes", "--max-amount", "5", "--idempotency-key", "c")
	refused("cards", "create", "--bin", "424242", "--amount", "5", "--label", "new", "--metadata", "a=b", "--yes", "--max-amount", "5", "--idempotency-key", "c")

	register := []string{"webhooks", "create", "--url", "https://example.com/hook", "--event", "*", "--secret-file", "hook.secret", "--yes", "--idempotency-key", "w"}
	if err := os.WriteFile("hook.secret", nil, 0o600); err != nil { // As a kill leaves it.
		t.Fatal(err)
	}
	hook, _ := s.object(register...)["webhook_id"].(string)
	if secret, err := os.ReadFile("hook.secret"); err != nil || len(secret) == 0 {
		t.Errorf("the secret is %d bytes, %v", len(secret), err)
	}
	if s.does(cli.ExitDone, register...); strings.Contains(s.out, " as ") || !strings.Contains(s.out, "done before") {
		t.Errorf("printed %s", s.out)
	}
	register[3] = "https://example.com/other"
	refused(register...)
	twice("webhooks", "delete", hook, "--yes", "--idempotency-key", "d")
	refused("webhooks", "delete", "wh_other", "--yes", "--idempotency-key", "d")
}

// TestAKeyIsKnownForNinetyDays, however many operations came since.
func TestAKeyIsKnownForNinetyDays(t *testing.T) {
	s, id := oneCard(t)
	sent := s.countWrites()
	fund := []string{"cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5", "--idempotency-key", "order-19"}
	s.does(cli.ExitDone, fund...)
	path := filepath.Join(s.profile(), "history.jsonl")
	past, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	for i := range 5001 {
		if _, err := fmt.Fprintf(past, `{"v":1,"at":%q,"action":"freeze","card":"card_9","outcome":"done","key":"k-%d"}`+"\n", time.Now().UTC().Format(time.RFC3339), i); err != nil { //nolint:forbidigo // the clock of main
			t.Fatal(err)
		}
	}
	must(t, past.Close())
	if again := s.object(fund...); again["again"] != true || again["card_after"] != 30.0 || *sent != 1 {
		t.Errorf("sent %d: %v", *sent, again)
	}
}

// TestAPlanThatIsLeftIsNotForAnotherRequest under its key.
func TestAPlanThatIsLeftIsNotForAnotherRequest(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	kept := s.keepPlan()
	fund := []string{"cards", "fund", "-", "--amount", "2", "--yes", "--max-amount", "20", "--idempotency-key", "batch-4"}
	s.piped(cli.ExitDone, ids, fund...)
	kept()
	sent := s.countWrites()
	refused := func(ids string) {
		t.Helper()
		s.in = ids
		if s.does(cli.ExitUsage, fund...); *sent > 0 || !strings.Contains(s.errs, "used for another request, of which a plan is left: go on with that by cardtop plans resume ") {
			t.Errorf("sent %d, says %s", *sent, s.errs)
		}
	}
	refused(ids + "card_other\n")
	refused(ids[:strings.Index(ids, "\n")+1])
	fund[4] = "3"
	refused(ids)
	fund[4] = "2"
	s.in = ids
	s.does(cli.ExitDone, fund...)
}

// TestAKeyOfManyCardsIsForOneRequest: neither another level nor another label, limit or line of
// a file is done under it, nor told as done.
func TestAKeyOfManyCardsIsForOneRequest(t *testing.T) {
	s := shops(t)
	ids := s.ids()
	must(t, os.WriteFile("cards.csv", []byte("bin_id,amount,label\n424242,2,a/1\n"), 0o600))
	for i, c := range [][2][]string{
		{{"cards", "fund", "-", "--amount", "20", "--share", "level"}, {"cards", "fund", "-", "--amount", "25", "--share", "level"}},
		{{"cards", "withdraw", "-", "--amount", "1"}, {"cards", "withdraw", "-", "--amount", "1", "--share", "level"}},
		{{"cards", "edit", "-", "--spending-limit", "50"}, {"cards", "edit", "-", "--spending-limit", "60"}},
		{{"cards", "edit", "-", "--label", "x/{n}"}, {"cards", "edit", "-", "--label", "y/{n}"}},
	} {
		key := []string{"--yes", "--idempotency-key", fmt.Sprint("order-", i)}
		if c[0][1] != "edit" {
			key = append(key, "--max-amount", "500")
		}
		sent := s.countWrites()
		s.piped(cli.ExitDone, ids, append(c[0], key...)...)
		once := *sent
		s.piped(cli.ExitDone, ids, append(c[0], key...)...)
		s.in = ids
		if s.does(cli.ExitUsage, append(c[1], key...)...); *sent != once || !strings.Contains(s.errs, "this idempotency key was used for another request: ") {
			t.Errorf("%q: sent %d and %d, says %s", c[1], once, *sent-once, s.errs)
		}
	}
}

// TestAKeyIsForOneCardOrForMany: what was done under it to one card is not done to many, nor the
// other way round, nor to other cards, nor to the same ones in another way.
func TestAKeyIsForOneCardOrForMany(t *testing.T) {
	for name, c := range map[string]struct {
		first, second []string
		in, then      func([]string) string
	}{
		"one, then many":          {[]string{"cards", "fund", "ID", "--amount", "2"}, []string{"cards", "fund", "-", "--amount", "2"}, none, every},
		"many, then one":          {[]string{"cards", "fund", "-", "--amount", "2"}, []string{"cards", "fund", "ID", "--amount", "2"}, every, none},
		"many, then none of them": {[]string{"cards", "fund", "-", "--amount", "2"}, []string{"cards", "fund", "-", "--amount", "2"}, first, second},
		"other cards":             {[]string{"cards", "fund", "-", "--amount", "2"}, []string{"cards", "fund", "-", "--amount", "2"}, first, second},
		"another action":          {[]string{"cards", "fund", "-", "--amount", "2"}, []string{"cards", "withdraw", "-", "--amount", "2"}, every, every},
		"many, then issue":        {[]string{"cards", "fund", "-", "--amount", "2"}, []string{"cards", "create", "--bin", "424242", "--amount", "2"}, every, none},
	} {
		t.Run(name, func(t *testing.T) {
			s := shops(t)
			ids := strings.Fields(s.ids())
			for _, args := range [][]string{c.first, c.second} {
				if i := slices.Index(args, "ID"); i >= 0 {
					args[i] = ids[0]
				}
			}
			key := []string{"--yes", "--max-amount", "50", "--idempotency-key", "order-7"}
			s.in = c.in(ids)
			s.does(cli.ExitDone, append(c.first, key...)...)
			sent := s.countWrites()
			s.in = c.then(ids)
			if s.does(cli.ExitUsage, append(c.second, key...)...); *sent != 0 || !strings.Contains(s.errs, "this idempotency key was used for another request: ") {
				t.Errorf("sent %d, says %s", *sent, s.errs)
			}
			s.in = c.in(ids)
			if s.does(cli.ExitDone, append(c.first, key...)...); *sent != 0 {
				t.Errorf("the first again sends %d", *sent)
			}
		})
	}
}

func none([]string) string       { return "" }
func every(ids []string) string  { return strings.Join(ids, "\n") }
func first(ids []string) string  { return ids[0] }
func second(ids []string) string { return ids[1] }

// TestAListThatBecameShorterIsTheSameRequest: cards that were funded leave a list of those that hold little.
func TestAListThatBecameShorterIsTheSameRequest(t *testing.T) {
	s := shops(t)
	ids := strings.Fields(s.ids())
	fund := []string{"cards", "fund", "-", "--amount", "2", "--yes", "--max-amount", "50", "--idempotency-key", "order-8"}
	s.in = strings.Join(ids[:2], "\n")
	s.does(cli.ExitDone, fund...)
	sent := s.countWrites()
	s.in = strings.Join(ids[1:], "\n")
	if s.does(cli.ExitDone, fund...); *sent != 1 {
		t.Errorf("%d requests for the one card that is new", *sent)
	}
}

// TestAKeyStaysThatOfARequestThatAPersonCalledNotDone: the same request may be repeated, another one
// needs another key.
func TestAKeyStaysThatOfARequestThatAPersonCalledNotDone(t *testing.T) {
	s, id := oneCard(t)
	s.leaveOpen(id, "order-9")
	s.does(cli.ExitDone, "operations", "settle", "order-9", "--not-done")
	key := []string{"--yes", "--max-amount", "9", "--idempotency-key", "order-9"}
	if s.does(cli.ExitUsage, append([]string{"cards", "fund", id, "--amount", "7"}, key...)...); !strings.Contains(s.errs, "this idempotency key was used for another request: ") {
		t.Error(s.errs)
	}
	s.does(cli.ExitDone, append([]string{"cards", "fund", id, "--amount", "5"}, key...)...)
}

// TestWhatWasDoneAndNotPrintedIsNoFailure: a script that tries again what failed would pay twice.
func TestWhatWasDoneAndNotPrintedIsNoFailure(t *testing.T) {
	for _, form := range []string{"", "--json", "--csv", "--template={outcome}"} {
		s := shops(t)
		ids := s.ids()
		id, _, _ := strings.Cut(ids, "\n")
		s.full = true
		fund := func(cards string) []string {
			args := []string{"cards", "fund", cards, "--amount", "2", "--yes", "--max-amount", "20"}
			if form != "" {
				args = append(args, form)
			}
			return args
		}
		sent := s.countWrites()
		if s.does(cli.ExitIncomplete, fund(id)...); *sent != 1 || !strings.Contains(s.errs, "not printed") || !strings.Contains(s.errs, "$2.00") {
			t.Errorf("%s: %d sent, says %s", form, *sent, s.errs)
		}
		s.in = ids
		if s.does(cli.ExitIncomplete, fund("-")...); *sent < 3 || !strings.Contains(s.errs, "done, but not printed") {
			t.Errorf("%s: %d sent, says %s", form, *sent, s.errs)
		}
	}
}
