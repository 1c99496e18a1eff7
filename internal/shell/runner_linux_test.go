package shell

import (
	"os"
	"strings"
	"testing"
)

// TestACommandHasNoTerminal: it leads a session of its own, so that there is
// none to write on or to ask at.
func TestACommandHasNoTerminal(t *testing.T) {
	t.Parallel()
	r := NewRunner([]string{"PATH=" + os.Getenv("PATH")})
	said, err := r.Run(t.Context(), "read -r line < /proc/$$/stat; set -- $line; echo $1 $6 $7", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(said)
	if len(f) != 3 || f[0] != f[1] || f[2] != "0" {
		t.Errorf("process, session, terminal: %q", said)
	}
}
