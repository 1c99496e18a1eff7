package cmd

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/rows"
)

func TestWebhooksAreRegisteredAndDeleted(t *testing.T) {
	s, _ := oneCard(t)
	create := []string{"webhooks", "create", "--url", "https://example.com/hook/tok", "--event", "*", "--yes"}
	s.does(cli.ExitUsage, create...)
	if !strings.Contains(s.errs, "say where it goes, --secret-file FILE or --copy-secret") {
		t.Errorf("says %q", s.errs)
	}
	if got := s.does(cli.ExitDone, append(create, "--dry-run")...); got != "POST /webhooks\n"+`{"url":"https://example.com/hook/tok","events":["*"]}`+"\n" {
		t.Errorf("printed %q", got)
	}
	o := s.object(append(create, "--secret-file", "hook.secret")...)
	id, _ := o["webhook_id"].(string)
	secret, err := os.ReadFile("hook.secret")
	info, serr := os.Stat("hook.secret")
	if err != nil || serr != nil || len(secret) < 16 || info.Mode().Perm() != 0o600 {
		t.Fatalf("%q, %v, %v", secret, info, err)
	}
	if strings.Contains(s.out+s.errs, string(secret)) || id == "" {
		t.Errorf("printed %s%s", s.out, s.errs)
	}
	// A file that is there is not written over, and nothing is sent.
	sent := s.countWrites()
	if s.does(cli.ExitUsage, append(create, "--secret-file", "hook.secret")...); *sent > 0 {
		t.Error("it was sent")
	}
	s.does(cli.ExitFailed, "webhooks", "create", "--url", "ftp://example.com", "--event", "*", "--yes", "--secret-file", "other.secret")
	if want := "cardtop: register webhook example.com: "; !strings.HasPrefix(s.errs, want) {
		t.Errorf("says %q", s.errs)
	}
	s.does(cli.ExitUsage, "webhooks", "create", "--url", "https://example.com/hook", "--event", "card.created,card.freeze", "--yes", "--secret-file", "other.secret")
	if !strings.Contains(s.errs, `not "card.freeze" (did you mean "card.frozen"?)`) {
		t.Errorf("says %q", s.errs)
	}
	if _, err := os.Stat("other.secret"); err == nil || *sent > 0 {
		t.Errorf("left a file, or sent %d", *sent)
	}
	if list := s.lines(s.does(cli.ExitDone, "webhooks", "list", "--jsonl")); len(list) != 1 || list[0]["id"] != id || list[0]["secret"] != nil {
		t.Errorf("listed %v", list)
	}
	s.does(cli.ExitUsage, "webhooks", "delete", "wh_none", "-y")
	if o := s.object("webhooks", "delete", id, "-y"); o["webhook_id"] != id {
		t.Errorf("deleted %v, want webhook_id %s", o, id)
	}
	if got := s.does(cli.ExitDone, "webhooks", "list", "--jsonl"); got != "" {
		t.Errorf("left %s", got)
	}
	for _, file := range s.files() {
		if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), string(secret)) && !strings.HasSuffix(file, "hook.secret") {
			t.Errorf("%s holds the signing secret", file)
		}
	}
}

// TestNoCommandPrintsANumber: without a clipboard the details are not even asked for.
func TestNoCommandPrintsANumber(t *testing.T) {
	s, id := oneCard(t)
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "TMUX", "PATH"} {
		t.Setenv(name, "")
	}
	asked := 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/details") {
			asked++
		}
		return false
	})
	s.does(cli.ExitUsage, "cards", "copy", id)
	s.does(cli.ExitUsage, "cards", "copy", id, "--field", "pan")
	for _, field := range []string{"number", "cvv", "expiry"} {
		if s.does(cli.ExitFailed, "cards", "copy", id, "--field", field); s.out != "" || asked > 0 {
			t.Errorf("%s: asked %d times, printed %q", field, asked, s.out)
		}
	}
	s.configure("[profiles.team]\nbase_url = \"" + s.url + "/v1\"\nreveal = false\n")
	if s.does(cli.ExitFailed, "cards", "copy", id, "--field", "number"); !strings.Contains(s.errs, "reveal is off") {
		t.Errorf("says %q", s.errs)
	}
}

func TestEventsHaveTheNamesOfWatch(t *testing.T) {
	amount := 5 * api.Dollar
	line := string(app.EventLine(news.News{
		Kind: news.Code, At: standing(), ID: "3ds_1", Card: "card_1", Label: "a", Last4: "1", Type: "t", Merchant: "m", Amount: &amount, Replaces: "3ds_0", Campaign: "c", BIN: "b", Text: "x",
	}))
	for _, name := range rows.Names(eventFields()) {
		if !strings.Contains(line, `"`+name+`":`) {
			t.Errorf("watch has no %s: %s", name, line)
		}
	}
	if !slices.Contains(eventKinds(), "code_ready") {
		t.Errorf("kinds %v", eventKinds())
	}
}

func TestEventsAreFollowed(t *testing.T) {
	for kind, want := range map[string]int{"code_ready": 1, "deposit_credited": 0, "": 5} {
		story(t, func(s *till) {
			s.day()
			var form output.Flags
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			form.Add(flags)
			must(t, flags.Set("jsonl", "true"))
			out, err := output.New(s.shared(), form, eventFields())
			must(t, err)
			var kinds []string
			if kind != "" {
				kinds = append(kinds, kind)
			}
			w := watcher{program: s.program, watchOptions: watchOptions{span: time.Minute}, eng: s.Engine}
			if err := w.follow(s.T.Context(), kinds, out); err != nil {
				t.Error(err)
			}
			if n := strings.Count(s.Printed.String(), "\n"); n < want || want == 0 && n > 0 || strings.Contains(s.Printed.String(), "482913") {
				t.Errorf("%q: printed\n%s", kind, s.Printed.String())
			}
		})
	}
	s := frozen(t)
	s.does(cli.ExitUsage, "events", "tail", "--event", "codes")
	if about := eventFields()[0].About; !strings.Contains(about, strings.Join(eventKinds()[:4], ", ")+" or link") {
		t.Errorf("the kinds of events are %v, and the field is said to be %s", eventKinds(), about)
	}
}

// TestWhatNobodyKnowsIsSettled: exit code 6, and the command that it names.
func TestWhatNobodyKnowsIsSettled(t *testing.T) {
	s, id := oneCard(t)
	s.leaveOpen(id, "left-1")
	list := s.lines(s.does(cli.ExitDone, "operations", "list", "--jsonl"))
	if len(list) != 1 || list[0]["idempotency_key"] != "left-1" || list[0]["action"] != "fund" || list[0]["amount"] != 5.0 {
		t.Fatalf("listed %v", list)
	}
	s.does(cli.ExitUnknown, "operations", "settle", "left-1")
	if !strings.Contains(s.errs, "; settle it with: cardtop operations settle left-1 --done or --not-done") {
		t.Errorf("says %q", s.errs)
	}
	s.does(cli.ExitFailed, "cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5")
	if !strings.Contains(s.errs, "is unconfirmed") {
		t.Errorf("funded beside it: %q", s.errs)
	}
	s.does(cli.ExitDone, "operations", "settle", "left-1", "--not-done")
	if got := s.does(cli.ExitDone, "operations", "list", "--jsonl"); got != "" {
		t.Errorf("left %s", got)
	}
	s.does(cli.ExitUsage, "operations", "settle", "nothing")
	s.does(cli.ExitDone, "cards", "fund", id, "--amount", "5", "--yes", "--max-amount", "5")
	if s.balance(id) != 30.0 {
		t.Errorf("the card holds %v", s.balance(id))
	}
}

// TestAnIssueIsSettledByTheCardsThatAreThere since, at once.
func TestAnIssueIsSettledByTheCardsThatAreThere(t *testing.T) {
	s, id := oneCard(t)
	w, err := api.CreateCardWrite(api.CreateCardRequest{BIN: "424242", Amount: 5 * api.Dollar, Label: "fb/spring/01"})
	must(t, err)
	s.leave(state.Op{Kind: state.OpIssue, Amount: 5 * api.Dollar, Name: "fb/spring/01", Key: "issue-1", Tries: 1}, w)
	s.does(cli.ExitUnknown, "operations", "settle", "issue-1")
	if !strings.Contains(s.errs, "; the wallet holds $75.00; issued since with its label and BIN: fb/spring/01 ••") || !strings.Contains(s.errs, id+"; it seems to be done") {
		t.Errorf("says %q", s.errs)
	}
}

// TestAWordThatCannotBeRecordedIsNone: the operation stays open.
func TestAWordThatCannotBeRecordedIsNone(t *testing.T) {
	s, id := oneCard(t)
	s.leaveOpen(id, "left-1")
	past := filepath.Join(s.profile(), "history.lock")
	must(t, os.RemoveAll(past))
	must(t, os.Mkdir(past, 0o700))
	s.does(cli.ExitFailed, "operations", "settle", "left-1", "--done")
	if !strings.Contains(s.errs, "it stays open, that cannot be recorded: ") {
		t.Errorf("says %q", s.errs)
	}
	if list := s.lines(s.does(cli.ExitDone, "operations", "list", "--jsonl")); len(list) != 1 {
		t.Errorf("listed %v", list)
	}
}

// TestADamagedOperationIsReportedByEveryCommandThatOpensTheAccount, until its file is removed.
func TestADamagedOperationIsReportedByEveryCommandThatOpensTheAccount(t *testing.T) {
	s, id := oneCard(t)
	s.leaveOpen(id, "left-1")
	paths, err := filepath.Glob(filepath.Join(s.profile(), "operations", "*.jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	data, err := os.ReadFile(paths[0])
	must(t, err)
	must(t, os.WriteFile(paths[0], bytes.Replace(data, []byte(`"amount":5`), []byte(`"amount":4`), 1), 0o600))
	sent := 0
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/fund") {
			sent++
		}
		return false
	})
	s.does(0, "operations", "list")
	if !strings.Contains(s.errs, "damaged record: line 1 of "+paths[0]) || !strings.Contains(s.errs, "compare card "+id+" ($4)") {
		t.Errorf("list says %q", s.errs)
	}
	for range 2 {
		s.does(0, "cards", "freeze", id, "--yes")
		if !strings.Contains(s.errs, "damaged record: line 1 of ") || !strings.Contains(s.errs, "then remove the file") {
			t.Errorf("a write says %q", s.errs)
		}
	}
	s.run("doctor")
	if !strings.Contains(s.out, "bad   records") {
		t.Errorf("the doctor says %s", s.out)
	}
	must(t, os.Remove(strings.TrimSuffix(paths[0], ".jsonl")+".jsonl.damaged"))
	s.does(0, "cards", "unfreeze", id, "--yes")
	if s.errs != "" || sent > 0 {
		t.Errorf("%d were sent; it still says %q", sent, s.errs)
	}
}
