package state_test

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // Tests leave whole worlds behind: to collect them less often saves a tenth of the time.
	os.Exit(m.Run())
}
