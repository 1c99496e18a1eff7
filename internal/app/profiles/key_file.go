package profiles

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/ui/accounts"
)

// storeKey stores the key that was typed, in the keyring or in a file of its own, whose command the profile then
// has. It returns what takes it back where the profile cannot be written.
func (p Profiles) storeKey(ctx context.Context, d *draft) (takeBack func() error, err error) {
	takeBack = func() error { return nil }
	if d.Key.IsZero() {
		return takeBack, nil
	}
	if d.InFile {
		path, err := p.writeKey(d.Name, d.Key)
		if err != nil {
			return nil, at(accounts.FieldFile, err)
		}
		d.profile.APIKeyCommand = keyCommand(path)
		return func() error { return os.Remove(path) }, nil
	}
	switch err := p.Keys.SaveKey(ctx, d.run, api.APIKey{Secret: d.Key}); {
	case errors.Is(err, config.ErrNoKeyring):
		reason := strings.TrimPrefix(err.Error(), "save key: ")
		return nil, at(accounts.FieldFile, errors.New(d.Words.Tf("%s: keep the key in a private file, or use a command", reason)))
	case err != nil:
		return nil, at(accounts.FieldKey, err)
	}
	if !d.Changes {
		takeBack = func() error { return p.forget(ctx, d.run) }
	}
	return takeBack, nil
}

// keyFolder has the keys that no keyring holds, a file each. It is not beside the configuration, which people
// keep in repositories.
func (p Profiles) keyFolder() string { return filepath.Join(p.State, "keys") }

// keyCommand returns the shell line that prints the key of a file.
func keyCommand(path string) string { return "cat " + fsafe.ShellQuote(path) }

// writeKey puts a key into a new file that nobody else may read. Its name is new each time: until the
// configuration names it, the old file counts.
func (p Profiles) writeKey(name string, key api.Secret) (path string, err error) {
	if err := fsafe.MkdirAll(p.keyFolder()); err != nil {
		return "", err
	}
	path = filepath.Join(p.keyFolder(), name+"-"+strings.ToLower(rand.Text()[:8]))
	line := slices.Concat(key.Bytes(), []byte{'\n'})
	defer clear(line)
	return path, fsafe.WriteFile(path, line)
}

// removeKeyFile removes the file that a command of a profile printed, if it is one of keyFolder, and no profile
// has that command any more.
func (p Profiles) removeKeyFile(command string) error {
	files, err := os.ReadDir(p.keyFolder())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find key: %w", err)
	}
	at := slices.IndexFunc(files, func(f os.DirEntry) bool { return command == keyCommand(filepath.Join(p.keyFolder(), f.Name())) })
	if at < 0 {
		return nil
	}
	settings, err := p.Source.Load()
	if err != nil {
		return err
	}
	for _, other := range settings.Profiles {
		if other.APIKeyCommand == command {
			return nil
		}
	}
	return os.Remove(filepath.Join(p.keyFolder(), files[at].Name()))
}
