package dialog

import "github.com/cardtop/cardtop/state"

// errand is an operation that a dialog has started and waits for: the dialog
// closes when it is done, and comes back with all that was typed when it was
// refused.
type errand struct {
	op      state.OpID
	waiting bool
	over    bool
}

// Sent binds the dialog to the operation that its intent began.
func (e *errand) Sent(op state.OpID) { e.op, e.waiting = op, true }

// Over tells that there is nothing left to wait for.
func (e *errand) Over() bool { return e.over }

// look follows the operation; false as long as it was not refused. One whose
// outcome is unknown goes on without the dialog: its card's row, and the
// header, tell of it.
func (e *errand) look(s *state.Store) (state.Refusal, bool) {
	if !e.waiting {
		return state.Refusal{}, false
	}
	if op, ok := s.Ops.ByID(e.op); ok && op.Phase == state.Sending {
		return state.Refusal{}, false
	}
	e.waiting = false
	if r, ok := s.Ops.Refused(e.op); ok {
		return r, true
	}
	e.over = true
	return state.Refusal{}, false
}
