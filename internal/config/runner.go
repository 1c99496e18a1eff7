package config

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// commandTimeout bounds a command of a person's own.
const commandTimeout = 30 * time.Second

// Runner runs commands of a person's own. Each gets what it is told and
// nothing else of this program: not its environment, its terminal or its files.
type Runner struct {
	environ []string
	timeout time.Duration

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// NewRunner makes a runner of commands whose environment is a part of this.
func NewRunner(environ []string) *Runner { return &Runner{environ: environ, timeout: commandTimeout} }

// Run runs a command's line to its end, 30 seconds at most, and gives the first
// line that it printed. The values of its fields come by their names, input on
// standard input. The error holds the first line that it complained. The
// context's end kills all that it started.
func (r *Runner) Run(ctx context.Context, run string, fields map[string]string, input []byte) (string, error) {
	if !r.enter() {
		return "", context.Canceled
	}
	defer r.wg.Done()
	line, err := compileLine(run)
	if err != nil {
		return "", err
	}
	out, errs := &capped{limit: maxOutput}, &capped{limit: maxOutput}
	err = runLine(ctx, r.timeout, line.text, func(cmd *exec.Cmd) {
		cmd.Env = hookEnv(r.environ)
		for _, field := range line.fields {
			cmd.Env = append(cmd.Env, variable(field)+"="+fields[field])
		}
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

// Wait waits until what runs has ended; nothing runs any more afterwards.
func (r *Runner) Wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.wg.Wait()
}

// firstLine is the first that holds anything.
func firstLine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
