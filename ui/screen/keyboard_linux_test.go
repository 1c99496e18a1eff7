package screen

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// console opens a pseudo-terminal, whose console it takes.
func console(t *testing.T) (*Console, *os.File) {
	t.Helper()
	outside, inside, err := pty.Open()
	must(t, err)
	// As standard input: a file that Go opened itself is set to block each time it is asked for.
	fd, err := unix.Dup(int(inside.Fd()))
	if err = errors.Join(err, inside.Close()); err != nil {
		t.Fatal(err)
	}
	shell := os.NewFile(uintptr(fd), "stdin")
	t.Cleanup(func() { _, _ = outside.Close(), shell.Close() })
	c, err := OpenConsole(shell, shell)
	must(t, err)
	if c.keys == nil {
		t.Fatal("the terminal is read as a file")
	}
	must(t, c.Take())
	return c, outside
}

func press(t *testing.T, outside io.Writer, keys string) {
	t.Helper()
	if _, err := io.WriteString(outside, keys); err != nil {
		t.Fatal(err)
	}
}

// TestKeysAreLeftToOthers: a reader that waits ends when the keys are left to others, takes
// none of theirs, and reads on when the terminal is taken again.
func TestKeysAreLeftToOthers(t *testing.T) {
	t.Parallel()
	c, outside := console(t)
	keys, ended := make(chan string), make(chan error)
	read := func() {
		buf := make([]byte, 64)
		for {
			n, err := c.Keys().Read(buf)
			if err != nil {
				ended <- err
				return
			}
			keys <- string(buf[:n])
		}
	}
	go read()
	press(t, outside, "j")
	if got := <-keys; got != "j" {
		t.Fatalf("read %q", got)
	}
	must(t, c.LeaveKeys())
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the reader ends with %v", err)
	}
	must(t, c.Give())
	press(t, outside, "ls\n")
	if n, err := c.Keys().Read(make([]byte, 64)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes of another program's keys are read: %v", n, err)
	}
	theirs := make([]byte, 64)
	n, err := c.in.Read(theirs)
	if err != nil || string(theirs[:n]) != "ls\n" {
		t.Errorf("the other program reads %q, %v", theirs[:n], err)
	}
	must(t, c.Take())
	go read()
	press(t, outside, "k")
	if got := <-keys; got != "k" {
		t.Errorf("read %q", got)
	}
	if err := errors.Join(c.Give(), c.Close()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the reader ends with %v", err)
	}
}

// TestWhoWasAtTheTerminalBeforeIsKnown: the editor of a command line has it raw, and a shell that waits has not.
func TestWhoWasAtTheTerminalBeforeIsKnown(t *testing.T) {
	t.Parallel()
	c, _ := console(t)
	if c.Raw() {
		t.Error("a shell that waits counts as an editor")
	}
	if err := c.Give(); err != nil || c.Raw() {
		t.Errorf("given back: %v", err)
	}
	if _, err := term.MakeRaw(c.in.Fd()); err != nil {
		t.Fatal(err)
	}
	if err := c.Take(); err != nil || !c.Raw() {
		t.Errorf("an editor is not seen: %v", err)
	}
}

// TestTheTerminalOfOthersStaysAsItIs: what shares the terminal's file, such as the shell, does not
// find it unblocked.
func TestTheTerminalOfOthersStaysAsItIs(t *testing.T) {
	t.Parallel()
	c, outside := console(t)
	flags, err := unix.FcntlInt(c.in.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK != 0 {
		t.Errorf("flags %#x, %v", flags, err)
	}
	must(t, outside.Close())
	done := make(chan error)
	go func() {
		_, err := c.Keys().Read(make([]byte, 1))
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("keys come from a terminal that is gone")
		}
	case <-time.After(10 * time.Second):
		t.Error("a terminal that is gone is waited for")
	}
}
