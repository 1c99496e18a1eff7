package backend

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

func TestTerminalWritesOneSequence(t *testing.T) {
	text64 := base64.StdEncoding.EncodeToString([]byte("4242"))
	for _, tc := range []struct {
		name             string
		screen           bool
		copied, blankend string
	}{
		{"bare", false, "\x1b]52;c;" + text64 + "\x07", "\x1b]52;c;IA==\x07"},
		{"GNU screen", true, "\x1bP\x1b]52;c;" + text64 + "\x07\x1b\\", "\x1bP\x1b]52;c;IA==\x07\x1b\\"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var tty bytes.Buffer
			term := NewTerminal(&tty, tc.screen)
			if got, err := term.Copy(t.Context(), 1, []byte("4242"), mark.Set{}); got != wire.Sent || err != nil {
				t.Errorf("copy: %q, %v", got, err)
			}
			if tty.String() != tc.copied {
				t.Errorf("wrote %q", tty.String())
			}
			tty.Reset()
			if got, err := term.Clear(t.Context(), mark.Set{}); got != wire.Blanked || err != nil {
				t.Errorf("clear: %q, %v", got, err)
			}
			if tty.String() != tc.blankend {
				t.Errorf("wrote %q", tty.String())
			}
			if got, err := term.Check(t.Context(), mark.Set{}); got != wire.Sent || err != nil || term.Lost() != nil {
				t.Errorf("check: %q, %v", got, err)
			}
		})
	}
}

func TestStoppedTerminalIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe() // nobody reads
		_, err := NewTerminal(w, false).Copy(t.Context(), 1, []byte("4242"), mark.Set{})
		if err == nil || !strings.Contains(err.Error(), "stopped") || strings.Contains(err.Error(), "4242") {
			t.Errorf("error %v", err)
		}
		_ = r.Close()
	})
}

func TestBrokenTerminalIsAnError(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	if _, err := NewTerminal(w, false).Clear(t.Context(), mark.Set{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}
