//go:build long

package cmd

import (
	"github.com/cardtop/cardtop/internal/nighttest"
)

// A program lives some hours; at night a whole day.
var day = nighttest.Times(4, 24)
