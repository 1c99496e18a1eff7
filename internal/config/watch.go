package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// settle is how long the file must be quiet before it is read: editors write
// in several steps.
const settle = 50 * time.Millisecond

// Reload is the file as it reads after a change: new settings, or the error
// that keeps the old ones in force.
type Reload struct {
	Settings Settings
	Err      error
}

// Watch reads the file again whenever it changes, is replaced or removed. It
// watches the directory, which is made when it is missing, and that of the file
// which a link leads to. The channel is
// closed when the context ends or the directory goes away.
func (s Source) Watch(ctx context.Context) (<-chan Reload, error) {
	dir := filepath.Dir(s.Path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := fsafe.MkdirAll(dir); err != nil {
			return nil, fmt.Errorf("watch configuration: %w", err)
		}
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch configuration: %w", err)
	}
	if err := watcher.Add(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("watch configuration: %w", err), watcher.Close())
	}
	target := s.watchTarget(watcher) // Now: a change right after Watch returned is one.
	reloads := make(chan Reload)
	go s.follow(ctx, watcher, target, reloads)
	return reloads, nil
}

func (s Source) follow(ctx context.Context, watcher *fsnotify.Watcher, target string, reloads chan<- Reload) {
	defer close(reloads)
	send := func(r Reload) {
		select {
		case reloads <- r:
		case <-ctx.Done():
		}
	}
	defer func() {
		if err := watcher.Close(); err != nil {
			send(Reload{Err: fmt.Errorf("watch configuration: %w", err)})
		}
	}()
	quiet := time.NewTimer(settle)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-watcher.Events:
			if event.Name == filepath.Dir(s.Path) && event.Has(fsnotify.Remove|fsnotify.Rename) {
				send(Reload{Err: errors.New("watch configuration: its directory is gone, changes are no longer seen")})
				return
			}
			// A link above the file may have been exchanged: a ConfigMap changes this way.
			name := filepath.Clean(event.Name)
			if now, err := fsafe.Resolve(s.Path); name == s.Path || name == target || err == nil && now != target {
				quiet.Reset(settle)
			}
		case err := <-watcher.Errors:
			send(Reload{Err: fmt.Errorf("watch configuration: %w", err)})
		case <-quiet.C:
			target = s.watchTarget(watcher)
			settings, err := s.Load()
			send(Reload{Settings: settings, Err: err})
		}
	}
}

// watchTarget watches the directory of the file that the path leads to, and returns this file. Where that
// cannot be watched, it is read when the link changes.
func (s Source) watchTarget(watcher *fsnotify.Watcher) string {
	target, err := fsafe.Resolve(s.Path)
	if err != nil {
		return s.Path
	}
	if dir := filepath.Dir(target); dir != filepath.Dir(s.Path) {
		if watcher.Add(dir) != nil {
			return s.Path
		}
	}
	return target
}
