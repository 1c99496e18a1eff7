//go:build unix

package config_test

import (
	"os"
	"os/user"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/internal/config"
)

// TestHomeIsTheUsers: no file goes below / or into the working directory.
func TestHomeIsTheUsers(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ home, state, want string }{
		{"", "", "HOME is not set: using " + me.HomeDir},
		{"here", "", `HOME is "here", which is not an absolute path: using ` + me.HomeDir},
		{"./x", "/set", `HOME is "./x", which is not an absolute path: using ` + me.HomeDir},
		{"", "/set", ""},
		{"/home/x", "", ""},
	} {
		t.Run(tt.home+tt.state, func(t *testing.T) {
			t.Cleanup(xdg.Reload)
			t.Setenv("HOME", tt.home)
			for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
				t.Setenv(name, tt.state)
			}
			notice, err := config.FindHome()
			if err != nil || !strings.HasPrefix(notice, tt.want) || tt.want == "" && notice != "" {
				t.Errorf("FindHome = %q, %v, want %q", notice, err, tt.want)
			}
			if paths := config.DefaultPaths(); tt.want != "" && tt.state == "" && !strings.HasPrefix(paths.State, me.HomeDir+string(os.PathSeparator)) {
				t.Errorf("state goes to %s", paths.State)
			}
		})
	}
}
