package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui/tty"
)

// remoteTerminal is the other end of a connection.
type remoteTerminal struct {
	mu  sync.Mutex
	got bytes.Buffer
}

func (r *remoteTerminal) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got.Write(b)
}

// take returns what was written since the last call.
func (r *remoteTerminal) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.got.Reset()
	return r.got.String()
}

func osc52(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text))
}

// TestARemoteDashboardLeavesNothingBehind neither goroutines, on which the bubble would
// wait, nor files, nor what it copied.
func TestARemoteDashboardLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // Once the variables are back.
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, dir)
	}
	xdg.Reload()
	t.Chdir(dir)
	synctest.Test(t, func(t *testing.T) {
		const key = "sk_test_remote"
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, Quiet: true, APIKeys: []string{key}})
		must(t, err)
		defer func() { _ = world.Close() }() // Nothing is kept of it.
		on := &remoteTerminal{}
		in, keys := io.Pipe()
		sizes := make(chan [2]int)
		r := Remote{
			API:  client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: world.Transport()},
			Mode: config.ModeTest, Name: "ann",
			Device: tty.Device{In: in, Out: on, Env: []string{"TERM=xterm-256color", "TTY_FORCE=1", "SSH_TTY=remote"}, Width: 100, Height: 30, Sizes: func(ctx context.Context, tell func(int, int)) error {
				for {
					select {
					case <-ctx.Done():
						return nil
					case s := <-sizes:
						tell(s[0], s[1])
					}
				}
			}},
		}
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		p := Program{Now: func() time.Time { return time.Now() }, Errs: io.Discard} //nolint:forbidigo // virtual time in a bubble
		go func() { over <- p.ShowRemote(ctx, r) }()
		press := func(k string) {
			if _, err := keys.Write([]byte(k)); err != nil {
				t.Error(err)
			}
			<-time.After(time.Second)
		}
		<-time.After(10 * time.Second)
		if first := on.take(); !strings.Contains(first, "ann") || !strings.Contains(first, "\x1b[?1049h") || !strings.Contains(first, "\x1b[38;5;") || !strings.Contains(first, "\x1b[?2004h") || !strings.Contains(first, "\x1b[?1004h") {
			t.Errorf("the first screen is %q", first)
		}
		sizes <- [2]int{140, 40}
		<-time.After(time.Second)
		if resized := on.take(); !strings.Contains(resized, "\x1b[2J") {
			t.Errorf("a new size draws %q", resized)
		}
		press("2")
		press("o")
		if copied := on.take(); !strings.Contains(copied, "\x1b]52;c;") || !strings.Contains(copied, "OSC 52") {
			t.Errorf("a copy writes %q", copied)
		}
		cancel()
		if err := <-over; err != nil {
			t.Error(err)
		}
		if last := on.take(); !strings.Contains(last, "\x1b[?1049l") || !strings.Contains(last, osc52(" ")) {
			t.Errorf("the end writes %q", last)
		}
		_ = keys.Close()              // It returns nil.
		<-time.After(2 * time.Second) // A tick of the clock that was under way ends.
	})
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("on disk are %v, %v", files, err)
	}
}
