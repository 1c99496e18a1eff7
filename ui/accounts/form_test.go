package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
)

// fakeProfiles answers with what a test says.
type fakeProfiles struct {
	err error
	// keyless is why there is no keyring.
	keyless error
	tried   []string
	saved   []string
}

func (f *fakeProfiles) Try(_ context.Context, d Draft) (Found, error) {
	f.tried = append(f.tried, d.Name+" "+d.Address+" "+d.Key.Expose())
	cards := 7
	return Found{Mode: "TEST", Wallet: 1250 * api.Cent, Cards: &cards}, f.err
}

func (f *fakeProfiles) Save(_ context.Context, d Draft) (dialog.Account, error) {
	if d.InFile {
		d.Name += " in a file"
	}
	f.saved = append(f.saved, d.Name)
	return dialog.Account{ID: d.Name, Name: d.Name}, f.err
}

func (f *fakeProfiles) Remove(_ context.Context, _ *lang.Words, name string) (string, error) {
	return "removed " + name, f.err
}

func (f *fakeProfiles) Keyring(context.Context) error { return f.keyless }

func (*fakeProfiles) Files(name string) string { return "/state/" + name }

func formOf(t *testing.T, p Profiles, on *dialog.Account) *AccountForm {
	t.Helper()
	th, err := theme.For("plain", true, 0)
	if err != nil {
		t.Fatal(err)
	}
	return NewAccountForm(&th, state.New(settings.Config{Screen: &settings.Screen{}}), keymap.New(keymap.Defaults()), p, on, []dialog.Account{{Name: "demo"}}, true)
}

func fill(f *AccountForm, texts ...string) {
	for _, text := range texts {
		for _, r := range text {
			f.Type(string(r), string(r))
		}
		f.Act(keymap.NextField)
	}
}

// enter presses it and does the job that it leads to.
func enter(t *testing.T, d dialog.Dialog) bool {
	t.Helper()
	r := d.Act(keymap.Confirm)
	if r.Job == nil {
		return false
	}
	r.Job(t.Context())()
	return true
}

func drawn(d dialog.Dialog) string { return strings.Join(d.View(80, 24), "\n") }

// TestAnAccountIsTestedBeforeItIsStored, and again when it was changed since.
func TestAnAccountIsTestedBeforeItIsStored(t *testing.T) {
	t.Parallel()
	p := &fakeProfiles{}
	f := formOf(t, p, nil)
	if enter(t, f) {
		t.Error("an empty form is tested")
	}
	fill(f, "team", "https://x.example/v1", "sk_test_abc")
	if !enter(t, f) || len(p.tried) != 1 || p.tried[0] != "team https://x.example/v1 sk_test_abc" {
		t.Fatalf("tried %v", p.tried)
	}
	if text := drawn(f); !strings.Contains(text, "TEST") || !strings.Contains(text, "$12.50") || !strings.Contains(text, "7 active cards") || strings.Contains(text, "sk_test_abc") {
		t.Errorf("\n%s", text)
	}
	f.Act(keymap.PrevField)
	f.Type("backspace", "")
	f.Type("x", "x") // As long as before.
	if enter(t, f); len(p.tried) != 2 || len(p.saved) != 0 || !strings.HasSuffix(p.tried[1], "sk_test_abx") {
		t.Errorf("tried %v, saved %v", p.tried, p.saved)
	}
	save := f.Act(keymap.Confirm).Job
	if r := f.Act(keymap.Cancel); r.Close {
		t.Error("esc leaves what is being stored")
	}
	if save(t.Context())(); len(p.saved) != 1 {
		t.Errorf("saved %v", p.saved)
	}
	if r, ok := f.ready(); !ok || r.SwitchTo == nil || r.SwitchTo.Name != "team" || !r.Close {
		t.Errorf("%+v, %v", r, ok)
	}
	if f.key.Length() > 0 {
		t.Error("the key is still held")
	}
}

// TestAKeyNeedsAPlace: where there is no keyring, the form says so as soon as it is open, and
// takes a private file or a command.
func TestAKeyNeedsAPlace(t *testing.T) {
	t.Parallel()
	p := &fakeProfiles{keyless: errors.New("no OS keyring")}
	f := formOf(t, p, nil)
	f.Look()(t.Context())()
	if text := drawn(f); !strings.Contains(text, "no keyring on this system") || !strings.Contains(text, "keep it in a private file") || strings.Contains(text, "goes to the keyring") {
		t.Errorf("\n%s", text)
	}
	fill(f, "team", "https://x.example/v1", "sk_test_abc")
	if enter(t, f) || f.form.Focused().Name != FieldFile || !strings.Contains(drawn(f), "space keeps the key") {
		t.Errorf("a key without a place is taken:\n%s", drawn(f))
	}
	f.Type("space", " ")
	if text := drawn(f); strings.Contains(text, "no keyring") || !strings.Contains(text, "yours alone") {
		t.Errorf("\n%s", text)
	}
	if tried, saved := enter(t, f), enter(t, f); !tried || !saved || len(p.saved) != 1 || p.saved[0] != "team in a file" {
		t.Errorf("a private file is not taken: saved %v\n%s", p.saved, drawn(f))
	}
	p.saved = nil
	command := formOf(t, p, nil)
	command.Look()(t.Context())()
	fill(command, "team", "https://x.example/v1", "", "cat key")
	tried := enter(t, command)
	if saved := enter(t, command); !tried || !saved || len(p.saved) != 1 {
		t.Errorf("a command is not: saved %v\n%s", p.saved, drawn(command))
	}
}

// TestAKeyringThatIsLostLeadsToTheFile: it was there when the form opened.
func TestAKeyringThatIsLostLeadsToTheFile(t *testing.T) {
	t.Parallel()
	p := &fakeProfiles{}
	f := formOf(t, p, nil)
	f.Look()(t.Context())()
	fill(f, "team", "https://x.example/v1", "sk_test_abc")
	enter(t, f)
	p.err = &FieldError{FieldFile, "no OS keyring: locked"}
	if enter(t, f); f.form.Focused().Name != FieldFile || !strings.Contains(drawn(f), "no OS keyring: locked") || f.key.Length() == 0 {
		t.Errorf("\n%s", drawn(f))
	}
	p.err = nil
	f.Type("space", " ")
	enter(t, f)
	if enter(t, f); p.saved[len(p.saved)-1] != "team in a file" {
		t.Errorf("saved %v\n%s", p.saved, drawn(f))
	}
}

// TestAnErrorIsAtItsFieldAndWhatWasTypedStays.
func TestAnErrorIsAtItsFieldAndWhatWasTypedStays(t *testing.T) {
	t.Parallel()
	p := &fakeProfiles{err: &FieldError{FieldAddress, "nobody answers"}}
	f := formOf(t, p, nil)
	fill(f, "team", "https://x.example/v1", "sk_test_abc")
	enter(t, f)
	if text := drawn(f); !strings.Contains(text, "nobody answers") || !strings.Contains(text, "https://x.example/v1") || f.form.Focused().Name != FieldAddress || f.key.Length() != 11 {
		t.Errorf("\n%s", text)
	}
	p.err = errors.New("the disk is full")
	if enter(t, f); !strings.Contains(drawn(f), "the disk is full") {
		t.Errorf("\n%s", drawn(f))
	}
	twice := formOf(t, p, nil)
	fill(twice, "demo", "https://x.example/v1", "sk_test_abc", "pass show")
	if enter(t, twice) || !strings.Contains(drawn(twice), "there is an account demo") || !strings.Contains(drawn(twice), "leave the key or the command out") {
		t.Errorf("\n%s", drawn(twice))
	}
}

// TestATypedKeyIsNeverPrinted whatever prints the form.
func TestATypedKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	f := formOf(t, &fakeProfiles{}, nil)
	fill(f, "team", "https://x.example/v1")
	f.Paste(" sk_live_pasted\n")
	f.Type("Z", "Z")
	if d := f.draft(); d.Key.Expose() != "sk_live_pastedZ" {
		t.Errorf("%d bytes", len(d.Key.Bytes()))
	}
	for _, text := range []string{drawn(f), fmt.Sprintf("%+v %#v", f.key, f.key), fmt.Sprintf("%+v", f.draft()), f.key.Value()} {
		if strings.Contains(text, "pasted") || strings.Contains(text, "sk_live") && !strings.Contains(text, "sk_live_…") {
			t.Errorf("%s", text)
		}
	}
	f.Act(keymap.Cancel)
	if f.key.Length() > 0 {
		t.Error("esc keeps the key")
	}
}

// TestRemovingAsksAndSaysWhatStays.
func TestRemovingAsksAndSaysWhatStays(t *testing.T) {
	t.Parallel()
	p := &fakeProfiles{}
	f := formOf(t, p, nil)
	all := []dialog.Account{{Name: "team", Here: true, Stored: &dialog.Stored{}}, {Name: "agency", Stored: &dialog.Stored{}}, {Name: "demo", Sandbox: true}}
	list := NewAccounts(f.theme, f.store, f.keys, all, false).Editable(p)
	d := list.Type(accountRemove, "").Push
	if d == nil || !strings.Contains(drawn(d), "/state/agency") || !strings.Contains(drawn(d), "Remove agency") {
		t.Fatalf("%v", d)
	}
	if enter(t, d) {
		t.Error("enter on Cancel removes it")
	}
	for _, key := range []string{accountEdit, accountAdd, accountRemove} {
		if r := list.Type(key, "").Push.Act(keymap.Cancel); !r.Close || r.Push != list {
			t.Errorf("%s, then esc: %+v", key, r)
		}
	}
	d.Act(keymap.Switch)
	remove := d.Act(keymap.Confirm).Job
	if r := d.Act(keymap.Cancel); r.Close {
		t.Error("esc leaves what is being removed")
	}
	remove(t.Context())()
	if r, ok := d.Traits().Ready(); !ok || r.Told != "removed agency" || !r.Close {
		t.Errorf("%+v", r)
	}
	list.Move(keymap.Down)
	if r := list.Type(accountRemove, ""); r.Push != nil || r.Told == "" {
		t.Errorf("the sandbox is removed: %+v", r)
	}
	list.Move(keymap.First)
	if r := list.Type(accountRemove, ""); r.Push != nil || !strings.Contains(r.Told, "switch to another account first") {
		t.Errorf("the account on screen is removed: %+v", r)
	}
	if r := NewAccounts(f.theme, f.store, f.keys, all, false).Type(accountAdd, ""); r.Push != nil {
		t.Error("accounts are added where none can be")
	}
}

// TestALockWipesAKeyThatIsHalfTyped also while it is being tested.
func TestALockWipesAKeyThatIsHalfTyped(t *testing.T) {
	t.Parallel()
	for _, testing := range []bool{false, true} {
		p := &fakeProfiles{}
		f := formOf(t, p, nil)
		fill(f, "team", "https://x.example/v1", "sk_test_abc")
		var done func()
		if testing {
			done = f.Act(keymap.Confirm).Job(t.Context())
		}
		s := state.New(settings.Config{Screen: &settings.Screen{}})
		if _, _, err := s.Dispatch(kernel.LockScreen{}); err != nil {
			t.Fatal(err)
		}
		f.Sync(s, kernel.TopicAll)
		if done != nil {
			done()
		}
		if f.key.Length() != 0 || f.found != nil || f.name.Value() != "team" {
			t.Errorf("testing %v: %d bytes of a key, found %v", testing, f.key.Length(), f.found)
		}
		if text := drawn(f); !strings.Contains(text, "the lock wiped it: type it again") {
			t.Errorf("\n%s", text)
		}
		f.Type("x", "x")
		f.Sync(state.New(settings.Config{Screen: &settings.Screen{}}), kernel.TopicAll)
		if f.key.Length() != 1 {
			t.Error("what is typed after the lock is wiped")
		}
	}
}

// TestLeavingIsConfirmedWithoutAKeyThatOpensIt: the palette does where none is bound.
func TestLeavingIsConfirmedWithoutAKeyThatOpensIt(t *testing.T) {
	t.Parallel()
	f := formOf(t, &fakeProfiles{}, nil)
	d := NewLeave(f.theme, f.store, nil, false)
	if !strings.Contains(drawn(d), "y quit") || !d.Type("y", "y").Quit || d.Type("q", "q").Quit {
		t.Errorf("\n%s", drawn(d))
	}
}

func TestLabelsHaveRoomInEveryLanguage(t *testing.T) {
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form {
		return NewAccountForm(th, dialogtest.Store(t), panetest.Keys(), nil, nil, nil, false).form
	})
}
