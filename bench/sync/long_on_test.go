//go:build long

package sync_test

// long means that measurements by number take the samples of a run of all long tests.
const long = true
