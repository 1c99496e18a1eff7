//go:build unix && night

package shell

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestAHookThatHangsIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	var bad failures
	h := startHook(t.Context(), []string{"PATH=" + os.Getenv("PATH")}, 3*time.Second, bad.add)
	defer h.Close()
	h.SetLine("sleep 300 & echo $! > '" + pid + "'; wait")
	h.Send([]byte("{}"))
	until(t, "the hook is killed", func() bool { return strings.Contains(bad.text(), "killed") })
	child, err := strconv.Atoi(strings.TrimSpace(read(t, pid)))
	if err != nil {
		t.Fatal(err)
	}
	until(t, "its child is gone", func() bool {
		stat := read(t, "/proc/"+strconv.Itoa(child)+"/stat")
		return stat == "" || strings.Contains(stat, ") Z ")
	})
}

// TestACommandIsKilledByItsTime with its children.
func TestACommandIsKilledByItsTime(t *testing.T) {
	t.Parallel()
	killed(t, "time")
}
