package accounts

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/secrets"
)

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
