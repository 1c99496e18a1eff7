package shell

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// maxOutput is how much of a command's output is read, in bytes: one line of
// it is shown.
const maxOutput = 4096

// run runs a shell line to its end, or kills it with all it started after a
// timeout. A child left running is no error.
func run(ctx context.Context, timeout time.Duration, line string, env []string, streams func(*exec.Cmd)) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := Command(ctx, line, env)
	detach(cmd)
	cmd.WaitDelay = time.Second // For children that keep the input or the output open.
	streams(cmd)
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("not over in %s, killed", timeout)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil
	}
	return err
}
