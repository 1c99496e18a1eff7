package dialog

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

func plainTheme(t *testing.T) *theme.Theme {
	t.Helper()
	th, err := theme.New(theme.Plain, colorprofile.NoTTY)
	if err != nil {
		t.Fatal(err)
	}
	return &th
}

// at is a moment of the tests' own time.
func at(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

// loaded is a store that knows one card of $100 and a wallet of $1,000.
func loaded(t *testing.T) *state.Store {
	t.Helper()
	s := state.New(state.Config{Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key-1" }})
	_, effects := s.Tick(at(0))
	m := state.Meta{Sent: at(0), At: at(0)}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchCards:
			ev := state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1, Total: 1}
			ev.Items = []api.CardItem{{ID: "card_1", BIN: "bin_1", Last4: "0001", Label: "fb", Status: api.CardActive, Balance: 100 * api.Dollar}}
			s.Apply(ev)
		case state.FetchWallet:
			s.Apply(state.WalletLoaded{FetchWallet: e, Meta: m, Wallet: api.Wallet{Balance: 1000 * api.Dollar}})
		default:
		}
	}
	return s
}

func typed(d Dialog, text string) {
	for _, r := range text {
		d.Type(string(r), string(r))
	}
}

func shown(d Dialog, w, h int) string {
	var lines []string
	for _, l := range d.View(w, h) {
		lines = append(lines, widget.Strip(l))
	}
	return strings.Join(lines, "\n")
}

func TestASecondConfirmation(t *testing.T) {
	th, s := plainTheme(t), loaded(t)
	in := state.FundCard{Card: "card_1", Amount: 50 * state.Dollar}
	for _, tt := range []struct {
		name   string
		waits  bool
		closes int // dialogs below it that close with a yes
	}{{"a form waits below", false, 1}, {"the first question waits", true, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			first := NewConfirm(th, s, Question{Title: "Fund", Verb: "Fund $50.00", Intent: in, Closes: 2, Waits: tt.waits, Again: []string{"+"}})
			second := first.again(state.Verdict{Again: "the label says so", TypeTwice: true})
			if text := shown(second, 62, 20); !strings.Contains(text, "the label says so") || !strings.Contains(text, "amount again") || !strings.Contains(text, "▸Cancel") {
				t.Fatalf("drawn:\n%s", text)
			}
			second.Paste("50")
			if !strings.Contains(shown(second, 62, 20), "typed, not pasted") {
				t.Error("a paste is not refused")
			}
			second.Act(keymap.Switch)
			for _, wrong := range []string{"", "5", "50.01"} {
				second.field.SetValue("")
				typed(second, wrong)
				if r := second.Act(keymap.Confirm); len(r.Intents) != 0 || r.Close {
					t.Errorf("%q confirms", wrong)
				}
			}
			if r := second.Type("+", "+"); len(r.Intents) != 0 {
				t.Error("the key that opened the first confirms the second")
			}
			second.field.SetValue("")
			typed(second, "50.00")
			r := second.Act(keymap.Confirm)
			if len(r.Intents) != 1 || r.Intents[0] != state.Intent(in) || !r.Close || r.CloseMore != tt.closes {
				t.Errorf("%+v", r)
			}
			second.Act(keymap.Switch)
			if r := second.Act(keymap.Confirm); !r.Close || r.CloseMore != 0 || len(r.Intents) != 0 {
				t.Errorf("Cancel: %+v", r)
			}
		})
	}
}

func TestAWordAloneNeedsNoTyping(t *testing.T) {
	first := NewConfirm(plainTheme(t), loaded(t), Question{Verb: "Terminate", Intent: state.TerminateCard{Card: "card_1"}, Closes: 1, Waits: true})
	second := first.again(state.Verdict{Again: "the label says so"})
	second.Act(keymap.Switch)
	if r := second.Act(keymap.Confirm); len(r.Intents) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestTheFocusedFieldIsAlwaysInSight walks a long form on every height.
func TestTheFocusedFieldIsAlwaysInSight(t *testing.T) {
	th := plainTheme(t)
	for h := 7; h < 40; h++ {
		issue := NewIssue(th, loaded(t))
		issue.form.at = len(issue.form.fields) - 1
		for n := range 25 {
			issue.Paste(fmt.Sprintf("key%d=value%d\n", n, n))
			issue.Act(keymap.NextField)
			if issue.form.at == 0 {
				issue.form.at = len(issue.form.fields) - 1
			}
		}
		for range 2 * len(issue.form.fields) {
			lines := strings.Split(shown(issue, 36, h), "\n")
			marks := 0
			for _, l := range lines {
				if widget.Width(l) != 36 {
					t.Fatalf("a line of %d cells: %q", widget.Width(l), l)
				}
				if strings.HasPrefix(l, "│▸") || strings.HasPrefix(l, "│✗") {
					marks++
				}
			}
			if marks == 0 || len(lines) > h {
				t.Fatalf("height %d, field %d:\n%s", h, issue.form.at, strings.Join(lines, "\n"))
			}
			issue.Act(keymap.PrevField)
		}
	}
}

func TestCurlIsOneCommandForTheShell(t *testing.T) {
	s := loaded(t)
	label := "it's \"$HOME\" `id`"
	s.SetDryRun(true)
	_, effects, err := s.Dispatch(state.UpdateCard{Card: "card_1", Change: state.CardChange{Label: &label}})
	if err != nil {
		t.Fatal(err)
	}
	var request state.ShowRequest
	for _, e := range effects {
		if shown, ok := e.(state.ShowRequest); ok {
			request = shown
		}
	}
	d := NewDryRun(plainTheme(t), request)
	script := strings.Replace(d.command(), "curl", "printf '%s\\n'", 1)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = []string{"CARDTOP_BASE_URL=http://localhost/v1", "CARDTOP_API_KEY=sk_test_x"}
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no shell: %v", err)
	}
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{
		"-X", "PATCH", "http://localhost/v1/cards/card_1", "-H", "Authorization: Bearer sk_test_x", "-H", "X-Idempotency-Key: key-1",
		"-H", "Content-Type: application/json", "-d", `{"label":"it's \"$HOME\" ` + "`id`" + `"}`,
	}
	if strings.Join(words, "|") != strings.Join(want, "|") {
		t.Errorf("the shell makes of it\n%q, want\n%q", words, want)
	}
	if strings.Contains(d.command(), "sk_") {
		t.Error("the key is in it")
	}
}

func TestWhatIsApprovedIsWhatIsLeftNow(t *testing.T) {
	t.Parallel()
	s := loaded(t)
	plan := &state.Plan{ID: "plan-1", Kind: state.BulkTerminate, Made: at(0)}
	for _, key := range []api.IdempotencyKey{"row-1", "row-2", "row-3"} {
		plan.Rows = append(plan.Rows, state.PlanRow{Card: "card_1", Name: "fb", Intent: state.TerminateCard{Card: "card_1"}, Key: key})
	}
	find := func(fates map[api.IdempotencyKey]state.Fate) {
		s.Apply(state.PlansFound{Meta: state.Meta{Sent: at(0), At: at(0)}, Left: []state.LeftPlan{{Plan: plan, Fates: fates}}})
	}
	find(nil)
	d := NewBatch(plainTheme(t), s, keymap.New(keymap.Defaults()), plan.ID)
	if text := shown(d, 90, 30); !strings.Contains(text, "Resume 3 cards") {
		t.Fatal(text)
	}
	typed(d, "3")
	// Another dashboard has settled one of them meanwhile.
	find(map[api.IdempotencyKey]state.Fate{"row-1": state.FateDone})
	d.Sync(s)
	if text := shown(d, 90, 30); !strings.Contains(text, "Resume 2 cards") || d.approval.ready() {
		t.Error(text)
	}
}
