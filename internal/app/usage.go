package app

import (
	"os"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	share "github.com/cardtop/cardtop/internal/storage/usage"
)

// openUsage opens the file in which the programs that use a key share how many
// requests they sent. The embedded sandbox has a key of its own.
func (p Program) openUsage(run config.Resolved, client *api.Client, key api.APIKey) (others engine.Usage, leave func() error, err error) {
	if run.Sandbox {
		return nil, func() error { return nil }, nil
	}
	mine, err := share.Open(config.DefaultPaths().State, client.Origin(), key, os.Getpid(), p.Now())
	if err != nil {
		return nil, nil, err
	}
	return mine, mine.Leave, nil
}
