//go:build !nats

package hub

import (
	"errors"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/hub/cluster"
)

// connect refuses: NATS is in a program of its own, as it makes it larger.
func (several) connect() (cluster.Bus, func(), error) {
	return cluster.Bus{}, nil, app.Usage(errors.New("this build has no NATS: several hubs need the program of the archive cardtop-nats, or one built with -tags nats"))
}
