//go:build linux

package desktop

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// startBus runs a session bus of the test's own and gives its address.
func startBus(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("needs dbus-daemon")
	}
	cmd := exec.CommandContext(t.Context(), path, "--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path="+filepath.Join(t.TempDir(), "bus"))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return strings.TrimSpace(address)
}

// service is a program on the bus that shows notifications.
type service struct{ shown chan []any }

func (s service) Notify(app string, replaces uint32, icon, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	s.shown <- []any{app, replaces, icon, summary, body}
	return 7, nil
}

// join puts a program on the bus under names.
func join(t *testing.T, address string, names ...string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	for _, name := range names {
		if got, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || got != dbus.RequestNameReplyPrimaryOwner {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
	}
	return conn
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestALineIsShownByTheDesktop(t *testing.T) {
	address := startBus(t)
	s := service{shown: make(chan []any, 10)}
	must(t, join(t, address, notifications).Export(s, notificationsPath, notifications))
	show := Notifier(env("DBUS_SESSION_BUS_ADDRESS", address))
	for range 20 {
		must(t, show(t.Context(), "code ready · card 2039 · <b>Meta & Co</b>"))
		if got := <-s.shown; got[0] != "cardtop" || got[3] != "cardtop: code ready · card 2039 · <b>Meta & Co</b>" || got[4] != "" {
			t.Errorf("shown: %q", got)
		}
		if len(s.shown) > 0 {
			break
		}
	}
}

func TestADesktopThatDoesNotAnswerIsGivenUp(t *testing.T) {
	address := startBus(t)
	show := Notifier(env("DBUS_SESSION_BUS_ADDRESS", address))
	if err := show(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "show notification") {
		t.Errorf("without a service: %v", err)
	}
	silent := filepath.Join(t.TempDir(), "bus")
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", silent)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := Notifier(env("DBUS_SESSION_BUS_ADDRESS", "unix:path="+silent))(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a bus that says nothing: %v", err)
	}
	gone := Notifier(env("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none")))
	if err := gone(t.Context(), "x"); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a bus: %v", err)
	}
}

func TestADesktopIsThatOfWhereThePersonSits(t *testing.T) {
	for name, e := range map[string]func(string) string{
		"over SSH":     env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/x", "SSH_CONNECTION", "1"),
		"no bus":       env(),
		"no bus there": env("XDG_RUNTIME_DIR", t.TempDir()),
		"another's":    env("DBUS_SESSION_BUS_ADDRESS", "tcp:host=example.com,port=1"),
		"to be made":   env("DBUS_SESSION_BUS_ADDRESS", "autolaunch:"),
	} {
		if Notifier(e) != nil {
			t.Errorf("%s: there is a desktop", name)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
