package state

import (
	"errors"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
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
func (ops *OpsTable) ByID(id OpID) (Op, bool) {
	if op, ok := ops.take(id); ok {
		return *op, true
	}
	return Op{}, false
}

// Refused finds an operation among those refused lately. One that is neither
// under way nor refused is done, or a person judged it.
func (ops *OpsTable) Refused(id OpID) (Refusal, bool) {
	for _, r := range ops.refusals {
		if r.Op.ID == id {
			return r, true
		}
	}
	return Refusal{}, false
}

// refuse keeps why an operation was not done.
func (ops *OpsTable) refuse(op *Op, reason, message string) {
	field := ""
	if op.Write != nil {
		field = fieldNamed(op.Kind, message)
	}
	if field == FieldBIN {
		ops.bins.stale = true
	}
	if len(ops.refusals) == refusalsKept {
		ops.refusals = append(ops.refusals[:0], ops.refusals[1:]...)
	}
	ops.refusals = append(ops.refusals, Refusal{Op: *op, Reason: reason, Field: field})
}

// refused keeps why the API, or this program, did not do an operation.
func (ops *OpsTable) refused(op *Op, err error) {
	message := ""
	if e := (*api.Error)(nil); errors.As(err, &e) {
		message = string(e.Message)
	}
	if errors.Is(err, api.ErrInsufficientFunds) {
		message = FieldAmount
	}
	ops.refuse(op, explain(err), message)
}

// The fields of the bodies of writes (contract, Endpoints).
const (
	FieldBIN        = cardcsv.BIN
	FieldAmount     = cardcsv.Amount
	FieldLabel      = cardcsv.Label
	FieldLimit      = cardcsv.Limit
	FieldCategories = cardcsv.Categories
	FieldAutoFreeze = cardcsv.AutoFreeze
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
