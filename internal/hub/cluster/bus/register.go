package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
)

// bucket opens a bucket, and makes it when it is not there.
func (b *Bus) bucket(ctx context.Context, cfg jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	cfg.Bucket, cfg.Storage, cfg.Replicas = b.name(cfg.Bucket), jetstream.FileStorage, b.cfg.Replicas
	return wait(ctx, "open bucket "+cfg.Bucket, func(ctx context.Context) (jetstream.KeyValue, error) {
		kv, err := b.js.KeyValue(ctx, cfg.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			kv, err = b.js.CreateKeyValue(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		status, err := kv.Status(ctx)
		if err != nil {
			return nil, err
		}
		if n := status.Config().Replicas; n < b.cfg.Replicas {
			return nil, fmt.Errorf("%w: bucket %s is on %d servers", errConfig, cfg.Bucket, n)
		}
		return kv, nil
	})
}

// Register opens the register of a lease by its name. No value in it ends by its age.
func (b *Bus) Register(ctx context.Context, name string) (lease.Register, error) {
	kv, err := b.bucket(ctx, jetstream.KeyValueConfig{Bucket: "lease", Description: "who leads", History: 1})
	if err != nil {
		return nil, err
	}
	return register{b, kv, name}, nil
}

// register is a key of a bucket.
type register struct {
	bus *Bus
	kv  jetstream.KeyValue
	key string
}

// Load reads the key, from any replica.
func (r register) Load(ctx context.Context) ([]byte, uint64, error) {
	entry, err := r.kv.Get(ctx, r.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return entry.Value(), entry.Revision(), nil
}

// Swap writes the key when its revision is still the same.
func (r register) Swap(ctx context.Context, revision uint64, data []byte) (uint64, error) {
	next, err := r.kv.Update(ctx, r.key, data, revision)
	if err := r.bus.wrote(err); err != nil {
		return 0, err
	}
	return next, nil
}

// Line returns the line on which hubs ask one another. The servers do not store what
// is on it, and deliver it at most once.
func (b *Bus) Line() pass.Line { return line{b} }

type line struct{ bus *Bus }

// Ask sends a request and waits for the answer.
func (l line) Ask(ctx context.Context, subject string, data []byte) ([]byte, error) {
	m, err := l.bus.conn.RequestWithContext(ctx, l.bus.subject(subject), data)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, pass.ErrNobody
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// Listen answers requests, at most some at a time.
func (l line) Listen(subject string, f func(data []byte) []byte) (stop func() error, err error) {
	places := make(chan struct{}, atOnce)
	s, err := l.bus.conn.Subscribe(l.bus.subject(subject), func(m *nats.Msg) {
		places <- struct{}{}
		go func() {
			defer func() { <-places }()
			if err := m.Respond(f(m.Data)); err != nil {
				l.bus.cfg.Log.Warn("an answer to another hub was not sent", slog.Any("error", err))
			}
		}()
	})
	if err != nil {
		return nil, err
	}
	return s.Unsubscribe, nil
}

// atOnce is how many requests of other hubs are done at a time.
const atOnce = 64
