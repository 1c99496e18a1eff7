//go:build unix && night

package config_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/config"
)

// TestCommandGroupIsKilled holds that a time-out ends the command's children:
// the pipe that a child holds ends before the child has said its last word.
func TestCommandGroupIsKilled(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	said, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	must(t, err)
	ks := store(&memory{})
	ks.CommandTimeout = 5 * time.Second
	ks.Environ = append(ks.Environ, "XDG_TEST_PIPE="+pipe)
	line := `(echo up; sleep 20; echo late) > "$XDG_TEST_PIPE" & wait`
	r := resolve(t, config.Profile{BaseURL: apiURL, APIKeyCommand: line}, config.Env{}, config.Flags{})
	if _, err := ks.LoadKey(t.Context(), r); err == nil || !strings.Contains(err.Error(), "no answer in 5s") {
		t.Errorf("LoadKey = %v", err)
	}
	data, err := io.ReadAll(said)
	if err := errors.Join(err, said.Close()); err != nil || string(data) != "up\n" {
		t.Errorf("the child said %q, %v", data, err)
	}
}
