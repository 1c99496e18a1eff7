//go:build linux && night

package clipboard_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard"
)

// TestMain lets the test binary be the guard, and the clipboard tool xclip.
func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "xclip":
		syscall.Exit(xclip(filepath.Join(os.Getenv("TMPDIR"), "clipboard"), strings.Join(os.Args[1:], " ")))
	case len(os.Args) > 1 && os.Args[1] == "guard":
		// Unlike os.Exit, this does not wait for the race detector.
		syscall.Exit(clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout))
	case len(os.Args) > 1 && os.Args[1] == "broken":
		syscall.Exit(1)
	}
	os.Exit(m.Run())
}

// xclip stands for the tool and for the X server: a file names the process that
// owns the selection and the text, and a dead owner has no text.
func xclip(file, args string) int {
	owner, text := selection(file)
	if strings.HasPrefix(args, "-out") {
		if owner != 0 && !alive(owner) {
			_, _ = io.WriteString(os.Stderr, "Error: target STRING not available\n")
			return 1
		}
		_, _ = io.WriteString(os.Stdout, text)
		return 0
	}
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	self := 0 // the tool in the background, which nobody ends
	if strings.Contains(args, "-quiet") {
		self = os.Getpid()
	}
	if putSelection(file, self, string(in)) != nil {
		return 1
	}
	for self != 0 {
		if owner, _ := selection(file); owner != self {
			return 0
		}
		<-time.After(5 * time.Millisecond)
	}
	return 0
}

// alive reports whether a process is there and not just waiting to be reaped.
func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func selection(file string) (int, string) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, ""
	}
	owner, text, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(owner)
	if err != nil {
		return 0, ""
	}
	return pid, text
}

func putSelection(file string, owner int, text string) error {
	next := file + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(next, fmt.Appendf(nil, "%d\n%s", owner, text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, file)
}
