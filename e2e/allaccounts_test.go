package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app/overview"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/dialog"
)

// other is an account that is not on the screen: its server, and the way to it.
type other struct {
	*driver
	gate  *gate
	lives chan struct{}
	key   api.APIKey // what its sessions use
	// locked is why its key cannot be read; empty when it can.
	locked string
}

// openOthers opens the accounts team and agency of withAccounts.
func openOthers(ctx context.Context, t *testing.T) map[string]*other {
	t.Helper()
	all := make(map[string]*other)
	for i, name := range []string{"team", "agency"} {
		world, err := sandbox.Open(ctx, sandbox.Config{Seed: uint64(20 + i), APIKeys: []string{testKey}, Quiet: true})
		must(t, err)
		o := &other{driver: &driver{t: t, world: world}, gate: &gate{server: world.Transport()}, lives: make(chan struct{})}
		o.calls = &calls{next: o.gate}
		go func() {
			defer close(o.lives)
			_ = world.Run(ctx)
		}()
		all[name] = o
	}
	return all
}

// open is the account as the program opens it, with a key of its own.
func (o *other) open(ctx context.Context, a dialog.Account) (overview.Account, error) {
	if o.locked != "" {
		return overview.Account{}, errors.New(o.locked)
	}
	o.key = api.NewAPIKey(testKey)
	key := o.key
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: key, Transport: o.calls, Now: clock, ReadOnly: true, NoDetails: true,
		Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		return overview.Account{}, err
	}
	none, err := journal.Open("", clock)
	if err != nil {
		return overview.Account{}, err
	}
	eng = engine.New(engine.Config{Client: cl, Journal: none, Pins: addresses.Open(""), Now: clock})
	return overview.Account{
		Mode: "TEST", Run: eng.Run,
		Store: settings.Config{
			Rand: func() float64 { return 0.5 }, ReadOnly: true, Background: true, Profile: a.Name,
			Only: []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.History},
		},
		Close: func() {
			cl.ResetConnections()
			key.Wipe()
		},
	}, ctx.Err()
}

// followed has the program follow the accounts, and returns what ends them.
func followed(ctx context.Context, all map[string]*other, c *ui.Config) func() {
	sessions := overview.New(ctx, func(ctx context.Context, a dialog.Account) (overview.Account, error) {
		return all[a.Name].open(ctx, a)
	})
	c.Others = sessions
	return func() {
		sessions.Close()
		for _, o := range all {
			<-o.lives
			if err := o.world.Close(); err != nil {
				o.t.Error(err)
			}
		}
	}
}

// card is one that is active, and its name.
func (o *other) card() (id, name string) {
	o.t.Helper()
	page, _ := o.api(http.MethodGet, "/cards?status=active&per_page=1", nil)["data"].([]any)
	if len(page) == 0 {
		o.t.Fatal("no card is active")
	}
	first, _ := page[0].(map[string]any)
	id, _ = first["id"].(string)
	return id, fmt.Sprintf("%s ••%s", first["label"], first["last4"])
}
