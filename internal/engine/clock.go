package engine

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// ServerNow returns the time on the server's clock, as its answers told it; this
// machine's before the first.
func (e *Engine) ServerNow() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server.Server(e.cfg.Now())
}

// ReadClock has the server tell its time, with a page of one transaction. Its errors
// are those of Read.
func ReadClock(ctx context.Context, e *Engine) error {
	_, err := Read(ctx, e, "transactions", func(ctx context.Context, c *client.Client) (api.Page[api.Transaction], error) {
		return c.ListTransactions(ctx, api.ListTransactionsOptions{PerPage: 1})
	})
	return err
}
