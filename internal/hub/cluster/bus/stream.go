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
	// few is up to how many messages are read one by one.
	few = 16
	// firstAnswer is for how long the first reading waits for each answer. A server that
	// has just started gives none, and a hub that takes over has seconds. Links may be
	// slow: each reading after one without an answer waits twice as long, up to waitFor.
	firstAnswer = waitFor / 4
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
	// unanswered counts the readings in a row that a server has not answered.
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

// errBehind means that a server did not have what another one says is there.
var errBehind = errors.New("a server is behind")

// Read reads until it has seen the newest message. A server that lags behind, or that
// leads no more and does not know, cannot pass for the end: what it has ends before the
// newest message, which is never removed, or an append that follows it is refused. A
// server that answers nothing, as one that has just been started may, is an error.
func (s *stream) Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	last, err := s.read(ctx, after, f)
	if errors.Is(err, context.DeadlineExceeded) {
		s.unanswered.Add(1)
	} else {
		s.unanswered.Store(0)
	}
	return last, err
}

// waits is for how long an answer is waited for.
func (s *stream) waits() time.Duration { return min(firstAnswer<<min(s.unanswered.Load(), 2), waitFor) }

func (s *stream) read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	info, err := within(ctx, s.waits(), func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.js.Info(ctx) })
	if err != nil {
		return 0, err
	}
	newest := info.State.LastSeq
	if newest <= after {
		return newest, nil
	}
	read := s.readFew
	if newest-after > few {
		read = s.readMany
	}
	last, err := read(ctx, after, newest, f)
	if err == nil && last < newest {
		err = errBehind
	}
	return last, err
}

// readFew reads up to a sequence, one message at a time.
func (s *stream) readFew(ctx context.Context, after, newest uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	last := after
	for last < newest {
		m, err := within(ctx, s.waits(), func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return s.js.GetMsg(ctx, last+1, jetstream.WithGetMsgSubject(s.bus.subject("operations", ">")))
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return last, nil
		}
		if err != nil {
			return last, err
		}
		last = m.Sequence
		if err := f(m.Sequence, m.Data); err != nil {
			return last, err
		}
	}
	return last, nil
}

// readMany reads up to a sequence through a consumer.
func (s *stream) readMany(ctx context.Context, after, newest uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	last := after
	consumer, err := within(ctx, s.waits(), func(ctx context.Context) (jetstream.Consumer, error) {
		return s.js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, MaxResetAttempts: 1,
		})
	})
	if err != nil {
		return last, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return last, err
	}
	defer messages.Stop()
	for last < newest {
		m, err := within(ctx, s.waits(), func(ctx context.Context) (jetstream.Msg, error) { return messages.Next(jetstream.NextContext(ctx)) })
		if err != nil {
			return last, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return last, err
		}
		last = meta.Sequence.Stream
		if err := f(last, m.Data()); err != nil {
			return last, err
		}
	}
	return last, nil
}
