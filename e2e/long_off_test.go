//go:build !long

package e2e

// long says that what is proved by sheer number is done in full. Here it is
// done often enough to see that it works; go test -tags long proves it.
const long = false
