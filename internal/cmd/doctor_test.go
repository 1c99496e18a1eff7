package cmd

import (
	"bytes"
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain lets the test binary be the clipboard's guard, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == app.GuardCommand {
		os.Exit(clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout))
	}
	debug.SetGCPercent(400) // Tests leave whole worlds behind: to collect them less often saves a tenth of the time.
	flag.Parse()
	time.Local = time.UTC
	os.Exit(m.Run())
}

// examine runs the doctor against a sandbox behind a real socket.
func examine(t *testing.T, key string, offset time.Duration) (string, error) {
	t.Helper()
	nobody(t)
	world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 1, APIKeys: []string{"sk_test_doctor"}, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Close() })
	server := httptest.NewServer(world.Handler())
	t.Cleanup(server.Close)
	t.Setenv(config.EnvAPIKey, key)
	t.Setenv(config.EnvBaseURL, server.URL+"/v1")
	env, err := config.TakeEnv()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := program{app.Program{Env: env, Errs: &out, Now: func() time.Time { return time.Now().Add(offset) }}, &out} //nolint:forbidigo // compared with a server's clock
	err = p.doctor(context.Background(), config.Flags{})
	return out.String(), err
}

func TestDoctorTellsWhatHolds(t *testing.T) {
	for _, tt := range []struct {
		name, key string
		offset    time.Duration
		want      []string
		well      bool
	}{
		{"well", "sk_test_doctor", 0, []string{"ok    API", "ok    clock", "TEST key from the environment"}, true},
		{"a clock that is off", "sk_test_doctor", 10 * time.Minute, []string{"warn  clock", "10m"}, true},
		{"a refused key", "sk_test_wrong", 0, []string{"bad   API", "refuses the key"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := examine(t, tt.key, tt.offset)
			for _, want := range append(tt.want, "configuration", "permissions", "clipboard", "terminal", "keyring", "memory") {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			if tt.well != (err == nil) && !strings.Contains(out, "bad   terminal") {
				t.Errorf("ended with %v:\n%s", err, out)
			}
			if strings.Contains(out, tt.key) {
				t.Error("the key is printed")
			}
		})
	}
}

func TestTheDoctorNamesWhatFailed(t *testing.T) {
	for want, failed := range map[string]failedError{"1 check failed: API": {"API"}, "2 checks failed: key, terminal": {"key", "terminal"}} {
		if got := failed.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	t.Setenv("TERM", "xterm")
	if _, err := examine(t, "sk_test_wrong", 0); err == nil || err.Error() != "1 check failed: API" {
		t.Errorf("%v", err)
	}
}

func TestDoctorLooksAtTheTerminal(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want grade
		text string
	}{
		{map[string]string{"TERM": "xterm-256color"}, good, "xterm-256color"},
		{map[string]string{"TERM": "xterm", "SSH_TTY": "/dev/pts/1", "TMUX": "/tmp/t"}, good, "over SSH, in tmux"},
		{map[string]string{"TERM": "dumb"}, bad, "cannot draw"},
		{map[string]string{}, bad, "not set"},
		{map[string]string{"TERM": "xterm", "ASCIINEMA_REC": "1"}, warn, "recording"},
		{map[string]string{"TERM": "xterm", "RUNEWIDTH_EASTASIAN": "1"}, warn, "columns may shift"},
	} {
		got := checkTerminal(func(name string) string { return tt.env[name] })
		if got.grade != tt.want || !strings.Contains(got.text, tt.text) {
			t.Errorf("%v: %+v", tt.env, got)
		}
	}
}

func TestTheDoctorLeavesTheScreenToTheShell(t *testing.T) {
	board := clipboard.NewFake(time.Now) //nolint:forbidigo // nothing is measured
	if err := board.HoldScreen(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if f := checkBoard(t.Context(), board); f.grade == bad || board.ScreenHeld() {
		t.Errorf("%+v, the screen is held: %v", f, board.ScreenHeld())
	}
}

// TestTheDoctorCutsNoCommand: what is told to be run is there to its end, and
// nothing in it reaches the terminal as a control.
func TestTheDoctorCutsNoCommand(t *testing.T) {
	var out strings.Builder
	path := strings.Repeat("/a long name", 40)
	printFinding(&out, finding{bad, "configuration", "refused; run: (rm -- '" + path + "  two\x1b[2J' && true)"}, 0)
	if got := out.String(); !strings.HasSuffix(got, path+"  two' && true)\n") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

// TestAFindingFitsTheTerminal with all of its words, and is one line without one.
func TestAFindingFitsTheTerminal(t *testing.T) {
	f := finding{warn, "clipboard", "none: nothing is copied; no display: set clipboard.osc52 = true and start again, or install xclip in /usr/local/share/applications/somewhere"}
	words := strings.Join(strings.Fields(f.text), "")
	for _, width := range []int{0, 120, 80, 40, 20} {
		var out bytes.Buffer
		printFinding(&out, f, width)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if width == 0 && len(lines) != 1 {
			t.Errorf("%q", lines)
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); width > 0 && n > width {
				t.Errorf("at %d: %d cells in %q", width, n, l)
			}
		}
		if !strings.HasPrefix(lines[0], "warn  clipboard") || !strings.HasSuffix(strings.Join(strings.Fields(out.String()), ""), words) {
			t.Errorf("at %d:\n%s", width, out.String())
		}
	}
}
