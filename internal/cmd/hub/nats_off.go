//go:build !nats

package hub

import (
	"errors"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/hub/node"
)

// connect refuses: NATS is in a program of its own, as it makes it larger.
func (several) connect(node.Config) (server, func(), error) {
	return nil, nil, app.Usage(errors.New("this build has no NATS: several hubs need the program of the archive cardtop-nats, or one built with -tags nats"))
}
