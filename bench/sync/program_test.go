//go:build long

package sync_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hinshun/vt10x"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/tty"
)

// program is the dashboard on a terminal that records when a code is shown.
type program struct {
	t    *testing.T
	term *screen
	keys io.Writer
	stop func()
}

// run starts the program on a world.
func run(ctx context.Context, t *testing.T, w *world) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	in, keys := io.Pipe()
	p := &program{t: t, term: newScreen(), keys: keys}
	app, err := ui.New(appConfig(ctx, t, w))
	must(t, err)
	prog, err := ui.NewProgram(app, tty.Device{
		In: in, Out: p.term, Width: 160, Height: 45, Env: []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"},
	})
	must(t, err)
	over := make(chan error, 1)
	go func() { over <- prog.Run() }()
	go func() {
		for {
			select {
			case ev := <-w.pushed():
				prog.Send(ui.EventMsg(ev))
			case <-ctx.Done():
				return
			}
		}
	}()
	p.stop = func() {
		prog.Quit()
		if err := <-over; err != nil {
			t.Error(err)
		}
		cancel()
		synctest.Wait() // What was under way is given up.
		_ = keys.Close()
		_ = in.Close()
		pass(time.Minute) // Timers of the program that cannot be cancelled run out.
	}
	return p
}

func appConfig(ctx context.Context, t *testing.T, w *world) ui.Config {
	t.Helper()
	operations, err := journal.Open("", clock)
	must(t, err)
	past, err := history.Open(history.Config{User: "ann", Mode: "SANDBOX", Profile: "demo", Now: clock})
	must(t, err)
	eng := w.engine(engine.Config{Journal: operations, History: past})
	held := &vault.Vault{}
	w.followHub(ctx, eng)
	return ui.Config{
		Store: state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: newRand(1).Float64, Reloadable: settings.Reloadable{CopyArmed: true}, Push: w.door != nil, Hub: w.told != nil}),
		Effects: engine.NewExecutor(engine.ExecutorConfig{
			Run: func(e kernel.Effect) kernel.Event { return eng.Run(ctx, e) }, Vault: held, Board: clipboard.NewFake(clock), Now: clock,
		}),
		Vault:    held,
		Settings: ui.Settings{Keys: keymap.New(keymap.Defaults()), Reloadable: settings.Reloadable{Theme: "plain"}}, Mode: ui.Sandbox, Profile: "demo", Now: clock,
	}
}

// press types keys a tenth of a second apart.
func (p *program) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		if _, err := io.WriteString(p.keys, k); err != nil {
			p.t.Fatal(err)
		}
		pass(100 * time.Millisecond)
	}
}

// screen is an emulated terminal.
type screen struct {
	mu    sync.Mutex
	vt    vt10x.Terminal
	code  *regexp.Regexp
	shown map[string]time.Time // codes, and when each was first on the screen
}

func newScreen() *screen {
	return &screen{
		vt: vt10x.New(vt10x.WithSize(160, 45)), code: regexp.MustCompile(`\b\d{3} \d{3}\b`), shown: make(map[string]time.Time),
	}
}

// Write writes a frame. The program's terminal is not a real one, so lines end without a
// carriage return.
func (s *screen) Write(frame []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.vt.Write(bytes.ReplaceAll(frame, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	for _, code := range s.code.FindAllString(s.vt.String(), -1) {
		if _, ok := s.shown[code]; !ok {
			s.shown[code] = clock()
		}
	}
	return len(frame), nil
}

// since returns when a code was first on the screen.
func (s *screen) since(code string) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.shown[code[:3]+" "+code[3:]]
	return at, ok
}

func (s *screen) has(text string) bool { return strings.Contains(s.text(), text) }

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.String()
}
