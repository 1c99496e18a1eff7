package e2e

import (
	"regexp"
	"time"
)

// register registers a webhook for deposits, of which a quiet world has none.
func (d *driver) register(address string) {
	d.t.Helper()
	d.wait(time.Second)
	d.press("n")
	d.see("Register a webhook", "all events")
	d.write(address)
	d.press("shift+tab", "space")
	d.press("enter")
	d.see("▸Cancel", "Register", "deposit.confirmed", "shows it once")
	d.wait(time.Second)
	d.press("tab", "enter")
	d.wait(time.Second)
}

// firstHook reads the id of the webhook under the cursor from the screen.
func firstHook(d *driver) string {
	d.t.Helper()
	id := regexp.MustCompile("wh_[0-9a-z]+").FindString(d.screen())
	if id == "" {
		d.t.Fatal("no webhook is shown")
	}
	return id
}
