//go:build nats

package hub

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
)

// firstAnswer is how long the NATS servers may take to answer at the start.
const firstAnswer = 30 * time.Second

// connect opens what the hubs share, and returns what closes it.
func (v several) connect() (shared cluster.Bus, disconnect func(), err error) {
	b, err := bus.Connect(bus.Config{
		Servers: v.servers, Account: v.cluster, Hub: v.name, Credentials: v.credentials, RootCA: v.ca, Certificate: v.cert, Key: v.pem,
		Replicas: v.replicas, Log: v.log,
	})
	if err != nil {
		return shared, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), firstAnswer)
	defer cancel()
	var errs [6]error
	shared.Line = b.Line()
	shared.Register, errs[0] = b.Register(ctx, "leader")
	shared.Log, errs[1] = b.Log(ctx)
	shared.Feed, errs[2] = b.Feed(ctx)
	shared.Snapshots, errs[3] = b.Snapshots(ctx)
	shared.Secret, errs[4] = b.Register(ctx, "signing")
	shared.Asked, errs[5] = b.Register(ctx, "approvals")
	if err := errors.Join(errs[:]...); err != nil {
		b.Close()
		return shared, nil, err
	}
	return shared, b.Close, nil
}
