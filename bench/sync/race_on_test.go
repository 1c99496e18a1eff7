//go:build race

package sync_test

// raced tells that the race detector slows SQLite down some forty times, so
// that what is measured by sheer number takes fewer samples.
const raced = true
