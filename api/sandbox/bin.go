package sandbox

import (
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

func listBINs(_ *Server, _ *request) (any, error) {
	return wire.List[sim.BIN]{Data: sim.BINs()}, nil
}
