package e2e

import (
	"os"
	"strconv"
	"testing"
)

// rounds gives how often a proof is repeated: few times among the other tests,
// or as CARDTOP_PROVE says.
func rounds(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("CARDTOP_PROVE")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatal("CARDTOP_PROVE has to be a number of rounds")
	}
	return n
}

// thorough tells whether a proof is asked for by itself: what is much alike is
// then not left out.
func thorough() bool { return os.Getenv("CARDTOP_PROVE") != "" }

// proved prints what was proved, and fails when it was not.
func proved(t *testing.T, what string, good, of int) {
	t.Helper()
	t.Logf("%-60s %d of %d", what, good, of)
	if good != of {
		t.Errorf("%s: %d of %d", what, good, of)
	}
}
