package stream_test

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/stream"
)

func TestEventsAreWrittenAsTheyWereTaken(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	out := stream.NewEvents(w, time.Now) //nolint:forbidigo // a recorder has no deadlines
	m := stream.New()
	m.Topic("wallet", "cards")
	m.Put(stream.Note{Name: "code 1", Event: "code", Data: []byte(`{"id":"1"}`)})
	if !out.Send("hello", []byte("{}")) || !out.SendAll(m.Take()) || !out.SendAll(m.Take()) {
		t.Error("a reader that takes all is given up")
	}
	want := "event: hello\ndata: {}\n\nevent: changed\ndata: {\"topics\":[\"cards\",\"wallet\"]}\n\nevent: code\ndata: {\"id\":\"1\"}\n\n"
	if got := w.Body.String(); got != want || !w.Flushed {
		t.Errorf("written %q, want %q, flushed %v", got, want, w.Flushed)
	}
	if got := w.Header().Get("Content-Type") + ", " + w.Header().Get("Cache-Control"); got != "text/event-stream, no-store" {
		t.Errorf("the header says %s", got)
	}
}

// late is a reader that takes nothing until its deadline.
type late struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (l *late) SetWriteDeadline(at time.Time) error { l.deadline = at; return nil }
func (*late) Write([]byte) (int, error)             { return 0, errors.New("deadline") }

func TestAReaderThatIsTooSlowIsGivenUp(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	w := &late{ResponseRecorder: httptest.NewRecorder()}
	out := stream.NewEvents(w, func() time.Time { return now })
	if out.SendAll([]string{"cards"}, nil) {
		t.Error("what was not taken counts as sent")
	}
	if after := w.deadline.Sub(now); after != 10*time.Second {
		t.Errorf("it may take %v", after)
	}
}
