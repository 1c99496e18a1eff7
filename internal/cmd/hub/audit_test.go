package hub

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

// ownFolders has a test read and write in folders of its own.
func ownFolders(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload) // Once the variables are back.
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(v, t.TempDir())
	}
	xdg.Reload()
}

// TestWhatIsDoneToTheTeamIsInTheAudit while the hub appends to it, too.
func TestWhatIsDoneToTheTeamIsInTheAudit(t *testing.T) {
	ownFolders(t)
	var out bytes.Buffer
	program := func() cli.Program { // Its key is wiped with each command.
		return cli.Program{Program: app.Program{Env: config.Env{BaseURL: "http://127.0.0.1:1/v1", APIKey: api.NewAPIKey("sk_test_1")}, Errs: io.Discard, Now: time.Now}, Out: &out} //nolint:forbidigo // the clock of main
	}
	run := func(args ...string) string {
		t.Helper()
		out.Reset()
		cmd := Command(Program{Program: program()})
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(args, err)
		}
		return out.String()
	}
	at, err := find(t.Context(), program(), config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	hub, err := history.Open(history.Config{Dir: filepath.Dir(at.dir), Now: time.Now}) //nolint:forbidigo // as above
	if err != nil {
		t.Fatal(err)
	}
	note := func(r state.Record) {
		r.By = state.Actor{Name: "lea", Role: "lead"}
		if _, err := hub.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	note(state.Record{Action: "refuse", Label: "fb/old", Outcome: state.OpStatusRefused, Err: "the fund that ann asked for"})
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHnFYh1FR9IxPhGzAKVPoMqBHNXMjXVsWBDY2JqPQm2G ann"
	token := strings.TrimSpace(run("add", "ann", "--role", "buyer", "--labels", "fb/*", "--cap", "500"))
	shown := strings.TrimSpace(run("keys", "add", "ann", key))
	note(state.Record{Action: "details", Name: "fb/a ••1", Outcome: state.OpStatusBegun})
	run("keys", "remove", shown)
	run("remove", "ann")
	text := run("audit")
	for _, want := range []string{"NOTE", "fb/old", "the fund that ann asked for", "add person", "ann, buyer, fb/*, up to $500.00", "add key", "ann, " + shown, "remove key", "remove person"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, token) {
		t.Error("the audit has the token")
	}
	if text := run("audit", "--verify"); !strings.Contains(text, "intact; records 6,") {
		t.Error(text)
	}
}
