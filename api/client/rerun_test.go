package client_test

import (
	"os"
	"os/exec"
	"testing"
)

// rerun runs one test of this binary again with another environment: net/http
// reads the proxy of the process only once.
func rerun(t *testing.T, name string, env ...string) string {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^"+name+"$")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return string(out)
}
