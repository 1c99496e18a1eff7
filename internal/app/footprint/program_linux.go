package footprint

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// releaseProgram unmaps the pages of the executable from this process: code and tables.
// They are a file's and never written to, so the system has them in its cache and
// maps those again that are used. Two thirds were for the start only.
func releaseProgram() error {
	if fixed, err := selfAtFixedAddress(); err != nil || !fixed {
		return err
	}
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("find the executable: %w", err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return fmt.Errorf("read what is mapped: %w", err)
	}
	var errs []error
	for _, r := range programRanges(maps, exe) {
		if _, _, errno := unix.Syscall(unix.SYS_MADVISE, r.from, r.to-r.from, unix.MADV_DONTNEED); errno != 0 {
			errs = append(errs, fmt.Errorf("release pages of the executable: %w", errno))
		}
	}
	return errors.Join(errs...)
}

// What an ELF file begins with, and its type where it is loaded at a fixed address.
const (
	elfMagic    = "\x7fELF"
	elfTypeAt   = 16 // bytes, in the order of the machine
	elfTypeExec = 2
)

// selfAtFixedAddress reports whether this program is loaded where it was linked to.
func selfAtFixedAddress() (bool, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return false, fmt.Errorf("read the executable: %w", err)
	}
	defer func() { _ = f.Close() }()
	return atFixedAddress(f)
}

// atFixedAddress reports whether an executable is loaded where it was linked to. Tables of
// one that is not were written to when it was loaded, and look as if they never were.
func atFixedAddress(exe io.Reader) (bool, error) {
	head := make([]byte, elfTypeAt+2)
	if _, err := io.ReadFull(exe, head); err != nil {
		return false, fmt.Errorf("read the executable: %w", err)
	}
	return string(head[:len(elfMagic)]) == elfMagic && binary.NativeEndian.Uint16(head[elfTypeAt:]) == elfTypeExec, nil
}

// addresses are a range of memory, the last not included.
type addresses struct{ from, to uintptr }

// programRanges returns where a file is mapped that is only read or executed: what is
// written to would be lost. maps is in the form of /proc/self/maps.
func programRanges(maps []byte, file string) []addresses {
	var out []addresses
	for in := bufio.NewScanner(bytes.NewReader(maps)); in.Scan(); {
		var r addresses
		var access, offset, device, inode string
		if _, err := fmt.Sscanf(in.Text(), "%x-%x %s %s %s %s", &r.from, &r.to, &access, &offset, &device, &inode); err != nil {
			continue
		}
		at := strings.IndexByte(in.Text(), '/')
		if at < 0 || in.Text()[at:] != file || access != "r--p" && access != "r-xp" {
			continue
		}
		out = append(out, r)
	}
	return out
}

// kernelSlack is by how much the kernel lets a timer of a thread be late unless somebody
// said otherwise.
const kernelSlack = 50 * time.Microsecond

// AllowLateTimers starts this program anew, in the same process, with timers that may be
// late. The monitor of Go's runtime otherwise wakes every 70 µs while anything is done.
// Its thread is there before main is, and threads have what the one that made them had,
// so it takes a new start. It returns when there is nothing to do: where the slack
// is not the kernel's own, the user or the first start has set it.
func AllowLateTimers(late time.Duration) error {
	runtime.LockOSThread() // The slack is the thread's, and the one that calls exec stays.
	defer runtime.UnlockOSThread()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil || slack != int(kernelSlack) {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(late), 0, 0, 0); err != nil {
		return fmt.Errorf("set timer slack: %w", err)
	}
	err = unix.Exec("/proc/self/exe", os.Args, os.Environ())
	return fmt.Errorf("start anew with another timer slack: %w", err)
}
