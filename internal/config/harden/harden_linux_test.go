package harden_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cardtop/cardtop/internal/config/harden"
)

func TestProcess(t *testing.T) {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		t.Setenv(name, "/nowhere/trace")
	}
	if err := harden.Process(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		if value, set := os.LookupEnv(name); set {
			t.Errorf("%s is still set to %q", name, value)
		}
	}
	dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil || dumpable != 0 {
		t.Errorf("dumpable = %d, %v, want 0", dumpable, err)
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil || limit.Cur != 0 || limit.Max != 0 {
		t.Errorf("core limit = %+v, %v, want none", limit, err)
	}
}
