package cmd

import (
	"context"
	"errors"
	"net"
	"strconv"
	"syscall"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// sandboxAddr is where a sandbox listens unless told otherwise.
const sandboxAddr = "127.0.0.1:8787"

// hostOf returns the host of an address with a port.
func hostOf(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		return "", badAddr(addr)
	}
	return host, nil
}

func badAddr(addr string) error {
	return app.Usage(cli.TakesNot("addr", "an address and a port such as 127.0.0.1:8787", addr, nil))
}

// innermost returns the text of the innermost error, without the layers of the
// network.
func innermost(err error) string {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
