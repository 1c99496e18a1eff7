//go:build unix && !linux

package desktop

import (
	"context"
	"os"
	"os/exec"
	"path"
	"strings"
)

// processes names the clipboard managers among the processes; none when ps does
// not tell.
func processes(ctx context.Context) []string {
	cmd := exec.CommandContext(ctx, "ps", "-A", "-o", "comm=")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if name := manager(path.Base(strings.TrimSpace(line)), func() []string { return nil }); name != "" {
			names = append(names, name)
		}
	}
	return names
}
