package backend

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// Session is what the choice depends on.
type Session struct {
	OS    string // runtime.GOOS
	Env   func(string) string
	Has   func(tool string) bool
	OSC52 bool      // the user allows the terminal's clipboard
	TTY   io.Writer // the terminal, nil when it is not inherited
	// Version returns the version text of a tool.
	Version func(tool string) string
	// Scratch is a private directory for tools that keep files, "" for none.
	Scratch string
	Helper  helper.Caller
	// Above names the processes above one, the nearest first.
	Above func(pid int) []string
	// Host and Device tell this machine and its terminal from others.
	Host, Device string
}

// Choice is a list of ways to try in turn, and what to tell the user.
type Choice struct {
	Ways []Way
	Info wire.Info
	// Hint is what to install or allow, in a few words; it is set when there is
	// no way. Info has more.
	Hint string
}

// Way is one way to a clipboard.
type Way struct {
	Backend
	// Name is what it is called on the screen.
	Name string
	// Hints reports whether it asks clipboard managers to store nothing.
	Hints bool
	// Place identifies its clipboard; empty where that is not known.
	Place string
}

const (
	promiseOwner   = "cleared on time even when dashboard and guard are both killed; later copies of yours are kept"
	promiseCompare = "cleared on time even when the dashboard is killed, but not when the guard is killed too; " +
		"a copy of yours within a few hundredths of a second of the clearing is lost"
	promiseBlank = "overwritten by a blank on time, which cannot be verified; a later copy of yours is overwritten too"
	promiseNone  = "nothing is copied"

	warnHistory = "a clipboard manager may keep what it sees"
	warnFile    = "wl-copy before 2.3.0 keeps the text in a file under /tmp while it is copied"
	warnRemote  = "the terminal's clipboard may be on another machine"
	warnMosh    = "mosh passes a copy on from 1.4 at both ends, and cuts a long one"
)

// Choose picks the clipboard of a session. Over SSH the tools here would reach
// the clipboard of this machine, which is not the one the user sits at.
func Choose(s Session) Choice {
	c := Choice{Info: wire.Info{Mode: "none", Promise: promiseNone}}
	m := s.mosh(os.Getpid())
	remote := m.on || s.Env("SSH_TTY") != "" || s.Env("SSH_CONNECTION") != ""
	if !remote {
		s.native(&c)
		c.at(s.place("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"))
	}
	if s.OSC52 {
		s.overTerminal(&c, m)
	}
	if len(c.Ways) == 0 {
		var why string
		c.Hint, why = s.hint(remote, m)
		c.Info.Warnings = append(c.Info.Warnings, why)
	}
	return c
}

// native picks among the tools in the order of atotto/clipboard, so that what
// is announced here is what the helper uses.
func (s Session) native(c *Choice) {
	switch {
	case s.OS == "windows":
		c.use("compare", "Windows clipboard", promiseCompare, NewCompare(s.Helper), warnHistory)
	case s.OS == "darwin":
		if s.Has("pbcopy") {
			c.use("compare", "pbcopy", promiseCompare, NewCompare(s.Helper), warnHistory)
		}
	case s.Env("WAYLAND_DISPLAY") != "" && s.Has("wl-copy") && s.Has("wl-paste"):
		s.wayland(c)
	case s.Env("DISPLAY") != "" && s.Has("xclip"):
		s.x11(c, "xclip", []string{"xclip", "-quiet", "-in", "-selection", "clipboard"})
	case s.Env("DISPLAY") != "" && s.Has("xsel"):
		s.x11(c, "xsel", []string{"xsel", "--nodetach", "--input", "--clipboard"})
	case s.Has("xclip") || s.Has("xsel"):
		// The library would choose a tool that has no display to talk to.
	case s.Has("termux-clipboard-set") && s.Has("termux-clipboard-get"):
		c.use("compare", "termux-clipboard-set", promiseCompare, NewCompare(s.Helper), warnHistory)
	case s.Has("clip.exe") && s.Has("powershell.exe"):
		c.use("compare", "clip.exe", promiseCompare, NewCompare(s.Helper), warnHistory)
	}
}

func (s Session) x11(c *Choice, tool string, argv []string) {
	if ownerSupported {
		c.use("owner", tool, promiseOwner, NewOwner(argv, "", s.Helper), warnHistory)
		return
	}
	c.use("compare", tool, promiseCompare, NewCompare(s.Helper), warnHistory)
}

func (s Session) wayland(c *Choice) {
	said := s.Version("wl-copy")
	tool := "wl-copy " + said
	if !ownerSupported || !atLeast(said, 2, 3) {
		c.use("compare", tool, promiseCompare, NewCompare(s.Helper), warnFile)
		c.Info.Warnings = append(c.Info.Warnings, warnHistory)
		return
	}
	argv := []string{"wl-copy", "--foreground", "--sensitive", "--type", "text/plain"}
	c.use("owner", tool, promiseOwner, NewOwner(argv, s.Scratch, s.Helper), "")
	c.Ways[len(c.Ways)-1].Hints = true
}

// overTerminal adds the terminal's clipboard, alone or as the fallback.
func (s Session) overTerminal(c *Choice, m mosh) {
	tool, warning := "OSC 52", warnRemote
	if s.Env("STY") != "" {
		tool += " through screen"
	}
	if m.on {
		tool, warning = tool+" over mosh", warnMosh
	}
	switch {
	case s.Env("TMUX") != "" && s.Has("tmux"):
		c.use("tmux", "tmux", promiseBlank, NewTmux(os.Getpid(), s), warnRemote)
		c.at(s.place("TMUX"))
	case m.drops():
	case s.TTY != nil:
		c.use("terminal", tool, promiseBlank, NewTerminal(s.TTY, s.Env("STY") != ""), warning)
		if s.Device != "" {
			c.at(s.place() + s.Device)
		}
	}
}

// use adds a backend; the first one describes the choice.
func (c *Choice) use(mode, tool, promise string, b Backend, warning string) {
	c.Ways = append(c.Ways, Way{Backend: b, Name: tool})
	if len(c.Ways) > 1 {
		return
	}
	c.Info.Mode, c.Info.Tool, c.Info.Promise = mode, tool, promise
	if warning != "" {
		c.Info.Warnings = append(c.Info.Warnings, warning)
	}
}

// place names a clipboard of this machine by what of the environment leads to
// it. All panes of a tmux server share one.
func (s Session) place(names ...string) string {
	place := s.Host
	for _, name := range names {
		value := s.Env(name)
		if name == "TMUX" {
			value, _, _ = strings.Cut(value, ",")
		}
		place += "\n" + name + "=" + value
	}
	return place + "\n"
}

// at sets where the clipboard of the last added way is.
func (c *Choice) at(place string) {
	if n := len(c.Ways); n > 0 {
		c.Ways[n-1].Place = place
	}
}

// allow lets the terminal copy.
const allow = "set clipboard.osc52 = true"

// hint sets what to install or to allow, in a few words and in full.
func (s Session) hint(remote bool, m mosh) (short, why string) {
	switch {
	case m.drops() && s.OSC52:
		return droppedByMosh, droppedByMosh + ": it passes no copy on before 1.4"
	case s.OSC52 && s.TTY == nil:
		return "no terminal to copy over", "there is no terminal that clipboard.osc52 could copy over, and no clipboard tool in reach: run it on a terminal"
	case remote:
		return "over SSH " + allow, "over SSH only the terminal's clipboard is in reach: " + allow + " and start again"
	case s.Env("WAYLAND_DISPLAY") != "":
		return "install wl-clipboard", "install wl-clipboard, or " + allow
	case s.Env("DISPLAY") != "":
		return "install xclip", "install xclip, or " + allow
	}
	short = "no display; " + allow
	for _, tool := range []string{"wl-copy", "xclip", "xsel"} {
		if s.Has(tool) {
			return short, tool + " has no display: DISPLAY and WAYLAND_DISPLAY are not set: start in the graphical session, or with clipboard.osc52 = true"
		}
	}
	return short, "no display: DISPLAY and WAYLAND_DISPLAY are not set: " + allow + " and start again, or install xclip or wl-clipboard in a graphical session"
}

// version matches the numbers in a version text.
var version = regexp.MustCompile(`(\d+)\.(\d+)`)

// atLeast compares a version; words without numbers count as old.
func atLeast(said string, major, minor int) bool {
	m := version.FindStringSubmatch(said)
	if m == nil {
		return false
	}
	a, errA := strconv.Atoi(m[1])
	b, errB := strconv.Atoi(m[2])
	if errA != nil || errB != nil {
		return false
	}
	return a > major || a == major && b >= minor
}

// Installed reports whether a tool is on the PATH.
func Installed(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}

// unknown is the version of a tool without a version text.
const unknown = "unknown"

// VersionOf asks a tool for its version.
func VersionOf(ctx context.Context) func(string) string {
	return func(tool string) string {
		ctx, cancel := context.WithTimeout(ctx, helper.Deadline)
		defer cancel()
		out, err := exec.CommandContext(ctx, tool, "--version").Output()
		if m := version.FindStringSubmatch(string(out)); err == nil && m != nil {
			return fmt.Sprintf("%s.%s", m[1], m[2])
		}
		return unknown
	}
}
