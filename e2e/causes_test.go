package e2e

import (
	"fmt"
	"testing"
	"time"
)

// TestDeclinesScreens: a key from anywhere, and another one to what helps.
func TestDeclinesScreens(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		name := fmt.Sprintf("declines-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{w: size[0], h: size[1]}, func(d *driver) {
				d.wait(30 * time.Second) // What may say why is read ahead.
				d.press("X")
				d.see("Declines", "likely")
				d.fits(size[0], size[1])
				d.golden(name)
				d.press("enter")
				d.see("declined")
			})
		})
	}
}
