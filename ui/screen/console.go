package screen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// Console is the terminal that the program was started on: its keys come one by
// one and unechoed while it is taken.
type Console struct {
	in, out *os.File
	keys    *keyboard // nil where the keys are read from in

	mu    sync.Mutex
	saved *consoleState // nil while it is given back
	// gave reports whether the next stop is the program's own.
	gave bool
}

// OpenConsole finds the terminal; both files have to be one.
func OpenConsole(in, out *os.File) (*Console, error) {
	for _, f := range []*os.File{in, out} {
		if !term.IsTerminal(f.Fd()) {
			return nil, fmt.Errorf("%s is no terminal", f.Name())
		}
	}
	return &Console{in: in, out: out, keys: openKeyboard(in)}, nil
}

// Keys is what the keys are read from. It ends when they are left to others.
func (c *Console) Keys() io.Reader {
	if c.keys == nil {
		return c.in
	}
	return c.keys
}

// LeaveKeys has a reader of the keys end, if it can be; Take has the next one read.
func (c *Console) LeaveKeys() error { return c.keys.listen(false) }

// Close ends the use of the terminal, which was given back.
func (c *Console) Close() error { return c.keys.close() }

// ErrEnded is that the program was to end while the terminal was another program's.
var ErrEnded = errors.New("ended before the terminal was its")

const (
	// settles is how long, in parts of which one may end while the program is stopped, it waits for the signal that may
	// have come with the one that continued it.
	settles, parts = 200 * time.Millisecond, 10
	// stops is how often the program stops itself while it is behind others. Where nothing stops it, it is told why by
	// the system when it takes the terminal.
	stops = 20
)

// Await returns once the terminal may be taken: while another program is in front this one is stopped, as the system would
// stop it, but is not deaf to what ends it meanwhile.
func (c *Console) Await(over <-chan struct{}) error {
	for range stops {
		for range parts {
			if c.front() {
				return nil
			}
			select {
			case <-over:
				return ErrEnded
			case <-time.After(settles / parts):
			}
		}
		if err := c.stop(); err != nil {
			return fmt.Errorf("wait for the terminal: %w", err)
		}
	}
	return nil
}

// Front reports whether no other program is in front of this one.
func (c *Console) Front() bool { return c.front() }

// Take makes the terminal the program's.
func (c *Console) Take() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.saved != nil {
		return nil
	}
	saved, err := c.take()
	if err == nil {
		c.saved, err = saved, c.keys.listen(true)
	}
	if err != nil {
		return fmt.Errorf("take the terminal: %w", err)
	}
	return nil
}

// retake makes the terminal the program's once more: a shell has set it for itself while the program was stopped by
// others. It reports whether it is the program's at all.
func (c *Console) retake() (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.gave
	if c.gave = false; own || c.saved == nil || !c.front() {
		return false, nil
	}
	_, err := c.take()
	if err != nil {
		return false, fmt.Errorf("take the terminal again: %w", err)
	}
	return true, nil
}

// Raw reports whether the terminal was taken from a program that reads keys one by one, as the editor of a shell's
// command line does.
func (c *Console) Raw() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved != nil && c.saved.raw
}

// Retype has the next program read what was typed to this one behind its end, where the system lets it, and behind that
// what came since. The keys were left to others, and the terminal is still the program's.
func (c *Console) Retype(keys []byte) error {
	if len(keys) == 0 {
		return nil
	}
	since, err := waiting(c.in)
	retype(c.in, append(keys, since...))
	return err
}

// Give brings the terminal back to how it was.
func (c *Console) Give() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.saved == nil {
		return nil
	}
	saved := c.saved
	c.saved, c.gave = nil, true
	if !c.front() {
		return c.LeaveKeys() // Whoever is in front has set it for itself.
	}
	if err := errors.Join(append(c.give(saved), c.LeaveKeys())...); err != nil {
		return fmt.Errorf("give the terminal back: %w", err)
	}
	return nil
}

// Size returns the terminal's columns and rows.
func (c *Console) Size() (width, height int, err error) {
	width, height, err = term.GetSize(c.out.Fd())
	if err != nil {
		return 0, 0, fmt.Errorf("read the size of the terminal: %w", err)
	}
	return width, height, nil
}

// Watch reports each new size of the terminal, until the context ends, and when the program goes on after others had
// stopped it. Where the system reports neither it returns at once: the sizes come with the keys.
func (c *Console) Watch(ctx context.Context, tell func(width, height int), again func()) error {
	changes, stop := signals()
	if changes == nil {
		return nil
	}
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case change := <-changes:
			if goesOn(change) {
				switch taken, err := c.retake(); {
				case err != nil:
					return err
				case !taken:
					continue // The program had stopped itself, and takes it itself.
				}
				again()
			}
		}
		w, h, err := c.Size()
		if err != nil {
			return err
		}
		tell(w, h)
	}
}

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
