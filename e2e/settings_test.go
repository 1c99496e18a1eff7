package e2e

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/ui"
)

// noFile accepts every setting and keeps none.
type noFile struct{ wrote chan string }

func (f noFile) Set(name, text string) error {
	f.wrote <- name + "=" + text
	return nil
}
func (noFile) Reset(string) error { return nil }

// withSettings gives a story a few settings.
func withSettings(c *ui.Config) {
	c.File = noFile{make(chan string, 1)}
	c.Listed = []ui.Setting{
		{Name: "profile", Group: "profile", Value: "team", From: "--profile", Fixed: true, About: "profile to use when none is asked for"},
		{Name: "theme", Group: "theme", Value: "dark", Default: "auto", From: "line 2", About: "name of a theme", Choices: []string{"auto", "dark", "light"}},
		{Name: "reveal.seconds", Group: "reveal", Value: "15", Default: "15", From: "default", About: "how long a revealed card stays on screen"},
	}
}

// TestASettingIsChangedOnItsScreen: what a flag set is not.
func TestASettingIsChangedOnItsScreen(t *testing.T) {
	t.Parallel()
	var wrote chan string
	change := func(c *ui.Config) {
		withSettings(c)
		if f, ok := c.File.(noFile); ok {
			wrote = f.wrote
		}
	}
	story(t, options{change: change}, func(d *driver) {
		d.press("ctrl+e")
		d.see("Settings  3 · 2 set", "line 2")
		d.press("enter")
		d.see("profile comes from --profile")
		d.press("j", "j", "enter")
		d.see("default: 15")
		d.press("2", "0") // In place of the value.
		d.wait(time.Second)
		d.press("enter")
		d.wait(time.Second)
		if got := <-wrote; got != "reveal.seconds=20" {
			d.t.Errorf("wrote %s", got)
		}
		d.see("saved reveal.seconds")
		d.seeNot("default: 15")
		d.press("esc")
		d.seeNot("Settings")
	})
}
