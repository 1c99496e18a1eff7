package state

import (
	"errors"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// Refusal is an operation that was not done for certain, and why.
type Refusal struct {
	Op Op
	// Reason tells it in a line.
	Reason string
	// Field is the field of the request's body that the API's message names
	// (ASSUMED 6); empty when it names none.
	Field string
}

// refusalsKept bounds how many refusals are held: whoever waits for one looks
// at once.
const refusalsKept = 32

// OpByID finds an operation that is under way.
func (s *Store) OpByID(id OpID) (Op, bool) {
	if op, ok := s.take(id); ok {
		return *op, true
	}
	return Op{}, false
}

// Refused finds an operation among those refused lately. One that is neither
// under way nor refused is done, or a person judged it.
func (s *Store) Refused(id OpID) (Refusal, bool) {
	for _, r := range s.refusals {
		if r.Op.ID == id {
			return r, true
		}
	}
	return Refusal{}, false
}

// refuse keeps why an operation was not done.
func (s *Store) refuse(op *Op, reason, message string) {
	field := ""
	if op.Write != nil {
		field = fieldNamed(op.Kind, message)
	}
	if field == FieldBIN {
		s.bins.stale = true
	}
	if len(s.refusals) == refusalsKept {
		s.refusals = append(s.refusals[:0], s.refusals[1:]...)
	}
	s.refusals = append(s.refusals, Refusal{Op: *op, Reason: reason, Field: field})
}

// refused keeps why the API, or this program, did not do an operation.
func (s *Store) refused(op *Op, err error) {
	message := ""
	if e := (*api.Error)(nil); errors.As(err, &e) {
		message = string(e.Message)
	}
	if errors.Is(err, api.ErrInsufficientFunds) {
		message = FieldAmount
	}
	s.refuse(op, explain(err), message)
}

// The fields of the bodies of writes (contract, Endpoints).
const (
	FieldBIN        = "bin_id"
	FieldAmount     = "amount"
	FieldLabel      = "label"
	FieldLimit      = "spending_limit"
	FieldCategories = "allowed_categories"
	FieldAutoFreeze = "auto_freeze_at"
	FieldMetadata   = "metadata"
	FieldURL        = "url"
	FieldEvents     = "events"
)

// fieldNamed finds the field of a write's body that a message names first.
func fieldNamed(kind OpKind, message string) string {
	fields := []string{FieldAmount}
	switch kind {
	case OpIssue:
		fields = append(fields, FieldBIN, FieldLabel, FieldLimit, FieldCategories, FieldAutoFreeze, FieldMetadata)
	case OpUpdate:
		fields = []string{FieldLabel, FieldLimit, FieldCategories, FieldAutoFreeze, FieldMetadata}
	case OpSubscribe:
		fields = []string{FieldURL, FieldEvents}
	default:
	}
	named, first := "", len(message)
	for _, f := range fields {
		if at := strings.Index(strings.ToLower(message), f); at >= 0 && at < first {
			named, first = f, at
		}
	}
	return named
}
