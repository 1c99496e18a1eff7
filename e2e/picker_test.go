package e2e

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/picker"
	"github.com/cardtop/cardtop/ui/tty"
)

// picking shows the list of accounts that a start begins with, in a bubble of
// virtual time, and gives what was picked.
func picking(t *testing.T, w, h int, tell func(d *driver)) (picked *ui.Account) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := picker.New(picker.Config{
			Keys: keymap.New(keymap.Defaults()), Notice: "cannot switch to broken: the API refused its key", Now: clock,
			Accounts: []ui.Account{
				{ID: "first", Name: "default", Where: "127.0.0.1:8787, from the environment"},
				{ID: "profile agency", Name: "agency", Where: "cards.example.org", ReadOnly: true},
				{ID: "profile team", Name: "team", Where: "api.example.com"},
				{ID: "sandbox", Name: "demo", Where: "the embedded sandbox", Sandbox: true},
			},
		})
		must(t, err)
		in, keys := io.Pipe()
		d := &driver{t: t, keys: keys, term: newTerminal(w, h), done: make(chan error, 1)}
		d.prog, err = picker.NewProgram(p, tty.Device{
			In: in, Out: d.term, Width: w, Height: h, Env: []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"},
		})
		must(t, err)
		go func() { d.done <- d.prog.Run() }()
		defer func() {
			d.prog.Quit()
			d.prog.Wait()
			if err := errors.Join(<-d.done, keys.Close(), in.Close()); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
			picked = p.Next()
		}()
		d.wait(time.Second)
		tell(d)
	})
	return picked
}

func TestAStartAmongSeveralAccountsAsksWhich(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}} {
		picked := picking(t, size[0], size[1], func(d *driver) {
			d.see("▸  default", "127.0.0.1:8787", "read-only, cards", "api.example.com", "demo", "its key", "enter open", "esc quit")
			d.press("j", "down", "k", "enter")
		})
		if picked == nil || picked.Name != "agency" {
			t.Errorf("%v: it opens %+v", size, picked)
		}
	}
	for _, key := range []string{"q", "esc", "ctrl+c"} {
		if picked := picking(t, 80, 24, func(d *driver) { d.press(key) }); picked != nil {
			t.Errorf("%s opens %+v", key, picked)
		}
	}
}

// TestAPasteOpensNoAccount: who pasted into the shell picked nothing.
func TestAPasteOpensNoAccount(t *testing.T) {
	t.Parallel()
	picked := picking(t, 80, 24, func(d *driver) {
		d.send("j\rj\r")
		d.wait(time.Second)
		d.paste("jj\r")
		d.see("which account?")
	})
	if picked != nil {
		t.Errorf("it opens %+v", picked)
	}
}
