package fsafe

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Readers names the groups of other users that may read or write a folder or
// what is made in it. Files here inherit from the user's profile, which is
// private unless somebody opened it: so this is told and nothing is refused.
func Readers(path string) ([]string, error) {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return nil, fmt.Errorf("read who may use %s: %w", path, err)
	}
	list, _, err := sd.DACL()
	if err != nil {
		return nil, fmt.Errorf("read who may use %s: %w", path, err)
	}
	if list == nil {
		return []string{"Everyone"}, nil
	}
	var names []string
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return nil, fmt.Errorf("read who may use %s: %w", path, err)
		}
		const use = windows.FILE_READ_DATA | windows.FILE_WRITE_DATA | windows.GENERIC_READ | windows.GENERIC_WRITE | windows.GENERIC_ALL
		if entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE || entry.Mask&use == 0 {
			continue
		}
		sid := (*windows.SID)(unsafe.Pointer(&entry.SidStart)) //nolint:gosec // the identity follows the entry in memory
		if name := crowd(sid); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// crowd names an identity that stands for more than one user; administrators,
// who can read everything anyhow, aside.
func crowd(sid *windows.SID) string {
	switch {
	case sid.IsWellKnown(windows.WinWorldSid):
		return "Everyone"
	case sid.IsWellKnown(windows.WinAuthenticatedUserSid):
		return "Authenticated Users"
	case sid.IsWellKnown(windows.WinBuiltinUsersSid):
		return "Users"
	case sid.IsWellKnown(windows.WinBuiltinGuestsSid):
		return "Guests"
	case sid.IsWellKnown(windows.WinAnonymousSid):
		return "Anonymous"
	case sid.IsWellKnown(windows.WinInteractiveSid):
		return "Interactive"
	}
	return ""
}

// beyond is where the lock lies, far behind the content: a locked part of a
// file cannot be read by others on this system.
const beyond = 1 << 30

// TryLock locks an open file, unless another open file has the lock: of
// another process, or of this one. It is unlocked when the file is closed or
// the process ends.
func TryLock(f *os.File) (bool, error) {
	at := windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}
