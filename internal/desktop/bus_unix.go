//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
)

// busAddress finds the session's bus; empty when there is none. None is started
// for it.
func busAddress(env func(string) string) string {
	if address := env("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		if !strings.HasPrefix(address, "unix:") {
			return "" // On another machine, or one that would have to be started.
		}
		return address
	}
	dir := env("XDG_RUNTIME_DIR")
	if dir == "" {
		return ""
	}
	path := filepath.Join(dir, "bus")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return "unix:path=" + path
}

// onBus does something on the session's bus. The connection is its own and ends
// with the context at the latest.
func onBus(ctx context.Context, address string, do func(*dbus.Conn) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := dbus.Dial(address, dbus.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("reach the session bus: %w", err)
	}
	err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))})
	if err == nil {
		err = conn.Hello()
	}
	if err == nil {
		err = do(conn)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause // What broke is the connection that was closed for it.
	}
	if cerr := conn.Close(); !errors.Is(cerr, dbus.ErrClosed) {
		err = errors.Join(err, cerr)
	}
	return err
}
