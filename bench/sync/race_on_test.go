//go:build long && race

package sync_test

// raced means that the race detector slows the program down several times, so that
// measurements by number take fewer samples.
const raced = true
