package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/claim"
)

// claimsFor is after how long a claim that ended is forgotten.
const claimsFor = 24 * time.Hour

// errWatch means that the server ended a watch.
var errWatch = errors.New("the watch of the claims ended")

// Claims opens the table of the claims. What is old in it is removed by the clocks of
// the servers: a claim has ended long before.
func (b *Bus) Claims(ctx context.Context) (claim.Table, error) {
	kv, err := b.bucket(ctx, jetstream.KeyValueConfig{Bucket: "claims", Description: "who is at work on what", History: 1, TTL: claimsFor})
	if err != nil {
		return nil, err
	}
	return table{kv}, nil
}

type table struct{ kv jetstream.KeyValue }

// Swap writes a value when its revision is still the same.
func (t table) Swap(ctx context.Context, name string, revision uint64, data []byte) (uint64, error) {
	next, err := t.kv.Update(ctx, name, data, revision)
	if err != nil {
		return 0, moved(err)
	}
	return next, nil
}

// Watch tells of every value until ctx ends or the watch does. It goes on by itself
// when the connection was lost.
func (t table) Watch(ctx context.Context, f func(name string, revision uint64, data []byte)) (err error) {
	w, err := t.kv.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.Updates():
			if !ok {
				return errWatch
			}
			if e == nil {
				continue // All that there was has been told.
			}
			data := e.Value()
			if e.Operation() != jetstream.KeyValuePut {
				data = nil
			}
			f(e.Key(), e.Revision(), data)
		}
	}
}
