package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
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
