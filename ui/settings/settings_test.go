package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// file records what was written; err is what it answers.
type file struct {
	wrote []string
	err   error
}

func (f *file) Set(name, text string) error {
	f.wrote = append(f.wrote, name+"="+text)
	return f.err
}

func (f *file) Reset(name string) error {
	f.wrote = append(f.wrote, name)
	return f.err
}

func rows() []Row {
	return []Row{
		{Name: "theme", Group: "theme", Value: "dark", Default: "auto", From: "line 2", About: "name of a theme", Choices: []string{"auto", "dark", "light"}},
		{Name: "reveal.seconds", Group: "reveal", Value: "15", Default: "15", From: FromDefault, About: "how long"},
		{Name: "alerts.low.fb/*", Group: "alerts", Value: "50", From: "line 9", About: "USD below", Own: true},
	}
}

func plainTheme(t *testing.T) *theme.Theme {
	t.Helper()
	th, err := theme.For("plain", true, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &th
}

// run does the job that a result has, and returns what comes by itself.
func run(t *testing.T, e *Edit, r dialog.Result) (dialog.Result, bool) {
	t.Helper()
	if r.Job == nil {
		t.Fatalf("nothing is saved:\n%s", strings.Join(e.View(80, 24), "\n"))
	}
	r.Job(t.Context())()
	return e.Traits().Ready()
}

func TestTheListShowsValuesDefaultsAndOrigins(t *testing.T) {
	t.Parallel()
	p := New(plainTheme(t), rows)
	p.SetSize(100, 20)
	s := state.New(settings.Config{Screen: &settings.Screen{}})
	p.Sync(s, kernel.TopicAll)
	text := strings.Join(p.View(true), "\n")
	for _, want := range []string{"3 · 2 set", "reveal.seconds", "line 2", "default", "alerts.low.fb/*", "name of a theme: auto, dark, light"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if in := p.Act(keymap.EditSetting); len(in) != 1 || in[0] != (pane.EditSetting{Name: "theme"}) {
		t.Errorf("%v", in)
	}
	private := state.New(settings.Config{Screen: &settings.Screen{Private: true}})
	p.Sync(private, kernel.TopicAll)
	if text := strings.Join(p.View(true), "\n"); strings.Contains(text, "fb/*") || strings.Contains(text, "  50") {
		t.Errorf("a private screen shows a label:\n%s", text)
	}
}

func TestAValueIsTypedSavedOrRefused(t *testing.T) {
	t.Parallel()
	f := &file{err: errors.New("must be 1 to 120")}
	e := NewEdit(plainTheme(t), rows()[1], "", f, nil)
	if r := e.Act(keymap.Confirm); !r.Close || r.Job != nil {
		t.Error("what is unchanged is saved")
	}
	e = NewEdit(plainTheme(t), rows()[1], "", f, nil)
	e.Type("1", "1") // In place of the value.
	e.Type("5", "5")
	e.Type("0", "0")
	if _, done := run(t, e, e.Act(keymap.Confirm)); done || !strings.Contains(strings.Join(e.View(80, 24), "\n"), "must be 1 to 120") || e.field.Value() != "150" {
		t.Errorf("\n%s", strings.Join(e.View(80, 24), "\n"))
	}
	f.err = nil
	e.Type("backspace", "")
	e.Paste("0\n")
	saving := e.Act(keymap.Confirm)
	if r := e.Act(keymap.Cancel); r.Close {
		t.Error("esc leaves what is being saved")
	}
	r, done := run(t, e, saving)
	if !done || !r.Close || f.wrote[len(f.wrote)-1] != "reveal.seconds=150" {
		t.Errorf("%+v, %v", r, f.wrote)
	}
	if _, again := e.Traits().Ready(); again {
		t.Error("it closes twice")
	}
}

// TestASettingThatNeedsARestartSaysSo where it is changed, and when it was.
func TestASettingThatNeedsARestartSaysSo(t *testing.T) {
	t.Parallel()
	const says = "takes effect at the next start"
	for _, r := range []Row{
		{Name: "clipboard.osc52", Group: "clipboard", Value: "false", Default: "true", From: "line 3", About: "let the terminal copy", Choices: []string{"false", "true"}, Restart: true},
		{Name: "theme", Group: "theme", Value: "dark", Default: "auto", From: "line 2", About: "name of a theme", Choices: []string{"auto", "dark"}},
	} {
		p := New(plainTheme(t), func() []Row { return []Row{r} })
		p.SetSize(100, 20)
		p.Sync(state.New(settings.Config{Screen: &settings.Screen{}}), kernel.TopicAll)
		e := NewEdit(plainTheme(t), r, "", &file{}, nil)
		for where, text := range map[string]string{"list": strings.Join(p.View(true), "\n"), "form": strings.Join(e.View(80, 24), "\n")} {
			if strings.Contains(text, says) != r.Restart {
				t.Errorf("the %s of %s:\n%s", where, r.Name, text)
			}
		}
		e.Act(keymap.NextField)
		saved, _ := run(t, e, e.Act(keymap.Confirm))
		reset, _ := run(t, e, e.Type(resetKey, ""))
		if strings.Contains(saved.Told, says) != r.Restart || strings.Contains(reset.Told, says) != r.Restart {
			t.Errorf("%s: %q, %q", r.Name, saved.Told, reset.Told)
		}
	}
}

// TestTheListCutsNoNameBesideAnEmptyColumn of defaults.
func TestTheListCutsNoNameBesideAnEmptyColumn(t *testing.T) {
	t.Parallel()
	const long = "guardrails.confirm_above_per_operation"
	all := []Row{{Name: long, Group: "guardrails", Value: "100", Default: "100", From: FromDefault, About: "USD"}}
	p := New(plainTheme(t), func() []Row { return all })
	p.SetSize(80, 20)
	s := state.New(settings.Config{Screen: &settings.Screen{}})
	p.Sync(s, kernel.TopicAll)
	if text := strings.Join(p.View(true), "\n"); !strings.Contains(text, long) || !strings.Contains(text, " 100 ") {
		t.Errorf("\n%s", text)
	}
	all[0].From, all[0].Default = "line 4", "a default that is rather long"
	p.Sync(s, kernel.TopicAll)
	if text := strings.Join(p.View(true), "\n"); !strings.Contains(text, long) || !strings.Contains(text, "a default") {
		t.Errorf("\n%s", text)
	}
}

func TestAThemeIsDrawnAsItIsChosenAndAsBeforeOnEsc(t *testing.T) {
	t.Parallel()
	f := &file{}
	e := NewEdit(plainTheme(t), rows()[0], "", f, nil)
	if r := e.Type("right", ""); r.Theme != "light" {
		t.Errorf("%+v", r)
	}
	if r := e.Act(keymap.NextField); r.Theme != "auto" {
		t.Errorf("%+v", r)
	}
	if r := e.Act(keymap.Cancel); r.Theme != "dark" || !r.Close {
		t.Errorf("%+v", r)
	}
	if r, done := run(t, e, e.Type(resetKey, "")); !done || !r.Close || f.wrote[0] != "theme" {
		t.Errorf("%+v, %v", r, f.wrote)
	}
	if r := NewEdit(plainTheme(t), rows()[1], "", f, nil).Type(resetKey, ""); r.Job != nil {
		t.Error("a default is reset")
	}
}

// TestALanguageIsSpokenAsItIsChosenAndAsBeforeOnEsc: the screen is in it.
func TestALanguageIsSpokenAsItIsChosenAndAsBeforeOnEsc(t *testing.T) {
	t.Parallel()
	e := NewEdit(plainTheme(t), Row{Name: "language", Value: "auto", Choices: []string{"auto", "uk"}}, "", &file{}, nil)
	if r := e.Type("right", ""); r.Language != "uk" || r.Theme != "" {
		t.Errorf("%+v", r)
	}
	if r := e.Act(keymap.Cancel); r.Language != "auto" || !r.Close {
		t.Errorf("%+v", r)
	}
}

// TestTheFormFitsASmallScreen: the value and the keys stay.
func TestTheFormFitsASmallScreen(t *testing.T) {
	t.Parallel()
	r := rows()[0]
	r.About = strings.Repeat("long ", 100)
	e := NewEdit(plainTheme(t), r, "", &file{}, nil)
	lines := e.View(38, 11)
	if text := strings.Join(lines, "\n"); len(lines) > 11 || !strings.Contains(text, "dark") || !strings.Contains(text, "enter") {
		t.Errorf("%d lines\n%s", len(lines), text)
	}
}

// TestANewEntryIsNamedFirst and one that is there already is changed.
func TestANewEntryIsNamedFirst(t *testing.T) {
	t.Parallel()
	entry := Row{Name: "alerts.low." + NewName, Group: "alerts", From: FromDefault, About: "USD below", New: true}
	all := append(rows(), entry)
	p := New(plainTheme(t), func() []Row { return all })
	p.SetSize(100, 20)
	p.Sync(state.New(settings.Config{Screen: &settings.Screen{}}), kernel.TopicAll)
	if text := strings.Join(p.View(true), "\n"); !strings.Contains(text, "3 · 2 set") || !strings.Contains(text, "alerts.low.NAME") || !strings.Contains(text, "enter adds one") {
		t.Errorf("\n%s", text)
	}
	for name, want := range map[string]string{"tt/*": "alerts.low.tt/*=7", "fb/*": "alerts.low.fb/*=7"} {
		f := &file{}
		e := NewEdit(plainTheme(t), entry, "", f, all)
		if !e.Traits().Typing || !e.Traits().Public {
			t.Error("nothing can be typed")
		}
		e.Paste(name)
		if text := strings.Join(e.View(80, 24), "\n"); !strings.Contains(text, "the name of the entry, for NAME") {
			t.Errorf("\n%s", text)
		}
		if r := e.Act(keymap.Confirm); r.Close || r.Job != nil || e.Traits().Public {
			t.Errorf("%+v", r)
		}
		e.Type("7", "7")
		if _, done := run(t, e, e.Act(keymap.Confirm)); !done || f.wrote[0] != want {
			t.Errorf("wrote %v, not %s", f.wrote, want)
		}
	}
	if r := NewEdit(plainTheme(t), entry, "", &file{}, all).Act(keymap.Confirm); !r.Close {
		t.Error("an entry without a name is added")
	}
	flags := entry
	flags.Choices = []string{"true", "false"}
	e := NewEdit(plainTheme(t), flags, "", &file{}, all)
	if e.Paste("x"); e.field.Value() != "x" {
		t.Error("the name of one that has few values cannot be typed")
	}
	if e.Act(keymap.Confirm); e.Traits().Typing {
		t.Error("its value is typed")
	}
}
