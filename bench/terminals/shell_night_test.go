//go:build night && linux

package terminals

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestTheShellStopsItAndBringsItBack presses ctrl+z in bash, uses the shell, and
// brings the program back.
func TestTheShellStopsItAndBringsItBack(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	c := openConsole(t, 0, w.env(), "bash", "--norc", "--noprofile", "-i")
	await(t, c, "a prompt", has("$"))
	c.send(w.exe + "\r")
	awaitList(t, c)
	usable, right := 0, 0
	for range n {
		c.keys("ctrl+z")
		await(t, c, "the shell", func(s string) bool { return strings.Contains(s, "Stopped") && !strings.Contains(s, "● live") })
		c.send("echo $((6*7))-$(stty -a | grep -c ' icanon.* echo ')\r")
		await(t, c, "the answer of the shell", func(s string) bool { return strings.Contains(s, "42-") || strings.Contains(s, "42 -") })
		usable += count(strings.Contains(c.text(), "42-"))
		c.send("clear; fg\r")
		awaitList(t, c)
		if err := wrong(w, c); err == nil {
			right++
		} else {
			t.Error(err)
		}
	}
	proved(t, "ctrl+z: the shell works", usable, n)
	proved(t, "fg: right", right, n)
}

// TestKilledItGivesTheTerminalBack kills the program; its guard has to bring the
// terminal back to how it was.
func TestKilledItGivesTheTerminalBack(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	modes, sequences := 0, 0
	for range n {
		dir := t.TempDir()
		c := openConsole(t, 0, w.env(), "sh", "-c", "cd "+dir+"; echo older line; stty -a >before; "+w.exe+"; sleep 1; stty -a >after; echo it is over")
		awaitList(t, c)
		at := len(c.received())
		must(t, syscall.Kill(w.pid(), syscall.SIGKILL))
		await(t, c, "the end", has("it is over"))
		before, err1 := os.ReadFile(filepath.Join(dir, "before"))
		after, err2 := os.ReadFile(filepath.Join(dir, "after"))
		modes += count(err1 == nil && err2 == nil && len(before) > 0 && bytes.Equal(before, after))
		sent, all := c.received()[at:], true
		for _, seq := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?7h", "\x1b[?2004l", "\x1b[?1004l", "\x1b[<1u"} {
			if !bytes.Contains(sent, []byte(seq)) {
				t.Errorf("it is not sent %q", seq)
				all = false
			}
		}
		sequences += count(all && strings.Contains(c.text(), "older line") && !strings.Contains(c.text(), "● live"))
	}
	proved(t, "SIGKILL: the modes of the terminal are as before", modes, n)
	proved(t, "SIGKILL: the screen is as before", sequences, n)
}

// TestColours holds what is sent to a terminal of so many colours, and that it is
// drawn right.
func TestColours(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	for _, tc := range []struct {
		name      string
		env       []string
		has, lack string // of the parameters of a style
	}{
		{"none", []string{"NO_COLOR=1", "COLORTERM=truecolor"}, `^0?$|^0?;?[1247]$`, `(^|;)(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;|$)`},
		{"16 colours", []string{"TERM=xterm-16color"}, `(^|;)(3[0-7]|9[0-7])(;|$)`, `(^|;)[34]8;[25];`},
		{"256 colours", []string{}, `(^|;)[34]8;5;\d+`, `(^|;)[34]8;2;`},
		{"16 million colours", []string{"COLORTERM=truecolor"}, `(^|;)[34]8;2;\d+`, `(^|;)[34]8;5;`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			good := 0
			for round := range n {
				// Each ends before the next begins.
				ok := t.Run(fmt.Sprint(round), func(t *testing.T) {
					if err := drawnIn(t, w.anew(t), tc.env, tc.has, tc.lack); err != nil {
						t.Error(err)
					}
				})
				good += count(ok)
			}
			proved(t, tc.name+": those and no others, and right", good, n)
		})
	}
}

// drawnIn returns what is wrong with a screen on a terminal of so many colours: with it, or
// with the parameters of its styles.
func drawnIn(t *testing.T, w *world, env []string, has, lack string) error {
	t.Helper()
	c := openConsole(t, 0, w.env(env...), w.exe)
	awaitList(t, c)
	c.keys("j", "j", "Next", "Tab", "g")
	if err := wrong(w, c); err != nil {
		return err
	}
	own, others := regexp.MustCompile(has), regexp.MustCompile(lack)
	seen, bad := false, ""
	for _, m := range regexp.MustCompile(`\x1b\[([0-9;:]*)m`).FindAllSubmatch(c.received(), -1) {
		style := strings.ReplaceAll(string(m[1]), ":", ";")
		seen = seen || own.MatchString(style)
		if others.MatchString(style) {
			bad = style
		}
	}
	if !seen || bad != "" {
		return fmt.Errorf("its own are there: %t; and so is %q", seen, bad)
	}
	return nil
}

// TestADumbTerminalIsTold holds that one line says why nothing is drawn.
func TestADumbTerminalIsTold(t *testing.T) {
	rounds(t)
	t.Parallel()
	w := openWorld(t)
	cmd := exec.CommandContext(context.Background(), "script", "-qec", w.exe, "/dev/null")
	cmd.Env = w.env("TERM=dumb")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	good := errors.As(err, &exit) && bytes.Count(out, []byte("\n")) == 1 && bytes.Contains(out, []byte("cannot draw")) && !bytes.Contains(out, []byte("\x1b"))
	if !good {
		t.Errorf("%v: %q", err, out)
	}
	proved(t, "TERM=dumb: told in one line", count(good), 1)
}
