package team

import (
	"context"
	"sync/atomic"
	"time"
)

// pollEvery is how often the file is looked at: who is removed is refused within a
// second.
const pollEvery = 400 * time.Millisecond

// Live is the team as its file says now. It may be used from several goroutines.
type Live struct {
	file  File
	now   atomic.Pointer[Team]
	stamp string
}

// Open reads the team.
func Open(f File) (*Live, error) {
	l := &Live{file: f, stamp: f.stamp()}
	t, err := f.Load()
	if err != nil {
		return nil, err
	}
	l.now.Store(t)
	return l, nil
}

// Fixed returns a team that no file has.
func Fixed(t *Team) *Live {
	l := &Live{}
	l.now.Store(t)
	return l
}

// Team returns the team.
func (l *Live) Team() *Team { return l.now.Load() }

// Set replaces the team.
func (l *Live) Set(t *Team) { l.now.Store(t) }

// Follow reads the file again whenever it changes, until the context ends, and calls
// changed. A file that cannot be read is a team of nobody: who was removed must not
// stay because of a slip elsewhere in the file. failed is told why, once for each
// change.
func (l *Live) Follow(ctx context.Context, changed func(), failed func(error)) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		stamp := l.file.stamp()
		if stamp == l.stamp {
			continue
		}
		l.stamp = stamp
		t, err := l.file.Load()
		if err != nil {
			failed(err)
			t = &Team{}
		}
		l.now.Store(t)
		changed()
	}
}
