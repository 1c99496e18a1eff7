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
// its commands run. It takes the directory of the password file in place of a HOME that is missing or
// relative, and returns a line that says so, empty where HOME is fine or not needed.
func FindHome() (notice string, err error) {
	given := os.Getenv("HOME")
	if runtime.GOOS == "windows" || filepath.IsAbs(given) {
		return "", nil
	}
	if given == "" && allSet("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME") {
		return "", nil
	}
	what := "HOME is not set"
	if given != "" {
		what = fmt.Sprintf("HOME is %q, which is not an absolute path", given)
	}
	me, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || !filepath.IsAbs(me.HomeDir) {
		return "", errors.New(what + ", and the password file has no home directory: set HOME")
	}
	if err := os.Setenv("HOME", me.HomeDir); err != nil {
		return "", fmt.Errorf("set HOME: %w", err)
	}
	xdg.Reload()
	return what + ": using " + me.HomeDir + " of the password file", nil
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
