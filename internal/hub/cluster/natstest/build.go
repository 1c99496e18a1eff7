package natstest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Skew is the variable that says by how many seconds the clock of a process built by
// Build is ahead, or behind.
const Skew = "CLUSTER_CLOCK_SKEW"

// Build builds a command of a module in a folder of this repository. With a skewed
// clock the process has its wall clock set by Skew; nothing else differs from what a
// plain build makes.
func Build(tb testing.TB, folder, command string, skewed bool, flags ...string) string {
	tb.Helper()
	binary := filepath.Join(tb.TempDir(), filepath.Base(command))
	args := append([]string{"build", "-trimpath", "-o", binary}, flags...)
	if skewed {
		args = append(args, "-overlay", overlay(tb))
	}
	cmd := exec.CommandContext(tb.Context(), "go", append(args, command)...) //nolint:gosec // a test's own words
	cmd.Dir = filepath.Join(root(tb), folder)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("build %s: %v\n%s", command, err, out)
	}
	return binary
}

// BuildServer builds the nats-server that bench/hub/go.mod names.
func BuildServer(tb testing.TB, skewed bool) string {
	tb.Helper()
	return Build(tb, filepath.Join("bench", "hub"), "github.com/nats-io/nats-server/v2", skewed)
}

func root(tb testing.TB) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		tb.Fatal("where this file is, is not known")
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
}

// overlay replaces time.Now by one that adds what the environment says.
func overlay(tb testing.TB) string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		tb.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(out)), "src", "time", "time.go")
	text, err := os.ReadFile(source) //nolint:gosec // the standard library
	if err != nil {
		tb.Fatal(err)
	}
	const anchor = "	sec, nsec, mono := runtimeNow()\n	if mono == 0 {"
	if strings.Count(string(text), anchor) != 1 {
		tb.Fatal("time.Now is not as it was: describe the change anew")
	}
	changed := strings.Replace(string(text), anchor, strings.Replace(anchor, "\n", "\n	sec += clusterClockSkew\n", 1), 1) + `
var clusterClockSkew = func() int64 {
	text, _ := syscall.Getenv("` + Skew + `")
	sign, n := int64(1), int64(0)
	for _, c := range text {
		if c == '-' {
			sign = -1
		} else {
			n = 10*n + int64(c-'0')
		}
	}
	return sign * n
}()
`
	changed = strings.Replace(changed, "import (\n", "import (\n\t\"syscall\"\n", 1)
	dir := tb.TempDir()
	file := filepath.Join(dir, "time.go")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {source: file}})
	if err != nil {
		tb.Fatal(err)
	}
	for name, content := range map[string][]byte{file: []byte(changed), filepath.Join(dir, "overlay.json"): data} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return filepath.Join(dir, "overlay.json")
}
