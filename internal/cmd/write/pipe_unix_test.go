//go:build unix

package write

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
)

func outlivePipe() (end func()) {
	left := make(chan os.Signal, 1)
	signal.Notify(left, syscall.SIGPIPE)
	return func() { signal.Stop(left) }
}

// TestAPlanOutlivesItsReader: progress goes to a pipe that nobody reads any more. Only a process of its own can be ended
// by that.
func TestAPlanOutlivesItsReader(t *testing.T) {
	const child = "CARDTOP_TEST_PIPE"
	if os.Getenv(child) != "" {
		c := &Command{Program: cli.Program{Program: app.Program{Errs: os.Stderr, Now: time.Now, OutlivePipe: outlivePipe}}} //nolint:forbidigo // nothing is kept
		cfg := act.Config{}
		end := c.follow(&cfg)
		cfg.Progress(&state.Batch{})
		end()
		_, _ = io.WriteString(os.Stdout, "went on")
		os.Exit(0)
	}
	t.Parallel()
	from, to, err := os.Pipe()
	if err := errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAPlanOutlivesItsReader$")
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.Stderr = to
	out, err := cmd.Output()
	if err := errors.Join(err, to.Close()); err != nil || !bytes.Contains(out, []byte("went on")) {
		t.Errorf("printed %q, %v", out, err)
	}
}
