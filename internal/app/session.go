package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	mrand "math/rand/v2"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app/overview"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/recording"
	"github.com/cardtop/cardtop/internal/desktop"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// sessionDeps is what an account is shown with.
type sessionDeps struct {
	Configuration
	run     config.Resolved
	account account
	log     *slog.Logger
	logErr  error
	// accounts lists those of some settings.
	accounts func(config.Settings) []ui.Account
	// resolve returns what another account is opened with.
	resolve func(ui.Account) (config.Resolved, error)
	// loaded is called with each valid configuration.
	loaded func(*Configuration)
	// switched reports whether another account was on the screen until now.
	switched bool
	quiet    func(bool) // see ui.Config.Quiet
	// asked is what chose the profile of the start instead of the file.
	asked string
}

// show runs the dashboard on an account until the user leaves it.
func (p Program) show(ctx context.Context, deps sessionDeps) (sessionEnd, error) {
	run, acc, log := deps.run, deps.account, deps.log
	disk, err := p.openFiles(deps)
	if err != nil {
		return sessionEnd{}, err
	}
	defer disk.close()
	secrets := &vault.Vault{}
	defer secrets.Wipe()
	set := ui.Settings{Reloadable: run.Settings.For(acc.mode), Keys: deps.Keys, Accounts: deps.accounts(deps.settings), Listed: settingRows(deps.source, deps.asked)}
	execute, endCommands := userCommands(ctx)
	defer endCommands()
	pushed, closePush := p.openPush(run, acc, disk.dir)
	defer closePush()
	running, stop := context.WithCancel(ctx)
	defer stop()
	snap, more := loadCache(disk.cache, p.Now(), log)
	cfg := engine.Config{
		Journal: disk.journal, History: disk.history, Plans: disk.plans, Views: disk.views, Exports: disk.exports, Pins: addresses.Open(disk.dir),
		Guard: set.Guard, Rules: set.Rules, ReadFile: plans.ReadSheet, Execute: execute, SaveSettings: deps.source.Save, Recall: more, Days: openDays(disk.days, p.Now, log),
	}
	if p.Screen == nil {
		cfg.Recording, cfg.Managers = func() string { return recording.By(ctx) }, func() []string { return Managers(ctx) }
	}
	if pushed != nil {
		cfg.Push = pushed
	}
	eng, disconnect, err := p.connect(run, acc, cfg, log)
	if err != nil {
		return sessionEnd{}, err
	}
	defer disconnect()
	store := p.openStore(run, acc, set.Reloadable, disk, snap, pushed != nil)
	noticeAtStart(store, deps, disk.viewsErr)
	others := p.others(ctx, deps)
	defer others.Close()
	board := p.OpenBoard(ctx, deps.paths, run.Settings, log)
	hook, closeHook := openHook(ctx, hookLine(set.Reloadable), log)
	defer closeHook()
	app, executor, err := newApp(ui.Config{
		Store: store, Vault: secrets, HoldScreen: board.HoldScreen, Settings: set, NoMotion: run.NoMotion,
		Keep: saveCache(disk.cache, log), Announce: func(n news.News) { hook.Send(EventLine(n)) }, Terminal: ui.DetectTerminal(p.screenEnv()), Desktop: desktop.Notifier(p.screenEnv()),
		Stop: suspender(), Quiet: deps.quiet, PlainKey: acc.key == config.KeyFromPlainFile, Profiles: p.openProfiles(deps.source), Others: others, File: SettingsFile{deps.source},
		Mode: ui.Mode(acc.mode), Profile: profileName(run), ExportDir: disk.exports.Path(), Turned: deps.switched, Now: p.Now,
	}, engine.ExecutorConfig{Run: func(e kernel.Effect) kernel.Event { return eng.Run(running, e) }, Vault: secrets, Board: board, Now: p.Now})
	if err != nil {
		return sessionEnd{}, Usage(err)
	}
	err = runScreen(ctx, terminal{open: p.openTerminal}, app, board, executor, p.followers(deps, eng, hook.SetLine, board.AllowOSC52, pushed))
	if err == nil {
		saveDays(ctx, store, eng)
	}
	stop()
	if open := p.awaitWrites(eng, disk.journal); open != nil && app.Next() == nil {
		err = errors.Join(err, open)
	}
	return sessionEnd{next: app.Next(), private: store.Privacy.Display().Private(), dry: store.Ops.DryRun(), shown: true}, err
}

// followers are what tells the screen of changes: the configuration, webhooks, and a hub.
func (p Program) followers(deps sessionDeps, eng *engine.Engine, setHook func(string), allowOSC52 func(bool), pushed *endpoint.Endpoint) followers {
	f := followers{pushed: pushEvents(pushed)}
	if deps.account.cfg.Key.OfHub() {
		f.hub = eng.FollowHub
	}
	if p.Screen != nil {
		return f
	}
	reload := reloader{
		paths: deps.paths, source: deps.source, asked: deps.asked, profile: deps.run.Profile, mode: deps.account.mode, start: deps.run.Settings,
		setBounds: func(r settings.Reloadable) {
			eng.SetGuard(r.Guard)
			eng.SetRules(r.Rules)
		}, setHook: setHook, allowOSC52: allowOSC52, accounts: deps.accounts, loaded: deps.loaded, log: deps.log,
	}
	f.reload = reload.follow
	return f
}

// saveDays writes the days of spending that are not on disk yet. The log has the error of
// one that cannot be written, and nothing is lost by it: the API has it.
func saveDays(ctx context.Context, store *state.Store, eng *engine.Engine) {
	for {
		save, ok := store.Insight.Unsaved()
		if !ok {
			return
		}
		ev, ok := eng.Run(ctx, save).(insight.DaysSaved)
		if !ok || ev.Err != nil {
			return
		}
		store.Apply(ev)
	}
}

// others follows the accounts that are not on the screen, once they are listed.
func (p Program) others(ctx context.Context, deps sessionDeps) *overview.Sessions {
	return overview.New(ctx, func(ctx context.Context, a ui.Account) (overview.Account, error) {
		run, err := deps.resolve(a)
		if err != nil {
			return overview.Account{}, err
		}
		return p.openOther(ctx, deps.paths, run, deps.log)
	})
}

// newApp makes the program on the screen, and what runs its effects.
func newApp(screen ui.Config, effects engine.ExecutorConfig) (*ui.App, *engine.Executor, error) {
	screen, effects = withCrashInjection(screen, effects)
	executor := engine.NewExecutor(effects)
	screen.Effects = executor
	app, err := ui.New(screen)
	return app, executor, err
}

// openStore makes a store with what the last run saved and the operations that
// it left open.
func (p Program) openStore(run config.Resolved, acc account, r settings.Reloadable, disk files, snap state.Snapshot, pushed bool) *state.Store {
	store := state.New(settings.Config{
		Reloadable: r,
		NewKey:     api.NewIdempotencyKey, Rand: mrand.Float64,
		ReadOnly: run.ReadOnly, NoReveal: run.NoReveal, DryRun: run.DryRun,
		Hub: acc.cfg.Key.OfHub(), Shared: !run.Sandbox, FindPlans: !run.ReadOnly && disk.dir != "", KeepDays: disk.days != nil, FindFundings: true, Push: pushed,
		Screen:  &settings.Screen{Private: run.Privacy, FindRecording: true, FindManagers: true},
		Profile: profileName(run), Locale: run.Language, Columns: run.Settings.Columns, Views: disk.looks,
	})
	if !snap.At.IsZero() {
		store.Recall(snap)
	}
	store.Resume(disk.journal.Pending(), p.Now())
	damaged, err := disk.damage()
	state.SayDamage(store.Notices, damaged)
	if err != nil {
		store.Notices.Say(kernel.Bad, err.Error())
	}
	return store
}

// firstNotice is how long a user who has no account yet is told of it, or until the
// first key.
const firstNotice = time.Minute

// noticeAtStart shows the most important of what does not stop a start, or the
// account that was switched to.
func noticeAtStart(store *state.Store, deps sessionDeps, viewsErr error) {
	notice := deps.account.notice
	if err := cmp.Or(deps.logErr, viewsErr); err != nil && notice == "" {
		notice = err.Error()
	}
	switch {
	case notice != "":
		store.Notices.SayNext(kernel.Warn, notice)
	case deps.run.Sandbox && len(deps.settings.Profiles) == 0 && deps.Keys.Key(keymap.Accounts) != "":
		// The keys stand first: a narrow screen cuts the end.
		text := store.Words().Tf("sandbox · %s adds your account · %s help · cards and money are simulated", deps.Keys.Key(keymap.Accounts), deps.Keys.Key(keymap.Help))
		store.Notices.AddHint(text, firstNotice)
	case deps.switched:
		store.Notices.SayNext(kernel.Info, store.Words().Tf("switched to %s", profileName(deps.run)))
	}
}

// profileName is the name in the header.
func profileName(run config.Resolved) string {
	if run.Sandbox {
		return sandboxName
	}
	return run.Profile
}
