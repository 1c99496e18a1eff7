package mcp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestWhatWaitsForALeadIsNotGivenBack to what a session may move: it may act hours later.
func TestWhatWaitsForALeadIsNotGivenBack(t *testing.T) {
	t.Parallel()
	if stayed("", cli.Failed("fund fb/01 ••2039", fmt.Errorf("cards fund: %w", api.ErrApprovalRequired))) {
		t.Error("what waits for a lead counts as not moved")
	}
	if !stayed("", cli.Failed("fund fb/01 ••2039", errors.New("the API refused it"))) {
		t.Error("what was refused counts as moved")
	}
}
