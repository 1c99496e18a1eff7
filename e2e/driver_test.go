package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/hinshun/vt10x"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/tty"
)

const testKey = "sk_test_drivenprogram"

// panicValue stands for what a panic must not print.
const panicValue = "4111111111111111"

// clock is the virtual time of the bubble it is read in.
func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// panicVault is a vault that panics in the program's Update or View.
type panicVault struct {
	*vault.Vault
	where string
}

func (v panicVault) Hold(d *api.CardDetails) {
	if v.where == "Update" {
		panic(panicValue)
	}
	v.Vault.Hold(d)
}

func (v panicVault) Read(card api.CardID, f secrets.Field) (api.Secret, bool) {
	if v.where == "View" {
		panic(panicValue)
	}
	return v.Vault.Read(card, f)
}

// options change what a story starts with.
type options struct {
	w, h     int
	live     bool // simulated traffic
	readOnly bool
	byHand   bool // the code of an armed checkout is not copied by itself
	guard    guard.Guard
	rules    []rule.Rule
	key      string
	down     bool          // the server does not answer at first
	panics   string        // where it panics on reading details: command, Update, View
	data     string        // file that keeps the world from one session to the next
	cards    int           // how many the world begins with; 0 for its default, negative for none
	wallet   string        // what its wallet begins with, USD; empty for its default
	txns     int           // transactions of the past, likewise
	seed     uint64        // of the world; 0 for 7
	history  time.Duration // for how long its campaigns have been spending; 0 for none
	dir      string        // folder of what is kept on disk; empty keeps nothing
	change   func(*ui.Config)
	exports  string // folder of exported lists; empty: one of its own
	dryRun   bool
	now      func() time.Time                          // this machine's clock; nil for the right one
	jitter   float64                                   // of pauses, in [0, 1); 0 for half
	through  func(http.RoundTripper) http.RoundTripper // the way to the server
	read     func(path string) ([]byte, error)         // the disk that files of cards are read from
	store    func(*settings.Config)
	execute  func(commands.Execute) (string, error) // a person's own commands
	managers []string                               // clipboard managers that run
	days     engine.Days                            // past days on disk; nil keeps none
	settings *settingsFile                          // the configuration file; nil for none
	others   bool                                   // two more accounts, each with a server
	hooks    *hooks                                 // where webhooks come; nil for nowhere
	language string                                 // of the screen; empty for English
}

// driver is a person at the program.
type driver struct {
	t *testing.T
	// language of the screen; empty for English
	language string
	world    *sandbox.Server
	board    *clipboard.Fake
	store    *state.Store // to be read inside
	// ask is what is done in the program's own loop, when it next asks the time.
	ask   atomic.Pointer[func()]
	calls *calls
	vault *vault.Vault
	exec  *engine.Executor
	keys  *io.PipeWriter
	term  *terminal
	prog  *tty.Program
	app   *ui.App
	done  chan error
	files []io.Closer // what is kept on disk
	// others are the accounts that are not on the screen, by their names.
	others map[string]*other
	// records is what records the screen, when anything does.
	records atomic.Pointer[string]
}

// story runs a person's session in a bubble of virtual time.
func story(t *testing.T, o options, tell func(d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d, stop := start(t, o)
		defer stop()
		d.wait(2 * time.Second)
		tell(d)
	})
}

func start(t *testing.T, o options) (*driver, func()) {
	t.Helper()
	if o.w == 0 {
		o.w, o.h = 160, 45
	}
	if o.key == "" {
		o.key = testKey
	}
	if o.exports == "" {
		o.exports = t.TempDir()
	}
	if o.now == nil {
		o.now = clock
	}
	if o.seed == 0 {
		o.seed = 7
	}
	if o.jitter == 0 {
		o.jitter = 0.5
	}
	if o.through == nil {
		o.through = func(rt http.RoundTripper) http.RoundTripper { return rt }
	}
	ctx, cancel := context.WithCancel(t.Context())
	world, err := sandbox.Open(ctx, sandbox.Config{Path: o.data, Seed: o.seed, Cards: o.cards, Wallet: o.wallet, Transactions: o.txns, History: o.history, APIKeys: []string{testKey}, Quiet: !o.live, AllowHTTPWebhooks: true, WebhookClient: o.hooks.client()})
	must(t, err)
	lives := make(chan struct{})
	go func() {
		defer close(lives)
		_ = world.Run(ctx)
	}()
	d := &driver{t: t, language: o.language, world: world, board: clipboard.NewFake(o.now), vault: &vault.Vault{}, done: make(chan error, 1)}
	d.calls = &calls{next: o.through(world.Transport()), down: o.down}
	release := func() {}
	if o.others {
		d.others = openOthers(ctx, t)
		change := o.change
		o.change = func(c *ui.Config) {
			if withAccounts(c); change != nil {
				change(c)
			}
			release = followed(ctx, d.others, c)
		}
	}
	d.app = newApp(ctx, t, d, o)
	in, keys := io.Pipe()
	d.keys, d.term = keys, newTerminal(o.w, o.h)
	d.prog, err = ui.NewProgram(d.app, tty.Device{
		In: in, Out: d.term, Width: o.w, Height: o.h,
		Env: []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"},
	})
	must(t, err)
	go func() { d.done <- d.prog.Run() }()
	reports := make(chan struct{})
	go func() {
		defer close(reports)
		for {
			select {
			case r := <-d.board.Reports():
				if ev, ok := d.exec.Reported(r); ok {
					d.prog.Send(ui.EventMsg(ev))
				}
			case ev := <-o.hooks.events():
				d.prog.Send(ui.EventMsg(ev))
			case <-ctx.Done():
				return
			}
		}
	}()
	return d, func() {
		d.prog.Quit()
		d.prog.Wait()
		cancel()
		release()
		<-lives
		<-reports
		synctest.Wait() // What was under way is given up.
		for _, f := range d.files {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := keys.Close(); err != nil {
			t.Error(err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := world.Close(); err != nil {
			t.Error(err)
		}
		o.hooks.close()
		// Timers of the program that cannot be cancelled run out.
		time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
	}
}

func newApp(ctx context.Context, t *testing.T, d *driver, o options) *ui.App {
	t.Helper()
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(o.key), Transport: d.calls, Now: o.now,
		Observe: func(c api.Call) { eng.Observe(c) },
	})
	must(t, err)
	operations, err := journal.Open(o.dir, o.now)
	must(t, err)
	plans, err := plans.Open(o.dir)
	must(t, err)
	d.files = append(d.files, operations, plans)
	past, err := history.Open(history.Config{Dir: o.dir, User: "ann", Mode: "SANDBOX", Profile: "demo", Now: o.now})
	must(t, err)
	lists := views.Open(o.dir)
	looks, err := lists.Load()
	must(t, err)
	eng = engine.New(engine.Config{
		Push: o.hooks.open(), Client: cl, Views: lists, Exports: export.Folder{Dir: o.exports, Now: clock}, Journal: operations, History: past, Plans: plans, Guard: o.guard, Rules: o.rules, DryRun: o.dryRun, Now: o.now, ReadFile: o.read, Recording: d.recording, Execute: o.execute, Managers: func() []string { return o.managers },
		Pins: addresses.Open(o.dir), Days: o.days, SaveSettings: o.settings.saver(d),
	})
	n, session := 0, ""
	if o.dir != "" {
		session = fmt.Sprintf("%d-", clock().Unix()) // Keys are never used again.
	}
	know := settings.Config{
		NewKey: func() api.IdempotencyKey { n++; return api.IdempotencyKey(fmt.Sprintf("key-%s%d", session, n)) },
		Rand:   func() float64 { return o.jitter }, ReadOnly: o.readOnly, DryRun: o.dryRun, FindPlans: true, Views: looks,
		Screen: &settings.Screen{FindRecording: true, FindManagers: true},
	}
	know.Push = o.hooks != nil
	know.Language, know.Locale = o.language, o.language
	know.CopyArmed, know.Guard = !o.byHand, o.guard
	know.Rules, know.FindFundings = o.rules, o.rules != nil
	if o.store != nil {
		o.store(&know)
	}
	store := state.New(know)
	d.store = store
	store.Resume(operations.Pending(), o.now())
	run := func(e kernel.Effect) kernel.Event {
		if _, ok := e.(secrets.FetchDetails); ok && o.panics == "command" {
			panic(panicValue)
		}
		return eng.Run(ctx, e)
	}
	held := panicVault{d.vault, o.panics}
	d.exec = engine.NewExecutor(engine.ExecutorConfig{Run: run, Vault: held, Board: d.board, Now: o.now})
	cfg := ui.Config{
		Store: store, Effects: d.exec, Vault: held, HoldScreen: d.board.HoldScreen,
		Settings: ui.Settings{
			Keys:       keymap.New(keymap.Defaults()),
			Reloadable: settings.Reloadable{Presets: settings.Defaults().Presets, Language: o.language},
		},
		Mode: ui.Sandbox, Profile: "demo", ExportDir: "/home/ann/reports",
		Now: func() time.Time {
			if ask := d.ask.Swap(nil); ask != nil {
				(*ask)()
			}
			return o.now()
		},
	}
	if o.change != nil {
		o.change(&cfg)
	}
	app, err := ui.New(cfg)
	must(t, err)
	return app
}

// record begins a recording, and waits until it is noticed.
func (d *driver) record(by string) {
	d.t.Helper()
	d.records.Store(&by)
	d.wait(11 * time.Second)
}

func (d *driver) recording() string {
	if by := d.records.Load(); by != nil {
		return *by
	}
	return ""
}

// wait lets virtual time pass and everything settle. A long time passes on the
// smallest screen, which is drawn for a tenth of the cost, unless somebody looks
// at each frame.
func (d *driver) wait(span time.Duration) {
	d.t.Helper()
	if w, h, small := d.term.small(); span >= longWait && small {
		d.setSize(40, 12)
		d.let(span - longWait/2)
		d.setSize(w, h)
		span = longWait / 2
	}
	d.let(span)
}

// longWait is from when on a wait is a long one.
const longWait = 5 * time.Second

func (d *driver) let(span time.Duration) {
	time.Sleep(span) //nolint:forbidigo // virtual time in a bubble
	synctest.Wait()
}

func (d *driver) setSize(w, h int) {
	d.term.mu.Lock()
	d.term.vt.Resize(w, h)
	d.term.mu.Unlock()
	d.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// press types keys, a tenth of a second apart.
func (d *driver) press(keys ...string) {
	d.t.Helper()
	names := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
		"alt+o": "\x1bo", "alt+t": "\x1bt", "alt+m": "\x1bm", "right": "\x1b[C", "left": "\x1b[D", "backspace": "\x7f", "delete": "\x1b[3~", "space": " ",
	}
	for _, k := range keys {
		if seq, ok := names[k]; ok {
			k = seq
		} else if letter, ok := strings.CutPrefix(k, "ctrl+"); ok {
			k = string(letter[0] & 0x1f)
		}
		d.send(k)
		d.wait(200 * time.Millisecond)
	}
}

// inside does something in the program's own loop, where the store may be
// read.
func (d *driver) inside(do func(*state.Store)) {
	d.t.Helper()
	done := make(chan struct{})
	ask := func() { do(d.store); close(done) }
	d.ask.Store(&ask)
	d.prog.Send(struct{}{})
	select {
	case <-done:
	case err := <-d.done: // It has ended, and nothing reads the store any more.
		d.done <- err
	}
}

// part gives a part of what is known.
func (d *driver) part(of func(state.Snapshot, *state.Store) any) (known any) {
	d.t.Helper()
	d.inside(func(s *state.Store) { known = of(s.Snapshot(), s) })
	return known
}

// revealed tells what is revealed.
func (d *driver) revealed() (r secrets.Reveal) {
	d.t.Helper()
	d.inside(func(s *state.Store) { r = s.Secrets.Reveal() })
	return r
}

// write types text a key at a time, faster than press and slower than a paste.
func (d *driver) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.send(string(r))
		d.wait(40 * time.Millisecond)
	}
	d.wait(200 * time.Millisecond)
}

// send writes raw bytes as the terminal would.
func (d *driver) send(raw string) {
	d.t.Helper()
	if _, err := io.WriteString(d.keys, raw); err != nil {
		d.t.Fatal(err)
	}
}

// paste sends text as a terminal pastes it.
func (d *driver) paste(text string) {
	d.send("\x1b[200~" + text + "\x1b[201~")
	d.wait(200 * time.Millisecond)
}

// resize changes the terminal's size.
func (d *driver) resize(w, h int) {
	d.t.Helper()
	d.setSize(w, h)
	d.wait(time.Second)
}

func (d *driver) screen() string { return d.term.text() }

// line gives the first line of the screen that holds a text.
func (d *driver) line(with string) string {
	for _, l := range strings.Split(d.screen(), "\n") {
		if strings.Contains(l, with) {
			return l
		}
	}
	return ""
}

// cursor gives the row under the cursor of the list, or of the screen over it.
func (d *driver) cursor() string {
	in := false
	for _, l := range strings.Split(d.screen(), "\n") {
		in = in || strings.HasPrefix(l, "╭▸1 ") || strings.HasPrefix(l, "╭ 1 ") || strings.HasPrefix(l, "╭▸3 ")
		if in && strings.HasPrefix(l, "│▸") {
			return l
		}
	}
	return ""
}

// see holds that the screen has texts, in English.
func (d *driver) see(texts ...string) {
	d.t.Helper()
	if d.language != "" {
		return // A test of languages looks at the screen itself.
	}
	screen := d.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			d.t.Fatalf("the screen lacks %q:\n%s", text, screen)
		}
	}
}

func (d *driver) seeNot(texts ...string) {
	d.t.Helper()
	screen := requestIDs.ReplaceAllString(d.screen(), "req_") // Four of their digits may be the last of a card.
	for _, text := range texts {
		if strings.Contains(screen, text) {
			d.t.Fatalf("the screen still has %q:\n%s", text, screen)
		}
	}
}

// control drives the sandbox's own levers.
func (d *driver) control(method, path string, body any) map[string]any {
	d.t.Helper()
	data, err := json.Marshal(body)
	must(d.t, err)
	req, err := http.NewRequestWithContext(d.t.Context(), method, "http://localhost"+path, bytes.NewReader(data))
	must(d.t, err)
	req.Header.Set("Content-Type", "application/json")
	return d.roundTrip(req)
}

// api asks the sandbox as another client would.
func (d *driver) api(method, path string, body any) map[string]any {
	d.t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			d.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(d.t.Context(), method, "http://localhost/v1"+path, bytes.NewReader(data))
	must(d.t, err)
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Content-Type", "application/json")
	return d.roundTrip(req)
}

func (d *driver) roundTrip(req *http.Request) map[string]any {
	d.t.Helper()
	res, err := d.world.Transport().RoundTrip(req)
	must(d.t, err)
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	must(d.t, err)
	if res.StatusCode >= 400 {
		d.t.Fatalf("%s %s: %d %s", req.Method, req.URL.Path, res.StatusCode, data)
	}
	var out map[string]any
	if len(data) > 0 {
		must(d.t, json.Unmarshal(data, &out))
	}
	return out
}

// status asks the server for a card's state.
func (d *driver) status(id string) string {
	d.t.Helper()
	return text(d.t, d.api(http.MethodGet, "/cards/"+id, nil)["status"])
}

// hasStatus holds that a card has a status.
func (d *driver) hasStatus(id, want string) {
	d.t.Helper()
	if got := d.status(id); got != want {
		d.t.Errorf("the card is %s, not %s:\n%s", got, want, d.screen())
	}
}

// onClipboard holds that the clipboard has a text.
func (d *driver) onClipboard(want string) {
	d.t.Helper()
	if got := d.board.Text(); got != want {
		d.t.Errorf("the clipboard has %q, not %q", got, want)
	}
}

// requests holds how many requests were sent whose method and path contain any of the parts.
func (d *driver) requests(want int, parts ...string) {
	d.t.Helper()
	n := 0
	for _, part := range parts {
		n += d.calls.count(part)
	}
	if n != want {
		d.t.Errorf("%d requests of %q, not %d:\n%s", n, parts, want, d.screen())
	}
}

// balance asks the server for a card's balance.
func (d *driver) balance(id string) string {
	d.t.Helper()
	v, ok := d.api(http.MethodGet, "/cards/"+id, nil)["balance"].(float64)
	if !ok {
		d.t.Fatal("the card has no balance")
	}
	return money(v)
}

// picked is a card a story works on. Money is text, to the cent.
type picked struct {
	id, label, last4, name string
	balance                float64
}

// money writes an amount as the program does.
func money(v float64) string {
	text := fmt.Sprintf("%.2f", v)
	for at := len(text) - 6; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return "$" + text
}

// pick takes the active card with the highest balance and filters the list
// down to it, so that the cursor is on it.
func (d *driver) pick() picked {
	d.t.Helper()
	var best picked
	for _, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100&status=active", nil)["data"]) {
		balance, ok := c["balance"].(float64)
		if !ok {
			d.t.Fatalf("balance %v", c["balance"])
		}
		if balance > best.balance {
			best = picked{id: text(d.t, c["id"]), label: text(d.t, c["label"]), last4: text(d.t, c["last4"]), balance: balance}
		}
	}
	best.name = best.label + " ••" + best.last4
	d.press("1", "/")
	for _, digit := range best.last4 {
		d.press(string(digit))
	}
	d.press("enter")
	d.see("/ " + best.last4)
	return best
}

// objects gives a JSON array's objects.
func objects(t *testing.T, v any) []map[string]any {
	t.Helper()
	list, ok := v.([]any)
	if !ok {
		t.Fatalf("%T is not an array", v)
	}
	out := make([]map[string]any, 0, len(list))
	for _, item := range list {
		out = append(out, object(t, item))
	}
	return out
}

func object(t *testing.T, v any) map[string]any {
	t.Helper()
	o, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%T is not an object", v)
	}
	return o
}

// text gives a JSON string.
func text(t *testing.T, v any) string {
	t.Helper()
	s, ok := v.(string)
	if !ok {
		t.Fatalf("%T is not a string", v)
	}
	return s
}

// calls counts the requests of the program.
type calls struct {
	next http.RoundTripper
	mu   sync.Mutex
	seen []string
	down bool
	// extraBIN is offered beside those of the server, which does not know it.
	extraBIN string
}

func (c *calls) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.seen = append(c.seen, r.Method+" "+r.URL.Path)
	down, extra := c.down, c.extraBIN
	c.mu.Unlock()
	if down {
		return nil, fmt.Errorf("dial tcp: connection refused")
	}
	res, err := c.next.RoundTrip(r)
	if err != nil || extra == "" || r.URL.Path != "/v1/bins" {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	body = bytes.Replace(body, []byte("[{"), []byte(`[{"id":"`+extra+`","network":"visa","type":"advertising","max_monthly":900},{`), 1)
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return res, nil
}

func (c *calls) offer(bin string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.extraBIN = bin
}

func (c *calls) setDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

func (c *calls) count(part string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, s := range c.seen {
		if strings.Contains(s, part) {
			n++
		}
	}
	return n
}

// terminal is an emulated screen that keeps every byte as well.
type terminal struct {
	mu    sync.Mutex
	vt    vt10x.Terminal
	carry []byte
	bytes bytes.Buffer
	watch func(text string) // sees every frame; nil for nobody
}

func newTerminal(w, h int) *terminal {
	return &terminal{vt: vt10x.New(vt10x.WithSize(w, h))}
}

// Write is for a program whose terminal is not a real one: it ends lines
// without a carriage return.
func (t *terminal) Write(p []byte) (int, error) {
	if _, err := t.writeRaw(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// writeRaw feeds the emulator. It drops what is left of a cut rune, so that
// is carried over.
func (t *terminal) writeRaw(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes.Write(p)
	data := append(t.carry, p...)
	cut := len(data)
	for i := 1; i <= min(utf8.UTFMax, len(data)); i++ {
		if utf8.RuneStart(data[len(data)-i]) {
			if !utf8.FullRune(data[len(data)-i:]) {
				cut = len(data) - i
			}
			break
		}
	}
	t.carry = bytes.Clone(data[cut:])
	n, err := t.vt.Write(data[:cut])
	if t.watch != nil {
		t.watch(t.vt.String())
	}
	return n, err
}

// small gives the size of the screen, and whether a smaller one would do for a
// while.
func (t *terminal) small() (w, h int, will bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, h = t.vt.Size()
	return w, h, t.watch == nil && w > 40
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(t.vt.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// sent is every byte written to the terminal so far.
func (t *terminal) sent() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes.String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
