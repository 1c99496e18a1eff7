package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// The rights of others: all, and those that let them change something.
const (
	anyRight    fs.FileMode = 0o077
	writeRights fs.FileMode = 0o022
)

// resolveFixed resolves the account. With fix it first takes from others what they may not have for the
// configuration to be read, and returns a finding for each. Folders above that of the file are not the program's.
func (p program) resolveFixed(flags config.Flags, fix bool) (paths config.Paths, run config.Resolved, fixed []finding, err error) {
	for {
		paths, run, err = p.Resolve(flags)
		var refused *fsafe.TrustError
		if !fix || !errors.As(err, &refused) {
			return paths, run, fixed, err
		}
		var rights fs.FileMode
		switch refused.Path {
		case paths.Config:
			rights = anyRight
		case filepath.Dir(paths.Config):
			rights = writeRights // Others may have to reach something through it.
		}
		f, changed := tighten("configuration", refused.Path, rights)
		if !changed {
			return paths, run, fixed, err // The finding of the configuration says what is wrong.
		}
		fixed = append(fixed, f)
	}
}

// checkLoose finds what others may use of the program's files, and closes it to them with fix.
func checkLoose(paths config.Paths, fix bool) (found []finding) {
	for _, dir := range []string{paths.State, paths.Cache} {
		loose, err := fsafe.FindLoose(dir)
		if err != nil {
			found = append(found, finding{bad, "permissions", err.Error(), "make " + dir + " yours"})
		}
		for _, path := range loose {
			if !fix {
				return append(found, finding{warn, "permissions", fmt.Sprintf("others may use %s, and perhaps more of %s", path, dir), "cardtop doctor --fix"})
			}
			if f, changed := tighten("permissions", path, anyRight); changed || f.grade == bad {
				found = append(found, f)
			}
		}
	}
	return found
}

// tighten takes rights from others, and says so.
func tighten(check, path string, rights fs.FileMode) (f finding, changed bool) {
	if rights == 0 {
		return finding{}, false
	}
	before, after, err := fsafe.Tighten(path, rights)
	if err != nil {
		return finding{bad, check, err.Error(), "make it yours, or move it away"}, false
	}
	return finding{fixed, check, fmt.Sprintf("%s was open to others: mode %#o, was %#o", path, after, before), ""}, before != after
}
