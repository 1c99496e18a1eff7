package helper

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// TestMain lets the test binary be a helper of several kinds.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "as" {
		// Unlike os.Exit, this does not wait for the race detector.
		syscall.Exit(as(os.Args[2]))
	}
	os.Exit(m.Run())
}

func as(kind string) int {
	switch kind {
	case "answering":
		return Serve(os.Stdin, os.Stdout)
	case "failing":
		return 3
	case "talking":
		_, _ = io.WriteString(os.Stdout, "hello\n")
	case "hanging":
		// The tool that does not answer is a child of the helper.
		cmd := exec.Command(os.Args[0], "as", "tool")
		cmd.Stdout = os.Stdout
		_ = cmd.Run()
	case "tool":
		<-time.After(time.Hour)
	}
	return 0
}

func TestCallEndsWithTheHelperAndItsTools(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	c := Caller{Command: []string{os.Args[0], "as", "hanging"}}
	// The tool holds the helper's output open: the call can only return if the
	// tool was ended as well, or after the delay that closes the pipe.
	if _, err := c.Check(ctx, mark.Set{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestCallReportsFailures(t *testing.T) {
	for kind, want := range map[string]string{"failing": "exit status 3", "talking": "decode frame"} {
		c := Caller{Command: []string{os.Args[0], "as", kind}}
		if _, err := c.Check(t.Context(), mark.Set{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", kind, err)
		}
	}
	if _, err := (Caller{Command: []string{"/nonexistent"}}).Check(t.Context(), mark.Set{}); err == nil {
		t.Error("a missing program is no error")
	}
}

func TestCallHasNoSecretInItsErrors(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	c := Caller{Command: []string{os.Args[0], "as", "answering"}}
	err := c.Put(t.Context(), []byte("4242424242424242"), mark.Set{Key: mark.Key("key")})
	if err == nil || strings.Contains(err.Error(), "4242") {
		t.Errorf("error %v", err)
	}
	if _, err := c.call(t.Context(), wire.Frame{Op: wire.Bye}, mark.Set{}); err == nil {
		t.Error("an unknown request is served")
	}
}
