package app

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the release build.
var version = "dev"

// Version returns that of the release, or dev.
func Version() string { return version }

// Build describes the build, for the report of a crash.
func Build() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return fmt.Sprintf("%s%s %s %s/%s", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// UserAgent returns the User-Agent of the requests.
func UserAgent() string { return "cardtop/" + version }
