//go:build night

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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

// kill starts a command line and kills it after some time, in milliseconds at most.
func (s *script) kill(within int, in string, args ...string) {
	s.t.Helper()
	cmd, _, _ := s.command(s.t.Context(), in, args...)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	<-time.After(time.Duration(s.rng.IntN(within*1000)) * time.Microsecond)
	_ = cmd.Process.Kill() // It may have ended.
	_ = cmd.Wait()
}

func (s *script) ask(method, path, body string) map[string]any {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, strings.TrimSuffix(s.address, "/v1")+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It is read to its end.
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusBadRequest {
		s.t.Fatalf("%s: %d %s %v", path, res.StatusCode, data, err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

// inCents is a decimal number of JSON in cents.
func inCents(v any) int64 {
	f, _ := v.(float64)
	return int64(f*100 + 0.5)
}

// scriptKills is how many commands are killed; SCRIPT_KILLS=200 makes so many.
func scriptKills(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("SCRIPT_KILLS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAKilledCommandActsOnce kills command lines with an idempotency key at any moment, and
// runs each again until it is done. Answers are lost besides.
func TestAKilledCommandActsOnce(t *testing.T) {
	t.Parallel()
	kills := scriptKills(t, 30) // Twice as many use up the requests of a minute, on a fast machine.
	s := openScript(t, 7, "--no-limits", "--cards", "12", "--transactions", "1", "--wallet", "900000")
	s.ask(http.MethodPost, "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"cut_body","probability":0.2,"times":100000}`)
	s.ask(http.MethodPost, "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"latency","latency_ms":15,"times":100000}`)
	_, ids, _ := s.run("", "cards", "list", "status=active", "--template", "{id}")
	cards := strings.Fields(ids)
	want := make(map[string]int64)
	for _, id := range cards {
		want[id] = inCents(s.ask(http.MethodGet, "/v1/cards/"+id, "")["balance"])
	}
	done := 0
	for n := 0; n < kills; done++ {
		in, each := "", int64(100+done)
		amount := fmt.Sprintf("%d.%02d", each/100, each%100)
		card := cards[s.rng.IntN(len(cards))]
		about := []string{card}
		if s.rng.IntN(3) == 0 {
			in, card, about = ids, "-", cards
		}
		args := []string{"cards", "fund", card, "--amount", amount, "--yes", "--max-amount", "90000", "--idempotency-key", fmt.Sprintf("script-%d", done), "--jsonl"}
		for tries := 1 + s.rng.IntN(3); tries > 0; tries-- {
			s.kill(80, in, args...)
			n++
		}
		s.insist(in, args...)
		for _, id := range about {
			want[id] += each
		}
		// Once more: it is done.
		if code, out, errs := s.run(in, args...); code != 0 || strings.Count(out, "\n") != len(about) {
			t.Fatalf("%q, run once more, ends with %d: %s%s", args, code, out, errs)
		}
	}
	for _, id := range cards {
		if got := inCents(s.ask(http.MethodGet, "/v1/cards/"+id, "")["balance"]); got != want[id] {
			t.Errorf("%s holds %d cents, not %d", id, got, want[id])
		}
	}
	if twice := s.ask(http.MethodGet, "/sandbox/report", "")["duplicated_effects"]; twice != nil && fmt.Sprint(twice) != "[]" && fmt.Sprint(twice) != "map[]" {
		t.Errorf("the server did %v twice", twice)
	}
	if _, open, _ := s.run("", "operations", "list", "--jsonl"); open != "" {
		t.Errorf("left open: %s", open)
	}
	if left, err := filepath.Glob(filepath.Join(s.home, "state", "cardtop", "profiles", "*", "*", "key-*")); err != nil || len(left) > 1 {
		t.Errorf("locks are left: %v", left)
	}
	t.Logf("%d kills of %d command lines, each done once", kills, done)
}

// insist runs a command line until it is done: what a kill left open is first settled.
func (s *script) insist(in string, args ...string) {
	s.t.Helper()
	for range 30 {
		code, out, errs := s.run(in, args...)
		switch code {
		case 0:
			return
		case 6, 1:
			// Another row of the plan, or a try before, has no answer yet.
		default:
			s.t.Fatalf("%q ends with %d: %s%s", args, code, out, errs)
		}
		_, open, _ := s.run("", "operations", "list", "--template", "{idempotency_key}")
		for _, key := range strings.Fields(open) {
			s.run("", "operations", "settle", key)
		}
	}
	s.t.Fatalf("%q is never done", args)
}

// TestScriptsOfTheBuiltProgram: forms, pipes and exit codes as a shell sees them.
func TestScriptsOfTheBuiltProgram(t *testing.T) {
	t.Parallel()
	s := openScript(t, 8, "--cards", "300", "--transactions", "1")
	code, out, errs := s.run("", "cards", "list", "--jsonl", "--fields", "id,status")
	if code != 0 || errs != "" || strings.Count(out, "\n") != 300 {
		t.Fatalf("ends with %d: %d lines, %s", code, strings.Count(out, "\n"), errs)
	}
	for line, want := range map[string]int{
		"cards list --status nope": 2, "cards fund x --amount 1 --yes --max-amount 1": 2, "cards fund x --amount 1": 2, "exit-codes": 0,
		"cards show card_none": 2, "wallet --json": 0,
	} {
		if code, _, errs := s.run("", strings.Fields(line)...); code != want {
			t.Errorf("%s ends with %d: %s", line, code, errs)
		}
	}
	var ids []string
	for line := range strings.Lines(out) {
		var c struct{ ID, Status string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Status == "active" && len(ids) < 120 {
			ids = append(ids, c.ID)
		}
	}
	code, out, errs = s.run(strings.Join(ids, "\n"), "cards", "freeze", "-", "-y", "--csv")
	if code != 0 || strings.Count(out, ",done,") != len(ids) {
		t.Errorf("ends with %d, %d of %d done: %s", code, strings.Count(out, ",done,"), len(ids), errs)
	}
	scan(t, s.home, map[string]string{"key": binaryKey})
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
