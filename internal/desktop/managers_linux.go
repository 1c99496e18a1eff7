package desktop

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
)

// processes names the clipboard managers among the processes.
func processes(ctx context.Context) []string {
	return processesIn(ctx, "/proc")
}

func processesIn(ctx context.Context, proc string) []string {
	var names []string
	comms, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm"))
	if err != nil {
		return nil
	}
	for _, path := range comms {
		if ctx.Err() != nil {
			return names
		}
		comm, err := os.ReadFile(path) //nolint:gosec // a file of the system's own
		if err != nil {
			continue // It has ended.
		}
		args := func() []string {
			line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			if err != nil {
				return nil
			}
			return strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
		}
		if name := manager(strings.TrimSpace(string(comm)), args); name != "" {
			names = append(names, name)
		}
	}
	return names
}
