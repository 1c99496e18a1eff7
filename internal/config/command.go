package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/cardtop/cardtop/api"
)

// maxOutput is more than any key needs, in bytes.
const maxOutput = 4096

// runLine runs a shell line to its end, or kills it with all it started when
// that takes too long. What it left running is no error.
func runLine(ctx context.Context, timeout time.Duration, line string, prepare func(*exec.Cmd)) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := shell(ctx, line)
	apart(cmd)
	cmd.WaitDelay = time.Second // For children that keep the input or the output open.
	prepare(cmd)
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("not over in %s, killed", timeout)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil
	}
	return err
}

// runCommand runs a shell line whose only line of output is the key. What it
// prints is in no error, on either stream: it may be the key.
func (ks KeyStore) runCommand(ctx context.Context, line string) (api.APIKey, error) {
	ctx, cancel := context.WithTimeout(ctx, ks.CommandTimeout)
	defer cancel()
	cmd := shell(ctx, line)
	cmd.Env = keyCommandEnv(ks.Environ)
	cmd.WaitDelay = time.Second // For children that keep the output open.
	out := &capped{limit: maxOutput}
	cmd.Stdout = out
	defer out.wipe()
	err := cmd.Run()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return api.APIKey{}, fmt.Errorf("no answer in %s", ks.CommandTimeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return api.APIKey{}, fmt.Errorf("%w (run it in a shell to see why)", err)
	case out.over:
		return api.APIKey{}, fmt.Errorf("its output is longer than %d bytes", maxOutput)
	}
	trimmed := bytes.TrimSpace(out.data)
	if bytes.ContainsAny(trimmed, "\r\n") {
		return api.APIKey{}, errors.New("its output is more than one line")
	}
	key, err := NewKey(trimmed)
	if err != nil {
		return api.APIKey{}, fmt.Errorf("its output %w", err)
	}
	return key, nil
}

// capped keeps the first bytes of what is written and takes the rest, so that
// the writer never blocks or fails. It never grows its array, which would
// leave a copy behind.
type capped struct {
	data  []byte
	limit int
	over  bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.data == nil {
		c.data = make([]byte, 0, c.limit)
	}
	room := c.limit - len(c.data)
	if len(p) > room {
		c.over = true
	}
	c.data = append(c.data, p[:min(room, len(p))]...)
	return len(p), nil
}

func (c *capped) wipe() { clear(c.data[:cap(c.data)]) }
