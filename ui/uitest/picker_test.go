package uitest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
)

// picking shows the list of accounts that a start begins with, in a bubble of
// virtual time, and gives what was picked.
func picking(t *testing.T, w, h int, tell func(d *driver)) (picked *ui.Account) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := ui.NewPicker(ui.PickerConfig{
			Keys: keymap.New(keymap.Defaults()), Notice: "no turning to broken: the API refused its key", Now: clock,
			Accounts: []ui.Account{
				{ID: "first", Name: "default", Where: "127.0.0.1:8787, from the environment"},
				{ID: "profile agency", Name: "agency", Where: "cards.example.org", ReadOnly: true},
				{ID: "profile team", Name: "team", Where: "api.example.com"},
				{ID: "sandbox", Name: "demo", Where: "the embedded sandbox", Sandbox: true},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		in, keys := io.Pipe()
		d := &driver{t: t, keys: keys, term: newTerminal(w, h), done: make(chan error, 1)}
		d.prog, err = ui.NewPickerProgram(p, ui.Terminal{
			In: in, Out: d.term, Width: w, Height: h, Env: []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"},
		})
		if err != nil {
			t.Fatal(err)
		}
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

// TestTheBuiltProgramAsksWhichProfile: with two profiles, none chosen and an
// account in the environment; commands say which profiles there are.
func TestTheBuiltProgramAsksWhichProfile(t *testing.T) {
	t.Parallel()
	exe, home := buildBinary(t), t.TempDir()
	one, own := serve(t, exe, "--seed", "1"), serve(t, exe, "--seed", "2")
	first, second := newest(t, one), newest(t, own)
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := fmt.Sprintf("[profiles.team]\nbase_url = '%s'\napi_key = '%s'\n[profiles.broken]\nbase_url = '%s'\napi_key = 'sk_test_wrong'\n", one, binaryKey, one)
	if err := os.WriteFile(filepath.Join(home, "config", "cardtop", "config.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	env := environment(home, "CARDTOP_BASE_URL="+own, "CARDTOP_API_KEY="+binaryKey)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = env
	s := showScreen(t, home, cmd)
	s.await("▸  default", "from the environment", "broken", "team")
	s.typed("j")
	s.await("▸  broken")
	s.insist("\r", "no turning to broken: the API refused its key")
	s.await("▸  default")
	s.insist("\r", "TEST   default")
	s.await("● live", second.label)
	s.typed("W")
	s.await("✓ default", "broken")
	s.typed("G")
	s.await("▸  demo")
	s.typed("k")
	s.await("▸  team")
	s.insist("\r", "TEST   team")
	s.await("● live", first.label)
	if err := s.quit(); err != nil {
		t.Fatalf("quit: %v", err)
	}
	for _, args := range [][]string{{"otp"}, {"watch", "--plain"}, {"history"}, {"keyring", "delete"}, {"doctor"}} {
		cmd := exec.CommandContext(t.Context(), exe, args...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "choose a profile (broken, team): --profile NAME") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
