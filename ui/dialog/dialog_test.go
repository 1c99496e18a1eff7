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
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
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
	return loadedWith(t, guard.Guard{}, api.CardActive)
}

// loadedWith is such a store behind guardrails, with cards of these statuses.
func loadedWith(t *testing.T, g guard.Guard, statuses ...api.CardStatus) *state.Store {
	t.Helper()
	s := state.New(settings.Config{Screen: &settings.Screen{}, Reloadable: settings.Reloadable{Guard: g}, Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key-1" }})
	_, effects := s.Tick(at(0))
	m := kernel.Meta{Sent: at(0), At: at(0)}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchCards:
			ev := state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1, Total: len(statuses)}
			for i, status := range statuses {
				id, last4 := api.CardID(fmt.Sprintf("card_%d", i+1)), api.Text(fmt.Sprintf("%04d", i+1))
				ev.Items = append(ev.Items, api.CardItem{ID: id, BIN: "bin_1", Last4: last4, Label: "fb", Status: status, Balance: 100 * api.Dollar})
			}
			s.Apply(ev)
		case wallets.Fetch:
			s.Apply(wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: 1000 * api.Dollar}})
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

// guarded is a store whose guardrails confirm the card twice, and have more
// than $40 typed twice.
func guarded(t *testing.T) *state.Store {
	t.Helper()
	return loadedWith(t, guard.Guard{Live: true, TypeTwice: 40 * api.Dollar, ConfirmLabels: []string{"fb"}}, api.CardActive)
}

func TestASecondConfirmation(t *testing.T) {
	in := state.Fund("card_1", 50*api.Dollar)
	for _, waits := range []bool{false, true} {
		d := NewConfirm(plainTheme(t), guarded(t), Question{Title: "Fund", Verb: "Fund $50.00", Intent: in, Closes: 2, Waits: waits, Again: []string{"+"}})
		if r := d.Type("+", "+"); len(r.Intents) != 0 {
			t.Fatal("once was enough")
		}
		for _, want := range []string{"the label matches", "amount again", "▸Cancel", "$100.00 → $150.00"} {
			if text := shown(d, 62, 20); !strings.Contains(text, want) {
				t.Errorf("lacks %q:\n%s", want, text)
			}
		}
		d.Paste("50")
		if !strings.Contains(shown(d, 62, 20), "paste is off here") {
			t.Error("a paste is not refused")
		}
		for _, wrong := range []string{"", "5", "50.01"} {
			d.buttons.field.SetValue("")
			d.Act(keymap.Switch)
			typed(d, wrong)
			if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || r.Close {
				t.Errorf("%q confirms", wrong)
			}
			if text := shown(d, 62, 20); !strings.Contains(text, "type the amount again first") {
				t.Errorf("%q: it is not said what is missing:\n%s", wrong, text)
			}
		}
		d.buttons.field.SetValue("")
		if r := d.Type("+", "+"); len(r.Intents) != 0 {
			t.Error("the key that opened the first confirms the second")
		}
		d.buttons.field.SetValue("")
		typed(d, "50.00")
		if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || r.Close || !strings.Contains(shown(d, 62, 20), "▸Fund $50.00") {
			t.Errorf("enter in the field does not lead to the button: %+v", r)
		}
		if r := d.Act(keymap.Confirm); len(r.Intents) != 1 || r.Intents[0] != kernel.Intent(in) || r.Close == waits || r.CloseMore != 0 {
			t.Errorf("%+v", r)
		}
		d.Act(keymap.Switch)
		if r := d.Act(keymap.Confirm); !r.Close || r.CloseMore != 1 || len(r.Intents) != 0 || r.Told != "nothing was sent" {
			t.Errorf("Cancel: %+v", r)
		}
	}
}

func TestAWordAloneNeedsNoTyping(t *testing.T) {
	d := NewConfirm(plainTheme(t), guarded(t), Question{Verb: "Terminate", Intent: state.Terminate("card_1"), Closes: 1, Waits: true})
	d.Act(keymap.Switch)
	if r := d.Act(keymap.Confirm); len(r.Intents) != 0 {
		t.Fatal("once was enough")
	}
	d.Act(keymap.Switch)
	if r := d.Act(keymap.Confirm); len(r.Intents) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestThereIsNoButtonThatDoesNothing(t *testing.T) {
	in := state.Fund("card_1", 5001*api.Dollar)
	d := NewConfirm(plainTheme(t), loaded(t), Question{Title: "Fund", Verb: "Fund it", Intent: in, Closes: 1, Again: []string{"+"}})
	d.Act(keymap.Switch)
	if text := shown(d, 62, 20); !strings.Contains(text, "▸Cancel") || strings.Contains(text, "Fund it") || strings.Contains(text, "fund it") {
		t.Errorf("drawn:\n%s", text)
	}
	if r := d.Type("+", "+"); len(r.Intents) != 0 {
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
	s.Ops.SetDryRun(true)
	_, effects, err := s.Dispatch(state.Update("card_1", api.UpdateCardRequest{Label: &label}))
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
	script := `curl() { read -r config; printf '%s\n' "$config" "$@"; }` + "\n" + d.command()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = []string{"CARDTOP_BASE_URL=http://localhost/v1", "CARDTOP_API_KEY=sk_test_x"}
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no shell: %v", err)
	}
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{
		`header = "Authorization: Bearer sk_test_x"`, "-K", "-", "-X", "PATCH", "http://localhost/v1/cards/card_1", "-H", "X-Idempotency-Key: key-1",
		"-H", "Content-Type: application/json", "-d", `{"label":"it's \"$HOME\" ` + "`id`" + `"}`,
	}
	if strings.Join(words, "|") != strings.Join(want, "|") {
		t.Errorf("the shell makes of it\n%q, want\n%q", words, want)
	}
	d.request.Write.Path = "/cards/$CARDTOP_API_KEY/freeze" // An id as no server should give it.
	if text := d.command(); !strings.Contains(text, "/cards/%24CARDTOP_API_KEY/freeze") {
		t.Errorf("the shell fills in what the server wrote: %s", text)
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
		plan.Rows = append(plan.Rows, state.PlanRow{Card: "card_1", Name: "fb", Write: state.Terminate("card_1"), Key: key})
	}
	find := func(fates map[api.IdempotencyKey]state.OpStatus) {
		s.Apply(state.PlansFound{Meta: kernel.Meta{Sent: at(0), At: at(0)}, Left: []state.LeftPlan{{Plan: plan, Statuses: fates}}})
	}
	find(nil)
	d := NewBatch(plainTheme(t), s, plan.ID)
	if text := shown(d, 90, 30); !strings.Contains(text, "Resume 3 cards") {
		t.Fatal(text)
	}
	typed(d, "3")
	// Another dashboard has settled one of them meanwhile.
	find(map[api.IdempotencyKey]state.OpStatus{"row-1": state.OpStatusDone})
	d.Sync(s, kernel.TopicAll)
	if text := shown(d, 90, 30); !strings.Contains(text, "Resume 2 cards") || d.buttons.ready() {
		t.Error(text)
	}
}

// TestFundingAFrozenCardIsWarnedOf funds one, and one among several.
func TestFundingAFrozenCardIsWarnedOf(t *testing.T) {
	const warning = "frozen: declines until unfrozen"
	th, in := plainTheme(t), state.Fund("card_1", 5*api.Dollar)
	for _, status := range []api.CardStatus{api.CardActive, api.CardFrozen} {
		s := loadedWith(t, guard.Guard{}, status)
		amount := NewAmount(th, s, Transfer{Title: "Fund", Verb: "Fund", Card: "card_1"})
		typed(amount, "5")
		back := NewConfirm(th, s, Question{Title: "Withdraw", Verb: "Withdraw", Intent: state.Withdraw("card_1", 5*api.Dollar)})
		for name, d := range map[string]Dialog{"amount": amount, "confirmation": NewConfirm(th, s, Question{Title: "Fund", Verb: "Fund", Intent: in})} {
			for _, size := range [][2]int{{62, 20}, {36, 10}} {
				text := strings.Join(strings.Fields(strings.ReplaceAll(shown(d, size[0], size[1]), "│", " ")), " ")
				if strings.Contains(text, warning) != (status == api.CardFrozen) {
					t.Errorf("%s of a card that is %s, at %v:\n%s", name, status, size, shown(d, size[0], size[1]))
				}
			}
		}
		if strings.Contains(shown(back, 62, 20), warning) {
			t.Error("a withdrawal warns as well")
		}
		many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}, Amount: 5 * api.Dollar}
		plan := NewPlan(th, s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) })
		if text := shown(plan, 90, 20); strings.Contains(text, "1 frozen: decline until unfrozen") != (status == api.CardFrozen) {
			t.Errorf("the plan of a card that is %s:\n%s", status, text)
		}
	}
}

// TestAPlanThatCannotRunOffersNoButton has one row that cannot be done, and
// rows that take more than there is.
func TestAPlanThatCannotRunOffersNoButton(t *testing.T) {
	s := loaded(t)
	many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1", "card_gone"}, Amount: 1500 * api.Dollar}
	d := NewPlan(plainTheme(t), s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) })
	for range 3 {
		text := shown(d, 90, 20)
		for _, want := range []string{"the wallet is $500.00 short", "deposit first", "nothing is sent", "1 skipped", "the card is not in the list", "▸Cancel"} {
			if !strings.Contains(text, want) {
				t.Errorf("lacks %q:\n%s", want, text)
			}
		}
		if strings.Contains(text, "Fund 1 card $") || strings.Contains(text, "tab") {
			t.Errorf("offers what does nothing:\n%s", text)
		}
		d.Act(keymap.Switch)
	}
	if r := d.Act(keymap.Confirm); !r.Close || len(r.Intents) != 0 || r.Told != "nothing was sent" {
		t.Errorf("%+v", r)
	}
}

// TestAButtonThatComesBackIsNotUnderTheFinger has the wallet fall short and be
// filled again while somebody is on the button: what was seen under enter last
// is Cancel.
func TestAButtonThatComesBackIsNotUnderTheFinger(t *testing.T) {
	s := loaded(t)
	th := plainTheme(t)
	wallet := func(after time.Duration, balance api.USD) {
		_, effects := s.Tick(at(after))
		for _, e := range effects {
			if f, ok := e.(wallets.Fetch); ok {
				s.Apply(wallets.Loaded{Fetch: f, Meta: kernel.Meta{Sent: at(after), At: at(after)}, Wallet: api.Wallet{Balance: balance}})
				return
			}
		}
		t.Fatal("the wallet is not read")
	}
	one := state.Fund("card_1", 50*api.Dollar)
	many := state.Writes{Kind: state.BulkFund, Cards: []api.CardID{"card_1"}, Amount: 50 * api.Dollar}
	dialogs := []Dialog{
		NewConfirm(th, s, Question{Title: "Fund", Verb: "Fund", Intent: one}),
		NewPlan(th, s, 0, func(s *state.Store) *state.Plan { return s.Plan(many) }),
	}
	for _, d := range dialogs {
		d.Act(keymap.Switch)
	}
	wallet(time.Minute, 10*api.Dollar)
	for _, d := range dialogs {
		d.Sync(s, kernel.TopicAll)
		if text := shown(d, 90, 20); !strings.Contains(text, "▸Cancel") {
			t.Error(text)
		}
	}
	wallet(2*time.Minute, 1000*api.Dollar)
	for _, d := range dialogs {
		d.Sync(s, kernel.TopicAll)
		if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || !r.Close {
			t.Errorf("%+v", r)
		}
	}
}

// TestVerdictsAreAskedForWhenSomethingChanged funds a card with four keys, and
// draws every frame in between many times.
func TestVerdictsAreAskedForWhenSomethingChanged(t *testing.T) {
	s := loaded(t)
	calls := 0
	count := func(in kernel.Intent) kernel.Verdict {
		calls++
		return s.Check(in)
	}
	amount := NewAmount(plainTheme(t), s, Transfer{Title: "Fund", Verb: "Fund", Card: "card_1", Again: []string{"+"}})
	amount.check = count
	draw := func(d Dialog) {
		for range 10 {
			shown(d, 62, 20)
		}
	}
	for _, key := range []string{"5", "0"} {
		draw(amount)
		amount.Type(key, key)
	}
	draw(amount)
	r := amount.Act(keymap.Confirm)
	if r.Push == nil {
		t.Fatalf("%+v", r)
	}
	draw(r.Push)
	if r := r.Push.Type("+", "+"); len(r.Intents) != 1 {
		t.Fatalf("%+v", r)
	}
	if calls > 3 { // One for each change; dispatching asks once more.
		t.Errorf("%d calls of Store.Check for `5 0 enter +`", calls)
	}
}
