// Package kept stores what a hub has to know again after a restart: requests that wait
// for a lead, and who uses which code. None of it is secret.
package kept

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// version is that of the files, to be raised when an older program would misread one.
const version = 1

// document is a file.
type document struct {
	Version int             `json:"version"`
	Rows    json.RawMessage `json:"rows"`
}

// Dir is a folder of files, each of them replaced as a whole.
type Dir struct{ Path string }

// Load returns what is stored under a name, JSON; nothing where nothing was.
func (d Dir) Load(name string) ([]byte, error) {
	path := filepath.Join(d.Path, name)
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(file.Data, &doc); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	if err := format.Check(doc.Version, version); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return doc.Rows, nil
}

// Save returns when it is on disk. The rows are kept byte by byte: bodies among them have
// hashes.
func (d Dir) Save(name string, rows []byte) error {
	if err := fsafe.MkdirAll(d.Path); err != nil {
		return err
	}
	if _, err := d.Load(name); errors.Is(err, format.ErrNewer) {
		return err
	}
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(document{version, rows}); err != nil {
		return err
	}
	return fsafe.WriteFile(filepath.Join(d.Path, name), data.Bytes())
}
