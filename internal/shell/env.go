package shell

import (
	"slices"
	"strings"
)

// KeyEnv is the environment for a command that prints the API key: what a
// program needs, and what password managers are found by. It is an allow-list;
// this program's own variables are never on it.
func KeyEnv(environ []string) []string {
	names := append(childNames(), "GNUPGHOME", "GPG_AGENT_INFO", "GPG_TTY", "SSH_AUTH_SOCK", "KRB5CCNAME")
	prefixes := []string{"LC_", "XDG_", "PASSWORD_STORE_", "GOPASS_", "OP_", "BW_", "VAULT_", "AWS_", "SOPS_"}
	return allowed(environ, names, prefixes)
}

// commandEnv is the environment for every other command: what a program needs.
func commandEnv(environ []string) []string {
	return allowed(environ, childNames(), []string{"LC_", "XDG_"})
}

func childNames() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
		"TERM", "COLORTERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
		// Windows programs do not start without these.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP",
		"USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
	}
}

// allowed returns the variables of these names or prefixes. Names are compared
// without case, because Windows does.
func allowed(environ, names, prefixes []string) []string {
	out := []string{} // An empty environment, where nil is this program's own.
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		upper := strings.ToUpper(name)
		wanted := slices.Contains(names, upper) ||
			slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
		if wanted {
			out = append(out, pair)
		}
	}
	return out
}
