//go:build night

package e2e

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// script runs commands of the built program as scripts do.
type script struct {
	t                  *testing.T
	exe, home, address string
	rng                *rand.Rand
}

func openScript(t *testing.T, seed uint64, more ...string) *script {
	t.Helper()
	exe := buildBinary(t)
	return &script{t: t, exe: exe, home: t.TempDir(), address: serve(t, exe, more...), rng: rand.New(rand.NewPCG(seed, 1))}
}

func (s *script) command(ctx context.Context, in string, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, s.exe, args...)
	cmd.Env = environment(s.home, "CARDTOP_BASE_URL="+s.address, "CARDTOP_API_KEY="+binaryKey)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errs
	return cmd, &out, &errs
}

// run runs a command line to its end.
func (s *script) run(in string, args ...string) (code int, out, errs string) {
	s.t.Helper()
	cmd, o, e := s.command(s.t.Context(), in, args...)
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		s.t.Fatalf("%q: %v", args, err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// TestScriptsWhereThingsAreMissing: readers that leave, closed files, the environments of cron and of a service, and folders
// that cannot be written, as a shell sees them. CT is the program, ID a card, W a folder that can be written.
func TestScriptsWhereThingsAreMissing(t *testing.T) {
	t.Parallel()
	s := openScript(t, 9, "--cards", "300", "--transactions", "1")
	_, list, errs := s.run("", "cards", "list", "--status", "active", "--fields", "id", "--csv")
	_, id, found := strings.Cut(list, "\n")
	if id, _, _ = strings.Cut(id, "\n"); !found || id == "" {
		t.Fatalf("no card: %s", errs)
	}
	account := []string{"CARDTOP_BASE_URL=" + s.address, "CARDTOP_API_KEY=" + binaryKey, "CT=" + s.exe, "ID=" + strings.TrimSpace(id), "W=" + t.TempDir()}
	const fund = `"$CT" cards fund "$ID" --amount 1 -y --max-amount 2 --json`
	// Nothing but W can be written.
	const fixed = `mount --bind "$W" "$W" && mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" && mount -o remount,bind,ro / && `
	const nix = `mkdir -p "$W/store/hm" "$W/store/pkg" "$W/cfg/cardtop" && cp "$CT" "$W/store/pkg/" && printf 'profile = "six"\n[profiles.six]\nbase_url = "%s"\n' "$CARDTOP_BASE_URL" >"$W/store/hm/config.toml" &&
unset CARDTOP_BASE_URL && chmod 444 "$W/store/hm/config.toml" && chmod 555 "$W/store/hm" "$W/store/pkg" && chmod 1775 "$W/store" && export XDG_CONFIG_HOME="$W/cfg" &&
ln -sf "$W/store/hm/config.toml" "$W/cfg/cardtop/config.toml" && ln -sf "$W/store/pkg/$(basename "$CT")" "$W/ct" && `
	for _, c := range []struct {
		name, line string
		bare       bool // As cron and a service have it: neither HOME nor TERM.
		code       int
		says       string
	}{
		{"a reader that leaves", `set -o pipefail; "$CT" cards list --jsonl | head -n 1 >"$W/first"; code=$?; wc -l <"$W/first"; exit $code`, false, 141, "1\n"},
		{"no output", `"$CT" wallet --json >&-`, false, 0, ""},
		{"no output for errors", `"$CT" cards show nope 2>&-`, false, 2, ""},
		{"no input", `"$CT" cards freeze - -y <&-`, false, 2, "standard input has no card id"},
		{"a full disk", `"$CT" cards list --csv >/dev/full`, false, 1, "no space left on device"},
		{"a write with nothing open", fund + ` <&- >&- 2>&- && "$CT" history --json`, false, 0, `"action":"fund"`},
		{"cron", `"$CT" wallet --json </dev/null | cat`, true, 0, `"balance"`},
		{"a write of a service", fund + ` <&-`, true, 0, `"outcome":"done"`},
		{"money of a service without a bound", `"$CT" cards fund "$ID" --amount 1 -y <&-`, true, 2, "--max-amount"},
		{"a dashboard of a service", `"$CT" </dev/null | cat; exit "${PIPESTATUS[0]}"`, true, 2, "needs a terminal"},
		{"a state that can be written alone", fixed + `XDG_STATE_HOME="$W/state" ` + fund, false, 0, `"outcome":"done"`},
		{"a write where nothing can be recorded", fixed + fund, false, 1, "nothing is sent without a record of it: set XDG_STATE_HOME"},
		{"a read where nothing can be written", fixed + `"$CT" wallet --json`, false, 0, `"balance"`},
		{"a store of packages", nix + `"$W/ct" wallet --json`, false, 0, `"balance"`},
		{"a setting of a store of packages", nix + `"$W/ct" config set theme light`, false, 2, "is read-only: change it where it comes from"},
	} {
		args := []string{"bash", "-c", c.line}
		if strings.HasPrefix(c.line, fixed) {
			if exec.CommandContext(t.Context(), "unshare", "-m", "true").Run() != nil {
				t.Logf("%s: no mount is allowed here", c.name)
				continue
			}
			args = append([]string{"unshare", "-m"}, args...)
		}
		env := environment(s.home, account...)
		if c.bare {
			env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "TERM") })
		}
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Env = env
		out, _ := cmd.CombinedOutput() // Its code says the same.
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: ends with %d, not %d, and says %s", c.name, code, c.code, out)
		}
	}
}
