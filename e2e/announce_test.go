package e2e

import (
	"context"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// sentSince gives what the terminal was sent while something happened.
func (d *driver) sentSince(do func()) string {
	d.t.Helper()
	before := len(d.term.sent())
	do()
	return d.term.sent()[before:]
}

func notifying(level settings.NotifyLevel) func(*ui.Config) {
	return func(c *ui.Config) { c.Notify = level }
}

// desk is a desktop that shows lines, or fails to.
type desk struct {
	mu    sync.Mutex
	lines []string
	err   error
}

func (s *desk) show(_ context.Context, line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	return s.err
}

func (s *desk) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}
