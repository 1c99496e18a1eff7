package hub_test

import (
	"runtime/debug"
	"testing"

	"github.com/cardtop/cardtop/internal/leaktest"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // Tests leave whole worlds behind: to collect them less often saves a tenth of the time.
	leaktest.Run(m)
}
