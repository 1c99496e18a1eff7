package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

const (
	feedMessages = 200_000
	feedBytes    = 256 << 20
	// feedQuiet is after how long without a message the stream is asked whether it has
	// more: a consumer ends with its server, and its client may not be told.
	feedQuiet = 5 * time.Second
)

// Feed opens the stream of changes.
func (b *Bus) Feed(ctx context.Context) (replica.Feed, error) {
	cfg := jetstream.StreamConfig{
		Name: b.name("changes"), Description: "what changed, for the hubs that do not lead", Subjects: []string{b.subject("changes")},
		Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas, MaxMsgs: feedMessages, MaxBytes: feedBytes, Discard: jetstream.DiscardOld,
	}
	return wait(ctx, "open stream "+cfg.Name, func(ctx context.Context) (replica.Feed, error) {
		s, err := b.js.Stream(ctx, cfg.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = b.js.CreateStream(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		if s.CachedInfo().Config.Replicas < cfg.Replicas {
			return nil, fmt.Errorf("%w: stream %s", errConfig, cfg.Name)
		}
		return feed{b, s}, nil
	})
}

// feed is the stream of changes.
type feed struct {
	bus *Bus
	js  jetstream.Stream
}

// Publish stores a message on a majority of the servers.
func (f feed) Publish(ctx context.Context, data []byte) (uint64, error) {
	ack, err := f.bus.js.Publish(ctx, f.bus.subject("changes"), data, jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// Read reads through a consumer until ctx ends or the servers cannot be reached. The
// consumer is not made anew more than once: that does not heed ctx.
func (f feed) Read(ctx context.Context, after uint64, call func(sequence uint64, data []byte) error) error {
	info, err := f.js.Info(ctx)
	if err != nil {
		return err
	}
	newest, last, told := info.State.LastSeq, after, false
	caughtUp := func(sequence uint64) error {
		if told || sequence < newest {
			return nil
		}
		told = true
		return call(sequence, nil)
	}
	consumer, err := f.js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, MaxResetAttempts: 1})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	if newest <= after {
		err = caughtUp(newest)
	}
	for err == nil {
		var m jetstream.Msg
		m, err = messages.Next(jetstream.NextMaxWait(feedQuiet))
		if errors.Is(err, nats.ErrTimeout) {
			err = f.ends(ctx, last)
			continue
		}
		if err != nil || ctx.Err() != nil {
			break
		}
		var meta *jetstream.MsgMetadata
		if meta, err = m.Metadata(); err != nil {
			break
		}
		last = meta.Sequence.Stream
		if err = call(last, m.Data()); err == nil {
			err = caughtUp(last)
		}
	}
	return errors.Join(ctx.Err(), err)
}

// ends returns nil when the stream has nothing after a sequence.
func (f feed) ends(ctx context.Context, last uint64) error {
	info, err := within(ctx, waitFor, func(ctx context.Context) (*jetstream.StreamInfo, error) { return f.js.Info(ctx) })
	if err == nil && info.State.LastSeq > last {
		err = errors.New("read changes: the consumer is lost")
	}
	return err
}

// Snapshots opens the store of the snapshots.
func (b *Bus) Snapshots(ctx context.Context) (replica.Snapshots, error) {
	cfg := jetstream.ObjectStoreConfig{
		Bucket: b.name("snapshots"), Description: "the state, for hubs that join", Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas, Compression: true,
	}
	return wait(ctx, "open store "+cfg.Bucket, func(ctx context.Context) (replica.Snapshots, error) {
		o, err := b.js.ObjectStore(ctx, cfg.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			o, err = b.js.CreateObjectStore(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		return snapshots{o}, nil
	})
}

// snapshots is a store with one object.
type snapshots struct{ store jetstream.ObjectStore }

const snapshotName = "state"

// Save replaces the snapshot.
func (s snapshots) Save(ctx context.Context, data []byte) error {
	_, err := s.store.Put(ctx, jetstream.ObjectMeta{Name: snapshotName}, bytes.NewReader(data))
	return err
}

// Load reads the snapshot. Its digest is verified.
func (s snapshots) Load(ctx context.Context) ([]byte, error) {
	data, err := s.store.GetBytes(ctx, snapshotName)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil
	}
	return data, err
}
