package config

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/adrg/xdg"
)

// FindHome makes sure that files go to the home directory of the user, and to no other place: without HOME
// they would go below /, and with a relative one a configuration in the working directory would be read and
// its commands run. It takes the directory of the password file in place of a HOME that is missing, relative
// or the root, and drops base directories that are not absolute, as their specification demands. It returns a
// line for each.
func FindHome() (notices []string, err error) {
	notice, err := findHome()
	if err != nil {
		return nil, err
	}
	if notice != "" {
		notices = append(notices, notice)
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		// The library would expand a tilde, also that of another user.
		value := os.Getenv(name)
		if value == "" || filepath.IsAbs(value) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return nil, fmt.Errorf("unset %s: %w", name, err)
		}
		notices = append(notices, fmt.Sprintf("%s is %q, which is not an absolute path: ignored", name, value))
	}
	if len(notices) > 0 {
		xdg.Reload()
	}
	return notices, nil
}

// findHome sets HOME where it cannot be used and is needed.
func findHome() (notice string, err error) {
	given := os.Getenv("HOME")
	what := unusable(given)
	if runtime.GOOS == "windows" || what == "" {
		return "", nil
	}
	if (given == "" || filepath.IsAbs(given)) && allSet("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME") {
		return "", nil
	}
	me, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || unusable(me.HomeDir) != "" {
		return "", errors.New(what + ", and the password file has no home directory: set HOME, or XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME")
	}
	if err := os.Setenv("HOME", me.HomeDir); err != nil {
		return "", fmt.Errorf("set HOME: %w", err)
	}
	return what + ": using " + me.HomeDir + " of the password file", nil
}

// unusable returns what is wrong with a home directory; empty for nothing.
func unusable(home string) string {
	switch {
	case home == "":
		return "HOME is not set"
	case !filepath.IsAbs(home):
		return fmt.Sprintf("HOME is %q, which is not an absolute path", home)
	case filepath.Clean(home) == "/":
		return "HOME is the root directory"
	}
	return ""
}

// allSet reports whether each variable has an absolute path.
func allSet(names ...string) bool {
	for _, name := range names {
		if !filepath.IsAbs(os.Getenv(name)) {
			return false
		}
	}
	return true
}
