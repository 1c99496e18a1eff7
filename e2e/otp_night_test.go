//go:build night

package e2e

import (
	"syscall"
	"testing"
)

// TestOTPBinaryIsInterrupted ends the command as a person or a system does.
func TestOTPBinaryIsInterrupted(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	card := c.newCard("shop/till")
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		w := c.watch("--wait", "--card", card)
		if err := w.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := w.end(); code != 130 || out != "" || errs != "" {
			t.Errorf("%v: printed %q, told %q, exit code %d", sig, out, errs, code)
		}
	}
}
