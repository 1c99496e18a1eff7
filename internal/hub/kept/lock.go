package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

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
