package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rule"
)

// asked is an operation that a rule asks for, on a card of its own.
func asked(t *testing.T, key api.IdempotencyKey, amount api.USD) state.Op {
	t.Helper()
	o := funding(t, key, amount)
	o.Rule, o.Card = "topup", "card_"+api.CardID(key)
	return o
}

func topup(most api.USD) rule.Rule {
	return rule.Rule{Name: "topup", Action: rule.FundBy, Amount: api.Dollar, MaxDay: most, Cooldown: time.Hour}
}

// refusal is why an operation was not begun; empty when it was.
func refusal(t *testing.T, d *desk, o state.Op) string {
	t.Helper()
	failed, ok := d.Run(t.Context(), state.Do{Op: o}).(state.OpFailed)
	if !ok {
		return ""
	}
	if !failed.NotSent {
		t.Fatalf("it was sent: %v", failed.Err)
	}
	return failed.Err.Error()
}

// TestCapsOfARuleHoldBeforeAnythingIsSent, and what a rule does is marked.
func TestCapsOfARuleHoldBeforeAnythingIsSent(t *testing.T) {
	d := opened(t, t.TempDir(), stepping(), guard.Guard{})
	d.SetRules([]rule.Rule{topup(7 * api.Dollar)})
	if got := refusal(t, d, asked(t, "a", 5*api.Dollar)); got != "" {
		t.Fatal(got)
	}
	for want, o := range map[string]state.Op{
		"rule topup: $5.00 of $7.00 a day used":           asked(t, "b", 2*api.Dollar+api.Cent),
		"rule other is not in the configuration any more": {Rule: "other", Kind: state.OpFreeze, Write: asked(t, "x", api.Dollar).Write, Tries: 1, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)},
		"rule topup: cooldown until":                      func() state.Op { o := asked(t, "c", api.Dollar); o.Card = "card_a"; return o }(),
	} {
		if got := refusal(t, d, o); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	rows := d.lines(t)
	if len(rows) != 1 || rows[0].Rule != "topup" {
		t.Errorf("%+v", rows)
	}
	d.service.err = errors.New("cut")
	d.Run(t.Context(), state.Do{Op: asked(t, "d", api.Dollar)})
	d.service.err = nil
	o := asked(t, "e", api.Dollar)
	o.Card = "card_d"
	if got := refusal(t, d, o); !strings.Contains(got, "an operation on the card is under way") {
		t.Error(got)
	}
	open, err := d.journal.UnderWay()
	if err != nil || len(open) != 1 || open[0].Rule != "topup" {
		t.Errorf("%+v, %v", open, err)
	}
	if got := refusal(t, d, asked(t, "d", api.Dollar)); got != "" {
		t.Error("the same again:", got)
	}
}

// TestOneProgramActsOnARule at a time, and another once it is free.
func TestOneProgramActsOnARule(t *testing.T) {
	dir := t.TempDir()
	a, b := opened(t, dir, stepping(), guard.Guard{}), opened(t, dir, stepping(), guard.Guard{})
	lock := func(d *desk, seq poll.Seq) error {
		ev, ok := d.Run(t.Context(), state.LockRule{Name: "topup", Seq: seq}).(state.RuleLocked)
		if !ok {
			t.Fatal("no answer")
		}
		return ev.Err
	}
	must(t, lock(a, 2))
	if err := lock(b, 1); err == nil || err.Error() != "rule topup acts in another cardtop" {
		t.Error(err)
	}
	a.Run(t.Context(), state.UnlockRule{Name: "topup", Seq: 1}) // It was asked for before.
	if lock(b, 2) == nil {
		t.Error("a late end ends the lock")
	}
	a.Run(t.Context(), state.UnlockRule{Name: "topup", Seq: 3})
	must(t, lock(b, 3))
	must(t, b.Close())
	must(t, lock(a, 4))
}

// TestCapsOfARuleHoldAcrossProcesses lets two race for what a rule may move, beside a
// killed one of which nobody knows what came.
func TestCapsOfARuleHoldAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	victim := launch(t, dir)
	victim.say("rule@victim hang")
	if got := victim.hear(); got != "begun" {
		t.Fatal(got)
	}
	must(t, victim.cmd.Process.Kill())
	_ = victim.cmd.Wait() // It tells of the signal.
	both := []*program{launch(t, dir), launch(t, dir)}
	for n, p := range both {
		for i := range ruleCap {
			p.say(fmt.Sprintf("rule@key-%d-%d", n, i))
		}
	}
	done := 0
	for _, p := range both {
		for range ruleCap {
			switch got := p.hear(); {
			case got == "done":
				done++
			case !strings.Contains(got, "rule rule: $9.00 of $9.00 a day used"):
				t.Fatalf("refused: %s", got)
			}
		}
		must(t, p.in.Close())
		must(t, p.cmd.Wait())
	}
	if done != ruleCap-1 {
		t.Fatalf("%d dollars moved beside one that nobody knows of, of %d", done, ruleCap)
	}
	t.Logf("two programs and a killed one: %d of %d dollars of the cap moved", done+1, ruleCap)
}

// TestAKillAtAnyByteCounts cuts what a run writes at each byte, in the order it is
// written: the next run counts what the server may have done, and lets the rule move
// the rest to the cent. EVERY_BYTE=1 cuts at each byte, else every 17th.
func TestAKillAtAnyByteCounts(t *testing.T) {
	dir := t.TempDir()
	var begun []byte // the journal when the request is sent
	d := opened(t, dir, stepping(), guard.Guard{})
	d.SetRules([]rule.Rule{topup(7 * api.Dollar)})
	files, err := filepath.Glob(filepath.Join(dir, "operations", "*.jsonl"))
	must(t, err)
	if len(files) != 1 {
		t.Fatal(files)
	}
	d.service.before = func() { begun = readAll(t, files[0]) }
	if got := refusal(t, d, asked(t, "a", 5*api.Dollar)); got != "" {
		t.Fatal(got)
	}
	ended, history := readAll(t, files[0]), readAll(t, filepath.Join(dir, "history.jsonl"))
	if !bytes.HasPrefix(ended, begun) || len(begun) == 0 || len(ended) <= len(begun) || len(history) == 0 {
		t.Fatal("the files are not as they should be")
	}
	step := 17
	if os.Getenv("EVERY_BYTE") != "" {
		step = 1
	}
	right, states := 0, 0
	check := func(journal, history []byte, sent bool) {
		states++
		if countsAfter(t, journal, history, sent) {
			right++
		}
	}
	for n := 0; n < len(begun); n += step {
		check(begun[:n], nil, false)
	}
	for n := 0; n <= len(history); n += step {
		check(begun, history[:n], true)
	}
	for n := len(begun); n <= len(ended); n += step {
		check(ended[:n], history, true)
	}
	t.Logf("kills at every byte of a rule's operation: %d of %d count to the cent", right, states)
	if right != states {
		t.Fail()
	}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// countsAfter reports whether a run after a kill refuses a cent more than the cap
// leaves, and moves all that it leaves. What was not sent may count or not.
func countsAfter(t *testing.T, journal, past []byte, sent bool) bool {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "operations"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "operations", "1-killed.jsonl"), journal, 0o600))
	if len(past) > 0 {
		must(t, os.WriteFile(filepath.Join(dir, "history.jsonl"), past, 0o600))
	}
	d := opened(t, dir, stepping(), guard.Guard{})
	d.SetRules([]rule.Rule{topup(7 * api.Dollar)})
	more := refusal(t, d, asked(t, "b", 2*api.Dollar+api.Cent))
	if !sent && more == "" {
		return true
	}
	return strings.Contains(more, "$5.00 of $7.00 a day used") && refusal(t, d, asked(t, "c", 2*api.Dollar)) == ""
}
