//go:build !crashtest

package app

import (
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/ui"
)

// withCrashInjection does nothing but in a build with the tag crashtest.
func withCrashInjection(cfg ui.Config, effects engine.ExecutorConfig) (ui.Config, engine.ExecutorConfig) {
	return cfg, effects
}
