//go:build crashtest

package main

import (
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
)

// trapped breaks the program, at the place that CARDTOP_TRAP names, as soon as
// a file of the name CARDTOP_TRAP_FILE is there. The value of the panic is the
// number of the card that is shown. Only a build for tests holds this.
func trapped(cfg ui.Config, effects engine.ExecutorConfig) (ui.Config, engine.ExecutorConfig) {
	t := &trap{Vault: cfg.Vault, place: os.Getenv("CARDTOP_TRAP"), file: os.Getenv("CARDTOP_TRAP_FILE")}
	run, now := effects.Run, cfg.Now
	cfg.Vault, effects.Vault = t, t
	cfg.Now = func() time.Time {
		t.spring("Update")
		return now()
	}
	effects.Run = func(e state.Effect) state.Event {
		if _, poll := e.(state.FetchChallenges); !poll {
			t.spring("command")
			return run(e)
		}
		t.spring("poller")
		done := make(chan struct{})
		go func() {
			defer close(done)
			t.spring("goroutine")
		}()
		<-done
		return run(e)
	}
	return cfg, effects
}

// trap breaks with the number that it saw last.
type trap struct {
	state.Vault
	place, file string
	number      string
}

func (t *trap) spring(place string) {
	if t.place != place {
		return
	}
	if _, err := os.Stat(t.file); err == nil {
		panic("the number is " + t.number) //nolint:forbidigo // what a test asks for
	}
}

// Hold sees the number that is about to be shown.
func (t *trap) Hold(d *api.CardDetails) {
	t.number = d.PAN.Expose()
	t.Vault.Hold(d)
}

// Read is called in View.
func (t *trap) Read(card api.CardID, f state.Field) (api.Secret, bool) {
	t.spring("View")
	return t.Vault.Read(card, f)
}
