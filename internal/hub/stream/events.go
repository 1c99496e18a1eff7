package stream

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// slow is how long a reader may take for what is written.
const slow = 10 * time.Second

// Events writes server-sent events to a reader.
type Events struct {
	w   io.Writer
	rc  *http.ResponseController
	now func() time.Time
}

// NewEvents writes the header of a stream that has no end. now returns the time.
func NewEvents(w http.ResponseWriter, now func() time.Time) *Events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // A connection in memory has none.
	return &Events{w: w, rc: rc, now: now}
}

// Send writes an event with its JSON and reports whether the reader took it in time.
func (e *Events) Send(name string, data []byte) bool {
	_ = e.rc.SetWriteDeadline(e.now().Add(slow)) // A connection in memory has none.
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return false
	}
	return e.rc.Flush() == nil
}

// SendAll writes what was taken from a mailbox, the topics as one event.
func (e *Events) SendAll(topics []string, notes []Note) bool {
	if len(topics) > 0 {
		data, err := json.Marshal(struct {
			Topics []string `json:"topics"`
		}{topics})
		if err != nil || !e.Send("changed", data) {
			return false
		}
	}
	for _, n := range notes {
		if !e.Send(n.Event, n.Data) {
			return false
		}
	}
	return true
}
