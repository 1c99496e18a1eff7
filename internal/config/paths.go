package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/settings"
)

const program = "cardtop"

// Paths are the places of the program's files; nothing is made elsewhere. The
// directories need not exist: make them with private.MkdirAll.
type Paths struct {
	Config string // The configuration file.
	State  string // Directory of operations, budget use and the log.
	Cache  string // Directory of what is not sensitive and can be fetched again.
	Log    string // The log file, in State.
	Home   string // Stands for ~ in settings that are paths.
}

// DefaultPaths follows the XDG base directories of the environment.
func DefaultPaths() Paths {
	return pathsIn(
		filepath.Join(xdg.ConfigHome, program),
		filepath.Join(xdg.StateHome, program),
		filepath.Join(xdg.CacheHome, program),
		xdg.Home,
	)
}

// PathsUnder puts everything under one directory, for tests and portable use.
func PathsUnder(base string) Paths {
	return pathsIn(filepath.Join(base, "config"), filepath.Join(base, "state"), filepath.Join(base, "cache"), base)
}

func pathsIn(config, state, cache, home string) Paths {
	return Paths{
		Config: filepath.Join(config, "config.toml"),
		State:  state,
		Cache:  cache,
		Log:    filepath.Join(state, "cardtop.log"),
		Home:   home,
	}
}

// Sandbox returns the directory of what is saved of the embedded sandbox.
func (p Paths) Sandbox() string { return filepath.Join(p.State, "profiles", "sandbox-ad6d1467bd9c") }

// Source is the configuration file in use.
type Source struct {
	Path string // Absolute.
	Home string
	// Asked is set when the user named the file: it must then exist.
	Asked bool
	// Check returns what else is wrong with settings that are about to be written; nil
	// asks nothing more.
	Check func(Settings) error
}

// Source chooses the file: the flag, the environment, the default.
func (p Paths) Source(env Env, flags Flags) (Source, error) {
	asked := cmp.Or(flags.Config, env.Config)
	path, err := filepath.Abs(cmp.Or(asked, p.Config))
	if err != nil {
		return Source{}, fmt.Errorf("find configuration: %w", err)
	}
	return Source{Path: path, Home: p.Home, Asked: asked != ""}, nil
}

// Load reads the file. Without a file there are the defaults, unless the user
// named it. Errors are a *private.TrustError for a file that is not the user's
// alone, also when it holds a key and others may read it, and ProblemErrors
// for what is wrong in it; keys and commands are there then: their keys are
// checked elsewhere.
func (s Source) Load() (Settings, error) {
	file, err := s.read()
	if err == nil && !file.Found() {
		if !s.Asked {
			return Defaults(), nil
		}
		err = fmt.Errorf("open %s: %w", s.Path, fs.ErrNotExist)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("load configuration: %w", err)
	}
	set, problems := parse(filepath.Base(s.Path), file.Data)
	clear(file.Data)
	if set.holdsKey() {
		if serr := file.CheckSecret(); serr != nil {
			return Settings{}, fmt.Errorf("load configuration: %w", serr)
		}
	}
	if len(problems) > 0 {
		return Settings{Reloadable: settings.Reloadable{Commands: set.Commands}, Keys: set.Keys, CommandKeys: set.CommandKeys}, problems
	}
	for name, profile := range set.Profiles {
		profile.CAFile = s.absolute(profile.CAFile)
		set.Profiles[name] = profile
	}
	return set, nil
}

// absolute reads a path of the file: ~/ is the home directory, and a relative
// path starts where the file is.
func (s Source) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(s.Home, rest)
	}
	return filepath.Join(filepath.Dir(s.Path), path)
}

func (s Settings) holdsKey() bool {
	for _, p := range s.Profiles {
		if !p.APIKey.IsZero() {
			return true
		}
	}
	return false
}

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

// Names of the environment variables that the program reads.
const (
	EnvBaseURL = "CARDTOP_BASE_URL"
	EnvAPIKey  = "CARDTOP_API_KEY" //nolint:gosec // the name of a variable, not a key
	EnvProfile = "CARDTOP_PROFILE"
	EnvConfig  = "CARDTOP_CONFIG"
	EnvNoColor = "NO_COLOR"
	// EnvNoMotion asks programs for reduced motion.
	EnvNoMotion = "NO_MOTION"
)

// Env is what the environment sets.
type Env struct {
	BaseURL string
	APIKey  api.APIKey
	// Found is the key that this process found for the account before, however; it is not looked for again.
	Found   api.APIKey
	Profile string
	Config  string
	// NoColor is set by NO_COLOR and for a terminal that TERM calls dumb.
	NoColor bool
	// NoMotion asks for reduced motion.
	NoMotion bool
	// Language is that of the screen.
	Language string
	// Proxy is why the address of a proxy is none; nil where there is nothing wrong.
	Proxy error
}

// TakeEnv reads the environment once and removes the API key from it, so that
// no child inherits it. An empty variable counts as not set. The key is
// removed also when there is an error.
func TakeEnv() (Env, error) {
	env := Env{
		BaseURL: os.Getenv(EnvBaseURL),
		Profile: os.Getenv(EnvProfile),
		Config:  os.Getenv(EnvConfig),
		NoColor: os.Getenv(EnvNoColor) != "" || os.Getenv("TERM") == "dumb", NoMotion: os.Getenv(EnvNoMotion) != "",
		Language: lang.FromEnvironment(os.Getenv),
		Proxy:    checkProxies(os.Getenv),
	}
	key := os.Getenv(EnvAPIKey)
	if err := os.Unsetenv(EnvAPIKey); err != nil {
		return Env{}, fmt.Errorf("unset %s: %w", EnvAPIKey, err)
	}
	if key == "" {
		return env, nil
	}
	var err error
	if env.APIKey, err = NewKey([]byte(key)); err != nil {
		return Env{}, fmt.Errorf("%s %w", EnvAPIKey, err)
	}
	return env, nil
}

// checkProxies refuses an address of a proxy that is none: net/http would ignore it and connect past the
// proxy.
func checkProxies(lookup func(string) string) error {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		value := lookup(name)
		if value == "" {
			continue
		}
		if !strings.Contains(value, "://") {
			value = "http://" + value
		}
		u, err := url.Parse(value)
		if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
			return fmt.Errorf("%s is no address of a proxy: write http://HOST:PORT, or unset it", name)
		}
	}
	return nil
}
