//go:build night

package sshd_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/sshd"
)

func TestWhoSaysNothingIsHungUpOn(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *sshd.Config) { c.Limits.Greeting, c.Limits.Strangers = 1500*time.Millisecond, 2 })
	var d net.Dialer
	for range 2 {
		c, err := d.DialContext(t.Context(), "tcp", s.addr)
		must(t, err)
		if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Error(err)
		}
	}
	quiet := s.client("ann") // Known, and without a session.
	if err := quiet.Wait(); err == nil {
		t.Error("a connection without a session stays")
	}
	idle, err := s.client("ann").NewSession()
	if err == nil {
		_, err = idle.SendRequest("keepalive", true, nil)
	}
	must(t, err)
	if err := idle.Wait(); err == nil {
		t.Error("a session that asks for nothing stays")
	}
}
