//go:build !crashtest

package main

import (
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/ui"
)

// trapped is where a build for tests puts what breaks. Here it is nothing.
func trapped(cfg ui.Config, effects engine.ExecutorConfig) (ui.Config, engine.ExecutorConfig) {
	return cfg, effects
}
