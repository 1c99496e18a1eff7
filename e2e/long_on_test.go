//go:build long

package e2e

// long says that what is proved by sheer number is done in full.
const long = true
