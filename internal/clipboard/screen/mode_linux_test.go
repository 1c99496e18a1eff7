package screen

import (
	"os"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestRestoreGivesTheTerminalBack(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lflag uint32 // what the terminal is left with
		back  bool
	}{
		{"left raw", 0, true},
		{"a shell is back, with a line editor", unix.ISIG, false},
		{"a shell is back", unix.ISIG | unix.ICANON | unix.ECHO, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ptmx, tty, err := pty.Open()
			if err != nil {
				t.Skip("no pseudo terminals here:", err)
			}
			defer closeAll(t, ptmx, tty)
			settings, err := Mode(tty)
			if err != nil {
				t.Fatal(err)
			}
			before := flags(t, tty)
			set(t, tty, tc.lflag)
			s, err := New(tty, settings)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Restore(); err != nil {
				t.Fatal(err)
			}
			want := tc.lflag
			if tc.back {
				want = before
			}
			if got := flags(t, tty); got != want {
				t.Errorf("flags %b, want %b", got, want)
			}
			buf := make([]byte, 1024)
			n, err := ptmx.Read(buf)
			if err != nil || string(buf[:n]) != sequence() {
				t.Errorf("the terminal got %q, %v", buf[:n], err)
			}
		})
	}
}

func TestNotATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(t, r, w)
	if _, err := Mode(w); err == nil {
		t.Error("a pipe has settings")
	}
	if _, err := New(w, []byte("{")); err == nil {
		t.Error("broken settings are taken")
	}
	s, err := New(w, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Restore(); err == nil {
		t.Error("a pipe is restored")
	}
}

const interesting = unix.ISIG | unix.ICANON | unix.ECHO

func flags(t *testing.T, tty *os.File) uint32 {
	t.Helper()
	m, err := getMode(tty)
	if err != nil {
		t.Fatal(err)
	}
	return m.Lflag & interesting
}

func set(t *testing.T, tty *os.File, lflag uint32) {
	t.Helper()
	m, err := getMode(tty)
	if err != nil {
		t.Fatal(err)
	}
	m.Lflag = m.Lflag&^interesting | lflag
	// Output is left as it comes, so that the test sees what was written.
	m.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(int(tty.Fd()), setTermios, m); err != nil {
		t.Fatal(err)
	}
}

func closeAll(t *testing.T, files ...*os.File) {
	t.Helper()
	for _, f := range files {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
