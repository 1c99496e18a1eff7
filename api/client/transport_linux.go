package client

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitSilence bounds how long the kernel waits for a peer to confirm data, so that a
// write on a dead connection fails before its own time-out.
func limitSilence(_, _ string, raw syscall.RawConn) error {
	var inner error
	err := raw.Control(func(fd uintptr) {
		inner = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(maxSilence.Milliseconds()))
	})
	return errors.Join(err, inner)
}
