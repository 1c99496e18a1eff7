package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// keys runs the command on a configuration file and gives what it printed and
// its exit code.
func keys(t *testing.T, file string, args ...string) (out, errs string, code int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my.toml")
	must(t, os.WriteFile(path, []byte(file), 0o600))
	var o, e bytes.Buffer
	root := commands(program{app.Program{Errs: &e, Now: time.Now}, &o}) //nolint:forbidigo // not read
	root.SetArgs(append([]string{"keys", "--config", path}, args...))
	code = cli.Report(&e, root.ExecuteContext(t.Context()))
	return o.String(), e.String(), code
}

func TestKeysPrintsThoseInForce(t *testing.T) {
	out, _, code := keys(t, "[keys]\nfreeze = ['Alt+F', 'f8']\ncards.sort = ''\n\"transactions.pause\" = 'P'\n")
	cards, _, _ := strings.Cut(out, "\nCodes")
	if code != cli.ExitDone || !strings.Contains(out, "alt+shift+f f8 ") || strings.Contains(cards, "Sort by next column") {
		t.Errorf("code %d:\n%s", code, out)
	}
	if !strings.Contains(out, "  P   ") {
		t.Errorf("no P:\n%s", out)
	}
	out, _, code = keys(t, "[keys]\nfreeze = 'f8'\n", "--defaults")
	if code != cli.ExitDone || strings.Contains(out, "f8") {
		t.Errorf("not the keys as shipped, code %d:\n%s", code, out)
	}
}

func TestWrongKeysAreToldWithTheirPlace(t *testing.T) {
	_, errs, code := keys(t, "theme = 'dark'\n[keys]\n  frezze = 'x'\nundo = 'q'\nterminate = ['t']\nfund = 'hyper+x'\nreveal = 'entr'\n")
	want := []string{
		`my.toml:3:3: keys.frezze: there is no action "frezze" (did you mean "freeze"?)`,
		`my.toml:4:1: keys.undo: "q" is the key of global.quit already`,
		`my.toml:5:1: keys.terminate: "t" alone cannot be the key of terminate`,
		`my.toml:6:1: keys.fund: "hyper+x" has a modifier`,
		`my.toml:7:1: keys.reveal: "entr" is no key (did you mean "enter"?)`,
	}
	for _, w := range want {
		if !strings.Contains(errs, w) {
			t.Errorf("no %s in\n%s", w, errs)
		}
	}
	if code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
}

func TestAPersonsOwnCommandsHaveKeys(t *testing.T) {
	out, _, code := keys(t, "[commands.ads]\nrun = 'x'\nkey = ['alt+o', 'f9']\nhelp = 'Open the ad account'\n[commands.look]\nrun = 'x'\nwhere = 'transactions'\n[commands.mail]\nrun = 'x'\nwhere = 'anywhere'\nkey = 'alt+m'\n[keys]\nrun-look = 'f8'\n")
	words := strings.Join(strings.Fields(out), " ")
	card, _, _ := strings.Cut(words, " Cards enter ")
	if code != cli.ExitDone || !strings.Contains(card, " alt+o f9 Open the ad account") || !strings.Contains(words, " alt+m Run the command mail") {
		t.Errorf("code %d:\n%s", code, out)
	}
	if n := strings.Count(words, " f8 Run the command look"); n != 3 {
		t.Errorf("%d places of look:\n%s", n, out)
	}
	_, errs, code := keys(t, "[commands.a]\nrun = 'x'\nkey = 'f'\n[commands.b]\nkey = 'hyper+x'\nrun = 'x'\n[commands.c]\nrun = 'x'\nkey = 'f9'\n[commands.d]\nrun = '{lable} {{x}}'\nkey = 'f9'\n")
	for _, want := range []string{
		`my.toml:3:1: commands.a.key: "f" is the key of card.freeze already`,
		`my.toml:5:1: commands.b.key: "hyper+x" has a modifier`,
		`my.toml:11:1: commands.d.run has `,
		`my.toml:12:1: commands.d.key: "f9" is the key of card.run-c already`,
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %s in\n%s", want, errs)
		}
	}
	if code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
}
