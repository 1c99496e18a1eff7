// Package kept stores what a hub has to know again after a restart: requests that wait
// for a lead, and who uses which code. None of it is secret.
package kept

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// Dir is a folder of files, each of them replaced as a whole.
type Dir struct{ Path string }

// Load returns what is stored under a name; nothing where nothing was.
func (d Dir) Load(name string) ([]byte, error) {
	file, err := fsafe.Read(filepath.Join(d.Path, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file.Data, err
}

// Save returns when it is on disk.
func (d Dir) Save(name string, data []byte) error {
	if err := fsafe.MkdirAll(d.Path); err != nil {
		return err
	}
	return fsafe.WriteFile(filepath.Join(d.Path, name), data)
}
