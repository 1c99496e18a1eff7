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

// BuildInfo describes the program.
type BuildInfo struct {
	Version  string `json:"version"` // That of the release, or dev.
	Commit   string `json:"commit"`  // Empty where it is not known.
	Date     string `json:"date"`    // Of the commit, UTC; empty where it is not known.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"` // Operating system/architecture.
}

// ReadBuildInfo returns what the toolchain has noted in the program.
func ReadBuildInfo() BuildInfo {
	b := BuildInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Build describes the build, for the report of a crash.
func Build() string {
	b, revision := ReadBuildInfo(), ""
	if b.Commit != "" {
		revision = " " + b.Commit[:min(len(b.Commit), 12)]
	}
	return fmt.Sprintf("%s%s %s %s", b.Version, revision, b.Go, b.Platform)
}

// UserAgent returns the User-Agent of the requests.
func UserAgent() string { return "cardtop/" + version }
