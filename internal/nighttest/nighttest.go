// Package nighttest says whether the tests run in full: with the build tag night, where what is
// tried by chance or over all cases is tried more often.
package nighttest

// Times returns how often a test tries something: usual, or full with the tag night.
func Times(usual, full int) int {
	if On {
		return full
	}
	return usual
}
