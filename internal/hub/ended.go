package hub

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// errPending is that a challenge has not ended: its code is secret, and is read for each
// who asks.
var errPending = errors.New("the challenge has not ended")

// ended reads a challenge that memory does not have. All dashboards ask at once what
// became of a code: they share one read. What is remembered of it has no code. A code that
// was pending and is not listed any more is one that ended, also while the service still
// calls it pending.
func (s *Server) ended(r *request) (body []byte, secret bool, err error) {
	was := false
	err = s.read(r.Context(), func(st *state.Store) {
		was = slices.ContainsFunc(st.Codes.Ended(), func(e state.Ended) bool { return string(e.ID) == r.id })
	})
	if err != nil {
		return nil, false, err
	}
	read := api.Read{Route: "/3ds/{challenge_id}", Segment: r.id}
	body, _, err = s.throughAs(r.Context(), r.person, read, shortly, func(body []byte) ([]byte, error) { return withoutCode(body, was) })
	if errors.Is(err, errPending) {
		body, err = s.secretly(r.Context(), r.person, read)
		return body, true, err
	}
	return body, false, err
}

// withoutCode returns a challenge without its code when it has ended, and wipes the code.
func withoutCode(body []byte, ended bool) ([]byte, error) {
	defer clear(body)
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	code := fields["otp"]
	defer clear(code)
	var status api.ChallengeStatus
	if err := json.Unmarshal(fields["status"], &status); err != nil {
		return nil, err
	}
	if !ended && status != api.ChallengeCompleted && status != api.ChallengeExpired {
		return nil, errPending
	}
	fields["otp"] = json.RawMessage("null")
	return encode(fields)
}
