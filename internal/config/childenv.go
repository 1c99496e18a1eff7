package config

import (
	"slices"
	"strings"
)

// keyCommandEnv keeps what a program needs of an environment, and what password
// managers are reached by. It drops the rest: what is not known cannot spread.
// The program's own variables are never kept.
func keyCommandEnv(environ []string) []string {
	names := append(childNames(), "GNUPGHOME", "GPG_AGENT_INFO", "GPG_TTY", "SSH_AUTH_SOCK", "KRB5CCNAME")
	prefixes := []string{"LC_", "XDG_", "PASSWORD_STORE_", "GOPASS_", "OP_", "BW_", "VAULT_", "AWS_", "SOPS_"}
	return keep(environ, names, prefixes)
}

// hookEnv keeps what a program needs and drops the rest, what passwords are
// reached by as well.
func hookEnv(environ []string) []string {
	return keep(environ, childNames(), []string{"LC_", "XDG_"})
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

// keep compares names without case, because Windows does.
func keep(environ, names, prefixes []string) []string {
	kept := []string{}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		upper := strings.ToUpper(name)
		wanted := slices.Contains(names, upper) ||
			slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
		if wanted {
			kept = append(kept, pair)
		}
	}
	return kept
}
