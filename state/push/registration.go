package push

import "time"

// listEvery is how often the list of webhooks is read: what became of the own one.
// listAgain is how soon after it could not be read.
const (
	listEvery = 5 * time.Minute
	listAgain = 30 * time.Second
)

// phase is how far the webhook of the address has come.
type phase uint8

const (
	idle        phase = iota // nothing is asked for
	opening                  // the address is being opened
	listing                  // the list of webhooks says whether it is registered
	storing                  // the signing secret is being stored
	registering              // the registration is under way
	registered
	failed // see why
)

// Registration is how the webhook of this program's address comes about, and why it is
// not there. The zero value has no address.
type Registration struct {
	phase  phase
	why    string // of failed, in a few words
	url    string
	known  bool   // the signing secret is an earlier run's
	stored bool   // this run has stored the secret, to register with it
	sent   bool   // this run has sent a registration
	hook   string // the id of the webhook; empty while none is known
	opened time.Time
	listed time.Time // when the list was last asked for
	// unreached is why the last heartbeat did not arrive, others how many deliveries
	// had a signature that is not of the secret.
	unreached string
	others    int
}

// Hook is a row of the list of webhooks.
type Hook struct {
	ID, URL string
	// All reports whether it is registered for all events, Off that it is not active.
	All, Off bool
}

// Want reports whether the address is to be opened now, which is so once.
func (r *Registration) Want() bool {
	if r.phase != idle {
		return false
	}
	r.phase = opening
	return true
}

// Open notes the address, and the id of its webhook if an earlier run registered it.
// known reports whether the signing secret is from an earlier run.
func (r *Registration) Open(url, hook string, known bool, now time.Time) {
	*r = Registration{phase: listing, url: url, hook: hook, known: known, opened: now}
}

// Fail notes in a few words why deliveries do not arrive.
func (r *Registration) Fail(why string) { r.phase, r.why = failed, why }

// URL is the address; empty while there is none.
func (r *Registration) URL() string { return r.url }

// Registered reports whether deliveries are sent to the address, as far as is known.
func (r *Registration) Registered() bool { return r.phase == registered }

// Registering reports whether the registration is under way.
func (r *Registration) Registering() bool { return r.phase == registering }

// ListDue is when the list of webhooks is to be read; zero for never.
func (r *Registration) ListDue() time.Time {
	switch {
	case r.url == "":
		return time.Time{}
	case r.listed.IsZero():
		return r.opened
	}
	return r.listed.Add(listEvery)
}

// Asked notes that the list of webhooks was asked for.
func (r *Registration) Asked(now time.Time) { r.listed = now }

// Unlisted notes why the list of webhooks could not be read: it is tried again soon.
func (r *Registration) Unlisted(why string, now time.Time) {
	if r.url == "" {
		return
	}
	r.listed = now.Add(listAgain - listEvery)
	if r.phase == listing {
		r.Fail("webhooks not read: " + why)
	}
}

// own reports whether a webhook is the one of the address.
func (r *Registration) own(h Hook) bool { return h.URL == r.url || h.ID == r.hook }

// List takes the list of webhooks into account and reports whether the address is to be
// registered. It never is twice in a run, nor while a webhook of it is there.
func (t *Table) List(hooks []Hook) (register bool) {
	if t.url == "" {
		return false
	}
	before := t.hook
	for _, h := range hooks {
		if t.own(h) {
			t.adopt(h)
			if t.hook != before {
				t.forget()
			}
			return false
		}
	}
	t.hook = ""
	switch {
	case t.phase == storing || t.phase == registering:
		return false
	case t.sent:
		t.Fail("the webhook was deleted; a restart registers it again")
		t.forget()
		return false
	}
	t.phase = listing
	return true
}

// adopt makes a webhook of the list the own one.
func (r *Registration) adopt(h Hook) {
	r.phase, r.hook = registered, h.ID
	switch {
	case !r.known && !r.sent:
		r.hook = ""
		r.Fail("the webhook is registered and its signing secret is not on this machine: delete the webhook")
	case h.Off:
		r.Fail("the webhook is not active")
	case !h.All:
		r.Fail("the webhook is not registered for all events")
	default:
		r.sent = true // Nothing registers it again in this run, and its secret goes.
	}
}

// Store reports whether the signing secret is to be stored before the registration is
// sent: an answer that is lost leaves a webhook that the next run can verify.
func (r *Registration) Store() bool {
	if r.known || r.stored {
		return false
	}
	r.phase = storing
	return true
}

// Stored notes that the secret is stored and reports whether that was awaited: then the
// registration is to be sent.
func (r *Registration) Stored() bool {
	if r.phase != storing {
		return false
	}
	r.phase, r.stored = listing, true
	return true
}

// Storing reports whether the secret is being stored.
func (r *Registration) Storing() bool { return r.phase == storing }

// Send notes that the registration is under way.
func (r *Registration) Send() { r.phase, r.sent = registering, true }

// Resolve notes that the registration came to an end: with the id of the webhook, or
// with why it was refused, or with neither: then the list says what became of it.
func (r *Registration) Resolve(hook, refused string) {
	switch {
	case hook != "":
		r.phase, r.hook = registered, hook
	case refused != "":
		r.Fail(refused)
	default:
		r.phase, r.listed = listing, time.Time{}
	}
}

// Unreached notes why a heartbeat did not arrive, in a few words.
func (r *Registration) Unreached(why string) { r.unreached = why }

// Refused notes how many deliveries had a signature that is not of the secret.
func (r *Registration) Refused(n int) { r.others += n }

// Others is how many deliveries had a signature that is not of the secret.
func (r *Registration) Others() int { return r.others }

// State is how the deliveries stand.
type State uint8

// The states.
const (
	Off     State = iota // Nothing is asked for.
	Opening              // It is not known yet.
	On                   // Deliveries are awaited; lanes rest once they are proven.
	Lost                 // Lanes are polled as without deliveries.
)

// State returns how the deliveries stand, and when they are lost why, in a few words.
func (t *Table) State(now time.Time) (State, string) {
	switch t.phase {
	case idle:
		return Off, ""
	case opening, listing, storing, registering:
		return Opening, ""
	case failed:
		return Lost, t.why
	default:
	}
	switch {
	case t.Beats(now) && t.misses > 0 && !t.anyProven():
		return Lost, "a delivery was missed"
	case t.Beats(now):
		return On, ""
	case t.beat.IsZero() && now.Sub(t.opened) < BeatFor:
		return Opening, ""
	case t.unreached != "":
		return Lost, "no heartbeat for 60 s: " + t.unreached
	}
	return Lost, "no heartbeat for 60 s"
}
