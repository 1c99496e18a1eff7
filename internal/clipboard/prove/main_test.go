//go:build linux

package prove

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cardtop/cardtop/internal/clipboard"
)

// TestMain lets the test binary be the dashboard and the guard as well.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout))
		case "dashboard":
			os.Exit(dashboard(os.Args[2:], os.Stdin, os.Stdout))
		}
	}
	os.Exit(m.Run())
}

// runs returns how often each thing is done.
func runs(t *testing.T) int {
	t.Helper()
	if os.Getenv("CARDTOP_PROVE") == "" {
		t.Skip("needs Xvfb, sway, tmux and clipboard tools: run internal/clipboard/prove/run.sh [-n 100]")
	}
	n, err := strconv.Atoi(os.Getenv("CARDTOP_PROVE"))
	if err != nil || n < 1 {
		t.Fatalf("CARDTOP_PROVE has to be a number of runs")
	}
	return n
}

// dashboard copies the secret on its input and then waits to be killed, or
// ends in the way asked for. With -tty it also shows the secret on the screen.
func dashboard(args []string, in io.Reader, out io.Writer) int {
	fs := flag.NewFlagSet("dashboard", flag.ContinueOnError)
	ttl := fs.Duration("ttl", time.Second, "")
	end := fs.String("end", "wait", "")
	after := fs.Duration("after", 0, "")
	osc := fs.Bool("osc52", false, "")
	tty := fs.String("tty", "", "")
	secretFile := fs.String("secret", "", "")
	claims := fs.String("claims", "", "")
	if fs.Parse(args) != nil {
		return 2
	}
	cfg := clipboard.Config{Claims: *claims, Args: []string{"guard"}, OSC52: *osc, Env: os.Getenv, Now: time.Now} //nolint:forbidigo // a program of its own
	if *tty != "" {
		f, err := os.OpenFile(*tty, os.O_RDWR, 0)
		if err != nil {
			say(out, "tty:", err)
			return 1
		}
		cfg.TTY = f
	}
	if *secretFile != "" {
		f, err := os.Open(*secretFile)
		if err != nil {
			say(out, "secret:", err)
			return 1
		}
		in = f
	}
	lines := bufio.NewScanner(in)
	lines.Scan()
	secret := []byte(lines.Text())
	b, err := clipboard.Open(context.Background(), cfg)
	if err != nil {
		say(out, "open:", err)
		return 1
	}
	go func() {
		for r := range b.Reports() {
			say(out, "report", r.State, r.Err)
		}
	}()
	if *end == "reveal" {
		return reveal(cfg.TTY, string(secret))
	}
	say(out, "ready")
	start := time.Now() //nolint:forbidigo // measured
	rep, err := b.Copy(context.Background(), clipboard.Item{Secret: secret, TTL: *ttl})
	if err != nil {
		say(out, "copy:", err)
		return 1
	}
	say(out, "took", time.Since(start)) //nolint:forbidigo // measured
	say(out, rep.State)
	return finish(b, *end, *after, *tty != "", lines, out)
}

func finish(b clipboard.Board, end string, after time.Duration, onTerminal bool, lines *bufio.Scanner, out io.Writer) int {
	<-time.After(after)
	switch end {
	case "panic":
		panic("the dashboard fails")
	case "quit", "quit-clear":
		if err := b.Close(end == "quit-clear"); err != nil {
			say(out, "close:", err)
		}
		return 0
	}
	// Each further line is a request to clear now.
	for lines.Scan() {
		err := b.Clear(context.Background())
		say(out, "clear", err)
	}
	if !onTerminal {
		return 0 // the test is over
	}
	<-make(chan struct{})
	return 0
}

// reveal draws the secret as the dashboard does: raw mode, alternate screen,
// mouse, bracketed paste, focus reports, hidden cursor.
func reveal(tty *os.File, secret string) int {
	m, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		return 1
	}
	m.Lflag &^= unix.ICANON | unix.ECHO | unix.ISIG | unix.IEXTEN
	m.Oflag &^= unix.OPOST
	m.Iflag &^= unix.ICRNL | unix.IXON
	if unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, m) != nil {
		return 1
	}
	_, err = io.WriteString(tty, "\x1b[?1049h\x1b[2J\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[3;5H\x1b[1;31mPAN "+secret)
	if err != nil {
		return 1
	}
	<-make(chan struct{})
	return 0
}

// say tells the test, or the user of the terminal, what happened.
func say(out io.Writer, words ...any) {
	// Nobody may be left to hear it; the test then sees that.
	_, _ = fmt.Fprintln(out, words...)
}
