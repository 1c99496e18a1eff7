package clipboard

// allowed are the variables that guard and clipboard tools need. Everything
// else stays behind, above all the API key.
func allowed() []string {
	return []string{
		"PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR",
		"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
		"SSH_TTY", "SSH_CONNECTION", "TMUX", "TMUX_TMPDIR", "STY",
		"PREFIX", "ANDROID_ROOT", "ANDROID_DATA", // Termux
		"WSL_DISTRO_NAME", "WSL_INTEROP", "WSLENV",
		"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE",
	}
}

// inside marks the environment of a guard, so that none starts another: a
// program that does not know the guard's command would run itself for ever.
const inside = "CARDTOP_GUARD"

// environ picks the allowed variables that are set, and marks the guard's.
func environ(get func(string) string) []string {
	env := []string{inside + "=1"}
	for _, name := range allowed() {
		if v := get(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
