package leaktest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/leaktest"
)

func waits(end <-chan struct{}) { <-end }

func TestAGoroutineIsLeftUntilItEnds(t *testing.T) {
	end := make(chan struct{})
	go waits(end)
	if left := leaktest.Left(0); len(left) != 1 || !strings.Contains(left[0], "TestAGoroutineIsLeftUntilItEnds") {
		t.Errorf("left: %q", left)
	}
	close(end)
	if left := leaktest.Left(time.Minute); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}
