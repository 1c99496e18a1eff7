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

// busNames are the clipboard managers that run within another program, by their
// names on the session's bus.
func busNames() map[string]string {
	return map[string]string{
		"org.kde.klipper": "Klipper", "org.xfce.clipman": "Clipman", "org.gnome.GPaste": "GPaste", "org.gnome.GPaste2": "GPaste",
		"net.launchpad.Diodon": "Diodon", "org.clipcat.clipcat": "clipcat",
	}
}

// Managers names the clipboard managers of the session; none where the user
// sits at another machine.
func Managers(ctx context.Context, env func(string) string) []string {
	if remote(env) {
		return nil
	}
	names := processes(ctx)
	if address := busAddress(env); address != "" {
		// Without an answer of the bus the processes are checked.
		_ = onBus(ctx, address, func(conn *dbus.Conn) error {
			var all []string
			err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListNames", 0).Store(&all)
			for _, name := range all {
				if m := busNames()[name]; m != "" {
					names = append(names, m)
				}
			}
			return err
		})
	}
	return unique(names)
}

// managers are the programs that store what is copied, by the names
// of their processes in lower case, of which Linux has 15 characters.
func managers() map[string]string {
	return map[string]string{
		"clipman": "clipman", "xfce4-clipman": "Clipman", "cliphist": "cliphist", "klipper": "Klipper", "copyq": "CopyQ",
		"greenclip": "greenclip", "parcellite": "Parcellite", "gpaste-daemon": "GPaste", "diodon": "Diodon", "clipcatd": "clipcat",
		"clipit": "ClipIt", "clipmenud": "clipmenu", "clipse": "clipse", "clipster": "clipster", "qlipper": "Qlipper", "glipper": "Glipper",
		"wl-clip-persist": "wl-clip-persist", "xclipboard": "xclipboard",
	}
}

// The service that shows notifications.
const (
	notifications     = "org.freedesktop.Notifications"
	notificationsPath = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// byItself leaves it to the desktop how long a notification stays.
const byItself = int32(-1)

// Notifier returns what shows a line on the desktop; nil where no desktop is in
// reach, and none that the user sits at.
func Notifier(env func(string) string) func(ctx context.Context, line string) error {
	address := busAddress(env)
	if remote(env) || address == "" {
		return nil
	}
	return func(ctx context.Context, line string) error {
		return onBus(ctx, address, func(conn *dbus.Conn) error {
			// The line is the summary: that is shown as it is, a body may be markup.
			hints := map[string]dbus.Variant{"category": dbus.MakeVariant("im.received")}
			call := conn.Object(notifications, notificationsPath).CallWithContext(ctx, notifications+".Notify", 0,
				title, uint32(0), "", title+": "+line, "", []string{}, hints, byItself)
			if call.Err != nil {
				return fmt.Errorf("show notification: %w", call.Err)
			}
			return nil
		})
	}
}
