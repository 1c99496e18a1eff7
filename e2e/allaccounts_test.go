package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app/overview"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
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
		if err != nil {
			t.Fatal(err)
		}
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
	client, err := api.New(api.Config{
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
	eng = engine.New(engine.Config{Client: client, Journal: none, Pins: addresses.Open(""), Now: clock})
	return overview.Account{
		Mode: "TEST", Run: eng.Run,
		Store: state.Config{
			Rand: func() float64 { return 0.5 }, ReadOnly: true, Background: true, Profile: a.Name,
			Only: []state.Lane{state.LaneCodes, state.LaneWallet, state.LaneFeed, state.LaneHot, state.LaneSweep, state.LaneHistory},
		},
		Close: func() {
			client.ResetConnections()
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

// TestAllAccountsAreOnOneScreen with what waits in each, and a code of another account
// is one key away.
func TestAllAccountsAreOnOneScreen(t *testing.T) {
	t.Parallel()
	story(t, options{others: true}, func(d *driver) {
		card, name := d.others["team"].card()
		d.others["team"].challenge(card, "Meta Platforms", "482913", 25)
		d.wait(time.Minute)
		if n := d.others["team"].calls.count("GET"); n != 0 {
			t.Fatalf("%d requests of an account that nobody looks at", n)
		}
		d.press("W")
		d.see("@ all")
		d.press("@")
		d.wait(8 * time.Second)
		d.see("1 Accounts  3 · ", "✓  demo", "SANDBOX", "TEST read-only", "$25.00 Meta Platforms")
		d.seeNot("482913", "482 913")
		d.press("o")
		d.wait(time.Second)
		if got := d.board.Text(); got != "482913" {
			t.Fatalf("on the clipboard: %q\n%s", got, d.screen())
		}
		d.see("✓ code of team · " + name + ", Meta Platforms $25.00 copied")
		// A newer one of the account on the screen comes first.
		d.challenge(d.pick().id, "Acme Store", "111222", 5)
		d.press("@")
		d.wait(2 * time.Second)
		d.press("o")
		d.wait(time.Second)
		if got := d.board.Text(); got != "111222" {
			t.Errorf("on the clipboard: %q", got)
		}
		d.press("g", "y")
		d.wait(time.Second)
		if got := d.board.Text(); got != "482913" {
			t.Errorf("on the clipboard: %q", got)
		}
		d.press("enter")
		if to := d.ends(); to == nil || to.Name != "team" {
			t.Errorf("it ends for %+v", to)
		}
	})
}

// TestABrokenAccountIsOneRow whose key is refused, does not answer, or cannot be read.
func TestABrokenAccountIsOneRow(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]struct {
		gate func(r *http.Request, server http.RoundTripper) (*http.Response, error)
		key  string
		says string
	}{
		"401":     {refusal(401, "unauthorized", "invalid key"), "", "key refused"},
		"timeout": {nil, "", "OFFLINE since"},
		"keyring": {nil, "the keyring is locked", "the keyring is locked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{others: true}, func(d *driver) {
				broken := d.others["agency"]
				if broken.locked = breaks.key; breaks.gate != nil {
					broken.gate.set(breaks.gate)
				}
				var server *stopped
				if name == "timeout" {
					server = stop(d.t, broken.gate)
				}
				d.press("@")
				d.wait(30 * time.Second)
				if row := d.line("agency"); !strings.Contains(row, breaks.says) {
					t.Errorf("%s\n%s", row, d.screen())
				}
				if row := d.line(" team"); !strings.Contains(row, "live") || !strings.Contains(row, "$") {
					t.Errorf("%s\n%s", row, d.screen())
				}
				d.see("✓  demo", "● live")
				if server != nil {
					server.goOn(broken.gate)
				}
				broken.locked = ""
				broken.gate.set(nil)
				d.press("r")
				d.wait(40 * time.Second)
				if row := d.line("agency"); !strings.Contains(row, "live") {
					t.Errorf("%s\n%s", row, d.screen())
				}
			})
		})
	}
}

// TestALockedOrClosedScreenForgetsTheKeysOfOthers and asks them for nothing.
func TestALockedOrClosedScreenForgetsTheKeysOfOthers(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"L", "esc", "1"} {
		story(t, options{others: true}, func(d *driver) {
			d.press("@")
			d.wait(5 * time.Second)
			d.press(key)
			d.wait(5 * time.Second)
			team := d.others["team"]
			asked := team.calls.count("")
			if !team.key.IsZero() || asked == 0 {
				t.Errorf("%s: the key is held, %d requests", key, asked)
			}
			d.wait(2 * time.Minute)
			if n := team.calls.count(""); n != asked {
				t.Errorf("%s: %d requests of a screen that nobody sees", key, n-asked)
			}
			d.press("enter") // Unlocks.
			d.press("1", "@")
			d.wait(5 * time.Second)
			if n := team.calls.count(""); n == asked || team.key.IsZero() {
				t.Errorf("%s: it is not followed again", key)
			}
		})
	}
}

// TestAnotherAccountStaysWithinItsHour for an hour on the screen.
func TestAnotherAccountStaysWithinItsHour(t *testing.T) {
	t.Parallel()
	story(t, options{others: true, w: 80, h: 24}, func(d *driver) {
		d.press("@")
		minutes := 10
		if long {
			minutes = 60
		}
		for range minutes / 5 { // Nothing locks a screen in the stories.
			d.wait(5 * time.Minute)
		}
		for name, o := range d.others {
			n := o.calls.count("") * 60 / minutes
			if t.Logf("%s: %d requests an hour", name, n); n > 1000 || n < 700 {
				t.Errorf("%s: %d requests an hour", name, n)
			}
		}
	})
}
