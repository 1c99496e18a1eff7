//go:build !crashtest

package app

import "github.com/cardtop/cardtop/ui"

// trapped is where a build for tests puts what breaks. Here it is nothing.
func trapped(cfg ui.Config) ui.Config { return cfg }
