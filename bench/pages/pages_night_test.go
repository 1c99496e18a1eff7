//go:build night && unix

package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"
)

// shim stands before the program: what runs until it is interrupted is interrupted after
// some seconds, and a sandbox that is served goes to the background, as in another
// terminal.
const shim = `#!/bin/bash
real=$PROGRAM
bounded() {
  code=0
  timeout --foreground -k 10 -s INT 5 "$real" "$@" || code=$?
  [ "$code" = 124 ] && exit 0
  exit "$code"
}
case "$1 $2" in
"sandbox trigger") shift 2; exec "$real" sandbox trigger --addr "$(cat "$HOME/sandbox")" "$@" ;;
"sandbox "*)
  [[ " $* " == *" --help "* ]] && exec "$real" "$@"
  [[ " $* " == *" --addr "* ]] || set -- "$@" --addr "$OWN"
  echo "$OWN" >"$HOME/sandbox"
  setsid "$real" "$@" >"$HOME/sandbox.log" 2>&1 </dev/null &
  echo $! >>"$HOME/started"
  for _ in $(seq 300); do grep -q '^sandbox on' "$HOME/sandbox.log" && exit 0; sleep 0.1; done
  cat "$HOME/sandbox.log"; exit 1 ;;
"hub --"*) bounded "$@" ;;
"watch "*) [[ " $* " == *" --for "* ]] && exec "$real" "$@"; bounded "$@" ;;
" "|"--"*) bounded "$@" ;;
esac
exec "$real" "$@"
`

// configured is the configuration of who reads the pages.
const configured = `[profiles.team]
base_url = %q
[[rules]]
name = "topup"
when = "bal<20"
fund_to = "50"
max_per_day = "500"
`

// TestEveryBlockOfThePagesRuns types the blocks of a page one after another into a shell in
// a terminal, in a home of its own with a sandbox of its own. A command that fails fails its
// block.
func TestEveryBlockOfThePagesRuns(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "cardtop")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	var ran atomic.Int32
	t.Cleanup(func() { t.Logf("%d blocks ran", ran.Load()) })
	for page, blocks := range all(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel() // They wait more than they work.
			var r *reader
			for _, b := range blocks {
				if elsewhere()[b.first()] != "" {
					continue
				}
				if r == nil {
					r = begin(t, program)
				}
				r.run(b)
				ran.Add(1)
			}
		})
	}
}

// reader is somebody at a terminal.
type reader struct {
	t       *testing.T
	home    string
	env     []string
	replace *strings.Replacer
}

// begin makes a home, and serves a sandbox whose cards have the names that the pages use.
func begin(t *testing.T, program string) *reader {
	t.Helper()
	home := t.TempDir()
	bin := filepath.Join(home, "bin")
	served, own := free(t), free(t)
	base := "http://" + served + "/v1"
	r := &reader{t: t, home: home, env: []string{
		"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "PROGRAM=" + program, "OWN=" + own, "TERM=xterm-256color", "LANG=C.UTF-8",
		"XDG_RUNTIME_DIR=" + home, "CARDTOP_BASE_URL=" + base, "CARDTOP_API_KEY=sk_test_demo",
	}}
	for name, text := range map[string]string{
		"bin/cardtop": shim, "sandbox": served, ".config/cardtop/config.toml": fmt.Sprintf(configured, base),
		"cards.csv": "bin_id,amount,label\n424242,25,fb/spring/07\n",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	serve := exec.CommandContext(t.Context(), program, "sandbox", "--addr", served, "--no-limits")
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // The sandboxes of the page itself, too.
		_ = serve.Process.Kill() // They are in memory.
		_ = serve.Wait()
		_ = exec.Command("sh", "-c", `[ ! -f "$0" ] || kill $(cat "$0")`, filepath.Join(home, "started")).Run()
	})
	r.shell("", `for _ in $(seq 300); do "$PROGRAM" wallet >/dev/null 2>&1 && break; sleep 0.1; done`)
	card := strings.Fields(r.shell("", `"$PROGRAM" cards list 'status=active bal>50 label=fb/launch/03' --template '{id} {last4}'`))
	// What the other cards hold depends on the hour.
	r.shell("", `"$PROGRAM" cards create --bin 424242 --amount 25 --label fb/spring/06 --yes --max-amount 25`)
	for _, name := range []string{"ann", "other"} {
		r.shell("", "ssh-keygen -q -t ed25519 -N '' -f "+name)
	}
	r.shell("", `"$PROGRAM" sandbox trigger --addr "$(cat sandbox)" challenge --card-id `+card[0]+` --merchant Acme --amount 25 --otp 482913`)
	r.replace = strings.NewReplacer("https://api.example.com/v1", base, "CARDTOP_API_KEY=…", "CARDTOP_API_KEY=sk_test_demo",
		"127.0.0.1:8787", own, "0.0.0.0:8790", "127.0.0.1:0", "0.0.0.0:2222", "127.0.0.1:0",
		"card_5f2c", card[0], "2039", card[1], "--card fb/launch ", "--card "+card[1]+" ",
		"2026-03-01", time.Now().AddDate(0, 0, -5).Format(time.DateOnly), //nolint:forbidigo // the sandbox has the clock of the machine
		"SHA256:…", `$(cardtop hub keys list | grep -o 'SHA256:[^ ]*' | head -n 1)`)
	return r
}

// background is a sandbox that a block starts beside its other commands.
var background = regexp.MustCompile(`(?m)^cardtop sandbox --[^&\n]* & *(#.*)?$`)

// run runs a block to its end. What follows a sandbox in the background means that one, even before it listens.
func (r *reader) run(b block) {
	r.t.Helper()
	if background.MatchString(b.text) {
		r.shell("", `echo "$OWN" >sandbox`)
	}
	r.shell(fmt.Sprintf("%s:%d", b.page, b.line), r.replace.Replace(b.text))
}

// shell runs lines in a shell in a terminal, answers what it asks, and returns what it
// printed.
func (r *reader) shell(where, lines string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", lines)
	cmd.Dir, cmd.Env = r.home, r.env
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 160, Rows: 45})
	if err != nil {
		r.t.Fatal(err)
	}
	defer tty.Close() //nolint:errcheck // it is over
	var out bytes.Buffer
	for buf := make([]byte, 1<<12); ; {
		n, err := tty.Read(buf)
		out.Write(buf[:n])
		if bytes.HasSuffix(out.Bytes(), []byte("[y/N] ")) {
			_, _ = io.WriteString(tty, "y\n") // An error shows in what follows.
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		text := out.String()
		r.t.Errorf("%s: %v\n%s\n%s", where, errors.Join(err, ctx.Err()), lines, text[max(0, len(text)-1500):])
	}
	return out.String()
}

// free is an address on loopback where nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nobody came
	return l.Addr().String()
}
