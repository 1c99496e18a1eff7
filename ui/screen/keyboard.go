package screen

import (
	"errors"
	"io"
	"os"
	"time"
)

// keyboard reads the keys of a terminal. A read that waits is one of Go's own, not a
// call that holds a thread: who waits for the key runs in the reader's place at once,
// instead of when another thread takes it over, and the read can be ended. The file
// is opened for it alone, so that no other program of the terminal finds it changed.
type keyboard struct{ file *os.File }

// openKeyboard returns nil where a terminal cannot be read so.
func openKeyboard(in *os.File) *keyboard {
	file := openUnblocked(in)
	if file == nil {
		return nil
	}
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		_ = file.Close() // It was not read from.
		return nil
	}
	return &keyboard{file}
}

// Read reports the end where it was told to leave the keys to others.
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// listen reads keys from now on, or leaves them to others.
func (k *keyboard) listen(on bool) error {
	if k == nil {
		return nil
	}
	until := time.Time{}
	if !on {
		until = time.Unix(1, 0)
	}
	return k.file.SetReadDeadline(until)
}

func (k *keyboard) close() error {
	if k == nil {
		return nil
	}
	return k.file.Close()
}
