package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// program is the simulation, built.
type program struct{ path string }

// life is what came of a seed.
type life struct {
	seed   uint64
	out    string
	judged []string // What is wrong.
	parts  []string // What can be left out.
	lived  time.Duration
	err    error // Of a test that failed, judged or not.
}

// most is how long the people of a seed do what they do.
const most = 7 * 24 * time.Hour

var (
	wrong = regexp.MustCompile(`(?m)^ +sim_test\.go:\d+: judged \d+: (.*)$`)
	lived = regexp.MustCompile(`(?m)^lived: (.*)$`)
	parts = regexp.MustCompile(`(?m)^ +sim_test\.go:\d+: parts: (.*)$`)
)

// live lives a seed in a process of its own. All that a process is given is the same each time.
func (p program) live(ctx context.Context, seed uint64, flags ...string) life {
	l := life{seed: seed}
	dir, err := os.MkdirTemp(memory(), "cardtop-sim")
	if err != nil {
		l.err = err
		return l
	}
	args := append([]string{"-test.run", "^TestSeeds$", "-test.timeout", "40m", "-within", most.String(), "-seed", fmt.Sprint(seed)}, flags...)
	cmd := exec.CommandContext(ctx, p.path, args...) //nolint:gosec // our own
	cmd.Dir = dir
	// It frees memory itself, at moments that are the same, and its paths have no name of this process in them.
	cmd.Env = []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=gcstoptheworld=2", "TMPDIR=.", "HOME=/nonexistent", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	l.out, l.err = string(out), errors.Join(err, os.RemoveAll(dir))
	for _, m := range wrong.FindAllStringSubmatch(l.out, -1) {
		l.judged = append(l.judged, m[1])
	}
	if m := parts.FindStringSubmatch(l.out); m != nil {
		l.parts = strings.Split(m[1], ",")
	}
	if m := lived.FindStringSubmatch(l.out); m != nil {
		var err error
		l.lived, err = time.ParseDuration(m[1])
		l.err = errors.Join(l.err, err)
	}
	return l
}

// memory is a folder in memory where the system has one: a simulated disk loses nothing.
func memory() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// verdict is what is wrong first.
func (l life) verdict() string {
	switch {
	case len(l.judged) > 0:
		return l.judged[0]
	case l.err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(l.out), "\n")
		return fmt.Sprintf("NOT JUDGED: %v: %s", l.err, first)
	}
	return ""
}

// all lives seeds, two at a time, and has each seen in their order, until one says that it is enough.
func (p program) all(ctx context.Context, seeds []uint64, enough func(life) bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan chan life)
	go func() {
		defer close(next)
		for _, seed := range seeds {
			lived := make(chan life, 1)
			go func() { lived <- p.live(ctx, seed) }()
			select {
			case next <- lived:
			case <-ctx.Done():
				return
			}
		}
	}()
	for lived := range next {
		if l := <-lived; ctx.Err() != nil || enough(l) {
			return
		}
	}
}
