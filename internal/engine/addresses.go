package engine

import "github.com/cardtop/cardtop/state"

// Pins keeps the deposit addresses that were seen, for all dashboards of a
// profile.
type Pins interface {
	// Load gives what was seen before.
	Load() ([]state.Pin, error)
	// Keep returns when the addresses are on disk. One that is not the one kept
	// for its currency is left out and the one that stays is given, unless a
	// person took these for right.
	Keep(seen []state.Pin, trusted bool) (stay []state.Pin, err error)
}

// pins reads or keeps deposit addresses.
func (e *Engine) pins(effect state.Effect, m *state.Meta) state.Event {
	keep, keeps := effect.(state.KeepPins)
	var seen []state.Pin
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
		return state.PinsKept{Meta: *m, Stay: seen, Err: err}
	}
	return state.PinsLoaded{Meta: *m, Pins: seen, Err: err}
}
