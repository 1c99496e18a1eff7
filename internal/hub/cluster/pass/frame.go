package pass

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// version is that of the messages.
const version = 2

// requestHead is a request but for its body.
type requestHead struct {
	Version int `json:"v"`
	// ID is random; the answer belongs to it.
	ID string `json:"id"`
	// Key is public, made for this request.
	Key []byte `json:"key"`
	// Left is for how long the asker waits, in milliseconds: the leader does not go on
	// later. It is a time span, as the clocks of two hubs may differ.
	Left int64 `json:"left_ms"`
	stamp
	Request
}

func (h requestHead) left() time.Duration { return time.Duration(h.Left) * time.Millisecond }

// replyHead is an answer but for its body.
type replyHead struct {
	// Refused reports that this hub did not take the request: it leads no more.
	Refused bool `json:"refused,omitempty"`
	Answer
}

var errFrame = errors.New("a message between hubs is cut short")

// lengthSize is the size of the number before a head.
const lengthSize = 4

// frame is a head as JSON and a body as it is. The body is not put into JSON: copies of
// it would stay in memory.
func frame(head any, body []byte) ([]byte, error) {
	data, err := json.Marshal(head)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	out := make([]byte, lengthSize, lengthSize+len(data)+len(body))
	binary.BigEndian.PutUint32(out, uint32(len(data)))
	return append(append(out, data...), body...), nil
}

// unframe decodes the head, and returns the body, which is a part of data.
func unframe(data []byte, head any) (body []byte, err error) {
	if len(data) < lengthSize {
		return nil, errFrame
	}
	n := int(binary.BigEndian.Uint32(data))
	data = data[lengthSize:]
	if n > len(data) {
		return nil, errFrame
	}
	if err := json.Unmarshal(data[:n], head); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return data[n:], nil
}
