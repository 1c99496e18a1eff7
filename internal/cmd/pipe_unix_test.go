//go:build unix

package cmd

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestCardsOfAPipe: a shell's <(make-cards) is a pipe with the name of a file.
func TestCardsOfAPipe(t *testing.T) {
	s := shops(t)
	from, to, err := os.Pipe()
	must(t, err)
	defer from.Close() //nolint:errcheck // a pipe
	if _, err := to.WriteString("bin_id,amount,label\n424242,2,a/1\n"); err != nil {
		t.Fatal(err)
	}
	must(t, to.Close())
	if out := s.does(cli.ExitDone, "cards", "create", "--file", fmt.Sprintf("/dev/fd/%d", from.Fd()), "--dry-run"); !strings.Contains(out, `"label":"a/1"`) {
		t.Errorf("printed %s", out)
	}
}

// TestLibrariesComplainToNobody: what net/http writes to the standard log would be drawn over the screen. Main is of the
// process, so it has one of its own.
func TestLibrariesComplainToNobody(t *testing.T) {
	const child = "CARDTOP_TEST_LOG"
	if os.Getenv(child) != "" {
		os.Args = []string{"cardtop", "version"}
		code := Main()
		log.Print("a complaint")
		os.Exit(code)
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLibrariesComplainToNobody$")
	cmd.Env = append(os.Environ(), child+"=1", "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "cardtop") || strings.Contains(string(out), "complaint") {
		t.Errorf("printed %q, %v", out, err)
	}
}

// TestTheProgramOutlivesItsReader: head leaves after its line, and what is sent still has to be recorded. Only a process
// of its own can be ended by that.
func TestTheProgramOutlivesItsReader(t *testing.T) {
	const child = "CARDTOP_TEST_PIPE"
	if os.Getenv(child) != "" {
		outlivePipes()
		_, err := fmt.Fprintln(os.Stderr, "0 of 2 cards")
		var said strings.Builder
		fmt.Printf("went on with %d %q", cli.Report(&said, fmt.Errorf("print: %w", err)), said.String())
		os.Exit(0)
	}
	t.Parallel()
	from, to, err := os.Pipe()
	must(t, errors.Join(err, from.Close()))
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheProgramOutlivesItsReader$")
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.Stderr = to
	out, err := cmd.Output()
	if err := errors.Join(err, to.Close()); err != nil || !strings.Contains(string(out), `went on with 141 ""`) {
		t.Errorf("printed %q, %v", out, err)
	}
}
