//go:build race

package e2e

// raced tells that the race detector slows the program down several times, so
// that what is proved by sheer number is pressed less often.
const raced = true
