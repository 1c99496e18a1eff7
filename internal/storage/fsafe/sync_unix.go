//go:build unix

package fsafe

import (
	"errors"
	"fmt"
	"os"
)

// SyncDir writes the names in a directory to the disk, so that a file made or
// renamed there survives a power loss.
func SyncDir(dir string) error {
	f, err := os.Open(dir) //nolint:gosec // the caller's own directory, opened only to be synced
	if err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	return nil
}
