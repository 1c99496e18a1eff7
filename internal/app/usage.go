package app

import (
	"os"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	share "github.com/cardtop/cardtop/internal/storage/usage"
)

// openUsage opens the file in which the programs that use a key share how many
// requests they sent. The embedded sandbox has a key of its own.
func (p Program) openUsage(run config.Resolved, c *client.Client, key api.APIKey) (others engine.Usage, leave func() error, err error) {
	if run.Sandbox {
		return nil, func() error { return nil }, nil
	}
	mine, err := share.Open(p.paths().State, c.Origin(), key, os.Getpid(), p.Now())
	switch {
	case (run.ReadOnly || run.DryRun) && fsafe.Unwritable(err): // It counts alone.
		return nil, func() error { return nil }, nil
	case err != nil:
		return nil, nil, err
	}
	return mine, mine.Leave, nil
}

// countOne counts a request of the user's that no engine sends.
func (p Program) countOne(origin string, key api.APIKey) error {
	now := p.Now()
	mine, err := share.Open(p.paths().State, origin, key, os.Getpid(), now)
	if err != nil {
		return err
	}
	return mine.Once(now, "wallet")
}
