package sandbox

import (
	"context"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

func listBINs(_ context.Context, _ *Server, _ *request) (any, error) {
	return wire.List[sim.BIN]{Data: sim.BINs()}, nil
}
