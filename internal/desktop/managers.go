// Package desktop reaches the desktop of the machine that the program runs on:
// it shows notifications there, and finds the clipboard managers that store what
// is copied. What it does blocks, for a moment at most: it is called from
// commands only.
package desktop

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// watcher is the tool that hands every copy to a command, by its own option.
const watcher = "wl-paste"

// manager names the clipboard manager that a process is, by its name and its
// arguments, which only the watcher's are asked for; empty for any other.
func manager(process string, args func() []string) string {
	process = strings.ToLower(process)
	if process == watcher {
		return watched(args())
	}
	return managers()[process]
}

// watched names what is handed the copies.
func watched(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return a == "--watch" || a == "-w" })
	if i < 0 || i+1 >= len(args) {
		return ""
	}
	command := path.Base(args[i+1])
	for _, word := range strings.Fields(strings.Join(args[i+1:], " ")) {
		if name := managers()[strings.ToLower(path.Base(word))]; name != "" {
			return name // Also behind a shell.
		}
	}
	return cmp.Or(managers()[command], command)
}

// unique sorts names and leaves each once.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// remote reports whether the user sits at another machine.
func remote(env func(string) string) bool {
	return env("SSH_TTY") != "" || env("SSH_CONNECTION") != "" || env("SSH_CLIENT") != ""
}

// title is what a notification is from.
const title = "cardtop"
