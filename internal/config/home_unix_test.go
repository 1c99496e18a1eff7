//go:build unix

package config_test

import (
	"os/user"
	"runtime"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/internal/config"
)

// TestHomeIsTheUsers: no file goes below / or into the working directory.
func TestHomeIsTheUsers(t *testing.T) {
	me, err := user.Current()
	must(t, err)
	if me.HomeDir == "/" {
		t.Skip("the user has no home directory")
	}
	dropped := ` is "~/x", which is not an absolute path: ignored`
	for _, tt := range []struct{ home, bases, want string }{
		{"", "", "HOME is not set: using " + me.HomeDir + " of the password file"},
		{"/", "", "HOME is the root directory: using " + me.HomeDir + " of the password file"},
		{"//.", "", "HOME is the root directory: using " + me.HomeDir + " of the password file"},
		{"here", "", `HOME is "here", which is not an absolute path: using ` + me.HomeDir + " of the password file"},
		{"./x", "/set", `HOME is "./x", which is not an absolute path: using ` + me.HomeDir + " of the password file"},
		{"", "/set", ""},
		{"/", "/set", ""},
		{"/home/x", "", ""},
		{"/home/x", "~/x", "XDG_CONFIG_HOME" + dropped + "\nXDG_STATE_HOME" + dropped + "\nXDG_CACHE_HOME" + dropped + "\nXDG_RUNTIME_DIR" + dropped},
		{"/home/x", "x", strings.ReplaceAll("XDG_CONFIG_HOME"+dropped+"\nXDG_STATE_HOME"+dropped+"\nXDG_CACHE_HOME"+dropped+"\nXDG_RUNTIME_DIR"+dropped, "~/x", "x")},
	} {
		t.Run(tt.home+" "+tt.bases, func(t *testing.T) {
			t.Cleanup(xdg.Reload)
			t.Setenv("HOME", tt.home)
			for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
				t.Setenv(name, tt.bases)
			}
			xdg.Reload()
			notices, err := config.FindHome()
			if got := strings.Join(notices, "\n"); err != nil || got != tt.want {
				t.Errorf("FindHome = %q, %v, want %q", got, err, tt.want)
			}
			want := me.HomeDir + "/.local/state/cardtop"
			switch {
			case tt.bases == "/set":
				want = "/set/cardtop"
			case tt.home == "/home/x":
				want = "/home/x/.local/state/cardtop"
			}
			if paths := config.DefaultPaths(); runtime.GOOS == "linux" && paths.State != want {
				t.Errorf("state goes to %s, not %s", paths.State, want)
			}
		})
	}
}
