package bus

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// errConfig means that a stream is not as this program makes it: it does not keep what
// it promises.
var errConfig = errors.New("it is not set up as it has to be")

const (
	// soon is for how long a reading waits for each answer: a server that has none leading
	// it gives none, answers at once when it has one, and a hub that takes over has seconds.
	// Links may be slow: after soonTries readings without an answer each waits twice as
	// long, up to waitFor.
	soon      = waitFor / 6
	soonTries = 4
	// slowest is after how many readings without an answer waitFor is reached.
	slowest = soonTries + 2
)

// Log opens the stream of the operations log.
func (b *Bus) Log(ctx context.Context) (oplog.Stream, error) {
	cfg := jetstream.StreamConfig{
		Name: b.name("operations"), Description: "operations under way", Subjects: []string{b.subject("operations", ">")},
		Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardOld, DenyDelete: true,
	}
	return wait(ctx, "open stream "+cfg.Name, func(ctx context.Context) (oplog.Stream, error) {
		s, err := b.js.Stream(ctx, cfg.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = b.js.CreateStream(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		if got := s.CachedInfo().Config; got.Replicas < cfg.Replicas || got.Storage != cfg.Storage || got.MaxMsgsPerSubject != 1 || got.AllowDirect ||
			got.MaxAge != 0 || got.MaxMsgs > 0 || got.MaxBytes > 0 {
			return nil, fmt.Errorf("%w: stream %s", errConfig, cfg.Name)
		}
		return &stream{bus: b, js: s}, nil
	})
}

// stream is the operations log.
type stream struct {
	bus *Bus
	js  jetstream.Stream
	// unanswered counts the readings that a server has not answered, less those it has.
	unanswered atomic.Int32
}

// Append stores a message on a majority of the servers.
func (s *stream) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	ack, err := s.bus.js.PublishMsg(ctx, &nats.Msg{Subject: s.bus.subject("operations", subject), Data: data, Header: nats.Header{}},
		jetstream.WithExpectLastSequence(last), jetstream.WithExpectStream(s.js.CachedInfo().Config.Name), jetstream.WithRetryAttempts(0))
	if err := s.bus.wrote(err); err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// Remove removes the messages of a subject up to a sequence.
func (s *stream) Remove(ctx context.Context, subject string, upTo uint64) error {
	return s.js.Purge(ctx, jetstream.WithPurgeSubject(s.bus.subject("operations", subject)), jetstream.WithPurgeSequence(upTo+1))
}

// Read reads until it has seen the newest message. A server that lags behind, or that
// leads no more and does not know, cannot pass for the end: what it has ends before the
// newest message, which is never removed, or an append that follows it is refused. A
// server that answers nothing, as one that has just been started may, is an error.
func (s *stream) Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	last, err := s.read(ctx, after, f)
	switch n := s.unanswered.Load(); {
	case err == nil:
		s.unanswered.Store(max(n-1, 0)) // Slow links are slow the next time too.
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		s.unanswered.Store(min(n+1, slowest))
	}
	return last, err
}

// waits is for how long an answer is waited for.
func (s *stream) waits() time.Duration {
	return min(soon<<max(0, s.unanswered.Load()-soonTries+1), waitFor)
}

func (s *stream) read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	info, err := within(ctx, s.waits(), func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.js.Info(ctx) })
	if err != nil {
		return 0, err
	}
	newest := info.State.LastSeq
	if newest <= after {
		return newest, nil
	}
	from := max(after+1, info.State.FirstSeq)
	if from > newest {
		return after, oplog.ErrGone // The newest message is never removed, but by others.
	}
	messages, unread := s.fetch(ctx, from, newest)
	last := after
	for _, m := range messages {
		if err := f(m.sequence, m.data); err != nil {
			return m.sequence, err
		}
		last = m.sequence
	}
	if unread != nil {
		return last, unread
	}
	return newest, nil
}
