package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/sim/judge"
)

// machine is somebody's computer. When it is killed, all programs on it end at once, and what was on its disk stays.
type machine struct {
	w    *world
	name string
	// at is the address of the API that its programs ask, key what they say, next the way there.
	at, key string
	next    http.RoundTripper
	// part reports whether who sits at it sees a part of the cards of a hub. rank is their role there; empty without one.
	part bool
	rank string
	wire *wire // That programs on it listen on.
	// apart reports whether the hub on it is cut off from the others.
	apart atomic.Bool
	// door is where webhooks come to; empty for nowhere.
	door string
	// ahead is by how much its clock is wrong.
	ahead time.Duration

	mu sync.Mutex
	// last is the key of another account while that was the last to be used here; empty for this one's.
	last  string
	home  string
	lives context.CancelFunc
	ctx   context.Context //nolint:containedctx // of the machine, until it is killed
	kills int
	// losses counts how often its disk went and came back: it is gone while that is odd.
	losses int
	// killAt has the machine killed before its nth request from now on; 0 for not.
	killAt int
	writes bool // Requests that read are not counted.
	after  bool // The request that kills acts before.
}

// person is somebody who uses a machine, one thing after the other.
type person struct {
	*machine
	role string
	rand *rand.Rand // Of what they do now.
	act  int        // The number of that.
	n    int        // Of the keys that they gave.
	with string     // The API key that they use; empty for the machine's.
}

func (w *world) addMachine(name string) *machine {
	m := &machine{w: w, name: name, home: filepath.Join(w.dir, name), at: "http://localhost/v1", key: key, next: w.liar, wire: &wire{}}
	if r := draw(w.seed, name+" clock"); r.IntN(4) == 0 {
		m.ahead = []time.Duration{-26 * time.Hour, -time.Hour, -2 * time.Minute, 40 * time.Second, 5 * time.Minute, time.Hour, 26 * time.Hour}[r.IntN(7)]
	}
	m.ctx, m.lives = context.WithCancel(context.Background())
	paths := config.PathsUnder(m.home)
	if err := os.MkdirAll(filepath.Dir(paths.Config), 0o700); err != nil {
		w.t.Fatal(err)
	}
	settings := fmt.Sprintf("[[rules]]\nname = \"topup\"\nwhen = \"status=active bal<250\"\nfund_by = \"7.77\"\nmax_per_day = \"%d\"\ncooldown = \"10m\"\n", ruleDay/100)
	settings += fmt.Sprintf("[alerts]\nwallet_below = \"%d.%02d\"\n", w.low/100, w.low%100)
	settings += fmt.Sprintf("[guardrails]\nmax_operation = \"%d\"\nmax_day = \"%d\"\n", w.maxOperation/100, w.maxDay/100)
	if w.maxDay > 0 {
		settings += fmt.Sprintf("[guardrails.labels.\"ad/2026*\"]\nmax_day = \"%d\"\n", labelDay/100)
	}
	settings += m.openDoor()
	if err := os.WriteFile(paths.Config, []byte(settings), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.machines = append(w.machines, m)
	return m
}

// user returns somebody at the machine. On a later day they are somebody else.
func (m *machine) user(role string) *person {
	if m.w.day > 0 {
		role += fmt.Sprint(m.w.day)
	}
	return &person{machine: m, role: role, rand: draw(m.w.seed, m.name+" "+role)}
}

// begins begins the next thing that a person does, which is drawn for itself. It reports whether it is done.
func (p *person) begins() bool {
	p.act++
	part := fmt.Sprint(p.name, " ", p.role, " ", p.act)
	p.rand = draw(p.w.seed, part)
	return p.w.takes(part)
}

// way is how the programs of a machine reach the provider, until it is killed.
func (m *machine) way(ctx context.Context) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		m.mu.Lock()
		dies := false
		if m.killAt > 0 && ctx.Err() == nil && (!m.writes || r.Method == http.MethodPost) {
			m.killAt--
			dies = m.killAt == 0
		}
		after := m.after
		m.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return nil, errCut
		case dies && after:
			if resp, err := m.next.RoundTrip(r); err == nil {
				_ = resp.Body.Close() // Nobody reads it any more.
			}
			m.kill()
			return nil, errCut
		case dies:
			m.kill()
			return nil, errCut
		}
		return m.next.RoundTrip(r)
	})
}

// kill ends all programs of the machine. What they write from now on is on a disk that nobody has.
func (m *machine) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kills++
	next := fmt.Sprintf("%s-%d", filepath.Join(m.w.dir, m.name), m.kills)
	if err := errors.Join(copied(m.home, next), private(next)); err != nil {
		m.w.t.Error(err)
	}
	m.home = next
	m.lives()
	m.wire.cut()
	m.ctx, m.lives = context.WithCancel(context.Background())
}

// loses has the folder of what programs keep be out of reach for a while before an hour, as on a disk that fails: what
// they look for there is not found, and nothing is written.
func (m *machine) loses(until time.Time) {
	r := draw(m.w.seed, m.name+" disk")
	pause(time.Duration(r.Int64N(int64(until.Sub(now())))))
	if !m.unmount() {
		return
	}
	m.w.liar.counts("a disk that is gone")
	pause(10*time.Second + time.Duration(r.Int64N(int64(15*time.Minute))))
	m.mount()
}

// unmount reports whether there was something to lose.
func (m *machine) unmount() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir := config.PathsUnder(m.home).State
	if _, err := os.Stat(dir); err != nil {
		return false
	}
	if err := errors.Join(os.Rename(dir, dir+" away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		m.w.t.Error(err)
	}
	m.losses++
	return true
}

// hasDisk returns a function that reports whether the disk was there all the time since.
func (m *machine) hasDisk() func() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	began := m.losses
	return func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return began%2 == 0 && m.losses == began
	}
}

func (m *machine) mount() {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir := config.PathsUnder(m.home).State
	if err := errors.Join(os.Remove(dir), os.Rename(dir+" away", dir)); err != nil {
		m.w.t.Error(err)
	}
	m.losses++
}

// copied copies a disk as it is at one moment, while programs write to it.
func copied(from, to string) error {
	for {
		before := stamps(from)
		err := os.CopyFS(to, os.DirFS(from))
		if maps.Equal(before, stamps(from)) {
			return err
		}
		if err := os.RemoveAll(to); err != nil {
			return err
		}
	}
}

// stamps are the sizes and times of the files of a disk.
func stamps(dir string) map[string]string {
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			all[path] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil { // A file went meanwhile: it is another disk than any before.
		all[err.Error()] = fmt.Sprint(time.Now().UnixNano()) //nolint:forbidigo // to tell it from others
	}
	return all
}

// private has a copy as closed to others as what was copied.
func private(dir string) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a folder of the test
		}
		return os.Chmod(path, 0o600) //nolint:gosec // a file of the test
	})
}

// clock is the time as the machine has it.
func (m *machine) clock() time.Time { return now().Add(m.ahead) }

// program is one on the machine, as it is now.
func (m *machine) program(ctx context.Context, home string, errs io.Writer) app.Program {
	m.mu.Lock()
	key := m.key
	m.mu.Unlock()
	return app.Program{
		Env: config.Env{BaseURL: m.at, APIKey: api.NewAPIKey(key)}, Errs: errs, Now: m.clock,
		Paths: config.PathsUnder(home), Transport: m.way(ctx), Listen: m.wire.listen, Outside: m.outside(ctx), Bus: m.bus(ctx),
	}
}

// runs runs a command line on the person's machine.
func (p *person) runs(in string, a judge.Asked, args ...string) judge.Asked {
	p.mu.Lock()
	ctx, home, kills := p.ctx, p.home, p.kills
	p.mu.Unlock()
	var out, errs bytes.Buffer
	a.From, a.Who, a.Part, a.Role, a.Line = now(), p.name, p.part, p.rank, strings.Join(args, " ")
	program := p.program(ctx, home, &errs)
	if p.with != "" {
		program.Env.APIKey = api.NewAPIKey(p.with)
	}
	a.Exit = cmd.Run(ctx, program, args, strings.NewReader(in), &out)
	a.Out, a.Errs = out.String(), errs.String()
	p.mu.Lock()
	a.Killed = p.kills != kills
	p.mu.Unlock()
	if isQuestion(a.Errs) && args[0] != "account" { // They know whose their key is, and ask for it once more.
		p.notes(judge.Asked{From: a.From, Who: a.Who, Line: a.Line, Exit: a.Exit, Errs: a.Errs})
		if p.identifies(a.Errs) {
			return p.runs(in, a, args...)
		}
	}
	if a.Verb != "" || p.with != "" {
		p.mu.Lock()
		p.last = p.with
		p.mu.Unlock()
	}
	return p.notes(a)
}

// isQuestion reports whether a program asks whose a key is.
func isQuestion(errs string) bool { return strings.Contains(errs, "cardtop account same") }

// identifies answers whose the key is, of one account after the other, and reports whether that is recorded.
func (p *person) identifies(question string) bool {
	for isQuestion(question) {
		whose := "other"
		if p.with == p.asksOf(question) {
			whose = "same"
		}
		told := p.runs("", judge.Asked{}, "account", whose)
		if told.Exit == 0 {
			return true
		}
		question = told.Errs
	}
	return false
}

// identified runs a program, again when it asked whose the key is and was told. It returns the last exit code.
func (p *person) identified(errs *bytes.Buffer, run func() int) int {
	for {
		exit := run()
		if !isQuestion(errs.String()) || !p.identifies(errs.String()) {
			return exit
		}
		errs.Reset()
	}
}

// asksOf returns the key of the account that a question is about, by the card or the address in it; empty for the people's
// own. Where nothing shows it is the one that was used last, or the one before.
func (p *person) asksOf(question string) string {
	p.mu.Lock()
	last := p.last
	p.mu.Unlock()
	switch {
	case strings.Contains(question, "with the card "):
		for _, c := range p.w.theirs {
			if strings.Contains(question, "with the card "+c.Label+" ••"+c.Last4+",") {
				return theirKey
			}
		}
		return ""
	case strings.Contains(question, "with the deposit address ") && !p.w.pooled():
		return map[bool]string{true: theirKey}[theirAddress.MatchString(question)]
	case (last == theirKey) != strings.Contains(question, "before that"):
		return theirKey
	}
	return ""
}

// theirAddress is a deposit address of another account, as a question shows it.
var theirAddress = regexp.MustCompile(`with the deposit address [^ ,]*x,`)

// notes notes what was asked for, with whether it was done meanwhile.
func (p *person) notes(a judge.Asked) judge.Asked {
	a.To = now()
	a.Forbidden = a.Forbidden || a.Level == 0 && p.w.forbids(a.Verb, a.Cents)
	p.w.add(func(r *judge.Run) {
		a.Acted = slices.ContainsFunc(r.Acts, func(b judge.Act) bool {
			return a.Key != "" && !a.Many && b.Verb == a.Verb && slices.Contains(a.Cards, b.Card) && b.Cents == a.Cents && !b.At.Before(a.From)
		})
		r.Asked = append(r.Asked, a)
	})
	return a
}

// lines are the objects that a command printed.
func lines[T any](t *testing.T, a judge.Asked) (all []T) {
	t.Helper()
	for l := range strings.Lines(a.Out) {
		var v T
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Errorf("%s prints %q: %v", a.Line, l, err)
			continue
		}
		all = append(all, v)
	}
	return all
}

// leftOpen are the files of machines that a program which has ended has open, where the system says so.
func (w *world) leftOpen() (found []string) {
	dir, err := filepath.Abs(w.dir)
	if err != nil {
		w.t.Error(err)
	}
	links, _ := filepath.Glob("/proc/self/fd/*") // The pattern is a good one.
	for _, link := range links {
		if path, err := os.Readlink(link); err == nil && strings.HasPrefix(path, dir) { // Others come and go.
			found = append(found, "after the end a program has open "+strings.TrimPrefix(path, dir))
		}
	}
	return found
}
