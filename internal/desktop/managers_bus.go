//go:build unix && !darwin

package desktop

import (
	"context"

	"github.com/godbus/dbus/v5"
)

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
