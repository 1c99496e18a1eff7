package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/state"
)

// unconfirmed makes the file of a killed run: one operation done, two without an outcome.
func unconfirmed(t *testing.T) (data []byte, open []state.Op) {
	t.Helper()
	dir := place(t)
	j := opened(t, dir)
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.Begin(fund("key-2"), write(t)))
	must(t, j.End(fund("key-1"), api.Done))
	must(t, j.End(fund("key-2"), api.Unknown))
	must(t, j.Begin(fund("key-3"), write(t)))
	open, err := j.UnderWay()
	must(t, err)
	data = []byte(content(t, j.path))
	kill(t, j)
	return data, open
}

// mutations are 32 ways in which disks and people damage a file. None cuts its end off
// alone: that is a write that was cut short.
func mutations(data []byte) map[string][]byte {
	r := rand.New(rand.NewPCG(3, 14))
	all := make(map[string][]byte)
	for n := range 12 {
		d := bytes.Clone(data)
		at := r.IntN(len(d))
		d[at] ^= 1 << (n % 8)
		all[fmt.Sprintf("bit %d of byte %d", n%8, at)] = d
	}
	for n := range 6 {
		d := bytes.Clone(data)
		at, size := r.IntN(len(d)-200), 1+n*37
		clear(d[at : at+size])
		all[fmt.Sprintf("%d zeros at %d", size, at)] = d
	}
	for n := range 6 {
		at, size := 100+r.IntN(len(data)/2), 1+n*61
		all[fmt.Sprintf("%d bytes taken out at %d", size, at)] = slices.Concat(data[:at], data[at+size:])
	}
	lines := bytes.SplitAfter(bytes.TrimSpace(data), []byte("\n"))
	lines[len(lines)-1] = append(bytes.Clone(lines[len(lines)-1]), '\n')
	for n := range 4 {
		all[fmt.Sprintf("line %d twice", n+1)] = slices.Concat(data, lines[n])
	}
	for n := range 2 {
		d := slices.Clone(lines)
		d[n], d[n+2] = d[n+2], d[n]
		all[fmt.Sprintf("lines %d and %d swapped", n+1, n+3)] = bytes.Join(d, nil)
	}
	for n := range 2 {
		all[fmt.Sprintf("line %d taken out", n+2)] = bytes.Join(slices.Delete(slices.Clone(lines), n+1, n+2), nil)
	}
	return all
}

// TestDamageIsHarmlessOrReported holds that after each of 32 mutations every operation
// comes back as it was written, or the damage is reported and a copy stays.
func TestDamageIsHarmlessOrReported(t *testing.T) {
	data, open := unconfirmed(t)
	all := mutations(data)
	if len(all) != 32 {
		t.Fatalf("%d mutations", len(all))
	}
	sent := string(write(t).Body)
	for name, d := range all {
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			fill(t, dir, "1", string(d))
			j := opened(t, dir)
			damage, err := j.Damage()
			must(t, err)
			for _, op := range j.Pending() {
				if body := string(op.Write.Body); body != sent {
					t.Errorf("%s would be sent as %s", op.Key, body)
				}
			}
			if len(damage) == 0 && keysOf(j.Pending()) != keysOf(open) {
				t.Errorf("left %q and nothing is reported", keysOf(j.Pending()))
			}
			// What is reported stays so for the next runs, until the file is removed.
			must(t, j.Close())
			again, err := ReadDamage(dir)
			must(t, err)
			if len(again) != len(damage) {
				t.Errorf("%d are reported, then %d", len(damage), len(again))
			}
			for _, one := range again {
				if kept := content(t, one.Path); kept != string(d) || !one.Removable {
					t.Errorf("%s is not the file as it was", one.Path)
				}
			}
		})
	}
}

// TestEveryFlippedBitIsHarmlessOrReported flips each bit of the file.
func TestEveryFlippedBitIsHarmlessOrReported(t *testing.T) {
	data, open := unconfirmed(t)
	whole, err := tableOf(data)
	must(t, err)
	for at := range data {
		for bit := range 8 {
			d := bytes.Clone(data)
			d[at] ^= 1 << bit
			got := newTable("")
			flaws, err := got.read(d)
			must(t, err)
			if len(flaws) == 0 && fmt.Sprint(got.ops()) != fmt.Sprint(whole.ops()) {
				t.Errorf("bit %d of byte %d: %d of %d operations and no flaw", bit, at, len(got.ops()), len(open))
			}
		}
	}
}

func tableOf(data []byte) (*table, error) {
	t := newTable("")
	_, err := t.read(data)
	return t, err
}

func TestDamageSaysWhichCardToCompare(t *testing.T) {
	data, _ := unconfirmed(t)
	dir := place(t)
	fill(t, dir, "1", strings.Replace(string(data), `"what":"begin"`, `"what":"bagin"`, 1))
	j := opened(t, dir)
	damage, err := j.Damage()
	must(t, err)
	if len(damage) != 1 || damage[0].Line != 1 || damage[0].Card != "card_1" || damage[0].Amount != "25" || damage[0].At.IsZero() {
		t.Fatalf("%+v", damage)
	}
	text := damage[0].Text(nil)
	for _, part := range []string{"line 1 of " + filepath.Join(dir, folder, "1"+damagedSuffix), "compare card card_1 ($25)", "remove the file"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
	must(t, os.Remove(damage[0].Path))
	if damage, err = j.Damage(); err != nil || len(damage) != 0 {
		t.Errorf("it is still reported: %v, %v", damage, err)
	}
}

// TestLinesOfAnEarlierReleaseAreRead holds that lines without checksum and number are read
// in their order, and that one of them that cannot be read is reported.
func TestLinesOfAnEarlierReleaseAreRead(t *testing.T) {
	const old = `{"v":1,"at":"2026-03-01T12:00:00Z","key":"key-1","what":"begin","kind":1,"card":"card_1","amount":25,"method":"POST","route":"/cards/{id}/fund","path":"/cards/card_1/fund","body":{"amount":25},"started":"2026-03-01T12:00:00Z"}` + "\n"
	for name, tt := range map[string]struct {
		text    string
		pending string
		damaged int
	}{
		"as it was":   {old, "key-1", 0},
		"ended":       {old + `{"v":1,"at":"2026-03-01T12:00:01Z","key":"key-1","what":"done"}` + "\n", "", 0},
		"no records":  {"\x00\x00\n{}\nnot json\n" + old + "[]\n", "key-1", 4},
		"a torn line": {old + old[:90], "key-1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			fill(t, dir, "1", tt.text)
			j := opened(t, dir)
			damage, err := j.Damage()
			if err != nil || len(damage) != tt.damaged || keysOf(j.Pending()) != tt.pending {
				t.Errorf("%q, %d damaged, %v", keysOf(j.Pending()), len(damage), err)
			}
		})
	}
}

// TestDamageThatIsFoundLaterIsAnError holds that a run that takes over says what it found.
func TestDamageThatIsFoundLaterIsAnError(t *testing.T) {
	data, _ := unconfirmed(t)
	dir := place(t)
	j := opened(t, dir)
	fill(t, dir, "1", strings.Replace(string(data), `"amount":25`, `"amount":26`, 1))
	ops, err := j.Adopt()
	if _, damaged := err.(state.DamageError); !damaged || len(ops) == 0 { //nolint:errorlint // as the engine reads it
		t.Errorf("%d operations, %v", len(ops), err)
	}
	if _, err = j.Adopt(); err != nil {
		t.Errorf("again: %v", err)
	}
}

// folderOf makes the folder of an account of a provider.
func folderOf(t *testing.T, r accounts.Registry, key string) string {
	t.Helper()
	l := accounts.Login{Profile: "team", Mode: "LIVE", BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(key)}
	candidates, err := r.Candidates(l)
	must(t, err)
	f, _, err := r.Settle(l, candidates, nil)
	must(t, err)
	return f.State
}

// TestAJournalOfAnotherAccountIsNotTakenOver: copied into a folder it is told of as damaged, and
// nothing of it is open there.
func TestAJournalOfAnotherAccountIsNotTakenOver(t *testing.T) {
	base := t.TempDir()
	r := accounts.Registry{State: filepath.Join(base, "state"), Cache: filepath.Join(base, "cache")}
	mine, other := folderOf(t, r, "sk_live_a"), folderOf(t, r, "sk_live_b")
	victim, err := Open(other, noon)
	must(t, err)
	must(t, victim.Begin(fund("key-1"), write(t)))
	kill(t, victim)
	must(t, opened(t, mine).Close())
	data := content(t, victim.path)
	must(t, os.WriteFile(filepath.Join(mine, folder, "1-copied"+suffix), []byte(data), 0o600))
	j := opened(t, mine)
	damage, err := j.Damage()
	if len(j.Pending()) != 0 || err != nil || len(damage) != 1 || damage[0].Card != "card_1" {
		t.Errorf("%s is open, %+v, %v", keysOf(j.Pending()), damage, err)
	}
	must(t, os.Remove(filepath.Join(other, "account.json")))
	folderOf(t, r, "sk_live_b")
	if got := pendingKeys(t, other); got != "key-1" {
		t.Errorf("%q is open where it belongs, once account.json was lost", got)
	}
}
