// Package leaktest fails the tests of a package that leave goroutines behind. Tests in a
// bubble of testing/synctest need it not: a bubble does not end before its goroutines.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// patience is how long goroutines may take to end once the tests have.
const patience = 5 * time.Second

// Run runs the tests of a package, and ends the program with their exit code, or with 1
// when goroutines are left.
func Run(m *testing.M) {
	code := m.Run()
	if left := Left(patience); code == 0 && len(left) > 0 {
		_, _ = fmt.Fprintf(os.Stderr, "%d goroutines are left:\n\n%s\n", len(left), strings.Join(left, "\n\n")) // It fails either way.
		code = 1
	}
	os.Exit(code)
}

// Left returns the stacks of the goroutines that run besides the caller's, once there are
// none or the time is over.
func Left(within time.Duration) (left []string) {
	limit := time.NewTimer(within)
	defer limit.Stop()
	for {
		if left = others(); len(left) == 0 {
			return nil
		}
		select {
		case <-limit.C:
			return left
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// others returns the stacks of all goroutines but the caller's and those of the program
// that runs tests.
func others() (all []string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, stack := range strings.Split(string(stacks), "\n\n")[1:] { // The first is the caller's.
		if !strings.Contains(stack, "testing.(*M)") && !strings.Contains(stack, "testing.tRunner") && !strings.Contains(stack, "os/signal.loop") && !strings.Contains(stack, "created by testing") {
			all = append(all, strings.TrimSpace(stack))
		}
	}
	return all
}
