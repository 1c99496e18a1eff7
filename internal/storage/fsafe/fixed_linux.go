package fsafe

import "golang.org/x/sys/unix"

// fixed reports whether a directory is on a file system that is mounted read-only, as a container's configuration is:
// its mode lets nobody write to it.
func fixed(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && s.Flags&unix.ST_RDONLY != 0
}
