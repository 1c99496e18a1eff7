package bus

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// silent is a stream whose server gives no answer until it answers.
type silent struct {
	jetstream.Stream
	answers bool
}

func (s *silent) Info(ctx context.Context, _ ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	if s.answers {
		return &jetstream.StreamInfo{}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestAServerThatGivesNoAnswerIsAskedAgainSoon: the hub that takes over has seconds, and
// one whose links are slow must still read.
func TestAServerThatGivesNoAnswerIsAskedAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &silent{}
		s := &stream{js: server}
		read := func() time.Duration {
			began := time.Now() //nolint:forbidigo // virtual time in a bubble
			_, err := s.Read(t.Context(), 0, nil)
			if server.answers != (err == nil) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("read: %v", err)
			}
			return time.Since(began) //nolint:forbidigo // virtual time in a bubble
		}
		const soon = 500 * time.Millisecond
		for _, want := range []time.Duration{soon, soon, soon, soon, time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second} {
			if took := read(); took != want {
				t.Errorf("a reading without an answer took %v, not %v", took, want)
			}
		}
		server.answers = true
		read()
		server.answers = false
		if took := read(); took != 2*time.Second {
			t.Errorf("on slow links the reading after an answer took %v", took)
		}
		server.answers = true
		for range 8 {
			read()
		}
		server.answers = false
		if took := read(); took != soon {
			t.Errorf("the reading after many answers took %v", took)
		}
	})
}
