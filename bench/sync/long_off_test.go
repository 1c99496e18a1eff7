//go:build !long

package sync_test

// long says that what is measured by sheer number takes as many samples as a run
// of all long tests has time for. Here it takes few.
const long = false
