package cmd

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
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
	world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 1, APIKeys: []string{"sk_test_doctor"}, Quiet: true})
	must(t, err)
	t.Cleanup(func() { _ = world.Close() })
	server := httptest.NewServer(world.Handler())
	t.Cleanup(server.Close)
	return examineAt(t, server.URL+"/v1", key, offset)
}

// examineAt runs the doctor with a key and an address in the environment.
func examineAt(t *testing.T, address, key string, offset time.Duration) (string, error) {
	t.Helper()
	nobody(t)
	t.Setenv(config.EnvAPIKey, key)
	t.Setenv(config.EnvBaseURL, address)
	env, err := config.TakeEnv()
	must(t, err)
	var out bytes.Buffer
	p := program{app.Program{Env: env, Errs: &out, Now: func() time.Time { return time.Now().Add(offset) }}, &out} //nolint:forbidigo // compared with a server's clock
	err = p.doctor(context.Background(), config.Flags{}, false, func(f finding) error {
		if (f.grade == good) != (f.do == "") {
			t.Errorf("%+v", f)
		}
		return printFinding(&out, f, 0)
	})
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
			if tt.well != (err == nil) {
				t.Errorf("ended with %v:\n%s", err, out)
			}
			if strings.Contains(out, tt.key) {
				t.Error("the key is printed")
			}
		})
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
		{map[string]string{"TERM": "dumb"}, warn, "cannot draw"},
		{map[string]string{}, warn, "not set"},
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
	must(t, board.HoldScreen(t.Context(), true))
	if f := checkBoard(t.Context(), board); f.grade == bad || board.ScreenHeld() {
		t.Errorf("%+v, the screen is held: %v", f, board.ScreenHeld())
	}
}

// TestTheDoctorCutsNoCommand: what is told to be run is there to its end, and
// nothing in it reaches the terminal as a control.
func TestTheDoctorCutsNoCommand(t *testing.T) {
	var out strings.Builder
	path := strings.Repeat("/a long name", 40)
	if err := printFinding(&out, finding{bad, "configuration", "refused", "run: (rm -- '" + path + "  two\x1b[2J' && true)"}, 0); err != nil {
		t.Error(err)
	}
	if got := out.String(); !strings.HasSuffix(got, path+"  two' && true)\n") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

// TestAFindingFitsTheTerminal with all of its words, and is one line without one.
func TestAFindingFitsTheTerminal(t *testing.T) {
	f := finding{warn, "clipboard", "none: nothing is copied; no display", "set clipboard.osc52 = true and start again, or install xclip in /usr/local/share/applications/somewhere"}
	words := strings.Join(strings.Fields(f.text+": "+f.do), "")
	for _, width := range []int{0, 120, 80, 40, 20} {
		var out bytes.Buffer
		if err := printFinding(&out, f, width); err != nil {
			t.Error(err)
		}
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

// TestEachBrokenMachineIsToldWhatMendsIt in the line that says what is wrong.
func TestEachBrokenMachineIsToldWhatMendsIt(t *testing.T) {
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body)) // Who does not read it is told by the status.
		}
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	signed := httptest.NewUnstartedServer(nil)
	signed.Config.ErrorLog = log.New(io.Discard, "", 0)
	signed.StartTLS()
	t.Cleanup(signed.Close)
	for name, tt := range map[string]struct {
		at   http.HandlerFunc
		url  string
		want string
	}{
		"wrong path":     {at: answer(404, "Content-Type", "text/plain", "404 page not found"), want: "check the path of base_url"},
		"a sign-in page": {at: answer(200, "Content-Type", "text/html", "<html>"), want: "no sign-in page"},
		"a redirect":     {at: answer(302, "Location", "/login", ""), want: "set base_url to where it leads"},
		"a gateway":      {at: answer(502, "Content-Type", "text/html", "<html>"), want: "try again later"},
		"the limit":      {at: answer(429, "Retry-After", "7", `{"error":{"code":"rate_limited","message":"slow down"}}`), want: "wait 7s"},
		"nobody there":   {url: closed.URL + "/v1", want: "nothing listens there"},
		"self-signed":    {url: signed.URL + "/v1", want: "set ca_file to the PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			url := tt.url
			if tt.at != nil {
				server := httptest.NewServer(tt.at)
				t.Cleanup(server.Close)
				url = server.URL + "/v1"
			}
			out, err := examineAt(t, url, "sk_test_doctor", 0)
			line := ""
			for l := range strings.Lines(out) {
				if strings.HasPrefix(l, "bad   API") {
					line = l
				}
			}
			if err == nil || !strings.Contains(line, tt.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	if out, err := examineAt(t, closed.URL+"/v1", "", 0); runtime.GOOS == "linux" && (err == nil || !strings.Contains(out, `api_key_command = "cat FILE"`) || strings.Contains(out, "keyring set")) {
		t.Errorf("no key and no keyring: %v: %s", err, out)
	}
	t.Setenv("HTTPS_PROXY", "::")
	if out, err := examineAt(t, signed.URL+"/v1", "sk_test_doctor", 0); err == nil || !strings.Contains(out, "unset the variable") || strings.Contains(out, "away") {
		t.Errorf("a proxy that is none: %v: %s", err, out)
	}
	for err, want := range map[error]string{syscall.ENOSPC: "free space", syscall.EROFS: "--read-only", fs.ErrPermission: "yours"} {
		if got := adviceOnDisk("/x", err); !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
	for info, want := range map[[2]string]string{
		{"owner", "xclip"}: "have clipboard managers leave cardtop out", {"compare", "wl-copy 2.2"}: "2.3.0 or later", {"compare", "pbcopy"}: "clipboard managers",
		{"none", ""}: "graphical session", {"terminal", "OSC 52"}: "where wl-copy or xclip reaches",
	} {
		if got := adviceOnClipboard(clipboard.Info{Mode: info[0], Tool: info[1]}); !strings.Contains(got, want) || info[0] == "owner" && strings.Contains(got, "install") {
			t.Errorf("%v: %s", info, got)
		}
	}
	for text, want := range map[string]string{
		"dial tcp: lookup api.example.com: no such host": "DNS", "proxyconnect tcp: dial tcp 127.0.0.1:1: connection refused": "HTTPS_PROXY", "context deadline exceeded": "firewall",
	} {
		if got := adviceOnNetwork(text, "base_url"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestTheDoctorAnswersScripts with an object for each finding.
func TestTheDoctorAnswersScripts(t *testing.T) {
	s := serve(t, sandbox.Config{})
	s.key = "sk_test_wrong"
	all := s.lines(s.does(cli.ExitFailed, "doctor", "--jsonl"))
	found := false
	for _, f := range all {
		found = found || f["check"] == "API" && f["grade"] == "bad" && f["do"] == "put another key into "+config.EnvAPIKey
	}
	if !found || !strings.Contains(s.errs, `"message":"1 check failed: API"`) {
		t.Errorf("%v, %s", all, s.errs)
	}
}

// TestTheDoctorClosesFilesToOthers: it says each, also to scripts, and what was closed is.
func TestTheDoctorClosesFilesToOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	s := serve(t, sandbox.Config{})
	paths := config.DefaultPaths()
	dir := filepath.Join(paths.State, "profiles")
	kept := filepath.Join(dir, "history.jsonl")
	elsewhere := filepath.Join(t.TempDir(), "shared")
	for path, text := range map[string]string{kept: "", elsewhere: "", paths.Config: "theme = \"dark\"\n"} {
		must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
	}
	open := map[string]fs.FileMode{dir: 0o755, kept: 0o644, paths.Config: 0o666, filepath.Dir(paths.Config): 0o777, elsewhere: 0o644}
	for path, mode := range open {
		must(t, os.Chmod(path, mode))
	}
	must(t, os.Symlink(elsewhere, filepath.Join(dir, "link")))
	modes := func() string {
		var out []string
		for path := range open {
			info, err := os.Stat(path)
			must(t, err)
			out = append(out, fmt.Sprintf("%s %#o", filepath.Base(path), info.Mode().Perm()))
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	before := modes()
	if out := s.does(cli.ExitFailed, "doctor"); !strings.Contains(out, "doctor --fix") || modes() != before {
		t.Errorf("%s\n%s", modes(), out)
	}
	var told []string
	for _, f := range s.lines(s.does(cli.ExitDone, "doctor", "--fix", "--jsonl")) {
		if f["grade"] == "fixed" {
			told = append(told, fmt.Sprint(f["check"], " ", f["text"]))
		}
	}
	want := []string{
		"configuration " + filepath.Dir(paths.Config) + " was open to others: mode 0755, was 0777", "configuration " + paths.Config + " was open to others: mode 0600, was 0666",
		"permissions " + dir + " was open to others: mode 0700, was 0755", "permissions " + kept + " was open to others: mode 0600, was 0644",
	}
	if !slices.Equal(told, want) {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if got := modes(); !strings.Contains(got, "history.jsonl 0600") || !strings.Contains(got, "shared 0644") || !strings.Contains(got, "profiles 0700") {
		t.Errorf("%s", got)
	}
	if out := s.does(cli.ExitDone, "doctor", "--fix"); strings.Contains(out, "fixed") {
		t.Errorf("it mends twice:\n%s", out)
	}
}

// TestAFolderThatCannotBeWrittenIsAMatterOfTheDisk and not of permissions: without records nothing is sent, without
// the cache the next start reads everything.
func TestAFolderThatCannotBeWrittenIsAMatterOfTheDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	there, none := t.TempDir(), filepath.Join(file, "folder")
	for name, c := range map[string]struct {
		paths config.Paths
		want  []string
	}{
		"no cache":   {config.Paths{State: there, Cache: none}, []string{"warn disk nothing is saved for the next start", "ok permissions private: " + there}},
		"no records": {config.Paths{State: none, Cache: there}, []string{"bad disk operations cannot be recorded", "ok permissions private: " + there}},
	} {
		var got []string
		for _, f := range checkFolders(c.paths) {
			got = append(got, fmt.Sprint(f.grade, " ", f.check, " ", f.text))
		}
		if len(got) != len(c.want) || !strings.HasPrefix(got[0], c.want[0]) || got[1] != c.want[1] {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestALockThatIsNotReleasedIsNamed, however deep it lies, but not one that is held for as long as a program runs, nor
// what a program that ended has left.
func TestALockThatIsNotReleasedIsNamed(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "profile"), 0o700))
	stuck := filepath.Join(dir, "profile", "history.lock")
	for _, path := range []string{stuck, filepath.Join(dir, "rule-1.lock"), filepath.Join(dir, "views.lock")} {
		lock, err := fsafe.Lock(path, 0)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		must(t, err)
		if filepath.Base(path) == "views.lock" {
			err = lock.Close()
		} else {
			t.Cleanup(func() { _ = lock.Close() })
		}
		must(t, err)
	}
	synctest.Test(t, func(t *testing.T) {
		if got := checkLocks(dir); len(got) != 1 || got[0].grade != bad || !strings.Contains(got[0].text, stuck) || !strings.Contains(got[0].do, "lsof "+stuck) {
			t.Errorf("%q", got)
		}
	})
}

// TestADoctorThatCannotPrintFails as on a full disk: nobody has read what it found.
func TestADoctorThatCannotPrintFails(t *testing.T) {
	if err := printFinding(full{}, well("API", "answers"), 0); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
}
