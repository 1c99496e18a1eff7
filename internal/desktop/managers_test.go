//go:build linux

package desktop

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestManagersAmongTheProcesses(t *testing.T) {
	proc := t.TempDir()
	for pid, p := range map[string][2]string{
		"1": {"systemd", ""}, "20": {"copyq", "copyq"}, "21": {"CopyQ", "copyq\x00monitor"}, "30": {"wl-paste", "wl-paste\x00--watch\x00cliphist\x00store\x00"},
		"31": {"wl-paste", "wl-paste\x00-t\x00text\x00--watch\x00/usr/bin/clipman\x00store"}, "32": {"wl-paste", "wl-paste\x00-w\x00sh\x00-c\x00clipse --listen"},
		"33": {"wl-paste", "wl-paste\x00--watch\x00/opt/keep it"}, "34": {"wl-paste", "wl-paste\x00-n"}, "35": {"wl-paste", "wl-paste\x00--watch"},
		"40": {"gpaste-daemon", ""}, "41": {"greenclip", ""}, "42": {"parcellite", ""}, "43": {"clipcatd", ""}, "44": {"diodon", ""}, "45": {"klipper", ""}, "46": {"paste", ""},
		"self": {"copyq", ""},
	} {
		dir := filepath.Join(proc, pid)
		must(t, os.Mkdir(dir, 0o700))
		for name, text := range map[string]string{"comm": p[0] + "\n", "cmdline": p[1]} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
	}
	want := []string{"CopyQ", "Diodon", "GPaste", "Klipper", "Parcellite", "clipcat", "cliphist", "clipman", "clipse", "greenclip", "keep it"}
	if got := unique(processesIn(t.Context(), proc)); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestManagersOnTheSessionBus(t *testing.T) {
	address := startBus(t)
	join(t, address, "org.kde.klipper", "org.gnome.GPaste", "org.example.Other")
	here := processes(t.Context())
	want := unique(append(here, "Klipper", "GPaste"))
	if got := Managers(t.Context(), env("DBUS_SESSION_BUS_ADDRESS", address)); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := Managers(t.Context(), env("DBUS_SESSION_BUS_ADDRESS", address, "SSH_TTY", "/dev/pts/1")); got != nil {
		t.Errorf("over SSH: %q", got)
	}
	if got := Managers(t.Context(), env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/none")); !slices.Equal(got, here) {
		t.Errorf("without a bus: %q", got)
	}
}
