// Package read is what commands share that read an account once and print it.
package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/rows"
)

// Command reads the account once.
type Command struct {
	cli.Program
	Account config.Flags
	Output  output.Flags
	Card    string // As the user named it; empty for all. Read makes it an id.
	Limit   int    // How many items of a list are printed; 0 is all.
}

// Limited adds the flag that bounds a list.
func (r *Command) Limited(cmd *cobra.Command, what string) {
	cmd.Flags().IntVar(&r.Limit, "limit", 0, "at most so many "+what+"; 0 is all")
}

// Flags adds the flags of every such command.
func (r *Command) Flags(cmd *cobra.Command) *cobra.Command {
	cli.AllAccountFlags(cmd.Flags(), &r.Account)
	r.Output.Add(cmd.Flags())
	return cmd
}

// Read opens the account and finds the card.
func (r *Command) Read(ctx context.Context, do func(context.Context, *engine.Engine, config.Resolved) error) error {
	return r.WithReadOnlyAccount(ctx, r.Account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		id, err := write.FindID(ctx, eng, r.Card)
		if err != nil {
			return err
		}
		r.Card = string(id)
		return do(ctx, eng, run)
	})
}

// List reads a whole list and prints the items to keep.
func List[T any](ctx context.Context, r *Command, what string, fields []rows.Field[T], read func(context.Context, *client.Client) (api.Page[T], error), keep func(T) bool) error {
	if r.Limit < 0 {
		return app.Usage(errors.New("--limit takes a whole number from 0"))
	}
	out, err := output.New(r.Program, r.Output, fields)
	if err != nil {
		return err
	}
	return r.Read(ctx, func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
		list, err := engine.Read(ctx, eng, what, read)
		if err != nil {
			return cli.Failed("read the "+what, err)
		}
		printed := 0
		for _, record := range list.Data {
			if !keep(record) {
				continue
			}
			if err := out.Put(record); err != nil {
				return err
			}
			if printed++; printed == r.Limit {
				break
			}
		}
		return cmp.Or(out.End(), app.Complete(eng), notListed(what, list.Pagination.Total-list.Rows))
	})
}

// notListed is the error of a list that the contract has in one page, of which the API
// counts more than it sent.
func notListed(what string, n int) error {
	if n <= 0 {
		return nil
	}
	return &app.IncompleteError{Text: fmt.Sprintf("the API has %d more %s than it listed", n, what)}
}

// One reads one object and prints it.
func One[T any](ctx context.Context, r *Command, what string, fields []rows.Field[T], read func(context.Context, *client.Client) (T, error)) error {
	print, err := output.One(r.Program, r.Output, fields)
	if err != nil {
		return err
	}
	return r.Read(ctx, func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
		record, err := engine.Read(ctx, eng, what, read)
		if err != nil {
			return unread(what, err)
		}
		return print(record)
	})
}

// unread words why an object could not be read. One that is asked for by its id may not be
// there.
func unread(what string, err error) error {
	if list := map[string]string{"transaction": "transactions", "code": "codes"}[what]; list != "" {
		switch {
		case errors.Is(err, api.ErrNotFound):
			return app.Usage(fmt.Errorf("no %s has that id: cardtop %s list prints them", what, list))
		case errors.Is(err, api.ErrInvalid):
			return app.Usage(fmt.Errorf("that is no %s id: cardtop %s list prints them", what, list))
		}
	}
	return cli.Failed("read the "+what, err)
}

// All keeps every item.
func All[T any](T) bool { return true }
