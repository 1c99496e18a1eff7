package accounts

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/dialog"
)

// Overview follows the accounts that are not the one on the screen, each with a
// store, a key and a budget of its own, for as long as their screen is open. It
// is for the one loop that owns the program.
type Overview struct {
	source  Source
	all     []*follower
	changed bool
	// copy is a code that was read for the clipboard, told what came of one that
	// was not.
	copy *secrets.CopyOther
	told unread
}

// NewOverview makes one that follows nothing yet. source may be nil: then it never
// does.
func NewOverview(source Source) *Overview { return &Overview{source: source} }

// Watch sets which accounts there are. The embedded sandbox is none of them: it
// exists while it is on the screen.
func (o *Overview) Watch(accounts []dialog.Account) {
	if o.source == nil {
		return
	}
	for _, f := range o.all {
		f.gone = !slices.ContainsFunc(accounts, f.follows)
	}
	for _, a := range accounts {
		if !a.Here && !a.Sandbox && !slices.ContainsFunc(o.all, func(f *follower) bool { return f.follows(a) }) {
			o.all = append(o.all, &follower{account: a})
		}
	}
	o.changed = true
}

// follows reports whether an account is that of the follower, as it was stored
// then.
func (f *follower) follows(a dialog.Account) bool {
	same := (a.Stored == nil) == (f.account.Stored == nil)
	return a.ID == f.account.ID && same && (a.Stored == nil || *a.Stored == *f.account.Stored)
}

// Step returns the jobs that are due. on says that the screen is open and may be
// read: otherwise the accounts are let go of when what is under way has ended.
func (o *Overview) Step(now time.Time, on bool) []Job {
	var jobs []Job
	for _, f := range o.all {
		jobs = append(jobs, f.step(o.source, now, on)...)
	}
	o.all = slices.DeleteFunc(o.all, func(f *follower) bool { return f.gone && f.session == nil && !f.opening })
	for i, job := range jobs {
		jobs[i] = func() func() {
			done := job()
			return func() {
				done()
				o.changed = true
			}
		}
	}
	return jobs
}

// Wakes calls at with the times at which Step has something to do while the screen
// is open.
func (o *Overview) Wakes(at func(time.Time)) {
	for _, f := range o.all {
		at(f.wake())
	}
}

// Changed reports whether a row may have changed since the last call.
func (o *Overview) Changed() bool {
	was := o.changed
	o.changed = false
	return was
}

// Reopen asks again for the accounts that could not be opened, or whose key was
// refused, and returns how many those are.
func (o *Overview) Reopen() (n int) {
	for _, f := range o.all {
		if f.err != nil || !f.rest.IsZero() {
			n++
		}
		f.err, f.rest = nil, time.Time{}
	}
	return n
}

// follower finds that of an account.
func (o *Overview) follower(id string) *follower {
	i := slices.IndexFunc(o.all, func(f *follower) bool { return f.account.ID == id && !f.gone })
	if i < 0 {
		return nil
	}
	return o.all[i]
}

// CopyFrom is where the newest code is.
type CopyFrom struct {
	// Here is the code when it is of the account on the screen.
	Here api.ChallengeID
	// Job reads the digits of one of another account; nil for none.
	Job Job
}

// Newest finds the newest code of an account, of all when id is empty; false when
// none waits. here is the store of the account on the screen, hereID that account. The
// job that it returns is to be run.
func (o *Overview) Newest(id string, here *state.Store, hereID string) (from CopyFrom, ok bool) {
	age := time.Duration(0)
	var of *follower
	var code codes.Code
	if c, waits := here.Codes.Newest(); waits && (id == "" || id == hereID) {
		// Every server has a clock of its own: ages compare, times do not.
		from, ok, age = CopyFrom{Here: c.ID}, true, here.ServerNow().Sub(c.CreatedAt)
	}
	for _, f := range o.all {
		if f.gone || f.session == nil || id != "" && id != f.account.ID {
			continue
		}
		c, waits := f.newest()
		if !waits {
			continue
		}
		if made := f.store.ServerNow().Sub(c.CreatedAt); !ok || made < age {
			of, code, ok, age = f, c, true, made
		}
	}
	if of != nil {
		from = CopyFrom{Job: o.read(of, code)}
	}
	return from, ok
}

// read reads the digits of a code: they are not held before somebody wants them.
func (o *Overview) read(f *follower, c codes.Code) Job {
	f.running++
	name, session, store := f.account.Name, f.session, f.store
	return func() func() {
		ev := session.Run(codes.FetchOne{Challenge: c.ID})
		return func() {
			f.running--
			o.changed = true
			switch ev := ev.(type) {
			case codes.OneLoaded:
				o.drop()
				o.copy = &secrets.CopyOther{Account: name, Card: store.Cards.Name(c.Card), Challenge: ev.Item, Left: c.Left(store.ServerNow())}
			case state.FetchFailed:
				o.told = unread{name, ev.Err}
			default:
				o.told = unread{account: name}
			}
		}
	}
}

// drop wipes a code that another takes the place of.
func (o *Overview) drop() {
	if o.copy != nil {
		o.copy.Wipe()
		o.copy = nil
	}
}

// Copied returns the code that was read, which the caller copies or wipes.
func (o *Overview) Copied() (in secrets.CopyOther, ok bool) {
	if o.copy == nil {
		return secrets.CopyOther{}, false
	}
	in = *o.copy
	o.copy = nil
	return in, true
}

// unread is a code that was not read; err is nil where the requests of the hour are used
// up.
type unread struct {
	account string
	err     error
}

// Told says why a code was not read; empty when there is nothing to say.
func (o *Overview) Told(w *lang.Words) string {
	told := o.told
	o.told = unread{}
	switch {
	case told.account == "":
		return ""
	case told.err == nil:
		return w.Tf("code of %s not read: the requests of its hour are used up", told.account)
	}
	return w.Tf("code of %s not read: %s", told.account, errtext.Explain(w, told.err))
}
