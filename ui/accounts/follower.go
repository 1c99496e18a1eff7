package accounts

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
)

// Source opens accounts that are not the one on the screen.
type Source interface {
	// Open reads the key of an account. It blocks and is called from jobs; its
	// error is one line for the row.
	Open(dialog.Account) (Session, error)
}

// Session is the way to an account whose key was read. Its methods but Mode and
// Config block and are called from jobs.
type Session interface {
	// Mode is the word for whose money it is.
	Mode() string
	// Config is what the store of the account is made with.
	Config() settings.Config
	Run(kernel.Effect) kernel.Event
	// Close forgets the key. Nothing is run afterwards.
	Close()
}

// Job blocks and is called from a command. What it returns is called in Update.
type Job func() (done func())

const (
	// beat is the longest pause between two ticks of a store while the screen is
	// open: what time ends, such as a code, ends within it.
	beat = time.Second
	// refusedRest is the pause after the API refused the key.
	refusedRest = time.Minute
)

// follower follows one account. Its store outlives the session: it holds no
// secret.
type follower struct {
	account dialog.Account
	store   *state.Store // nil before the first session
	session Session      // nil while there is none
	mode    string
	opening bool
	err     error           // why it could not be opened
	running int             // jobs with the session that are under way
	more    []kernel.Effect // what follows from their events
	ticked  time.Time
	rest    time.Time // nothing is due before
	gone    bool      // it is none of the accounts any more
}

// step returns the jobs that are due, while the screen is open or not.
func (f *follower) step(source Source, now time.Time, on bool) []Job {
	on = on && !f.gone
	switch {
	case on && f.session == nil && !f.opening && f.err == nil:
		return []Job{f.open(source)}
	case f.session != nil && len(f.more) > 0:
		effects := f.more
		f.more = nil
		return f.run(effects)
	case on && f.session != nil && f.due(now):
		f.ticked = now
		_, effects := f.store.Tick(now)
		return f.run(effects)
	case !on && f.session != nil && f.running == 0:
		closing := f.session
		f.session = nil
		return []Job{func() func() {
			closing.Close()
			return func() {}
		}}
	}
	return nil
}

func (f *follower) due(now time.Time) bool {
	if now.Before(f.rest) {
		return false
	}
	wake := f.store.NextWake()
	return now.Sub(f.ticked).Abs() >= beat || !wake.IsZero() && !now.Before(wake)
}

// wake is when something is due; zero for never.
func (f *follower) wake() time.Time {
	if f.session == nil {
		return time.Time{}
	}
	wake := f.store.NextWake()
	if wake.Before(f.rest) {
		return f.rest
	}
	return wake
}

func (f *follower) open(source Source) Job {
	f.opening = true
	return func() func() {
		session, err := source.Open(f.account)
		return func() {
			f.opening = false
			if f.session, f.err = session, err; err != nil {
				f.session = nil
				return
			}
			if f.mode = session.Mode(); f.store == nil {
				f.store = state.New(session.Config())
			}
		}
	}
}

// run makes jobs of effects. What follows from their events is run by the next
// jobs, also when the screen was closed meanwhile: a list is read to its end.
func (f *follower) run(effects []kernel.Effect) []Job {
	jobs := make([]Job, 0, len(effects))
	for _, e := range effects {
		jobs = append(jobs, f.job(e))
	}
	return jobs
}

func (f *follower) job(e kernel.Effect) Job {
	f.running++
	session := f.session
	return func() func() {
		ev := session.Run(e)
		return func() { f.apply(ev) }
	}
}

// apply merges an event; f.more has what follows.
func (f *follower) apply(ev kernel.Event) {
	f.running--
	_, effects := f.store.Apply(ev)
	f.more = append(f.more, effects...)
	if f.rest = (time.Time{}); f.store.Poll.Health().Link == kernel.KeyRefused {
		f.rest = f.store.Now().Add(refusedRest)
	}
}

// newest is the code that a checkout most likely waits for.
func (f *follower) newest() (codes.Code, bool) { return newest(f.store) }

func newest(s *state.Store) (codes.Code, bool) {
	if s == nil {
		return codes.Code{}, false
	}
	all := s.Codes.All()
	i := slices.IndexFunc(all, func(c codes.Code) bool { return !c.Replaced && c.Left(s.ServerNow()) > 0 })
	if i < 0 {
		return codes.Code{}, false
	}
	return all[i], true
}
