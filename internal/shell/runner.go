package shell

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// commandTimeout bounds a user command.
const commandTimeout = 30 * time.Second

// Runner runs user commands.
type Runner struct {
	environ []string
	timeout time.Duration

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// NewRunner makes a runner; its commands get a part of this environment.
func NewRunner(environ []string) *Runner { return &Runner{environ: environ, timeout: commandTimeout} }

// Run runs a command's line to its end, 30 seconds at most, and returns the
// first line that it printed. The values of its fields are variables, input is
// its standard input. The error holds the first line of its standard error.
// The context's end kills all that it started.
func (r *Runner) Run(ctx context.Context, text string, fields map[string]string, input []byte) (string, error) {
	if !r.enter() {
		return "", context.Canceled
	}
	defer r.wg.Done()
	line, err := Compile(text)
	if err != nil {
		return "", err
	}
	env := commandEnv(r.environ)
	for _, field := range line.Fields {
		env = append(env, variable(field)+"="+fields[field])
	}
	out, errs := &Output{Limit: maxOutput}, &Output{Limit: maxOutput}
	err = run(ctx, r.timeout, line.text, env, func(cmd *exec.Cmd) {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), out, errs
	})
	if why := firstLine(errs.data); err != nil && why != "" {
		return "", fmt.Errorf("%w: %s", err, why)
	}
	return firstLine(out.data), err
}

func (r *Runner) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Add(1)
	}
	return !r.closed
}

// Wait waits for running commands to end; none starts afterwards.
func (r *Runner) Wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wg.Wait()
}

// firstLine returns the first line that is not blank.
func firstLine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
