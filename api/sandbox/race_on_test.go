//go:build race

package sandbox

// raced means that the race detector slows the program down several times, so
// that tests by sheer number make fewer steps.
const raced = true
