package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// program is one that shows the cards.
type program struct {
	name  string
	ready string // is on the screen once every row is there
	keys  keys
	env   []string
	args  []string
}

// keys are what a program calls for a step of one row, a page and so on; each is
// of one byte where it is held.
type keys struct{ up, down, page, first, last, search, clear string }

// environment is that of a terminal with 16 million colours.
func environment(home string) []string {
	return []string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
	}
}

// cardtop is the program on an account.
func cardtop(exe, home string, a account) program {
	return program{
		name: "cardtop", ready: fmt.Sprintf("1 Cards  %d ", len(a.server.rows)), env: environment(home),
		args: []string{exe, "--profile", a.name},
		keys: keys{up: "k", down: "j", page: "\x06", first: "g", last: "G", search: "/", clear: "\x1b"},
	}
}

// fzf shows a file of the same cards; first is on its screen with the first row.
func fzf(bin, home, file, first string) program {
	// It filters as cardtop does: by the text as it is, in the order of the list.
	return program{
		name: "fzf 0.65.2", ready: first, env: append(environment(home), "FZF_DEFAULT_COMMAND=cat "+file),
		args: []string{filepath.Join(bin, "fzf"), "--exact", "--no-sort", "--layout=reverse", "--bind=home:first,end:last"},
		keys: keys{up: "\x10", down: "\x0e", page: "\x1b[6~", first: "\x1b[H", last: "\x1b[F", clear: "\x15"},
	}
}

// widths are those of the columns, in cells.
var widths = []int{28, 12, 12, 14, 12, 12, 22, 36}

// writeRows writes the cards as lines of text of a fixed width.
func writeRows(path string, all [][]string) error {
	var b strings.Builder
	for _, row := range all {
		for i, w := range widths {
			fmt.Fprintf(&b, "%-*.*s ", w-1, w-1, row[i])
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
