package engine

import (
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

// Pins stores the deposit addresses that were seen, for all dashboards of a profile.
type Pins interface {
	// Load returns what was seen before.
	Load() ([]wallets.Pin, error)
	// Keep returns when the addresses are on disk. One that differs from the stored one
	// of its currency is not stored, and the stored one is returned, unless the user
	// trusts these.
	Keep(seen []wallets.Pin, trusted bool) (stay []wallets.Pin, err error)
}

// pins reads or stores deposit addresses.
func (e *Engine) pins(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	keep, keeps := effect.(wallets.SavePins)
	var seen []wallets.Pin
	var err error
	switch {
	case e.cfg.Pins == nil:
	case keeps:
		seen, err = e.cfg.Pins.Keep(keep.Pins, keep.Trusted)
	default:
		seen, err = e.cfg.Pins.Load()
	}
	e.finish(m)
	if keeps {
		return wallets.PinsSaved{Meta: *m, Stay: seen, Err: err}
	}
	return wallets.PinsLoaded{Meta: *m, Pins: seen, Err: err}
}
