//go:build night && linux

package terminals

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// console is an emulated terminal, on a line as slow as asked for.
type console struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	ended chan struct{}

	mu   sync.Mutex
	term vt10x.Terminal
	cut  []byte // the beginning of a rune
	raw  []byte // all that was received
}

// openConsole runs a command in a terminal of 160x45 that takes so many bytes a
// second; 0 is any number.
func openConsole(t *testing.T, rate int, env []string, args ...string) *console {
	t.Helper()
	c := &console{t: t, term: vt10x.New(vt10x.WithSize(160, 45)), ended: make(chan struct{})}
	c.cmd = exec.CommandContext(context.Background(), args[0], args[1:]...)
	c.cmd.Env = env
	tty, err := pty.StartWithSize(c.cmd, &pty.Winsize{Cols: 160, Rows: 45})
	must(t, err)
	c.tty = tty
	go c.read(rate)
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.ended
		_ = c.cmd.Wait()
		_ = tty.Close()
	})
	return c
}

// read takes what the program writes, a fiftieth of a second's worth at a time.
func (c *console) read(rate int) {
	defer close(c.ended)
	buf := make([]byte, 64<<10)
	if rate > 0 {
		buf = buf[:rate/50]
	}
	for {
		n, err := c.tty.Read(buf)
		c.mu.Lock()
		c.raw = append(c.raw, buf[:n]...)
		p := append(c.cut, buf[:n]...)
		whole := len(p)
		for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
			if utf8.RuneStart(p[len(p)-i]) && !utf8.FullRune(p[len(p)-i:]) {
				whole = len(p) - i
			}
		}
		_, _ = c.term.Write(p[:whole])
		c.cut = bytes.Clone(p[whole:])
		c.mu.Unlock()
		if err != nil {
			return
		}
		if rate > 0 {
			<-time.After(time.Duration(n) * time.Second / time.Duration(rate))
		}
	}
}

// keys types keys by the names that X has for them.
func (c *console) keys(names ...string) {
	c.t.Helper()
	bytes := map[string]string{
		"Next": "\x1b[6~", "Prior": "\x1b[5~", "Down": "\x1b[B", "Tab": "\t", "Return": "\r", "Escape": "\x1b",
		"slash": "/", "question": "?", "ctrl+l": "\x0c", "ctrl+z": "\x1a",
	}
	for _, name := range names {
		text, ok := bytes[name]
		if !ok {
			text = name
		}
		c.send(text)
		if name == "Escape" {
			<-time.After(60 * time.Millisecond) // Escape and a letter are one key without it.
		}
	}
}

func (c *console) send(text string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.term.String()
}

// received returns all that the terminal was sent.
func (c *console) received() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.raw)
}

func (c *console) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	c.term.Resize(width, height)
	c.mu.Unlock()
	must(c.t, pty.Setsize(c.tty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}
