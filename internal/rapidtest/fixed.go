//go:build !night

// Package rapidtest has property tests draw the same cases in each run, so that they fail for a change and for
// nothing else. With the tag night, or with -rapid.seed, they draw others. Tests import it for that alone.
package rapidtest

import (
	"flag"

	_ "pgregory.net/rapid" // Its flags come first.
)

func init() { //nolint:gochecknoinits // before the flags of a test are read
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}
