// Package longtest says whether the long tests run: those of the build tag long, which
// try all cases where the usual ones try some.
package longtest

// Times is how often something is tried: usual, or long in the long tests.
func Times(usual, long int) int {
	if On {
		return long
	}
	return usual
}
