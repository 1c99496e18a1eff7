// Package account is the commands about what an account has besides cards, one
// file each.
package account

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

// Commands returns the commands.
func Commands(p cli.Program) []*cobra.Command {
	return []*cobra.Command{transactionsCommand(p), walletCommand(p), depositsCommand(p), binsCommand(p), codesCommand(p), webhooksCommand(p), apiCommand(p)}
}

// reader is a command that reads the account once.
type reader struct {
	cli.Program
	account config.Flags
	output  output.Flags
	card    string // The one that is asked for, as it was said; empty for all.
	limit   int    // of what is printed of a list; 0 is all
}

// limited adds the flag that bounds a list.
func (r *reader) limited(cmd *cobra.Command, what string) {
	cmd.Flags().IntVar(&r.limit, "limit", 0, "at most so many "+what+"; 0 is all")
}

// flags adds those of every reader.
func (r *reader) flags(cmd *cobra.Command) *cobra.Command {
	cli.AllAccountFlags(cmd.Flags(), &r.account)
	r.output.Add(cmd.Flags())
	return cmd
}

// read opens the account, and finds the card that is asked for.
func (r *reader) read(ctx context.Context, do func(context.Context, *engine.Engine, config.Resolved) error) error {
	return r.WithReadOnlyAccount(ctx, r.account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		id, err := write.FindID(ctx, eng, r.card)
		if err != nil {
			return err
		}
		r.card = string(id)
		return do(ctx, eng, run)
	})
}

// printList reads a whole list and prints what of it is kept.
func printList[T any](ctx context.Context, r *reader, what string, fields []rows.Field[T], read func(context.Context, *client.Client) (api.Page[T], error), keep func(T) bool) error {
	if r.limit < 0 {
		return app.Usage(errors.New("--limit takes a whole number from 0"))
	}
	out, err := output.New(r.Program, r.output, fields)
	if err != nil {
		return err
	}
	return r.read(ctx, func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
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
			if printed++; printed == r.limit {
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

// printOne reads one object and prints it.
func printOne[T any](ctx context.Context, r *reader, what string, fields []rows.Field[T], read func(context.Context, *client.Client) (T, error)) error {
	print, err := output.One(r.Program, r.output, fields)
	if err != nil {
		return err
	}
	return r.read(ctx, func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
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

// all keeps every record.
func all[T any](T) bool { return true }
