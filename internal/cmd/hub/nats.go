//go:build nats

package hub

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
	"github.com/cardtop/cardtop/internal/hub/node"
)

// firstAnswer is how long the NATS servers may take to answer at the start.
const firstAnswer = 30 * time.Second

// connect opens what the hubs share.
func (v several) connect(cfg node.Config) (server, func(), error) {
	b, err := bus.Connect(bus.Config{
		Servers: v.servers, Account: v.cluster, Hub: v.name, Credentials: v.credentials, RootCA: v.ca, Certificate: v.cert, Key: v.pem,
		Replicas: v.replicas, Log: v.log,
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), firstAnswer)
	defer cancel()
	var errs [6]error
	cfg.Bus.Line = b.Line()
	cfg.Bus.Register, errs[0] = b.Register(ctx, "leader")
	cfg.Bus.Log, errs[1] = b.Log(ctx)
	cfg.Bus.Feed, errs[2] = b.Feed(ctx)
	cfg.Bus.Snapshots, errs[3] = b.Snapshots(ctx)
	cfg.Bus.Secret, errs[4] = b.Register(ctx, "signing")
	cfg.Bus.Asked, errs[5] = b.Register(ctx, "approvals")
	if err := errors.Join(errs[:]...); err != nil {
		b.Close()
		return nil, nil, err
	}
	return node.New(cfg), b.Close, nil
}
