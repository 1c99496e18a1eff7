//go:build night && unix

package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ownCommands are those of the test of the built program: one writes down all
// that it is told, one stays.
const ownCommands = `
[commands.spill]
run = '''{ cat; env; printf '[%s]\n' {label} "{label}" 'x {label}'; } > spill; echo spilled it'''
key = "alt+o"
[commands.stay]
run = "echo $$ > stay; sleep 300 & wait"
key = "alt+l"
reads = true
`

// TestCommandsOfTheBuiltProgram runs commands beside a revealed number, on a
// card whose label means something to a shell, and ends the program while one
// runs.
func TestCommandsOfTheBuiltProgram(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	f := openFront(t, exe)
	home := f.home(t)
	settings, err := os.OpenFile(filepath.Join(home, "config", "cardtop", "config.toml"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	if _, err := settings.WriteString(ownCommands); err != nil {
		t.Fatal(err)
	}
	must(t, settings.Close())
	const label = `'; touch pwned; "$(touch pwned)` + "`touch pwned`"
	f.relabel(t, label)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Dir, cmd.Env = home, environment(home)
	s := showScreen(t, home, cmd)
	s.await("● live", "1 Cards")
	s.filter(f.card.label)
	s.await("touch pwned")
	s.insist("r", grouped(f.card.pan))
	s.insist("\x1bo", "spill: spilled it")
	said, err := os.ReadFile(filepath.Join(home, "spill"))
	must(t, err)
	if want := "[" + label + "]\n[" + label + "]\n[x " + label + "]\n"; !strings.HasSuffix(string(said), want) {
		t.Errorf("not each one word: %s", said)
	}
	input, _, _ := strings.Cut(string(said), "\n")
	var told map[string]any
	if err := json.Unmarshal([]byte(input), &told); err != nil || told["label"] != label || told["last4"] != f.card.label || told["profile"] != "main" {
		t.Errorf("told %s, %v", input, err)
	}
	if hits := found(said, f.canaries()); len(hits) > 0 {
		t.Errorf("told %v", hits)
	}
	s.insist("\x1bl", "running stay")
	if err := s.quit(); err != nil {
		t.Error(err)
	}
	pid, err := os.ReadFile(filepath.Join(home, "stay"))
	must(t, err)
	group, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	must(t, err)
	for range 100 { // The kernel takes the last of them away in its own time.
		if err = syscall.Kill(-group, 0); err != nil {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	if err == nil {
		t.Error("the command goes on without the program")
	}
	if _, err := os.Stat(filepath.Join(home, "pwned")); err == nil {
		t.Error("a label was run")
	}
}

// relabel gives the card another label.
func (f *front) relabel(t *testing.T, label string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"label": label})
	must(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, f.address+"/cards/"+f.card.id, strings.NewReader(string(body)))
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", res.Status, err)
	}
}
