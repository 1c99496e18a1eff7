package keymap

import (
	"fmt"
	"strings"
)

// Text is the key reference for a terminal.
func (m *Map) Text() string {
	var b strings.Builder
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "%s\n", g.Name)
		for _, row := range g.Rows {
			fmt.Fprintf(&b, "  %-26s %s\n", strings.Join(row.Keys, " "), row.Help)
		}
	}
	return b.String()
}

// Markdown is the key reference as a page.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("# Keys\n\nWritten by `cardtop keys --markdown`. Letter keys also work by their position on Cyrillic, Greek, Hebrew and Georgian layouts, and the digits\non French ones without shift. Under `[keys]` in the configuration an action gets other keys by its name, everywhere or in one\nplace: `freeze = [\"f\", \"alt+f\"]`, `transactions.pause = \"P\"`; `[]` unbinds.\nA dialog, such as a plan or the list of accounts under `W`, shows its own keys at its foot. Those cannot be changed.\n")
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "\n## %s (`%s`)\n\n| Key | What it does | Action |\n|---|---|---|\n", g.Name, g.Context)
		for _, row := range g.Rows {
			keys := make([]string, 0, len(row.Keys))
			for _, k := range row.Keys {
				keys = append(keys, "`"+k+"`")
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", strings.Join(keys, " "), row.Help, row.Action)
		}
	}
	return b.String()
}
