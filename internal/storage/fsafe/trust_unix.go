//go:build unix

package fsafe

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// openTrusted opens a file that is there through its directory, so that neither
// can be swapped for a link between the check and the open.
func openTrusted(path string, access int) (*os.File, error) {
	dir := filepath.Dir(path)
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, explainOpen(dir, err)
	}
	parent := os.NewFile(uintptr(fd), dir)
	file, err := openIn(parent, path, access)
	if cerr := parent.Close(); cerr != nil && err == nil {
		err = errors.Join(fmt.Errorf("close %s: %w", dir, cerr), file.Close())
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

func openIn(parent *os.File, path string, access int) (*os.File, error) {
	info, err := parent.Stat()
	if err != nil {
		return nil, fmt.Errorf("inspect %s: %w", parent.Name(), err)
	}
	if err := checkDir(parent.Name(), info); err != nil {
		return nil, err
	}
	if err := checkWay(parent.Name()); err != nil {
		return nil, err
	}
	// Without O_NONBLOCK the open of a named pipe would wait for ever.
	const safely = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	fd, err := unix.Openat(int(parent.Fd()), filepath.Base(path), access|safely, 0)
	if err != nil {
		return nil, explainOpen(path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

func openNoFollow(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK, fileMode) //nolint:gosec // the caller names its own file
	if err != nil {
		return nil, explainOpen(path, err)
	}
	return f, nil
}

// linked refuses a symbolic link to a file or a directory. What it leads to is
// copied beside it first: it may be used from elsewhere too. In parentheses the
// command does nothing where only its beginning was copied.
func linked(path string) *TrustError {
	dir, name := filepath.Split(path)
	link, beside := ShellQuote(name), ShellQuote(name+".real")
	return &TrustError{
		Path: path, Reason: isLink,
		Mend: "(cd -- " + ShellQuote(cmp.Or(dir, ".")) + " && cp -RHp -- " + link + " " + beside + " && rm -- " + link + " && mv -- " + beside + " " + link + ")",
	}
}

// explainOpen names a symbolic link as what it is: systems answer ELOOP,
// EMLINK or, for a directory, ENOTDIR.
func explainOpen(path string, err error) error {
	if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return linked(path)
	}
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err
	}
	return fmt.Errorf("open %s: %w", path, err)
}

// checkDir accepts a directory of the user or of the system that no one else
// may rename files in.
func checkDir(path string, info fs.FileInfo) error {
	uid, known := owner(info)
	if !known || (uid != os.Geteuid() && uid != 0) {
		return &TrustError{Path: path, Reason: "the directory belongs to another user"}
	}
	if info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 && !fixed(path) {
		return &TrustError{
			Path:   path,
			Reason: fmt.Sprintf("others may write to the directory (mode %#o)", info.Mode().Perm()),
			Mend:   "chmod 700 " + ShellQuote(path),
		}
	}
	return nil
}

func checkFile(path string, info fs.FileInfo) error {
	if err := checkOwned(path, info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o022 != 0 {
		return tooOpen(path, info, "others may write to it")
	}
	return nil
}

// checkShared is checkFile for a file that the system may own as well.
func checkShared(path string, info fs.FileInfo) error {
	if uid, known := owner(info); !known || uid != 0 || os.Geteuid() == 0 || !info.Mode().IsRegular() {
		return checkFile(path, info)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return &TrustError{Path: path, Reason: fmt.Sprintf("others may write to it (mode %#o)", info.Mode().Perm())}
	}
	return nil
}

func checkOwned(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &TrustError{Path: path, Reason: "it is not a regular file"}
	}
	if uid, known := owner(info); !known || uid != os.Geteuid() {
		return &TrustError{
			Path:   path,
			Reason: "it belongs to another user",
			Mend:   fmt.Sprintf("sudo chown %d %s", os.Geteuid(), ShellQuote(path)),
		}
	}
	return nil
}

func checkSecret(path string, info fs.FileInfo) error {
	if info == nil || info.Mode().Perm()&0o077 != 0 {
		return tooOpen(path, info, "it holds an API key and others may read it")
	}
	return nil
}

func tooOpen(path string, info fs.FileInfo, reason string) error {
	if info != nil {
		reason = fmt.Sprintf("%s (mode %#o)", reason, info.Mode().Perm())
	}
	return &TrustError{Path: path, Reason: reason, Mend: "chmod 600 " + ShellQuote(path)}
}

func owner(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// FindLoose returns the files and folders of the user, at a folder and below it, that others may use. Links are not
// followed. A folder that is not there has none.
func FindLoose(root string) (loose []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if uid, known := owner(info); (d.IsDir() || info.Mode().IsRegular()) && known && uid == os.Geteuid() && info.Mode().Perm()&0o077 != 0 {
			loose = append(loose, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) { // Also a file that another process removed meanwhile.
		err = nil
	}
	return loose, err
}

// Tighten takes rights of others from a file or a folder of the user, and returns the modes before and after. A link
// is refused. What has none of those rights stays as it is.
func Tighten(path string, rights fs.FileMode) (before, after fs.FileMode, err error) {
	f, err := openNoFollow(path, os.O_RDONLY)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("inspect %s: %w", path, err)
	}
	before = info.Mode().Perm()
	after = before &^ rights
	uid, known := owner(info)
	switch {
	case !known || uid != os.Geteuid() || !info.IsDir() && !info.Mode().IsRegular():
		return before, before, fmt.Errorf("close %s to others: it is not a file or folder of yours", path)
	case after == before:
		return before, after, nil
	}
	if err := f.Chmod(after); err != nil {
		return before, before, fmt.Errorf("close %s to others: %w", path, err)
	}
	return before, after, nil
}

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

// TryLock locks an open file, unless another open file has the lock: of
// another process, or of this one. It is unlocked when the file is closed or
// the process ends. Where the file system has no locks the error is
// errors.ErrUnsupported.
func TryLock(f *os.File) (bool, error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
			return false, errors.ErrUnsupported
		}
		return false, err
	}
}
