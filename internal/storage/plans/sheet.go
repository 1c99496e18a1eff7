package plans

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxSheet bounds a file of cards to be issued, in bytes.
const maxSheet = 1 << 20

// ReadSheet reads a file that the user named, at most 1 MiB. What is not a regular
// file is refused: a read of a pipe might never end.
func ReadSheet(path string) (data []byte, err error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read file: %s is not a regular file", path)
	}
	f, err := os.Open(path) //nolint:gosec // a person names the file
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err = io.ReadAll(io.LimitReader(f, maxSheet+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if len(data) > maxSheet {
		return nil, fmt.Errorf("read file: %s is larger than 1 MiB", path)
	}
	return data, nil
}
