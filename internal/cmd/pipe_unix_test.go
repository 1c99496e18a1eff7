//go:build unix

package cmd

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestCardsOfAPipe: a shell's <(make-cards) is a pipe with the name of a file.
func TestCardsOfAPipe(t *testing.T) {
	s := shops(t)
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close() //nolint:errcheck // a pipe
	if _, err := to.WriteString("bin_id,amount,label\n424242,2,a/1\n"); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if out := s.does(cli.ExitDone, "cards", "create", "--file", fmt.Sprintf("/dev/fd/%d", from.Fd()), "--dry-run"); !strings.Contains(out, `"label":"a/1"`) {
		t.Errorf("printed %s", out)
	}
}
