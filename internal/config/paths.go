package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

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
