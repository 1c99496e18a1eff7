package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	mrand "math/rand/v2"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/recording"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/tty"
)

// dashboard opens the screen on an account, or on the embedded sandbox, and on
// the others that a person turns to.
func (p program) dashboard(ctx context.Context, flags config.Flags) error {
	spareMemory()
	if !term.IsTerminal(os.Stdout.Fd()) {
		return usage(errors.New("the dashboard needs a terminal, and standard output is none"))
	}
	t := tour{first: visit{program: p, flags: flags}}
	return t.follow(ctx)
}

// open opens the account of a visit and shows it until a person leaves it.
func (t *tour) open(ctx context.Context, v visit) (leaving, error) {
	conf, err := t.load(&v)
	if err != nil {
		return leaving{}, err
	}
	run, err := config.Resolve(conf.settings, v.env, v.flags)
	var undecided *config.UndecidedError
	if errors.As(err, &undecided) && v.chosen == nil {
		return t.choose(ctx, v, conf)
	}
	if err != nil {
		return leaving{}, usage(err)
	}
	here, err := t.idOf(v, run)
	if err != nil {
		return leaving{}, usage(err)
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	log, closeLog, logErr := openLog(conf.paths, run.Settings)
	defer closeLog()
	if v.hardened != nil {
		log.Warn("hardening", slog.Any("error", v.hardened))
	}
	account, err := openAccount(ctx, run, fail)
	if err != nil {
		return leaving{}, err
	}
	defer account.close()
	account.notice = cmp.Or(v.notice, account.notice)
	left, err := v.show(ctx, seat{
		configuration: conf, run: run, account: account, log: log, logErr: logErr,
		others: func(s config.Settings) []ui.Account { return t.accounts(s, here, v.from) },
		keep:   t.conf.Store, turned: v.turned,
	})
	left.id = here
	return left, err
}

// seat is what an account is shown with.
type seat struct {
	configuration
	run     config.Resolved
	account account
	log     *slog.Logger
	logErr  error
	// others are the accounts that settings tell of.
	others func(config.Settings) []ui.Account
	// keep hears of each configuration that is right.
	keep func(*configuration)
	// turned says that another account was on the screen until now.
	turned bool
}

// show runs the program on the screen until a person leaves the account.
func (p program) show(ctx context.Context, at seat) (leaving, error) {
	conf, run, acc, log := at.configuration, at.run, at.account, at.log
	stateDir, _ := conf.paths.Profile(run, acc.mode)
	viewsDir := stateDir
	if run.Sandbox {
		stateDir = ""
	}
	kept := openCache(conf.paths, run, acc)
	operations, err := p.openJournal(run, stateDir)
	if err != nil {
		return leaving{}, err
	}
	defer func() { _ = operations.Close() }() // Every record is synced when written.

	vault := &vault.Vault{}
	defer vault.Wipe()
	past, err := history.Open(history.Config{
		Dir: stateDir, User: userName(), Mode: string(acc.mode), Profile: profileName(run), Now: p.now,
	})
	if err != nil {
		return leaving{}, err
	}
	saved, err := plans.Open(stateDir)
	if err != nil {
		return leaving{}, err
	}
	defer func() { _ = saved.Close() }() // What is not over is for the next start.
	settings := screenSettings(run.Settings, acc.mode, run.NoMotion)
	settings.Keys, settings.Accounts = conf.keys, at.others(conf.settings)
	// How lists are looked at is kept for the sandbox as well, whose world is new at each start.
	lists := views.Open(viewsDir)
	looks, viewsErr := lists.Load()
	exports := export.Folder{Fallback: stateDir, Now: p.now}
	execute, endCommands := ownCommands(ctx)
	defer endCommands()
	eng, leave, err := p.connect(run, acc, engine.Config{
		Journal: operations, History: past, Plans: saved, Views: lists, Exports: exports, Pins: addresses.Open(stateDir), Guard: settings.Store.Guard, ReadFile: plans.ReadSheet,
		Recording: func() string { return recording.By(ctx) }, Execute: execute,
		Managers: func() []string { return managers(ctx) },
	}, log)
	if err != nil {
		return leaving{}, err
	}
	defer leave()

	known := storeConfig(run, settings.Store, stateDir, looks)
	store := p.begin(known, kept, operations.Pending(), log)
	tellAtStart(store, at, viewsErr)
	board := p.openBoard(ctx, conf.paths, run.Settings, log)
	hook, closeHook := openHook(ctx, run.Settings.Notifications, log)
	defer closeHook()
	app, executor, err := newApp(ui.Config{
		Store: store, Vault: vault, HoldScreen: board.HoldScreen, Settings: settings,
		Keep: keeper(kept, log), Announce: func(n state.News) { hook.Send(eventLine(n)) }, Terminal: ui.DetectTerminal(os.Getenv), Desktop: desktop.Notifier(os.Getenv),
		Stop: suspender(), PlainKey: acc.key == config.KeyFromPlainFile,
		Mode: ui.Mode(acc.mode), Profile: profileName(run), ExportDir: exports.Path(), Turned: at.turned, Now: p.now,
	}, engine.ExecutorConfig{Run: func(e state.Effect) state.Event { return eng.Run(ctx, e) }, Vault: vault, Board: board, Now: p.now})
	if err != nil {
		return leaving{}, usage(err)
	}
	changes := reloader{profile: run.Profile, paths: conf.paths, source: conf.source, mode: acc.mode, noMotion: run.NoMotion, start: run.Settings, guard: eng.SetGuard, hook: hook.SetLine, others: at.others, keep: at.keep, log: log}
	err = runToEnd(ctx, app, board, executor, changes.follow)
	return leaving{to: app.Next(), private: store.Privacy.Display().Private(), dry: store.Ops.DryRun(), shown: true}, err
}

// newApp makes the program on the screen, and what runs its effects.
func newApp(screen ui.Config, effects engine.ExecutorConfig) (*ui.App, *engine.Executor, error) {
	screen, effects = trapped(screen, effects)
	executor := engine.NewExecutor(effects)
	screen.Effects = executor
	app, err := ui.New(screen)
	return app, executor, err
}

// begin makes a store of what the last run kept, and of the operations that it
// left open.
func (p program) begin(known state.Config, kept *cache.Cache, open []state.Op, log *slog.Logger) *state.Store {
	store := state.New(known)
	recall(store, kept, p.now(), log)
	store.Resume(open, p.now())
	return store
}

// openJournal opens the operations on disk; who only reads changes none.
func (p program) openJournal(run config.Resolved, stateDir string) (*journal.Journal, error) {
	if run.ReadOnly {
		return journal.OpenReadOnly(stateDir, p.now)
	}
	return journal.Open(stateDir, p.now)
}

// tellAtStart tells of the most important of what does not stop a start, and
// which account it is that a person turned to.
func tellAtStart(store *state.Store, at seat, viewsErr error) {
	notice := at.account.notice
	if err := cmp.Or(at.logErr, viewsErr); err != nil && notice == "" {
		notice = err.Error()
	}
	switch {
	case notice != "":
		store.Notices.Add(state.Warn, notice)
	case at.turned:
		store.Notices.Add(state.Info, "this is "+profileName(at.run)+" now")
	}
}

// storeConfig adds to the settings that may change what holds for a whole run.
func storeConfig(run config.Resolved, c state.Config, stateDir string, looks state.Views) state.Config {
	c.NewKey, c.Rand, c.ReadOnly, c.NoReveal, c.DryRun = api.NewIdempotencyKey, mrand.Float64, run.ReadOnly, run.NoReveal, run.DryRun
	c.Shared, c.FindPlans = !run.Sandbox, !run.ReadOnly && stateDir != ""
	c.Profile = profileName(run)
	c.Columns, c.Views, c.Private, c.FindRecording, c.FindManagers = columnsOf(run.Settings), looks, run.Privacy, true, true
	return c
}

// runToEnd runs the screen, clears the clipboard, and keeps what the next start
// begins with.
func runToEnd(ctx context.Context, app *ui.App, board clipboard.Board, executor *engine.Executor, follow func(context.Context, func(ui.ReloadMsg))) error {
	runErr := runProgram(ctx, app, board, executor, follow)
	err := errors.Join(runErr, board.Close(true))
	if runErr == nil {
		_ = app.KeepLast() // What fails is in the log, and nothing is lost by it.
	}
	return err
}

// runProgram runs the screen. A hang-up or a signal ends it as q does, so
// that the terminal is restored and the clipboard cleared.
func runProgram(ctx context.Context, app *ui.App, board clipboard.Board, executor *engine.Executor, follow func(context.Context, func(ui.ReloadMsg))) error {
	device, release, err := ownTerminal()
	if err != nil {
		return err
	}
	defer release()
	screen, err := ui.NewProgram(app, device)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	ended := func(crash error) { fail(crash); screen.Quit() }
	tty.Go(ended, func() { follow(ctx, func(m ui.ReloadMsg) { screen.Send(m) }) })
	tty.Go(ended, func() {
		for {
			select {
			case r := <-board.Reports():
				if ev, ok := executor.Reported(r); ok {
					screen.Send(ui.EventMsg(ev))
				}
			case <-ctx.Done():
				screen.Quit()
				return
			case <-done:
				return
			}
		}
	})
	if err := screen.Run(); err != nil {
		return fmt.Errorf("run the screen: %w", err)
	}
	var crash *tty.CrashError
	if errors.As(context.Cause(ctx), &crash) {
		return crash
	}
	return app.Err()
}

// ownTerminal is the terminal of this process. Where something else is piped in,
// keys come from the terminal all the same.
func ownTerminal() (t tty.Device, release func(), err error) {
	t = tty.Device{In: os.Stdin, Out: os.Stdout, Env: os.Environ()}
	if term.IsTerminal(os.Stdin.Fd()) {
		return t, func() {}, nil
	}
	keyboard, _, err := tea.OpenTTY()
	if err != nil {
		return t, nil, fmt.Errorf("find the keyboard: %w", err)
	}
	t.In = keyboard
	return t, func() { _ = keyboard.Close() }, nil // It was only read from.
}

func (p program) openBoard(ctx context.Context, paths config.Paths, s config.Settings, log *slog.Logger) clipboard.Board {
	tty := os.Stdout
	if !term.IsTerminal(tty.Fd()) {
		tty = nil // There is no screen to restore.
	}
	board, err := clipboard.Open(ctx, clipboard.Config{
		Args: []string{guardCommand}, Claims: paths.State, OSC52: s.Clipboard.OSC52, TTY: tty, Env: os.Getenv, Now: p.now,
	})
	if err != nil {
		log.Warn("clipboard", slog.Any("error", err))
		return clipboard.NewOff(err)
	}
	return board
}

// managersLimit is how long clipboard managers are looked for.
const managersLimit = 2 * time.Second

// managers names the clipboard managers that run.
func managers(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, managersLimit)
	defer cancel()
	return desktop.Managers(ctx, os.Getenv)
}

// themeName is empty when the theme follows the terminal.
func themeName(setting string) string {
	if setting == "auto" {
		return ""
	}
	return setting
}

// profileName is the name in the header.
func profileName(run config.Resolved) string {
	if run.Sandbox {
		return demo
	}
	return run.Profile
}
