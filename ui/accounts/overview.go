package accounts

import (
	"slices"
	"time"

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
