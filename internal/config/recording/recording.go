// Package recording notices that the screen is being recorded, where that
// leaves a trace: asciinema says so in the environment, tmux tells of a pane
// that is piped. script(1) leaves none and is not noticed.
package recording

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// deadline bounds how long tmux may take to answer.
const deadline = 2 * time.Second

// By names what records the screen; empty when nothing is noticed.
func By(ctx context.Context) string {
	return by(os.Getenv, func(pane string) string { return askTmux(ctx, pane) })
}

func by(getenv, tmux func(string) string) string {
	switch {
	case getenv("ASCIINEMA_REC") != "":
		return "asciinema"
	case getenv("TMUX") != "" && tmux(getenv("TMUX_PANE")) == "1":
		return "tmux"
	default:
		return ""
	}
}

// askTmux reports whether the output of our pane is piped: "1" when it is. What
// tmux does not answer is no.
func askTmux(ctx context.Context, pane string) string {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	args := []string{"display-message", "-p"}
	if pane != "" {
		args = append(args, "-t", pane)
	}
	cmd := exec.CommandContext(ctx, "tmux", append(args, "#{pane_pipe}")...) //nolint:gosec // the arguments are tmux's own name of the pane
	// It gets no more of the environment than it needs.
	for _, name := range []string{"PATH", "HOME", "TMUX", "TMUX_TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+os.Getenv(name))
	}
	cmd.WaitDelay = deadline
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
