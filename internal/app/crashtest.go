//go:build crashtest

package app

import (
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui"
)

// withCrashInjection panics at the place that CARDTOP_CRASHTEST names, once the
// file CARDTOP_CRASHTEST_FILE exists. The value of the panic is the number of
// the revealed card.
func withCrashInjection(cfg ui.Config, effects engine.ExecutorConfig) (ui.Config, engine.ExecutorConfig) {
	c := &crashtest{Vault: cfg.Vault, place: os.Getenv("CARDTOP_CRASHTEST"), file: os.Getenv("CARDTOP_CRASHTEST_FILE")}
	run, now := effects.Run, cfg.Now
	cfg.Vault, effects.Vault = c, c
	cfg.Now = func() time.Time {
		c.crash("Update")
		return now()
	}
	effects.Run = func(e kernel.Effect) kernel.Event {
		if _, poll := e.(codes.Fetch); !poll {
			c.crash("command")
			return run(e)
		}
		c.crash("poller")
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.crash("goroutine")
		}()
		<-done
		return run(e)
	}
	return cfg, effects
}

// crashtest is a vault that panics with the number that it was last given.
type crashtest struct {
	secrets.Vault
	place, file string
	number      string
}

func (c *crashtest) crash(place string) {
	if c.place != place {
		return
	}
	if _, err := os.Stat(c.file); err == nil {
		panic("the number is " + c.number) //nolint:forbidigo // what a test asks for
	}
}

// Hold remembers the number that is about to be shown.
func (c *crashtest) Hold(d *api.CardDetails) {
	c.number = d.PAN.Expose()
	c.Vault.Hold(d)
}

// Read is called in View.
func (c *crashtest) Read(card api.CardID, f secrets.Field) (api.Secret, bool) {
	c.crash("View")
	return c.Vault.Read(card, f)
}
