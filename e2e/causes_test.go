package e2e

import (
	"testing"
	"time"
)

// TestDeclinesScreens: a key from anywhere, and another one to what helps.
func TestDeclinesScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, sized, func(d *driver) {
		d.wait(30 * time.Second) // What may say why is read ahead.
		d.press("X")
		d.see("Declines", "likely")
		d.drawn("declines")
		d.press("enter")
		d.see("declined")
	})
}
