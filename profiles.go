package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/picker"
	"github.com/cardtop/cardtop/ui/tty"
)

// tour is one run of the dashboard: the account it began with, and those that a
// person turns to. Each has a store, a vault, a cache, a budget and a clipboard
// guard of its own; what belongs to the one is closed before the next is opened.
type tour struct {
	first visit
	// named is what the first account turned out to be.
	named ui.Account
	// conf is the configuration as it was last right.
	conf atomic.Pointer[configuration]
}

// visit is how an account is asked for.
type visit struct {
	program
	flags config.Flags
	// chosen is the account that a person turned to, nil at the start; from is
	// the id of the one they left for it.
	chosen *ui.Account
	from   string
	// turned says that another account was asked for until now.
	turned bool
	// notice tells of how it came to this visit, empty for nothing.
	notice string
}

// leaving is how a visit ended: with another account to turn to, or with none.
// What was hidden and whether writes are sent goes along.
type leaving struct {
	id           string // of the account that was left
	to           *ui.Account
	private, dry bool
	// shown says that the account was on the screen at all.
	shown bool
}

// The ids of accounts that are no profile of the file.
const (
	firstID   = "first"
	sandboxID = "sandbox"
	profileID = "profile "
)

// follow opens one account after the other until a person quits. One that
// cannot be opened leads back to where they were, with the reason.
func (t *tour) follow(ctx context.Context) error {
	at, before := t.first, (*visit)(nil)
	for {
		left, err := t.open(ctx, at)
		var crash *tty.CrashError
		refused := errors.Is(err, api.ErrUnauthorized)
		switch {
		case errors.As(err, &crash), err != nil && ctx.Err() != nil:
			return err
		case left.to != nil:
			from := at
			from.flags.Privacy, from.flags.DryRun, from.notice = left.private, left.dry, ""
			at, before = t.visit(*left.to, from.flags), &from
			at.from = left.id
			if err != nil {
				at.notice = oneLine(err)
			}
		case err == nil, before == nil, left.shown && !refused:
			return err
		default:
			failed := at.chosen.Name
			at, before = *before, nil
			at.turned = true // What was typed meanwhile was for the other.
			at.notice = "no turning to " + failed + ": " + whyNoAccount(err)
		}
	}
}

// whyNoAccount is an error of an account in words that fit whoever has another.
func whyNoAccount(err error) string {
	if errors.Is(err, api.ErrUnauthorized) {
		return "the API refused its key"
	}
	return oneLine(err)
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// choose lets a person say which account it is to be, where nothing else does.
func (t *tour) choose(ctx context.Context, v visit, conf configuration) (leaving, error) {
	accounts := t.choices(v, conf.settings)
	model, err := picker.New(picker.Config{
		Keys: conf.keys, Theme: themeName(conf.settings.Theme), Accounts: accounts, Notice: v.notice, Now: v.now,
	})
	if err != nil {
		return leaving{}, usage(err)
	}
	device, release, err := ownTerminal()
	if err != nil {
		return leaving{}, err
	}
	defer release()
	screen, err := picker.NewProgram(model, device)
	if err != nil {
		return leaving{}, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
			screen.Quit()
		case <-done:
		}
	}()
	if err := screen.Run(); err != nil {
		return leaving{}, fmt.Errorf("run the screen: %w", err)
	}
	return leaving{to: t.begin(model.Next()), private: v.flags.Privacy, dry: v.flags.DryRun}, model.Err()
}

// choices lists the accounts that a program may begin with. What the command
// line and the environment tell of, when it is one, is the first.
func (t *tour) choices(v visit, s config.Settings) []ui.Account {
	t.first.program, t.first.flags, t.named = v.program, v.flags, ui.Account{}
	if url := cmp.Or(v.flags.BaseURL, v.env.BaseURL); url != "" {
		t.first.flags.NoProfile = true
		t.named = ui.Account{ID: firstID, Name: config.DefaultProfile, Where: originOf(url), ReadOnly: v.flags.ReadOnly}
	}
	list := t.accounts(s, "", "")
	if t.named.ID != "" {
		list[0].Where += ", from the environment"
		if v.flags.BaseURL != "" {
			list[0].Where = t.named.Where + ", from --base-url"
		}
	}
	return list
}

// begin makes the account that was picked the one that the program began with,
// as if it had been asked for by its name, unless there is one already.
func (t *tour) begin(picked *ui.Account) *ui.Account {
	if picked == nil || t.named.ID != "" {
		return picked
	}
	first := *picked
	first.ID = firstID
	t.first.flags.Profile, t.first.flags.Sandbox = first.Name, first.Sandbox
	return &first
}

// visit says how an account is asked for. What the command line and the
// environment say of an account holds for the one they were meant for.
func (t *tour) visit(a ui.Account, now config.Flags) visit {
	v := t.first
	v.chosen, v.turned = &a, true
	if a.ID != firstID {
		v.flags.Profile, v.flags.BaseURL, v.flags.Sandbox, v.flags.NoProfile = a.Name, "", a.Sandbox, false
		v.env.Profile, v.env.BaseURL, v.env.APIKey = "", "", api.APIKey{}
	}
	if a.Sandbox {
		v.flags.Profile = ""
	}
	v.flags.Privacy, v.flags.DryRun = now.Privacy, now.DryRun
	return v
}

// load reads the configuration for a visit. One that was right before does
// while the file is wrong.
func (t *tour) load(v *visit) (configuration, error) {
	conf, err := v.load(v.flags)
	switch {
	case err == nil:
		t.conf.Store(&conf)
	case t.conf.Load() == nil:
		return conf, err
	default:
		conf = *t.conf.Load()
		v.notice = cmp.Or(v.notice, "the old configuration stays: "+firstOf(err).Error())
	}
	return conf, nil
}

// accounts lists what a person may turn to; id is where they are, from where
// they were before.
func (t *tour) accounts(s config.Settings, id, from string) []ui.Account {
	var list []ui.Account
	if t.named.ID != "" {
		list = append(list, t.named)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Profiles)) {
		if t.named.Sandbox || t.first.flags.NoProfile || name != t.named.Name {
			p := s.Profiles[name]
			list = append(list, ui.Account{ID: profileID + name, Name: name, Where: originOf(p.BaseURL), ReadOnly: p.ReadOnly || t.first.flags.ReadOnly})
		}
	}
	if !t.named.Sandbox {
		list = append(list, ui.Account{ID: sandboxID, Name: demo, Where: embedded, Sandbox: true, ReadOnly: t.first.flags.ReadOnly})
	}
	for i := range list {
		list[i].Here, list[i].Before = list[i].ID == id, list[i].ID == from
	}
	return list
}

// idOf finds which account a visit is of. The first is named, and stays what it
// is whatever the file says later. An account that the file has made another
// than the one that was chosen is an error.
func (t *tour) idOf(v visit, run config.Resolved) (string, error) {
	name := profileName(run)
	if t.named.ID == "" {
		t.named = ui.Account{ID: firstID, Name: name, Where: originOf(run.BaseURL), Sandbox: run.Sandbox, ReadOnly: run.ReadOnly}
		f := &t.first.flags
		if f.Sandbox = run.Sandbox; run.Sandbox {
			t.named.Where, f.Profile, f.BaseURL = embedded, "", ""
		} else if _, known := run.Settings.Profiles[run.Profile]; known {
			f.Profile = run.Profile
		} else {
			f.NoProfile = true
		}
	}
	switch {
	case v.chosen == nil:
		return firstID, nil
	case v.chosen.Name != name || v.chosen.Sandbox != run.Sandbox:
		return "", fmt.Errorf("the configuration makes it %s now", name)
	default:
		return v.chosen.ID, nil
	}
}

// What the embedded sandbox is called.
const (
	demo     = "demo"
	embedded = "the embedded sandbox"
)

// originOf is where an account is, as far as its base URL tells.
func originOf(baseURL string) string {
	origin, err := config.ParseOrigin(baseURL)
	if err != nil {
		return "no base URL"
	}
	return strings.TrimSuffix(strings.TrimPrefix(origin.String(), "https://"), ":443")
}
