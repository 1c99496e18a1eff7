//go:build unix && !darwin

package desktop

import (
	"context"
	"fmt"

	"github.com/godbus/dbus/v5"
)

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
