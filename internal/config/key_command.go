package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/shell"
)

// maxKeyOutput is more than any key needs, in bytes.
const maxKeyOutput = 4096

// runCommand runs a shell line whose only line of output is the key. What it
// prints is in no error, on either stream: it may be the key.
func (ks KeyStore) runCommand(ctx context.Context, line string) (api.APIKey, error) {
	ctx, cancel := context.WithTimeout(ctx, ks.CommandTimeout)
	defer cancel()
	cmd := shell.Command(ctx, line, shell.KeyEnv(ks.Environ))
	cmd.WaitDelay = time.Second // For children that keep the output open.
	out := &shell.Output{Limit: maxKeyOutput}
	cmd.Stdout = out
	defer out.Wipe()
	err := cmd.Run()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return api.APIKey{}, fmt.Errorf("no answer in %s", ks.CommandTimeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return api.APIKey{}, fmt.Errorf("%w (run it in a shell to see why)", err)
	case out.Over():
		return api.APIKey{}, fmt.Errorf("its output is longer than %d bytes", maxKeyOutput)
	}
	trimmed := bytes.TrimSpace(out.Bytes())
	if bytes.ContainsAny(trimmed, "\r\n") {
		return api.APIKey{}, errors.New("its output is more than one line")
	}
	key, err := NewKey(trimmed)
	if err != nil {
		return api.APIKey{}, fmt.Errorf("its output %w", err)
	}
	return key, nil
}
