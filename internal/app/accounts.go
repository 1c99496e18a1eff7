package app

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app/profiles"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/dialog"
)

// The ids of accounts that are no profile of the file, and the prefix of those
// that are.
const (
	firstID   = "first"
	sandboxID = "sandbox"
	profileID = "profile "
)

// What the embedded sandbox is called.
const sandboxName = "demo"

func sandboxPlace() string { return lang.N("the embedded sandbox") }

// choices lists the accounts that the program may start with: first the one of
// the command line and the environment, when they have one.
func (l *sessionLoop) choices(r sessionRequest, s config.Settings) []ui.Account {
	l.first.Program, l.first.flags, l.firstAccount = r.Program, r.flags, ui.Account{}
	if url := cmp.Or(r.flags.BaseURL, r.Env.BaseURL); url != "" {
		l.first.flags.NoProfile = true
		l.firstAccount = ui.Account{ID: firstID, Name: config.DefaultProfile, Where: hostOf(url), ReadOnly: r.flags.ReadOnly}
	}
	list := l.accounts(s, "", "")
	if l.firstAccount.ID != "" {
		list[0].Where += ", from the environment"
		if r.flags.BaseURL != "" {
			list[0].Where = l.firstAccount.Where + ", from --base-url"
		}
	}
	return list
}

// pick makes the picked account the first one, as if it had been asked for by
// its name, unless there is a first one already.
func (l *sessionLoop) pick(picked *ui.Account) *ui.Account {
	if picked == nil || l.firstAccount.ID != "" {
		return picked
	}
	first := *picked
	first.ID = firstID
	l.first.flags.Profile, l.first.flags.Sandbox = first.Name, first.Sandbox
	return &first
}

// request returns the request for an account. The profile, base URL and key of
// the command line and the environment are for the first account only.
func (l *sessionLoop) request(a ui.Account, now config.Flags) sessionRequest {
	r := l.first
	r.chosen, r.switched = &a, true
	if a.ID != firstID {
		r.flags.Profile, r.flags.BaseURL, r.flags.Sandbox, r.flags.NoProfile = a.Name, "", a.Sandbox, false
		r.Env.Profile, r.Env.BaseURL, r.Env.APIKey, r.Env.Found = "", "", api.APIKey{}, api.APIKey{}
	}
	if a.Sandbox {
		r.flags.Profile = ""
	}
	r.flags.Privacy, r.flags.DryRun = now.Privacy, now.DryRun
	return r
}

// resolve returns what an account would be opened with by the configuration as it is
// now.
func (l *sessionLoop) resolve(a ui.Account, now config.Flags) (config.Resolved, error) {
	r := l.request(a, now)
	return config.Resolve(l.lastValid.Load().settings, r.Env, r.flags)
}

// accounts lists the accounts to switch to; id is the current one, from the one
// before.
func (l *sessionLoop) accounts(s config.Settings, id, from string) []ui.Account {
	var list []ui.Account
	if a := l.firstAccount; a.ID != "" {
		p, known := s.Profiles[a.Name]
		profile := !a.Sandbox && !l.first.flags.NoProfile
		if known && profile {
			a.Stored = stored(p)
		}
		if known || !profile || id == firstID { // A profile that was removed is none to switch to.
			list = append(list, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Profiles)) {
		if l.firstAccount.Sandbox || l.first.flags.NoProfile || name != l.firstAccount.Name {
			a := profileAccount(s.Profiles[name])
			a.ReadOnly = a.ReadOnly || l.first.flags.ReadOnly
			list = append(list, a)
		}
	}
	if !l.firstAccount.Sandbox {
		list = append(list, ui.Account{ID: sandboxID, Name: sandboxName, Where: sandboxPlace(), Sandbox: true, ReadOnly: l.first.flags.ReadOnly})
	}
	for i := range list {
		list[i].Here, list[i].Before = list[i].ID == id, list[i].ID == from
	}
	return list
}

// profileAccount is a profile of the file as an account to switch to.
func profileAccount(p config.Profile) ui.Account {
	return ui.Account{ID: profileID + p.Name, Name: p.Name, Where: hostOf(p.BaseURL), ReadOnly: p.ReadOnly, Stored: stored(p)}
}

func stored(p config.Profile) *dialog.Stored {
	return &dialog.Stored{Address: p.BaseURL, Command: p.APIKeyCommand, ReadOnly: p.ReadOnly}
}

// openProfiles returns what adds, changes and removes accounts.
func (p Program) openProfiles(source config.Source) profiles.Profiles {
	return profiles.Profiles{
		Count:  p.countOne,
		Source: source, State: p.paths().State, Keys: config.NewKeyStore(), Authorities: Authorities, UserAgent: UserAgent(), Account: profileAccount,
	}
}

// accountID returns the id of the account of a request. The first account is set
// once: it stays the same whatever the file says later. It is an error when the
// file makes another account of the chosen one.
func (l *sessionLoop) accountID(r sessionRequest, run config.Resolved) (string, error) {
	name := profileName(run)
	if l.firstAccount.ID == "" {
		l.firstAccount = ui.Account{ID: firstID, Name: name, Where: hostOf(run.BaseURL), Sandbox: run.Sandbox, ReadOnly: run.ReadOnly}
		f := &l.first.flags
		if f.Sandbox = run.Sandbox; run.Sandbox {
			l.firstAccount.Where, f.Profile, f.BaseURL = sandboxPlace(), "", ""
		} else if _, known := run.Settings.Profiles[run.Profile]; known {
			f.Profile = run.Profile
		} else {
			f.NoProfile = true
		}
	}
	switch {
	case r.chosen == nil:
		return firstID, nil
	case r.chosen.Name != name || r.chosen.Sandbox != run.Sandbox:
		return "", fmt.Errorf("the configuration makes it %s now", name)
	default:
		return r.chosen.ID, nil
	}
}

// hostOf returns the host of a base URL, with a port that is not the default.
func hostOf(baseURL string) string {
	origin, err := config.ParseOrigin(baseURL)
	if err != nil {
		return lang.N("no base URL")
	}
	return strings.TrimSuffix(strings.TrimPrefix(origin.String(), "https://"), ":443")
}
