// Package config answers how the program runs: which paths, which profile,
// which settings, which key. It joins the configuration file, the environment
// and the flags, and finds the API key without ever showing it.
package config

import (
	"github.com/cardtop/cardtop/api"
)

// Env is what the environment says.
type Env struct {
	BaseURL string
	APIKey  api.APIKey
	Profile string
	Config  string
	NoColor bool
}

// Flags is what the command line says; main fills it.
type Flags struct {
	Profile  string
	Config   string
	BaseURL  string
	Sandbox  bool
	ReadOnly bool
	Privacy  bool
	NoCache  bool
}

// Resolved is how the program runs. Its key is found by LoadKey.
type Resolved struct {
	Profile  string // Name of the profile; "sandbox" or "default" when there is none.
	BaseURL  string // Empty on the embedded sandbox.
	Origin   Origin
	Sandbox  bool // Run on the embedded sandbox.
	ReadOnly bool
	Privacy  bool
	NoCache  bool
	NoColor  bool
	CAFile   string // Absolute path, or empty.
	Settings Settings
}
