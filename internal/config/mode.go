package config

import "github.com/cardtop/cardtop/api"

// Mode is which world the money is in.
type Mode string

// The modes. A key with neither prefix of the contract counts as LIVE, so
// that every safeguard holds.
const (
	ModeSandbox Mode = "SANDBOX" // The embedded sandbox.
	ModeTest    Mode = "TEST"    // A test key on a server.
	ModeLive    Mode = "LIVE"
)

// Mode is the mode of this run with a key; on the sandbox the key does not
// matter.
func (r Resolved) Mode(key api.APIKey) Mode {
	switch {
	case r.Sandbox:
		return ModeSandbox
	case key.Mode() == api.ModeTest:
		return ModeTest
	default:
		return ModeLive
	}
}
