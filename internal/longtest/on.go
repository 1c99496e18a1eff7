//go:build long

package longtest

// On reports whether they run.
const On = true
