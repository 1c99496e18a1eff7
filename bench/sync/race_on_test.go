//go:build long && race

package sync_test

// raced means that the race detector slows SQLite down some forty times, so that
// measurements by number take fewer samples.
const raced = true
