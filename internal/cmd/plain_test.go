package cmd

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// internal are words of the libraries beneath that no person should read.
var internal = regexp.MustCompile(`strconv|missing unit|unknown unit|invalid (syntax|argument|duration|number|character|URL|control)|parsing|json:|toml:|time:|unmarshal|out of range|arg\(s\)|flags in the group|dial tcp|exec:|%!|0x[0-9a-f]{6}|<nil>`)

// plain tells whether an error is fit to be read: one line, none of it a
// library's.
func plain(t *testing.T, what string, err error) {
	t.Helper()
	var said bytes.Buffer
	cli.Report(&said, err)
	if text := strings.TrimSuffix(said.String(), "\n"); internal.MatchString(text) || strings.ContainsAny(text, "\n\x1b\x00") {
		t.Errorf("%s: %q", what, text)
	}
}

// rubbish is what flags and settings are fed with.
func rubbish() []string {
	return []string{
		"x", "", " ", "-1", "0", "1.5", "1e400", "1e-400", "-0", "NaN", "inf", "0x10", "٣", "1d1", "9d9y", "99999999999999999999",
		strings.Repeat("9", 400), "maybe", "true false", "%zz", "://", "http://[::1", "127.0.0.1:x", "127.0.0.1:99999", "[", "a\tb", "a\nb", "\x1b[31m", "\xff", "{}", "*", "/etc", "\\",
	}
}

// runIn runs a command line where nothing of the user's is in reach, already
// interrupted: what it does not refuse does nothing.
func runIn(t *testing.T, args ...string) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	root := commands(program{app.Program{Errs: &out, Now: time.Now}, &out}) //nolint:forbidigo // the clock of main
	root.SetArgs(args)
	root.SetIn(strings.NewReader(""))
	err := root.ExecuteContext(ctx)
	if internal.MatchString(out.String()) {
		t.Errorf("%q prints %s", args, out.String())
	}
	return err
}

// nobody is a user without files.
func nobody(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload) // After the variables are as before.
	home := t.TempDir()
	t.Chdir(home)
	t.Setenv("HOME", home)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(home, "none"))
	for _, dir := range []string{"CONFIG", "STATE", "CACHE", "DATA"} {
		t.Setenv("XDG_"+dir+"_HOME", filepath.Join(home, dir))
	}
	xdg.Reload()
}

// eachCommand visits the commands with how they are called.
func eachCommand(cmd *cobra.Command, visit func(cmd *cobra.Command, words []string)) {
	visit(cmd, strings.Fields(cmd.CommandPath())[1:])
	for _, sub := range cmd.Commands() {
		eachCommand(sub, visit)
	}
}

// TestAFlagSaysWhatItTakes: its name, what was typed, and what to type.
func TestAFlagSaysWhatItTakes(t *testing.T) {
	nobody(t)
	for line, want := range map[string]string{
		"history --since 1y":                     `--since takes a time such as 90m, 24h, 1d or 2w, not "1y"`,
		"history --since -1h":                    `--since takes a time such as 90m, 24h, 1d or 2w, not "-1h"`,
		"watch --plain --for soon":               `--for takes a time such as 90m, 24h, 1d or 2w, not "soon"`,
		"otp --timeout 5":                        `--timeout takes a time such as 90m, 24h, 1d or 2w, not "5"`,
		"history --json=maybe":                   `--json takes true or false, not "maybe"`,
		"sandbox --cards many":                   `--cards takes a whole number, not "many"`,
		"sandbox --cards 99999999999999999999":   `--cards takes a smaller number than 99999999999999999999`,
		"sandbox --seed -1":                      `--seed takes a whole number from 0, not "-1"`,
		"sandbox --wallet abc":                   "the wallet is no amount such as 2500.00",
		"sandbox --addr nope":                    `--addr takes an address and a port such as 127.0.0.1:8787, not "nope"`,
		"sandbox --addr 127.0.0.1:99999":         `--addr takes an address and a port such as 127.0.0.1:8787, not "127.0.0.1:99999"`,
		"sandbox trigger challenge --amount abc": `--amount takes a number such as 12.50, not "abc"`,
		"sandbox trigger deposit-confirm":        "an id is missing: sandbox trigger deposit-confirm ID",
		"history --json --csv":                   "--csv and --json exclude each other: choose one",
		"history --action nonsense":              `--action takes one of freeze, unfreeze, fund, withdraw, issue, update, terminate, subscribe, unsubscribe, not "nonsense"`,
		"history --action fnud":                  `not "fnud" (did you mean "fund"?)`,
		"history --outcome nonsense":             `--outcome takes one of begun, done, refused, not-sent, waits, approved, unknown, judged-done, judged-not-done, dismissed, not "nonsense"`,
		"history --since":                        "--since needs a value",
		"history --nope":                         "unknown flag --nope",
		"histroy":                                `unknown command "histroy" (did you mean "history"?)`,
		"histroy --json":                         `unknown command "histroy" (did you mean "history"?)`,
		"cards ls":                               `unknown command "ls" (did you mean "list"?)`,
		"cards get x":                            `unknown command "get" (did you mean "show"?)`,
		"cards delete x":                         `unknown command "delete" (did you mean "terminate"?)`,
		"balance":                                `unknown command "balance" (did you mean "wallet"?)`,
		"cards list -o json":                     "unknown flag -o: choose --json, --jsonl, --csv, --md or --template",
		"cards list --jq .id":                    "unknown flag --jq: pipe --json to jq, or choose with --fields",
		"bins list --limit 3":                    "unknown flag --limit: it prints all; head takes the first lines",
		"cards list --privacy":                   "unknown flag --privacy: only cardtop without a command has it",
		"config schmea":                          `unknown command "schmea" (did you mean "schema"?)`,
	} {
		if err := runIn(t, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", line, err, want)
		}
	}
	// What is of lists is said of lists alone.
	for line, want := range map[string]string{"cards fund x --limit 3": "unknown flag --limit", "sandbox -o json": "unknown flag -o", "cards list -w": "unknown flag -w: cardtop watch prints what happens"} {
		if err := runIn(t, strings.Fields(line)...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// TestTimesAreTakenAsFiltersTakeThem, and in the long form as well.
func TestTimesAreTakenAsFiltersTakeThem(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"1d": 24 * time.Hour, "2w": 14 * 24 * time.Hour, "24h": 24 * time.Hour, "90m": 90 * time.Minute, "2h30m": 150 * time.Minute, "500ms": 500 * time.Millisecond, "1.5h": 90 * time.Minute,
	} {
		var s cli.Span
		if err := s.Set(text); err != nil || time.Duration(s) != want {
			t.Errorf("%s: %v, %v", text, time.Duration(s), err)
		}
	}
}
