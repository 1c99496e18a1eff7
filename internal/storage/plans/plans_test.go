package plans_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/state"
)

// asRun makes the test binary a run that keeps a plan until it is killed.
const asRun = "CARDTOP_TEST_KEEPS_A_PLAN_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asRun); dir != "" {
		keepUntilKilled(dir)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func keepUntilKilled(dir string) {
	p, err := plans.Open(dir)
	if err == nil {
		err = errors.Join(p.Keep(whole("plan-1")), p.Begun("plan-1", "key-1", noted()))
	}
	if _, werr := fmt.Fprintln(os.Stdout, err); werr != nil {
		return
	}
	// Waiting for a channel that nobody sends on would end it: the runtime calls that a deadlock.
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = p.Close()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *plans.Plans {
	t.Helper()
	p, err := plans.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

func find(t *testing.T, p *plans.Plans) []state.LeftPlan {
	t.Helper()
	found, err := p.Find()
	must(t, err)
	return found
}

// whole is a plan with a row of every kind.
func whole(id state.PlanID) *state.Plan {
	label, tags := "gg/01", []string{"7311"}
	intents := []state.Write{
		state.Fund("card_1", 25*api.Dollar+7*api.Cent),
		state.Withdraw("card_2", 5*api.Dollar),
		state.Freeze("card_3"),
		state.Unfreeze("card_4"),
		state.Terminate("card_5"),
		state.Update("card_6", api.UpdateCardRequest{Label: &label, SpendingLimit: new(9 * api.Dollar), AllowedCategories: &tags}),
		state.Issue(api.CreateCardRequest{
			BIN: "bin_1", Amount: 5 * api.Dollar, Label: "new", AutoFreezeAt: new(api.Dollar), Metadata: map[string]string{"a": "b"},
		}),
		state.Freeze("card_8"),
		state.Freeze("card_9"),
	}
	p := &state.Plan{
		ID: id, Kind: state.BulkFund, Share: state.ShareSplit, Amount: 100 * api.Dollar, StopOnError: true,
		Made: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Wallet: 500 * api.Dollar, WalletEnd: 400 * api.Dollar, WalletKnown: true,
		Part: 2, Parts: 3,
	}
	for i, in := range intents {
		p.Rows = append(p.Rows, state.PlanRow{
			Card: api.CardID(fmt.Sprintf("card_%d", i+1)), Name: "fb ••0001", Write: in, Key: api.IdempotencyKey(fmt.Sprintf("key-%d", i+1)),
			Line: i, Before: 1 * api.Dollar, After: 2 * api.Dollar,
		})
	}
	p.Rows[0].Amount, p.Rows[1].Amount = 25*api.Dollar+7*api.Cent, 5*api.Dollar
	p.Rows[6].Card = ""
	p.Rows[7].Key, p.Rows[7].Skip = "", "already frozen"
	p.Rows[8].Key, p.Rows[8].Later = "", true
	return p
}

func file(dir string, id state.PlanID) string {
	return filepath.Join(dir, "plans", string(id)+".jsonl")
}

// noted is when rows begin.
func noted() time.Time { return time.Date(2026, 3, 1, 12, 0, 30, 0, time.UTC) }

func TestAPlanComesBackAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	first := open(t, dir)
	must(t, first.Keep(whole("plan-1")))
	must(t, first.Begun("plan-1", "key-3", noted()))
	info, err := os.Stat(file(dir, "plan-1"))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	// Its run lives: nobody else is offered it.
	second := open(t, dir)
	if found := find(t, second); len(found) != 0 {
		t.Fatalf("found %+v", found)
	}
	if found := find(t, first); len(found) != 0 {
		t.Errorf("a run is offered its own plan: %+v", found)
	}
	must(t, first.Close())
	found := find(t, second)
	if len(found) != 1 || !reflect.DeepEqual(found[0].Plan, whole("plan-1")) {
		t.Fatalf("came back as %+v", found)
	}
	if want := map[api.IdempotencyKey]time.Time{"key-3": noted()}; !reflect.DeepEqual(found[0].Begun, want) {
		t.Errorf("begun %v", found[0].Begun)
	}
	// It is the second run's now, which goes on, until it is dropped.
	third := open(t, dir)
	if again := find(t, second); len(again) != 1 || len(find(t, third)) != 0 {
		t.Errorf("%d plans for its owner", len(again))
	}
	must(t, second.Begun("plan-1", "key-4", noted()))
	must(t, second.Close())
	if found = find(t, third); len(found) != 1 || len(found[0].Begun) != 2 {
		t.Fatalf("found %+v", found)
	}
	must(t, third.Drop("plan-1"))
	must(t, third.Drop("plan-1"))
	if _, err := os.Stat(file(dir, "plan-1")); !errors.Is(err, fs.ErrNotExist) || len(find(t, third)) != 0 {
		t.Errorf("still there: %v", err)
	}
}

func TestARunThatIsKilledLeavesItsPlan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), asRun+"="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	in, err := cmd.StdinPipe() // It lives until this is closed.
	must(t, err)
	defer func() { _ = in.Close() }()
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "<nil>\n" {
		t.Fatalf("the run says %q, %v", line, err)
	}
	p := open(t, dir)
	if found := find(t, p); len(found) != 0 {
		t.Errorf("a living run's plan is taken: %+v", found)
	}
	if read, err := plans.Read(dir); err != nil || len(read) != 1 || read[0].Plan.ID != "plan-1" || len(read[0].Begun) != 1 {
		t.Errorf("read %+v, %v", read, err)
	}
	must(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Error("it ended by itself")
	}
	found := find(t, p)
	if len(found) != 1 || found[0].Plan.ID != "plan-1" || !found[0].Begun["key-1"].Equal(noted()) || len(found[0].Begun) != 1 {
		t.Errorf("found %+v", found)
	}
}

// TestTheCardsOfPlansElsewhere are those of rows that have not begun; a run's own are not
// among them, nor is a plan that was dropped.
func TestTheCardsOfPlansElsewhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	other, mine := open(t, dir), open(t, dir)
	plan := whole("plan-1")
	must(t, other.Keep(plan))
	must(t, mine.Keep(whole("plan-2")))
	elsewhere := func(p *plans.Plans) map[api.CardID]bool {
		cards, err := p.Elsewhere()
		must(t, err)
		return cards
	}
	must(t, mine.Drop("plan-2"))
	for i := range plan.Rows {
		if row := &plan.Rows[i]; row.Runs() && !elsewhere(mine)[row.Card] {
			t.Errorf("row %d, %s, is not among %v", i, row.Card, elsewhere(mine))
		}
	}
	first := slices.IndexFunc(plan.Rows, func(r state.PlanRow) bool { return r.Runs() && r.Card != "" })
	must(t, other.Begun("plan-1", plan.Rows[first].Key, noted()))
	if cards := elsewhere(mine); cards[plan.Rows[first].Card] || len(elsewhere(other)) != 0 {
		t.Errorf("begun, or its own: %v, %v", cards, elsewhere(other))
	}
	must(t, other.Close())
	if cards := elsewhere(mine); len(cards) != 0 {
		t.Errorf("its run has ended: %v", cards)
	}
}

func TestWhatIsTornIsNotTakenForMore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	p := open(t, dir)
	must(t, p.Keep(whole("plan-1")))
	must(t, p.Begun("plan-1", "key-1", noted()))
	must(t, p.Begun("plan-1", "key-2", noted()))
	must(t, p.Close())
	data, err := os.ReadFile(file(dir, "plan-1"))
	must(t, err)
	head := strings.Index(string(data), "\n") + 1
	for cut := head; cut < len(data); cut++ {
		must(t, os.WriteFile(file(dir, "plan-1"), data[:cut], 0o600))
		q := open(t, dir)
		found := find(t, q)
		want := strings.Count(string(data[head:cut]), "}")
		if len(found) != 1 || len(found[0].Begun) != want {
			t.Fatalf("cut at %d: %+v", cut, found)
		}
		// What is noted next is not joined to it.
		must(t, q.Begun("plan-1", "key-5", noted()))
		must(t, q.Close())
		q = open(t, dir)
		if found = find(t, q); len(found) != 1 || len(found[0].Begun) != want+1 {
			t.Fatalf("cut at %d, then one more: %+v", cut, found)
		}
		must(t, q.Close())
	}
	// Without its whole first line nothing was sent of it.
	for _, cut := range []int{0, 1, head - 1} {
		must(t, os.WriteFile(file(dir, "plan-1"), data[:cut], 0o600))
		q := open(t, dir)
		if found := find(t, q); len(found) != 0 {
			t.Errorf("cut at %d: %+v", cut, found)
		}
		if _, err := os.Stat(file(dir, "plan-1")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("cut at %d: it stays", cut)
		}
	}
	// Nor is a file that was never born looked at: it is removed.
	must(t, os.WriteFile(file(dir, "plan-2")+".new", data, 0o600))
	if found := find(t, open(t, dir)); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if _, err := os.Stat(file(dir, "plan-2") + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
	// One that a run is just writing stays.
	f, err := fsafe.Lock(file(dir, "plan-3")+".new", 0)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	open(t, dir)
	if _, err := os.Stat(f.Name()); err != nil {
		t.Error(err)
	}
}

func TestAFileThatCannotBeTrustedIsNotCarriedOut(t *testing.T) {
	good, err := os.ReadFile(written(t))
	must(t, err)
	for name, change := range map[string]func(t *testing.T, path string) string{
		"another name":  func(_ *testing.T, path string) string { return strings.Replace(path, "plan-1", "plan-9", 1) },
		"open to write": func(t *testing.T, path string) string { t.Helper(); must(t, os.Chmod(path, 0o666)); return path },
		"a key twice":   replace(good, `"key-2"`, `"key-1"`),
		"no key":        replace(good, `"key":"key-2",`, ``),
		"unknown work":  replace(good, `"do":"withdraw"`, `"do":"burn"`),
		"issue of card": replace(good, `"do":"issue"`, `"do":"issue","card":"card_9"`),
		"no change":     replace(good, `"do":"update"`, `"do":"freeze"`),
		"unknown kind":  replace(good, `"kind":3`, `"kind":33`),
		"nothing":       replace(good, string(good), "{}\n"),
		"not json":      replace(good, string(good), "hello\n"),
		"an amount":     damage(good, `"amount":25`, `"amount":26`, strings.Clone),
		"a bit":         damage(good, `"sum"`, `"sun"`, strings.Clone),
		"a row begun":   damage(good, "}\n", "}\n{\"begun\":\"key-1\",\"sum\":\"0123456789abcdef\"}\n", strings.Clone),
		"zeros":         damage(good, "}\n", "}\n\x00\x00\n", strings.Clone),
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "profile")
			p := open(t, dir)
			path := file(dir, "plan-1")
			must(t, os.WriteFile(path, good, 0o600))
			if to := change(t, path); to != path {
				must(t, os.Rename(path, to))
			}
			found, err := p.Find()
			if len(found) != 0 || err == nil {
				t.Errorf("found %+v, %v", found, err)
			}
		})
	}
}

func written(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, open(t, dir).Keep(whole("plan-1")))
	return file(dir, "plan-1")
}

// replace changes a file, and its checksum with it.
func replace(good []byte, from, to string) func(t *testing.T, path string) string {
	return damage(good, from, to, func(text string) string {
		if at := strings.LastIndex(text, `,"sum":`); at >= 0 {
			return string(format.Seal([]byte(text[:at]+"}"), ""))
		}
		return text
	})
}

// damage changes a file; mended is made of what it is then.
func damage(good []byte, from, to string, mended func(string) string) func(t *testing.T, path string) string {
	return func(t *testing.T, path string) string {
		t.Helper()
		text := strings.Replace(string(good), from, to, 1)
		if text == string(good) {
			t.Fatalf("no %s in %s", from, good)
		}
		text = mended(text)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
}

func TestANameThatIsAPathIsRefused(t *testing.T) {
	p := open(t, t.TempDir())
	for _, id := range []state.PlanID{"", "../x", "a/b", "a.b", "a b", state.PlanID(strings.Repeat("x", 129))} {
		if err := p.Keep(whole(id)); err == nil {
			t.Errorf("%q is taken", id)
		}
	}
	if err := p.Keep(&state.Plan{ID: "x", Rows: []state.PlanRow{{Key: "k"}}}); err == nil {
		t.Error("a row that writes nothing is taken")
	}
}

func TestARowOfAPlanThatIsNotKeptDoesNotBegin(t *testing.T) {
	if err := open(t, t.TempDir()).Begun("plan-1", "key-1", noted()); err == nil {
		t.Error("it is noted")
	}
}

func TestWithoutAFolderNothingIsKept(t *testing.T) {
	if read, err := plans.Read(t.TempDir()); err != nil || len(read) != 0 {
		t.Errorf("read %+v, %v", read, err)
	}
	p := open(t, "")
	must(t, errors.Join(p.Keep(whole("plan-1")), p.Begun("plan-1", "key-1", noted()), p.Drop("plan-1")))
	if len(find(t, p)) != 0 {
		t.Error("something is found")
	}
}

func TestReadSheet(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cards.csv")
	must(t, os.WriteFile(path, []byte("bin_id,amount\n"), 0o600))
	if data, err := plans.ReadSheet(path); err != nil || string(data) != "bin_id,amount\n" {
		t.Errorf("%q, %v", data, err)
	}
	t.Setenv("HOME", dir)
	if _, err := plans.ReadSheet("~/cards.csv"); err != nil {
		t.Error(err)
	}
	must(t, os.WriteFile(path, make([]byte, 1<<20+1), 0o600))
	for name, path := range map[string]string{"too large": path, "a folder": dir, "a device": "/dev/zero", "nothing": filepath.Join(dir, "none.csv")} {
		if _, err := plans.ReadSheet(path); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// TestAPlanOfAnotherAccountIsNotCarriedOut when its file was copied into a folder.
func TestAPlanOfAnotherAccountIsNotCarriedOut(t *testing.T) {
	base := t.TempDir()
	r := accounts.Registry{State: filepath.Join(base, "state"), Cache: filepath.Join(base, "cache")}
	var dirs []string
	for _, key := range []string{"sk_live_a", "sk_live_b"} {
		l := accounts.Login{Profile: "team", Mode: "LIVE", BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(key)}
		candidates, err := r.Candidates(l)
		must(t, err)
		f, _, err := r.Settle(l, candidates, nil)
		must(t, err)
		dirs = append(dirs, f.State)
	}
	p := open(t, dirs[0])
	must(t, p.Keep(whole("plan-1")))
	must(t, p.Close())
	data, err := os.ReadFile(file(dirs[0], "plan-1"))
	must(t, err)
	q := open(t, dirs[1])
	must(t, os.WriteFile(file(dirs[1], "plan-1"), data, 0o600))
	if found, err := q.Find(); err == nil || len(found) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	if found := find(t, open(t, dirs[0])); len(found) != 1 {
		t.Errorf("%d plans where it belongs", len(found))
	}
}

// TestARowIsWhatItsKindSends: a row that issues a card and names one would be about it.
func TestARowIsWhatItsKindSends(t *testing.T) {
	for name, w := range map[string]state.Write{
		"an issue of a card":      {Kind: state.OpIssue, Card: "card_1", Request: &api.CreateCardRequest{BIN: "bin_1"}},
		"an issue of nothing":     {Kind: state.OpIssue},
		"a change of nothing":     {Kind: state.OpUpdate, Card: "card_1"},
		"a fund of no card":       {Kind: state.OpFund, Amount: api.Dollar},
		"a freeze with a change":  {Kind: state.OpFreeze, Card: "card_1", Change: &api.UpdateCardRequest{}},
		"a deletion of a webhook": {Kind: state.OpUnsubscribe, Card: "card_1"},
	} {
		if err := open(t, t.TempDir()).Keep(&state.Plan{ID: "x", Rows: []state.PlanRow{{Card: w.Card, Write: w, Key: "k"}}}); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
}
