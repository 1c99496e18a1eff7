//go:build long

package burn_test

// tracesOfAKind is how many traces of each kind are replayed.
const tracesOfAKind = 5000
