//go:build unix && !linux

package backend

import (
	"context"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
)

// Above names the processes above one, the nearest first; none when ps does not
// tell.
func Above(pid int) []string {
	ctx, cancel := context.WithTimeout(context.Background(), helper.Deadline)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=,ppid=,comm=").Output()
	if err != nil {
		return nil
	}
	parents, names := make(map[int]int), make(map[int]string)
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		id, err := strconv.Atoi(f[0])
		parent, err2 := strconv.Atoi(f[1])
		if err == nil && err2 == nil {
			parents[id], names[id] = parent, path.Base(strings.Join(f[2:], " "))
		}
	}
	var above []string
	for pid > 0 && names[pid] != "" && len(above) < len(names) {
		above = append(above, names[pid])
		pid = parents[pid]
	}
	return above
}
