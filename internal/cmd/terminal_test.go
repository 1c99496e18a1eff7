package cmd

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// answer runs a command line on a terminal on which somebody types a line, and returns
// the exit code.
func (s *served) answer(typed string, args ...string) int {
	s.t.Helper()
	screen, tty, err := pty.Open()
	if err != nil {
		s.t.Skipf("this machine has no pseudo-terminal: %v", err)
	}
	defer func() { _ = screen.Close() }() // Nothing is left to be read.
	if _, err := screen.WriteString(typed + "\n"); err != nil {
		s.t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // It ends with an error when the other side is closed.
		shown <- string(text)
	}()
	var out bytes.Buffer
	root := commands(program{app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: api.NewAPIKey(s.key)}, Errs: tty, Now: time.Now}, &out}) //nolint:forbidigo // the clock of main
	root.SetArgs(args)
	root.SetIn(tty)
	err = root.ExecuteContext(s.t.Context())
	if cerr := tty.Close(); cerr != nil {
		s.t.Error(cerr)
	}
	s.out, s.errs = out.String(), <-shown
	return cli.ExitCode(err)
}

// TestATerminationAsksForTheLastDigits, as the dashboard does.
func TestATerminationAsksForTheLastDigits(t *testing.T) {
	s, id := oneCard(t)
	card := s.ask("GET", "/v1/cards/"+id, "")
	digits, _ := card["last4"].(string)
	for _, typed := range []string{"", "y", "yes", "0000"} {
		if code := s.answer(typed, "cards", "terminate", id); code != cli.ExitFailed || !strings.Contains(s.errs, "type the last four digits of the card to go on: ") {
			t.Errorf("%q ends with %d: %s", typed, code, s.errs)
		}
	}
	if status := s.ask("GET", "/v1/cards/"+id, "")["status"]; status != "active" {
		t.Fatalf("it is %v", status)
	}
	if code := s.answer(digits, "cards", "terminate", id); code != cli.ExitDone || s.ask("GET", "/v1/cards/"+id, "")["status"] != "terminated" {
		t.Errorf("it ends with %d: %s", code, s.errs)
	}
}
