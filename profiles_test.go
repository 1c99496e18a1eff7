package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/config"
	"github.com/cardtop/cardtop/ui"
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

// begun is a tour that began with a profile.
func begun(t *testing.T, env config.Env, flags config.Flags) (*tour, config.Settings) {
	t.Helper()
	s := profilesOf(t)
	run, err := config.Resolve(s, env, flags)
	if err != nil {
		t.Fatal(err)
	}
	tr := &tour{first: visit{program: program{env: env}, flags: flags}}
	if id, err := tr.idOf(tr.first, run); id != firstID || err != nil {
		t.Fatalf("it begins at %q: %v", id, err)
	}
	return tr, s
}

func TestAccountsAreTheProfilesAndTheSandbox(t *testing.T) {
	tr, s := begun(t, config.Env{}, config.Flags{Profile: "team"})
	want := []ui.Account{
		{ID: "first", Name: "team", Where: "api.example.com"},
		{ID: "profile agency", Name: "agency", Where: "cards.example.org", ReadOnly: true, Here: true},
		{ID: "profile bare", Name: "bare", Where: "no base URL"},
		{ID: "sandbox", Name: "demo", Where: "the embedded sandbox", Sandbox: true, Before: true},
	}
	if got := tr.accounts(s, "profile agency", "sandbox"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	tr, s = begun(t, config.Env{}, config.Flags{Sandbox: true, ReadOnly: true})
	var got []string
	for _, a := range tr.accounts(s, firstID, "") {
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
	tr, s := begun(t, env, flags)
	for _, a := range tr.accounts(s, firstID, "") {
		v := tr.visit(a, config.Flags{Privacy: true, DryRun: true})
		if !v.flags.ReadOnly || !v.flags.NoCache || v.flags.Config != "my.toml" || !v.env.NoColor || !v.flags.Privacy || !v.flags.DryRun {
			t.Errorf("%s: a safeguard or the file was left behind: %+v", a.Name, v.flags)
		}
		if v.chosen == nil || v.chosen.ID != a.ID {
			t.Errorf("%s was chosen, and not %+v", a.Name, v.chosen)
		}
		if a.ID == firstID {
			if v.env.APIKey.IsZero() || v.flags.BaseURL != flags.BaseURL || v.env.Profile != "team" {
				t.Errorf("back at the first: %+v", v.flags)
			}
			continue
		}
		if !v.env.APIKey.IsZero() || v.env.BaseURL != "" || v.env.Profile != "" || v.flags.BaseURL != "" {
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
		if err != nil {
			t.Fatal(err)
		}
		tr := &tour{}
		if _, err := tr.idOf(tr.first, run); err != nil {
			t.Fatal(err)
		}
		later := profilesOf(t)
		later.DefaultProfile = "agency"
		back := tr.visit(tr.accounts(later, "profile agency", "")[0], config.Flags{})
		if run, err = config.Resolve(later, back.env, back.flags); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, err := tr.idOf(back, run); id != firstID || err != nil {
			t.Errorf("%s: turned back to %q, %q: %v", name, id, run.Profile, err)
		}
	}
}

// TestAnAccountThatTheFileMadeAnotherIsRefused: what was chosen is opened, or
// nothing.
func TestAnAccountThatTheFileMadeAnotherIsRefused(t *testing.T) {
	tr, s := begun(t, config.Env{}, config.Flags{Profile: "team"})
	v := tr.visit(tr.accounts(s, firstID, "")[1], config.Flags{})
	v.flags.Profile = "team"
	run, err := config.Resolve(s, v.env, v.flags)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := tr.idOf(v, run); err == nil {
		t.Errorf("agency was chosen, and %q is opened", id)
	}
}
