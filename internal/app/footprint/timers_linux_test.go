package footprint

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTimersOfEveryThreadMayBeLate runs this program as one that stays, and reads the
// slack of a thread that Go's runtime made before main was.
func TestTimersOfEveryThreadMayBeLate(t *testing.T) {
	if os.Getenv("CARDTOP_TEST_STAYS") != "" {
		if err := AllowLateTimers(3 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("pid %d slack %d\n", os.Getpid(), slack)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTimersOfEveryThreadMayBeLate$", "-test.count=1")
	cmd.Env = append(os.Environ(), "CARDTOP_TEST_STAYS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := fmt.Sprintf("pid %d slack %d\n", cmd.Process.Pid, (3 * time.Millisecond).Nanoseconds())
	if !strings.HasPrefix(string(out), want) {
		t.Errorf("%s, want %s", out, want)
	}
}
