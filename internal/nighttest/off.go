//go:build !night

package nighttest

// On reports whether the tests run in full.
const On = false
