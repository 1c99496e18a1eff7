package oplog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// State is what became of an operation.
type State string

// The states of an operation, in the order in which it passes through them.
const (
	// Prepared: no byte of it was sent. A hub sends only what is Sent in the log.
	Prepared State = "prepared"
	// Sent: a hub may have sent it.
	Sent State = "sent"
	// Unknown: it was sent, and no answer says whether it acted. It may be sent again
	// under its key.
	Unknown State = "unknown"
	// Done: the service acted.
	Done State = "done"
	// Refused: the service did not act, and will not.
	Refused State = "refused"
	// Dismissed: a person says that its answer is no longer waited for.
	Dismissed State = "dismissed"
	// JudgedDone and JudgedNotDone: no answer said whether it acted, what was read since did,
	// or a person.
	JudgedDone    State = "judged-done"
	JudgedNotDone State = "judged-not-done"
)

// Open reports whether an operation in the state has to be settled.
func (s State) Open() bool { return s == Prepared || s == Sent || s == Unknown }

// known reports whether this program writes the state.
func (s State) known() bool {
	return s.Open() || s.Acted() || s.Undone() || s == Dismissed
}

// Acted reports whether an operation in the state has changed something.
func (s State) Acted() bool { return s == Done || s == JudgedDone }

// Undone reports whether an operation in the state has changed nothing.
func (s State) Undone() bool { return s == Refused || s == JudgedNotDone }

// Record is what the log says of an operation.
type Record struct {
	Op    Op    `json:"op"`
	State State `json:"state"`
	// Tries counts how often it was marked as sent.
	Tries int `json:"tries,omitempty"`
	// Moved is what the service's answer says that it moved, USD; 0 for none.
	Moved api.USD `json:"moved,omitempty"`
}

// version is that of the messages below. A log with a message of a later version is
// not opened.
const version = 1

// message is one message of the stream: a leader's first, or a record.
type message struct {
	Version int `json:"v"`
	// ID is random and tells whether a message whose acknowledgement was lost is there.
	ID string `json:"id"`
	// Number is that of the lease under which it was written.
	Number uint64 `json:"number"`
	// Record is nil in a leader's first message.
	Record *Record `json:"record,omitempty"`
}

func (m message) encode() ([]byte, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return data, nil
}

func decode(data []byte) (message, error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("decode record: %w", err)
	}
	if m.Version != version {
		return message{}, fmt.Errorf("decode record: version %d, this program has %d", m.Version, version)
	}
	if m.Record != nil && (m.Record.Op.Key == "" || !m.Record.State.known()) {
		return message{}, errors.New("decode record: it has no key or no state")
	}
	return m, nil
}

// leaders is the subject of leaders' first messages, of which the newest is kept.
const leaders = "leader"

// subject returns the subject of a key's records. A key may have characters that a
// subject may not.
func subject(key api.IdempotencyKey) string {
	sum := sha256.Sum256([]byte(key))
	return "op." + hex.EncodeToString(sum[:16])
}
