package cluster

import (
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

// Bus is what several hubs share.
type Bus struct {
	Register lease.Register
	// Secret is where the signing secret of webhooks is; nil for nowhere.
	Secret lease.Register
	// Asked is where requests for approvals are; nil for nowhere.
	Asked     lease.Register
	Log       oplog.Stream
	Feed      replica.Feed
	Snapshots replica.Snapshots
	Line      pass.Line
}
