package mcp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestWhatWaitsForALeadIsNotGivenBack to what a session may move: it may act hours later.
func TestWhatWaitsForALeadIsNotGivenBack(t *testing.T) {
	t.Parallel()
	if stayed("", fmt.Errorf("fund: %w", api.ErrApprovalRequired)) {
		t.Error("what waits for a lead counts as not moved")
	}
	if !stayed("", errors.New("the API refused it")) {
		t.Error("what was refused counts as moved")
	}
}
