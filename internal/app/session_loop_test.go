package app

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/dialog"
)

// profilesOf reads settings with three profiles.
func profilesOf(t *testing.T) config.Settings {
	t.Helper()
	s := config.Defaults()
	s.Profiles = map[string]config.Profile{
		"team":   {Name: "team", BaseURL: "https://api.example.com/v1"},
		"agency": {Name: "agency", BaseURL: "https://cards.example.org/v1", ReadOnly: true},
		"bare":   {Name: "bare"},
	}
	return s
}

// begun returns a loop that started with a profile.
func begun(t *testing.T, env config.Env, flags config.Flags) (*sessionLoop, config.Settings) {
	t.Helper()
	s := profilesOf(t)
	run, err := config.Resolve(s, env, flags)
	must(t, err)
	l := &sessionLoop{first: sessionRequest{Program: Program{Env: env}, flags: flags}}
	if id, err := l.accountID(l.first, run); id != firstID || err != nil {
		t.Fatalf("it begins at %q: %v", id, err)
	}
	return l, s
}

// TestADumbTerminalIsRefused holds that what cannot move a cursor is told so and
// not written to.
func TestADumbTerminalIsRefused(t *testing.T) {
	t.Setenv("TERM", "dumb")
	err := Program{}.Dashboard(t.Context(), config.Flags{})
	var usage UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "cannot draw") {
		t.Errorf("the dashboard says %v", err)
	}
}

func TestAccountsAreTheProfilesAndTheSandbox(t *testing.T) {
	l, s := begun(t, config.Env{}, config.Flags{Profile: "team"})
	want := []ui.Account{
		{ID: "first", Name: "team", Where: "api.example.com", Stored: &dialog.Stored{Address: "https://api.example.com/v1"}},
		{ID: "profile agency", Name: "agency", Where: "cards.example.org", ReadOnly: true, Here: true, Stored: &dialog.Stored{Address: "https://cards.example.org/v1", ReadOnly: true}},
		{ID: "profile bare", Name: "bare", Where: "no base URL", Stored: &dialog.Stored{}},
		{ID: "sandbox", Name: "demo", Where: "the embedded sandbox", Sandbox: true, Before: true},
	}
	if got := l.accounts(s, "profile agency", "sandbox"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	l, s = begun(t, config.Env{}, config.Flags{Sandbox: true, ReadOnly: true})
	var got []string
	for _, a := range l.accounts(s, firstID, "") {
		got = append(got, a.Name)
		if !a.ReadOnly {
			t.Errorf("%s is not read-only", a.Name)
		}
	}
	if strings.Join(got, " ") != "demo agency bare team" {
		t.Errorf("from the sandbox: %v", got)
	}
}

// TestWhatWasSaidOfOneAccountStaysWithIt: a base URL and a key of the command
// line or the environment never reach another profile; safeguards do.
func TestWhatWasSaidOfOneAccountStaysWithIt(t *testing.T) {
	env := config.Env{BaseURL: "https://other.example.net/v1", APIKey: api.NewAPIKey("sk_test_mine"), Profile: "team", NoColor: true}
	flags := config.Flags{BaseURL: "https://third.example.net/v1", Config: "my.toml", ReadOnly: true, NoCache: true}
	l, s := begun(t, env, flags)
	for _, a := range l.accounts(s, firstID, "") {
		v := l.request(a, config.Flags{Privacy: true, DryRun: true})
		if !v.flags.ReadOnly || !v.flags.NoCache || v.flags.Config != "my.toml" || !v.Env.NoColor || !v.flags.Privacy || !v.flags.DryRun {
			t.Errorf("%s: a safeguard or the file was left behind: %+v", a.Name, v.flags)
		}
		if v.chosen == nil || v.chosen.ID != a.ID {
			t.Errorf("%s was chosen, and not %+v", a.Name, v.chosen)
		}
		if a.ID == firstID {
			if v.Env.APIKey.IsZero() || v.flags.BaseURL != flags.BaseURL || v.Env.Profile != "team" {
				t.Errorf("back at the first: %+v", v.flags)
			}
			continue
		}
		if !v.Env.APIKey.IsZero() || v.Env.BaseURL != "" || v.Env.Profile != "" || v.flags.BaseURL != "" {
			t.Errorf("%s gets what was said of another account", a.Name)
		}
		if a.Sandbox != v.flags.Sandbox || !a.Sandbox && v.flags.Profile != a.Name {
			t.Errorf("%s is asked for as %+v", a.Name, v.flags)
		}
	}
}

// TestTheFirstAccountStaysWhatItIs: a file that has another default by the time
// a person turns back, or a profile where it had none, leads nowhere else.
func TestTheFirstAccountStaysWhatItIs(t *testing.T) {
	s := profilesOf(t)
	s.DefaultProfile = "team"
	for name, start := range map[string]config.Settings{"a default": s, "the sandbox, without profiles": config.Defaults()} {
		run, err := config.Resolve(start, config.Env{}, config.Flags{})
		must(t, err)
		l := &sessionLoop{}
		if _, err := l.accountID(l.first, run); err != nil {
			t.Fatal(err)
		}
		later := profilesOf(t)
		later.DefaultProfile = "agency"
		back := l.request(l.accounts(later, "profile agency", "")[0], config.Flags{})
		if run, err = config.Resolve(later, back.Env, back.flags); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, err := l.accountID(back, run); id != firstID || err != nil {
			t.Errorf("%s: switched back to %q, %q: %v", name, id, run.Profile, err)
		}
	}
}

// TestAnAccountThatTheFileMadeAnotherIsRefused: what was chosen is opened, or
// nothing.
func TestAnAccountThatTheFileMadeAnotherIsRefused(t *testing.T) {
	l, s := begun(t, config.Env{}, config.Flags{Profile: "team"})
	v := l.request(l.accounts(s, firstID, "")[1], config.Flags{})
	v.flags.Profile = "team"
	run, err := config.Resolve(s, v.Env, v.flags)
	must(t, err)
	if id, err := l.accountID(v, run); err == nil {
		t.Errorf("agency was chosen, and %q is opened", id)
	}
}

// TestSeveralProfilesAreChosenFrom: without a choice the program begins with
// all of them, and with what the environment tells of.
func TestSeveralProfilesAreChosenFrom(t *testing.T) {
	s := profilesOf(t)
	own := config.Env{BaseURL: "https://own.example.net/v1", APIKey: api.NewAPIKey("sk_test_own")}
	for name, c := range map[string]struct {
		env   config.Env
		flags config.Flags
		rows  string
	}{
		"none in the environment": {rows: "agency bare team demo"},
		"a key without a URL":     {env: config.Env{APIKey: own.APIKey}, rows: "agency bare team demo"},
		"one in the environment":  {env: own, rows: "default@own.example.net, from the environment agency bare team demo"},
		"one by a flag":           {flags: config.Flags{BaseURL: own.BaseURL}, rows: "default@own.example.net, from --base-url agency bare team demo"},
	} {
		l := &sessionLoop{first: sessionRequest{Program: Program{Env: c.env}, flags: c.flags}}
		var rows []string
		for i, a := range l.choices(l.first, s) {
			if a.Here || a.Before {
				t.Errorf("%s: it is at %s already", name, a.Name)
			}
			if rows = append(rows, a.Name); a.ID == firstID {
				rows[i] += "@" + a.Where
			}
		}
		if got := strings.Join(rows, " "); got != c.rows {
			t.Errorf("%s: the rows are %s", name, got)
		}
	}
}

// TestWhatIsPickedIsOpened, with a key of the environment only where it was
// meant for: its own account, or the profile that was picked without one.
func TestWhatIsPickedIsOpened(t *testing.T) {
	s := profilesOf(t)
	own := config.Env{BaseURL: "https://own.example.net/v1", APIKey: api.NewAPIKey("sk_test_own")}
	for _, c := range []struct {
		env                  config.Env
		pick, origin, listed string
		withKey              bool
	}{
		{own, "default", "own.example.net", "default agency bare team demo", true},
		{own, "team", "api.example.com", "default agency bare team demo", false},
		{own, "demo", "", "default agency bare team demo", false},
		{config.Env{APIKey: own.APIKey}, "team", "api.example.com", "team agency bare demo", true},
		{config.Env{}, "demo", "", "demo agency bare team", false},
	} {
		l := &sessionLoop{first: sessionRequest{Program: Program{Env: c.env}}}
		for range 2 { // As well after one that could not be opened.
			rows := l.choices(sessionRequest{Program: Program{Env: c.env}}, s)
			at := slices.IndexFunc(rows, func(a ui.Account) bool { return a.Name == c.pick })
			v := l.request(*l.pick(&rows[at]), config.Flags{})
			run, err := config.Resolve(s, v.Env, v.flags)
			if err != nil {
				t.Fatalf("%s: %v", c.pick, err)
			}
			id, err := l.accountID(v, run)
			if err != nil || v.Env.APIKey.IsZero() == c.withKey || run.Sandbox != (c.origin == "") || c.origin != "" && hostOf(run.BaseURL) != c.origin {
				t.Errorf("%s: %s, the key %t, %v", c.pick, run.BaseURL, !v.Env.APIKey.IsZero(), err)
			}
			var names []string
			here := 0
			for _, a := range l.accounts(s, id, "") {
				names = append(names, a.Name)
				if a.Here {
					here++
				}
			}
			if got := strings.Join(names, " "); got != c.listed || here != 1 {
				t.Errorf("%s: W lists %s, %d of them here", c.pick, got, here)
			}
		}
	}
}

// TestAProfileThatWasRemovedIsNoneToSwitchTo, also where the program began on
// it; the one on the screen stays listed.
func TestAProfileThatWasRemovedIsNoneToSwitchTo(t *testing.T) {
	l, s := begun(t, config.Env{}, config.Flags{Profile: "team", ReadOnly: true})
	for _, a := range l.accounts(s, firstID, "") {
		if a.Stored != nil && a.Name != "agency" && a.Stored.ReadOnly {
			t.Errorf("--read-only is stored for %s", a.Name)
		}
	}
	delete(s.Profiles, "team")
	for id, want := range map[string]string{firstID: "team", profileID + "agency": "agency"} {
		if got := l.accounts(s, id, ""); got[0].Name != want {
			t.Errorf("on %s: %+v", id, got)
		}
	}
}
