//go:build long

package hub_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/nighttest"
)

// TestAHubServesADay: reads, writes and approvals go on as in the first hour. By day it is a third of it.
func TestAHubServesADay(t *testing.T) { serveHours(t, nighttest.Times(8, 24)) }
