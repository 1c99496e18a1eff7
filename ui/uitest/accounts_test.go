package uitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/ui"
)

// withAccounts gives a story three accounts, of which the middle one is open.
func withAccounts(c *ui.Config) {
	c.Accounts = []ui.Account{
		{ID: "1", Name: "team", Where: "https://api.example.com"},
		{ID: "2", Name: "demo", Where: "the embedded sandbox", Here: true},
		{ID: "3", Name: "agency", Where: "https://cards.example.org", ReadOnly: true},
	}
}

// ends waits for the end of the program and gives the account it ends for.
func (d *driver) ends() *ui.Account {
	d.t.Helper()
	d.wait(100 * time.Millisecond)
	select {
	case err := <-d.done:
		d.done <- err
	default:
		d.t.Fatalf("the program goes on:\n%s", d.screen())
	}
	return d.app.Next()
}

func TestTurningToAnotherProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W")
		d.see("▸  agency", "read-only, https://cards.example.org", "✓ demo", "here: the embedded sandbox")
		d.press("up", "enter")
		d.seeNot("Profiles")
		d.press("W", "enter")
		if to := d.ends(); to == nil || to.Name != "agency" {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

// TestAPasteTurnsToNoProfile: enter leaves this account, so that no burst does.
func TestAPasteTurnsToNoProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W")
		d.wait(time.Second)
		d.send("j\r")
		d.wait(time.Second)
		d.see("Profiles")
	})
}

// TestTheListBeginsOnTheProfileOfBefore: there and back takes the same keys.
func TestTheListBeginsOnTheProfileOfBefore(t *testing.T) {
	t.Parallel()
	story(t, options{change: func(c *ui.Config) {
		withAccounts(c)
		c.Accounts[0].Before = true
	}}, func(d *driver) {
		d.press("W")
		d.see("▸  team")
	})
}

func TestQuittingTurnsToNoProfile(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.press("W", "esc", "q")
		if to := d.ends(); to != nil {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

func TestWithoutAnotherProfileItSaysHowThereIsOne(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("W")
		d.see("no other profile: add [profiles.NAME]")
	})
}

// TestTurningAsksWhileAWriteHasNoAnswer: what is under way is told of, and the
// key that asked answers.
func TestTurningAsksWhileAWriteHasNoAnswer(t *testing.T) {
	t.Parallel()
	story(t, options{change: withAccounts}, func(d *driver) {
		d.pick()
		d.fault(fundRoute, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.giveUp()
		d.press("W", "enter")
		d.wait(time.Second)
		d.see("Turn to agency", "a write has no answer yet", "W turn to it")
		d.press("enter")
		d.seeNot("Turn to agency")
		d.press("W", "enter")
		d.wait(time.Second)
		d.press("W")
		if to := d.ends(); to == nil || to.Name != "agency" {
			d.t.Errorf("it ends for %+v", to)
		}
	})
}

// TestProfilesShareNothing runs the built program on two sandboxes: after the
// turn nothing of the one is on the screen of the other, on the clipboard of
// the terminal, or in its folders; a profile that cannot be opened leads back.
func TestProfilesShareNothing(t *testing.T) {
	t.Parallel()
	exe, home := buildBinary(t), t.TempDir()
	one, two := serve(t, exe, "--seed", "1"), serve(t, exe, "--seed", "2")
	first, second := newest(t, one), newest(t, two)
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := fmt.Sprintf("profile = 'team'\n[clipboard]\nosc52 = true\n[profiles.team]\nbase_url = '%s'\napi_key = '%s'\n[profiles.agency]\nbase_url = '%s'\napi_key = '%s'\n[profiles.broken]\nbase_url = '%s'\napi_key = 'sk_test_wrong'\n",
		one, binaryKey, two, binaryKey, two)
	if err := os.WriteFile(filepath.Join(home, "config", "cardtop", "config.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = environment(home, "SSH_TTY=/dev/pts/0")
	s := showScreen(t, home, cmd)
	s.await("● live", "team", first.label)
	s.typed("o")
	s.await(" sent")
	s.typed("W")
	s.await("▸  agency")
	s.insist("\r", "TEST   agency")
	s.await("● live", second.label)
	if left := s.term.text(); strings.Contains(left, first.label) || strings.Contains(left, first.otp) {
		t.Errorf("what is the other's is on the screen:\n%s", left)
	}
	// The terminal's clipboard was emptied with the account it was of.
	if sent := s.term.sent(); !strings.HasPrefix(sent[strings.LastIndex(sent, "\x1b]52;c;"):], "\x1b]52;c;IA==") {
		t.Error("the code stays on the clipboard")
	}
	s.typed("W")
	s.await("▸  team")
	s.typed("G")
	s.await("▸  demo")
	s.typed("k")
	s.await("▸  broken")
	s.insist("\r", "no turning to broken: the API refused its key")
	s.await("● live", "agency", second.label)
	if err := s.quit(); err != nil {
		t.Fatalf("quit: %v", err)
	}
	scan(t, home, map[string]string{"number": first.pan, "other number": second.pan, "code": first.otp, "other code": second.otp})
	folders, err := filepath.Glob(filepath.Join(home, "cache", "cardtop", "profiles", "*"))
	if err != nil || len(folders) != 2 {
		t.Errorf("caches of their own: %v, %v", folders, err)
	}
}
