package state

import (
	"errors"

	"github.com/cardtop/cardtop/api"
)

// Check reports whether an intent can be done now, why not, and what it can
// cost. It changes nothing.
func (s *Store) Check(in Intent) Verdict {
	v := s.notOffline(in, in.check(s))
	if v.Reason == "" && v.Danger >= Money {
		v.Again, v.TypeTwice = s.again(in)
	}
	return v
}

// Ask reports whether the user may be asked for the particulars of an intent:
// what Check says before any of them is known.
func (s *Store) Ask(in Intent) Verdict {
	if why := s.refusedByPrivacy(in); why != "" {
		return Verdict{Reason: why}
	}
	if particular, ok := in.(asker); ok {
		return s.notOffline(in, particular.ask(s))
	}
	return s.Check(in)
}

// Dispatch starts what an intent asks for. What Check would refuse is
// refused here too.
func (s *Store) Dispatch(in Intent) (Topic, []Effect, error) {
	if why := s.refusedByPrivacy(in); why != "" {
		return 0, nil, errors.New(why)
	}
	if v := s.Check(in); v.Reason != "" {
		return 0, nil, errors.New(v.Reason)
	}
	if moved, ok := AmountOf(in); ok && moved <= 0 {
		return 0, nil, errors.New(tooLittle)
	}
	if _, many := in.(Many); many {
		return 0, nil, errNotPlanned
	}
	if _, err := s.requestOf(in); err != nil {
		return 0, nil, errors.New(explain(err))
	}
	topics, effects := in.start(s)
	return topics, effects, nil
}

// begin starts the operation of an intent whose request Dispatch has built
// once already.
func (s *Store) begin(in writer) (Topic, []Effect) {
	r, err := s.Webhooks.buildRequest(in)
	if err != nil {
		return 0, nil
	}
	effects := s.Ops.begin(r)
	return TopicOps | TopicCards | s.Ops.tellTried(r), effects
}

// refusedByPrivacy is why an intent is refused on a locked screen, or on one
// that hides what it would show; empty when it is not.
func (s *Store) refusedByPrivacy(in Intent) string {
	if _, always := in.(lockable); always {
		return ""
	}
	if s.Privacy.Locked() {
		return lockedReason
	}
	if shows, ok := in.(shower); ok && s.Privacy.Private() {
		return shows.hidden(s)
	}
	return ""
}

// notOffline refuses what would wait while nothing answers, and act later. A
// dry run sends nothing.
func (s *Store) notOffline(in Intent, v Verdict) Verdict {
	if v.Reason != "" || s.Ops.DryRun() || !waitsForAPI(in) {
		return v
	}
	if since, offline := s.Poll.Offline(); offline {
		v.Reason = offlineSince(since, s.now)
	}
	return v
}

// Request returns what an intent would send: method, path and JSON body, the
// same bytes. They are empty for an intent that sends nothing, or nothing
// valid.
func (s *Store) Request(in Intent) (method, path, body string) {
	r, err := s.requestOf(in)
	if err != nil {
		return "", "", ""
	}
	return r.write.Method, r.write.Path, string(r.write.Body)
}

// requestOf makes the request of an intent that may be of a kind that sends
// none: that one is empty.
func (s *Store) requestOf(in Intent) (request, error) {
	w, ok := in.(writer)
	if !ok {
		return request{}, nil
	}
	return s.Webhooks.buildRequest(w)
}

// waitsForAPI reports whether an intent may be refused while the API does not
// answer.
func waitsForAPI(in Intent) bool {
	w, ok := in.(waiter)
	return ok && w.waitsForAPI()
}

// AmountOf is what an intent would move, USD; false when it moves nothing.
func AmountOf(in Intent) (api.USD, bool) {
	if m, ok := in.(mover); ok {
		return m.amount(), true
	}
	return 0, false
}

// CardOf is the card that an intent is bound to; false when it is bound to
// none.
func CardOf(in Intent) (api.CardID, bool) {
	if b, ok := in.(bound); ok {
		return b.card(), true
	}
	return "", false
}
