//go:build long

package hub_test

import "testing"

// TestAHubServesADay: reads, writes and approvals go on as in the first hour.
func TestAHubServesADay(t *testing.T) { serveHours(t, 24) }
