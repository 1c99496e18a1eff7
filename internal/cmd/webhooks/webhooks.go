// Package webhooks has the commands about webhooks.
package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Command returns them.
func Command(p cli.Program) *cobra.Command {
	return cli.Group("webhooks", "List, register and delete webhooks", `  cardtop webhooks list
  cardtop webhooks delete wh_5f2c`, listWebhooks(p), createWebhook(p), deleteWebhook(p))
}

func listWebhooks(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	return r.Flags(&cobra.Command{
		Use: "list", Short: "Print webhooks, without their secrets",
		Example: "  cardtop webhooks list\n  cardtop webhooks list --jsonl", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return read.List(cmd.Context(), &r, "webhooks", rows.WebhookFields(), readWebhooks, read.All)
		},
	})
}

// readWebhooks reads the webhooks. Secrets that come with them were not asked for.
func readWebhooks(ctx context.Context, c *client.Client) (api.Page[api.Webhook], error) {
	list, err := c.ListWebhooks(ctx)
	for i := range list.Data {
		list.Data[i].Secret.Wipe()
	}
	return list, err
}

const createHelp = `Register an https endpoint for events. The API makes the signing secret and shows it this once: it goes to a new
file that only you can read, or on the clipboard, and is printed nowhere.

` + write.Help

func createWebhook(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var (
		url, file string
		events    []string
		copied    bool
	)
	cmd := c.Flags(&cobra.Command{
		Use: "create", Short: "Register a webhook", Long: createHelp,
		Example: `  cardtop webhooks create --url https://example.com/hook --event '*' --secret-file hook.secret
  cardtop webhooks create --url https://example.com/hook --event transaction.declined,3ds.challenge --copy-secret`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case url == "":
				return app.Usage(errors.New("--url is missing: where events are sent"))
			case len(events) == 0:
				return app.Usage(errors.New("--event is missing: * for all, or some of " + strings.Join(webhooks.EventNames(), ", ")))
			case copied == (file != "") && !c.Account.DryRun:
				return app.Usage(errors.New("the signing secret is shown once: say where it goes, --secret-file FILE or --copy-secret"))
			}
			if err := knownEvents(events); err != nil {
				return err
			}
			if err := c.Begin(cmd); err != nil {
				return err
			}
			return registerWebhook(cmd.Context(), c, state.CreateWebhook{URL: url, Events: events}, file)
		},
	}, false)
	f := cmd.Flags()
	f.StringVar(&url, "url", "", "`URL` that events are sent to, https")
	f.StringSliceVar(&events, "event", nil, "`EVENTS`, separated by commas; * is all")
	f.StringVar(&file, "secret-file", "", "new `FILE` for the signing secret")
	f.BoolVar(&copied, "copy-secret", false, "put the signing secret on the clipboard")
	return cmd
}

// knownEvents refuses events that there are not, before the API does.
func knownEvents(events []string) error {
	word := cli.Word{Known: webhooks.EventNames()}
	for _, e := range events {
		if e != "*" && !slices.Contains(word.Known, e) {
			return app.Usage(cli.TakesNot("event", "* for all, or some of "+strings.Join(word.Known, ", "), e, word))
		}
	}
	return nil
}

// registerWebhook registers an endpoint. Where the secret goes is made ready before
// anything is sent.
func registerWebhook(ctx context.Context, c *write.Command, in state.CreateWebhook, file string) error {
	return c.One(ctx, func(ctx context.Context, acc app.Account, before *state.Record) (write.Wanted, error) {
		w := write.Wanted{Intent: in, Name: "webhook " + webhooks.Host(in.URL)}
		if c.Account.DryRun || before != nil { // Its secret was in the answer that the run before had.
			return w, nil
		}
		if file != "" {
			to, err := secretFile(file, c.Keyed())
			if err != nil {
				return w, app.Usage(fmt.Errorf("--secret-file: %w", err))
			}
			w.Done = func(_ context.Context, done state.OpDone) error { return saveSecret(to, done) }
			w.Failed = func() { _, _ = to.Close(), os.Remove(file) } // It is empty.
			return w, nil
		}
		board, err := c.Board(ctx, acc.Run.Settings)
		if err != nil {
			return w, err
		}
		w.Done = func(ctx context.Context, done state.OpDone) error {
			secret, err := secretOf(done)
			if err != nil {
				return errors.Join(err, board.Close(true))
			}
			defer secret.Wipe()
			report, err := cli.Copy(ctx, board, secret.Bytes(), acc.Settings.CopyNumber)
			if err == nil {
				c.Say(cli.Copied(report, "the signing secret"))
			}
			return err
		}
		w.Failed = func() { _ = board.Close(true) } // Nothing is on it.
		return w, nil
	})
}

// secretFile makes a file for a secret. An empty one of that name may be what an earlier run
// with the same key left.
func secretFile(name string, keyed bool) (*os.File, error) {
	to, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the user names it
	if !keyed || !errors.Is(err, fs.ErrExist) {
		return to, err
	}
	info, lerr := os.Lstat(name)
	if lerr != nil || !info.Mode().IsRegular() || info.Size() > 0 || info.Mode().Perm()&0o077 != 0 {
		return nil, err
	}
	return os.OpenFile(name, os.O_WRONLY, 0) //nolint:gosec // the user names it
}

func secretOf(done state.OpDone) (api.SigningSecret, error) {
	if done.Webhook == nil || done.Webhook.Secret.IsZero() {
		return api.SigningSecret{}, errors.New("the API sent no signing secret: delete the webhook and register it again")
	}
	return done.Webhook.Secret, nil
}

func saveSecret(to *os.File, done state.OpDone) error {
	secret, err := secretOf(done)
	if err != nil {
		return errors.Join(err, to.Close())
	}
	defer secret.Wipe()
	_, err = to.Write(secret.Bytes())
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return fmt.Errorf("the signing secret could not be saved: %w; delete the webhook and register it again", err)
	}
	return nil
}

func deleteWebhook(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	return c.Flags(&cobra.Command{
		Use: "delete ID", Short: "Delete a webhook for good", Long: "Delete a webhook for good.\n\n" + write.Help,
		Example: "  cardtop webhooks delete wh_5f2c\n  cardtop webhooks delete wh_5f2c --yes", Args: cli.OneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Begin(cmd); err != nil {
				return err
			}
			return c.One(cmd.Context(), func(ctx context.Context, acc app.Account, before *state.Record) (write.Wanted, error) {
				w := write.Wanted{Intent: state.DeleteWebhook{Webhook: api.WebhookID(args[0])}, Name: "webhook " + cli.Shown(args[0])}
				if before != nil {
					return w, nil // It may be gone.
				}
				list, err := engine.Read(ctx, acc.Engine, "webhooks", readWebhooks)
				if err != nil {
					return w, cli.Failed("read the webhooks", err)
				}
				for _, h := range list.Data {
					if string(h.ID) == args[0] {
						w.Name = "webhook " + webhooks.Host(string(h.URL))
						return w, nil
					}
				}
				return w, app.Usage(errors.New("no webhook has that id: cardtop webhooks list prints them"))
			})
		},
	}, false)
}
