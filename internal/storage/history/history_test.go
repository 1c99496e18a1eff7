package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// ticking is a clock that moves a second each time it is read.
func ticking() func() time.Time {
	var mu sync.Mutex
	now := noon()
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := Open(Config{Dir: dir, User: "ann", Mode: "LIVE", Profile: "team", Now: ticking()})
	must(t, err)
	return l
}

func funded(key api.IdempotencyKey, outcome state.OpStatus) state.Record {
	return state.Record{
		Action: "fund", Method: "POST", Route: "/cards/{card_id}/fund", Card: "card_1", Name: "fb/01 ••4242", Label: "fb/01", Amount: 25 * api.Dollar, Asked: 26 * api.Dollar, Mismatch: "it is not as it was",
		CardBefore: new(10 * api.Dollar), CardAfter: new(35 * api.Dollar), WalletAfter: new(75 * api.Dollar),
		RequestID: "req_1", Outcome: outcome, Tries: 2, Took: 120 * time.Millisecond, Key: key,
	}
}

func add(t *testing.T, l *Log, keys ...api.IdempotencyKey) {
	t.Helper()
	for _, key := range keys {
		_, err := l.Add(funded(key, state.OpStatusDone))
		must(t, err)
	}
}

func keysOf(records []state.Record) string {
	var keys []string
	for _, r := range records {
		keys = append(keys, string(r.Key))
	}
	return strings.Join(keys, " ")
}

// newestFirst are the keys of what a new process finds.
func newestFirst(t *testing.T, dir string, limit int) string {
	t.Helper()
	records, err := opened(t, dir).Load(limit)
	must(t, err)
	return keysOf(records)
}

func names(t *testing.T, dir string) string {
	t.Helper()
	paths, err := parts(dir)
	must(t, err)
	var out []string
	for _, p := range paths {
		out = append(out, filepath.Base(p))
	}
	return strings.Join(out, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

func TestARecordComesBackAsItWas(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		l := opened(t, dir)
		written, err := l.Add(funded("key-1", state.OpStatusDone))
		must(t, err)
		want := funded("key-1", state.OpStatusDone)
		want.At, want.User, want.Mode, want.Profile = noon().Add(time.Second), "ann", "LIVE", "team"
		got, err := l.Load(10)
		must(t, err)
		for i, r := range append(got, written) {
			a, _ := json.Marshal(lineOf(want, ""))
			b, _ := json.Marshal(lineOf(r, ""))
			if string(a) != string(b) || r.Took != want.Took {
				t.Errorf("%d: %s, want %s", i, b, a)
			}
		}
		if len(got) != 1 {
			t.Errorf("%d records", len(got))
		}
	}
}

func TestTheFileIsPrivateAndChained(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	l := opened(t, dir)
	add(t, l, "key-1", "key-2", "key-3")
	info, err := os.Stat(filepath.Join(dir, active))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	r, err := l.Verify()
	if err != nil || r.Lines != 3 || r.Parts != 1 || r.Cut != 0 || len(r.Head) != 64 || !r.First.Equal(noon().Add(time.Second)) || !r.Last.Equal(noon().Add(3*time.Second)) {
		t.Errorf("%+v, %v", r, err)
	}
	if got := newestFirst(t, dir, 2); got != "key-3 key-2" {
		t.Errorf("loaded %q", got)
	}
}

func TestAChangedHistoryIsFound(t *testing.T) {
	edit := func(old, changed string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, changed, 1) }
	}
	lines := func(pick func([]string) []string) func(string) string {
		return func(s string) string { return strings.Join(pick(strings.SplitAfter(s, "\n")), "") }
	}
	for _, tt := range []struct {
		name   string
		change func(string) string
		broken int // line; 0: not
	}{
		{"nothing", func(s string) string { return s }, 0},
		{"an amount", edit(`"amount":25`, `"amount":24`), 1},
		{"an outcome", edit(`"outcome":"done"`, `"outcome":"unknown"`), 1},
		{"a line is taken out", lines(func(l []string) []string { return append(l[:1:1], l[2:]...) }), 2},
		{"the first is taken out", lines(func(l []string) []string { return l[1:] }), 1},
		{"two change places", lines(func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }), 2},
		{"one stands twice", lines(func(l []string) []string { return append([]string{l[0]}, l...) }), 2},
		{"one is made unreadable", lines(func(l []string) []string { l[1] = "x" + l[1]; return l }), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			add(t, opened(t, dir), "key-1", "key-2", "key-3", "key-4")
			path := filepath.Join(dir, active)
			must(t, os.WriteFile(path, []byte(tt.change(content(t, path))), 0o600))
			_, err := opened(t, dir).Verify()
			var broken *BrokenError
			if errors.As(err, &broken) != (tt.broken > 0) || broken != nil && broken.Line != tt.broken {
				t.Errorf("found %v, want line %d", err, tt.broken)
			}
		})
	}
}

func TestDamagedLinesAreReported(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"an amount":   func(s string) string { return strings.Replace(s, `"amount":25`, `"amount":24`, 1) },
		"zeros":       func(s string) string { return "\x00\x00\x00" + s[3:] },
		"its sum":     func(s string) string { return strings.Replace(s, `,"sum":`, `,"sun":`, 1) },
		"two as one":  func(s string) string { return strings.Replace(s, "\n", " ", 1) },
		"cut in half": func(s string) string { return s[:40] + s[90:] },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			add(t, opened(t, dir), "key-1", "key-2")
			path := filepath.Join(dir, active)
			must(t, os.WriteFile(path, []byte(change(content(t, path))), 0o600))
			for from, damaged := range map[string][]state.Damage{"opened": opened(t, dir).Damage(), "read": all(t, dir)} {
				if len(damaged) != 1 || damaged[0].Line != 1 || damaged[0].Path != path || damaged[0].Removable {
					t.Errorf("%s: %+v", from, damaged)
				}
			}
		})
	}
	// Far from the end only a check of all finds it.
	dir := t.TempDir()
	l := opened(t, dir)
	for i := range 300 {
		add(t, l, api.IdempotencyKey(fmt.Sprint("key-", i)))
	}
	path := filepath.Join(dir, active)
	text := content(t, path)
	last := strings.LastIndex(text, `"amount":25`)
	must(t, os.WriteFile(path, []byte("x"+text[1:last]+`"amount":26`+text[last+11:]), 0o600))
	if damaged := opened(t, dir).Damage(); len(damaged) != 1 || damaged[0].Line != 300 {
		t.Errorf("%+v", damaged)
	}
	if damaged := all(t, dir); len(damaged) != 2 {
		t.Errorf("%+v", damaged)
	}
}

func all(t *testing.T, dir string) []state.Damage {
	t.Helper()
	damaged, err := ReadDamage(dir)
	must(t, err)
	return damaged
}

func TestACutLineIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	add(t, opened(t, dir), "key-1", "key-2")
	path := filepath.Join(dir, active)
	whole := content(t, path)
	last := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	for cut := last + 1; cut < len(whole); cut += 11 {
		must(t, os.WriteFile(path, []byte(whole[:cut]), 0o600))
		l := opened(t, dir)
		add(t, l, "key-3")
		add(t, opened(t, dir), "key-4")
		add(t, l, "key-5")
		if got := newestFirst(t, dir, 9); got != "key-5 key-4 key-3 key-1" {
			t.Fatalf("cut at %d of %d: %q", cut, len(whole), got)
		}
		if r, err := l.Verify(); err != nil || r.Cut != 1 || r.Lines != 4 {
			t.Fatalf("cut at %d: %+v, %v", cut, r, err)
		}
	}
	// Only its end is missing: the line counts.
	must(t, os.WriteFile(path, []byte(strings.TrimSuffix(whole, "\n")), 0o600))
	add(t, opened(t, dir), "key-3")
	if r, err := opened(t, dir).Verify(); err != nil || r.Cut != 0 || r.Lines != 3 {
		t.Errorf("without its end: %+v, %v", r, err)
	}
}

func TestTheChainGoesOnFromPartToPart(t *testing.T) {
	dir := t.TempDir()
	a, b := opened(t, dir), opened(t, dir)
	a.rotate, b.rotate = 700, 700
	for i := range 10 {
		add(t, a, api.IdempotencyKey(fmt.Sprintf("a%d", i)))
		add(t, b, api.IdempotencyKey(fmt.Sprintf("b%d", i)))
	}
	if got := names(t, dir); !strings.HasPrefix(got, "history-0001.jsonl history-0002.jsonl ") || !strings.HasSuffix(got, " history.jsonl") {
		t.Errorf("parts %s", got)
	}
	r, err := a.Verify()
	if err != nil || r.Lines != 20 || r.Parts < 5 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := newestFirst(t, dir, 5); got != "b9 a9 b8 a8 b7" {
		t.Errorf("loaded %q", got)
	}
	if got := newestFirst(t, dir, Everything); len(strings.Fields(got)) != 20 {
		t.Errorf("loaded %q", got)
	}
	// A crash after the full part was put away loses no link.
	must(t, os.Rename(filepath.Join(dir, active), filepath.Join(dir, fmt.Sprintf("history-%04d.jsonl", r.Parts))))
	add(t, b, "c0")
	add(t, opened(t, dir), "c1")
	if r, err = opened(t, dir).Verify(); err != nil || r.Lines != 22 {
		t.Errorf("%+v, %v", r, err)
	}
	// Lost parts are found.
	must(t, os.Remove(filepath.Join(dir, "history-0002.jsonl")))
	var broken *BrokenError
	if _, err = a.Verify(); !errors.As(err, &broken) || broken.File != "history-0003.jsonl" || broken.Line != 1 {
		t.Errorf("found %v", err)
	}
}

func TestHoldSeesWhatOthersAdded(t *testing.T) {
	for _, rotate := range []int64{rotateFrom, 700} {
		dir := t.TempDir()
		a, b := opened(t, dir), opened(t, dir)
		a.rotate, b.rotate = rotate, rotate
		held := func(l *Log, since time.Time) (keys string) {
			must(t, l.Hold(since, func(records []state.Record) error {
				keys = keysOf(records)
				return nil
			}))
			return keys
		}
		if got := held(a, noon()); got != "" {
			t.Errorf("held %q of nothing", got)
		}
		add(t, a, "a1", "a2")
		add(t, b, "b1")
		for _, l := range []*Log{a, b, opened(t, dir)} {
			if got := held(l, noon()); got != "a1 a2 b1" {
				t.Errorf("held %q", got)
			}
		}
		add(t, a, "a3", "a4", "a5")
		if got := held(b, noon()); got != "a1 a2 b1 a3 a4 a5" {
			t.Errorf("held %q after more", got)
		}
		if got := held(b, noon().Add(4*time.Second)); got != "a4 a5" {
			t.Errorf("held %q since later", got)
		}
		if got := held(b, noon()); got != "a1 a2 b1 a3 a4 a5" {
			t.Errorf("held %q since earlier again", got)
		}
		refused := errors.New("no")
		if err := b.Hold(noon(), func([]state.Record) error { return refused }); !errors.Is(err, refused) {
			t.Errorf("gave %v", err)
		}
	}
}

func TestFatesAreTheLastWord(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		l := opened(t, dir)
		for _, r := range []state.Record{
			funded("key-1", state.OpStatusUnknown), funded("key-2", state.OpStatusRefused), funded("key-3", state.OpStatusUnknown), funded("key-1", state.OpStatusResolvedDone),
		} {
			_, err := l.Add(r)
			must(t, err)
		}
		got, err := l.Fates([]api.IdempotencyKey{"key-1", "key-2", "key-3", "key-4"}, noon())
		must(t, err)
		if len(got) != 3 || got["key-1"].Status != state.OpStatusResolvedDone || got["key-2"].Status != state.OpStatusRefused || got["key-3"].Status != state.OpStatusUnknown {
			t.Errorf("fates %v", got)
		}
	}
}

func TestNoSecretIsWritten(t *testing.T) {
	dir := t.TempDir()
	l := opened(t, dir)
	const pan, key, hook = "4242424242424242", "sk_live_0123456789abcdef", "whsec_0123456789"
	r := funded("key-1", state.OpStatusRefused)
	r.Mismatch = "the answer is about another card, " + pan
	r.Err = "post /cards: bad key " + key + ", cvv=123, otp: 482913, 4242 4242 4242 4242, " + hook + "\x1b]52;c;aGk=\a\nnext"
	r.RequestID = pan
	_, err := l.Add(r)
	must(t, err)
	text := content(t, filepath.Join(dir, active))
	for _, secret := range []string{pan, "4242 4242", key, "0123456789", "482913", "cvv=123", "\\u001b", "]52"} {
		if strings.Contains(text, secret) {
			t.Errorf("holds %q: %s", secret, text)
		}
	}
	if strings.Count(text, "\n") != 1 || !strings.Contains(text, "bad key") {
		t.Errorf("is not a line: %q", text)
	}
}

func TestAHistoryThatCannotBeWrittenSaysSo(t *testing.T) {
	dir := t.TempDir()
	l := opened(t, dir)
	must(t, os.MkdirAll(filepath.Join(dir, active), 0o700))
	if r, err := l.Add(funded("key-1", state.OpStatusDone)); err == nil || r.User != "ann" || !strings.Contains(err.Error(), "write history") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := l.Load(1); err == nil {
		t.Error("loaded a folder")
	}
	if _, err := Open(Config{Dir: filepath.Join(dir, active, "x\x00"), Now: noon}); err == nil {
		t.Error("opened nowhere")
	}
}

func TestFatesReadNoOlderPartsThanTheyNeed(t *testing.T) {
	dir := t.TempDir()
	l := opened(t, dir)
	l.rotate = 1 // A part for every line.
	at := noon()
	l.cfg.Now = func() time.Time { return at }
	for _, key := range []api.IdempotencyKey{"older", "old", "new-1", "new-2"} {
		_, err := l.Add(funded(key, state.OpStatusDone))
		must(t, err)
		if key == "old" {
			at = at.Add(30 * 24 * time.Hour)
		}
	}
	oldest := filepath.Join(dir, "history-0001.jsonl")
	must(t, os.Remove(oldest))
	must(t, os.Mkdir(oldest, 0o700)) // It cannot be read.
	got, err := l.Fates([]api.IdempotencyKey{"new-1", "new-2"}, at)
	if err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err = l.Fates([]api.IdempotencyKey{"older"}, noon()); err == nil {
		t.Error("the words on an old plan are not looked for")
	}
}
