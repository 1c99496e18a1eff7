package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// CheckName returns why a name is none for a profile.
func CheckName(name string) error { return named().check(name) }

// Change replaces the file by what change makes of it, unless that would not be
// valid. A file that is not there is made, with mode 0600; where the path is a
// symbolic link, the file that it leads to is replaced. The error is
// ProblemErrors for what would be wrong in it.
func (s Source) Change(change func(doc []byte) ([]byte, error)) error {
	file, err := s.read()
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	before := file.Data
	defer clear(before)
	after, err := change(bytes.Clone(before))
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	defer clear(after)
	if bytes.Equal(before, after) {
		return nil
	}
	if file.ReadOnly() {
		return readOnly(file.Path)
	}
	settings, problems := parse(filepath.Base(s.Path), after)
	if len(problems) > 0 {
		return problems
	}
	if s.Check != nil {
		if err := s.Check(settings); err != nil {
			return err
		}
	}
	dir := filepath.Dir(file.Path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := fsafe.MkdirAll(dir); err != nil {
			return fmt.Errorf("change configuration: %w", err)
		}
	}
	// An editor may have saved it meanwhile: its text goes first.
	again, err := s.read()
	defer clear(again.Data)
	if err != nil || again.Path != file.Path || !bytes.Equal(before, again.Data) {
		return errors.Join(errors.New("change configuration: the file changed meanwhile, try again"), err)
	}
	if err := fsafe.WriteFile(file.Path, after); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return readOnly(file.Path)
	} else if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	return nil
}

func readOnly(path string) error {
	return fmt.Errorf("change configuration: %s is read-only: change it where it comes from", path)
}

// read returns the file that the path leads to, also when there is none yet. It may belong to the system,
// as the files of Nix do.
func (s Source) read() (fsafe.File, error) {
	path, err := fsafe.Resolve(s.Path)
	if err != nil {
		return fsafe.File{}, err
	}
	file, err := fsafe.ReadShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fsafe.File{Path: path}, nil
	}
	return file, err
}
