package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

func TestFlagsOfTheDashboardMayStandBeforeACommand(t *testing.T) {
	root := commands(program{app.Program{Errs: &bytes.Buffer{}, Now: time.Now}, &bytes.Buffer{}}) //nolint:forbidigo // not read
	for line, want := range map[string]string{
		"--sandbox cards list --limit 1":           "cards list --sandbox --limit 1",
		"--profile x --dry-run cards fund 2039 -y": "cards fund --profile x --dry-run 2039 -y",
		"--profile=x wallet":                       "wallet --profile=x",
		"--bogus cards list":                       "--bogus cards list",
		"--sandbox bogus":                          "--sandbox bogus",
		"--profile cards":                          "--profile cards",
		"cards list --sandbox":                     "cards list --sandbox",
		"--sandbox":                                "--sandbox",
		"--config":                                 "--config",
		"":                                         "",
	} {
		if got := strings.Join(behindCommand(root, strings.Fields(line)), " "); got != want {
			t.Errorf("%q is run as %q, want %q", line, got, want)
		}
	}
}

// full refuses what is written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, &fs.PathError{Op: "write", Err: syscall.ENOSPC} }

func TestHelpThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, line := range []string{"--help", "cards --help", "cards", "help cards", "--version"} {
		_, err := program{app.Program{Errs: &bytes.Buffer{}, Now: time.Now}, full{}}.execute(t.Context(), strings.Fields(line), strings.NewReader("")) //nolint:forbidigo // not read
		if code := cli.Report(io.Discard, err); code != 1 {
			t.Errorf("%s ends with %d: %v", line, code, err)
		}
	}
}

func TestTheHelpOfFaultListsTheKinds(t *testing.T) {
	var out bytes.Buffer
	root := commands(program{app.Program{Errs: &out, Now: time.Now}, &out}) //nolint:forbidigo // not read
	root.SetArgs([]string{"sandbox", "trigger", "fault", "--help"})
	must(t, root.ExecuteContext(t.Context()))
	for _, k := range sandbox.FaultKinds() {
		if !strings.Contains(out.String(), k.Name) || k.About == "" {
			t.Errorf("it lacks %s:\n%s", k.Name, out.String())
		}
	}
}

// TestATriggerSendsWhatItsFlagsSay triggers a settlement in parts in a sandbox.
func TestATriggerSendsWhatItsFlagsSay(t *testing.T) {
	world, err := sandbox.Open(t.Context(), sandbox.Config{Quiet: true, NoLimits: true, Seed: 7})
	must(t, err)
	defer func() { _ = world.Close() }() // Nothing is stored.
	server := httptest.NewServer(world.Handler())
	defer server.Close()
	trigger := func(card, line string) map[string]any {
		t.Helper()
		var out bytes.Buffer
		root := commands(program{app.Program{Errs: &out, Now: time.Now}, &out}) //nolint:forbidigo // not read
		args := append([]string{"sandbox", "trigger", "--addr", strings.TrimPrefix(server.URL, "http://")}, strings.Fields(line)...)
		if card != "" {
			args = append(args, "--card-id", card, "--merchant", "Acme")
		}
		root.SetArgs(args)
		var answer map[string]any
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %s: %v", line, out.String(), err)
		}
		return answer
	}
	card, _ := trigger("", "challenge --amount 1")["card_id"].(string)
	for _, r := range []struct{ line, want string }{
		{"transaction --type authorization --amount 0", "authorization 0 USD"},
		{"transaction --type settlement --amount 2", "settlement -2 USD"},
		{"transaction --type authorization --amount 1500 --currency JPY", "authorization 1500 JPY"},
		{"transaction --type settlement --amount 500 --currency JPY --part", "settlement -500 JPY"},
		{"transaction --type settlement --amount 1 --part=false", "settlement -1 USD"},
		{"transaction --type authorization --amount 3", "authorization 3 USD"},
		{"transaction --type settlement --amount 1 --part", "settlement -1 USD"},
		{"transaction --type reversal --amount 2", "authorization -2 USD"},
		{"transaction --type decline --amount 5 --decline-reason none", "decline 5 USD"},
		{"transaction --type decline --amount 5 --decline-text Refused", "decline 5 USD"},
	} {
		got := trigger(card, r.line)
		if text := fmt.Sprint(got["type"], " ", got["amount"], " ", got["currency"]); text != r.want || got["decline_reason"] != nil {
			t.Errorf("%s: %v, want %s", r.line, got, r.want)
		}
	}
	for _, kind := range []string{"repeated_item", "malformed_item"} {
		if got := trigger("", "fault --kind "+kind+" --times 1"); got["kind"] != kind {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

func TestADepositAsksForItsCurrency(t *testing.T) {
	var out bytes.Buffer
	root := commands(program{app.Program{Errs: &out, Now: time.Now}, &out}) //nolint:forbidigo // not read
	root.SetArgs([]string{"sandbox", "trigger", "deposit", "--amount-usd", "5"})
	if err := root.ExecuteContext(t.Context()); err == nil || err.Error() != "--currency is missing: btc, eth, sol or usdt" {
		t.Errorf("%v", err)
	}
}
