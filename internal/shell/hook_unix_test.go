//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// failures collects what a hook complains of.
type failures struct {
	mu   sync.Mutex
	list []string
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, err.Error())
}

func (f *failures) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.list, "\n")
}

// until waits for real processes.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		<-time.After(20 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheHookGetsTheEventAndNothingElse(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	h := StartHook(t.Context(), []string{"PATH=" + os.Getenv("PATH"), "CARDTOP_API_KEY=sk_live_secret", "OTHER=x"}, func(err error) { t.Error(err) })
	defer h.Close()
	h.Send([]byte("before there is a line"))
	h.SetLine("{ cat; echo; env; echo done; } > '" + out + "'; echo on stdout; echo on stderr >&2")
	h.Send([]byte(`{"event":"code_ready"}`))
	until(t, "the hook runs", func() bool { return strings.Contains(read(t, out), "done") })
	got := read(t, out)
	if !strings.HasPrefix(got, `{"event":"code_ready"}`+"\n") || strings.Contains(got, "secret") || strings.Contains(got, "OTHER") {
		t.Errorf("the hook saw %q", got)
	}
}

func TestAHookThatFailsIsTold(t *testing.T) {
	t.Parallel()
	var bad failures
	h := StartHook(t.Context(), []string{"PATH=" + os.Getenv("PATH")}, bad.add)
	defer h.Close()
	h.SetLine("exit 3")
	h.Send([]byte("{}"))
	until(t, "it is told", func() bool { return strings.Contains(bad.text(), "exit status 3") })
}

func TestOnlySomeHooksRunAtOnceAndTheRestIsCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := StartHook(t.Context(), []string{"PATH=" + os.Getenv("PATH")}, func(err error) { t.Error(err) })
	h.SetLine("touch '" + dir + "'/$$; exec sleep 300")
	for range hooksAtOnce {
		h.Send(nil)
	}
	running := func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	until(t, "as many as may run", func() bool { return running() == hooksAtOnce })
	for range hooksWait + 5 {
		h.Send(nil)
	}
	if h.Dropped() != 5 || running() != hooksAtOnce {
		t.Errorf("%d dropped, %d running", h.Dropped(), running())
	}
	h.Close()
}
