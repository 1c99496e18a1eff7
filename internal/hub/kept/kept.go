// Package kept stores what a hub has to know again after a restart: requests that wait
// for a lead, and who uses which code. None of it is secret.
package kept

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

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

const (
	lockName  = "hub.lock"
	ownerName = "hub.running"
)

// Owner is the program that has a hub's folder.
type Owner struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// TakenError is that another hub has the folder. Owner is zero where it cannot be read.
type TakenError struct {
	Dir   string
	Owner Owner
}

func (e *TakenError) Error() string {
	who := "another hub"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("the hub of process %d on %s, since %s,", e.Owner.PID, e.Owner.Host, e.Owner.Since.UTC().Format(time.DateTime+"Z"))
	}
	return fmt.Sprintf("%s serves this account from %s: stop it first; several hubs on one machine need a folder each (XDG_STATE_HOME)", who, e.Dir)
}

// Lock takes the folder for one hub until release is called or the process ends. Two would
// each overwrite what the other stores. While another has it the error is a *TakenError.
func (d Dir) Lock(mine Owner) (release func() error, err error) {
	if err := fsafe.MkdirAll(d.Path); err != nil {
		return nil, err
	}
	lock, err := fsafe.Lock(filepath.Join(d.Path, lockName), 0)
	switch {
	case errors.Is(err, fsafe.ErrBusy):
		return nil, &TakenError{Dir: d.Path, Owner: d.owner()}
	case errors.Is(err, errors.ErrUnsupported):
		return func() error { return nil }, nil // As with every file there.
	case err != nil:
		return nil, err
	}
	data, err := json.Marshal(mine)
	if err == nil {
		err = fsafe.WriteFile(filepath.Join(d.Path, ownerName), data)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take the folder of the hub: %w", err), lock.Close())
	}
	return lock.Close, nil
}

// owner is who wrote that they have the folder.
func (d Dir) owner() (o Owner) {
	file, err := fsafe.Read(filepath.Join(d.Path, ownerName))
	if err != nil || json.Unmarshal(file.Data, &o) != nil {
		return Owner{}
	}
	return o
}

// Self is this process.
func Self(now time.Time) Owner {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return Owner{PID: os.Getpid(), Host: host, Since: now}
}
