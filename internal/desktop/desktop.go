// Package desktop reaches the desktop of the machine that the program runs on:
// it shows notifications there, and finds the clipboard managers that store what
// is copied. What it does blocks, for a moment at most: it is called from
// commands only.
package desktop

// remote reports whether the user sits at another machine.
func remote(env func(string) string) bool {
	return env("SSH_TTY") != "" || env("SSH_CONNECTION") != "" || env("SSH_CLIENT") != ""
}

// title is what a notification is from.
const title = "cardtop"
