package app

import (
	"context"
	"errors"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state/kernel"
)

// WithReadOnlyAccount opens the account for a command that reads and writes
// nothing, and stores nothing. The embedded sandbox has to be asked for; hint is
// what else names an account.
func (p Program) WithReadOnlyAccount(ctx context.Context, flags config.Flags, hint string, do func(context.Context, *engine.Engine, config.Resolved) error) error {
	return p.withReader(ctx, flags, hint, false, func(ctx context.Context, eng *engine.Engine, run config.Resolved, _ <-chan kernel.Event) error {
		return do(ctx, eng, run)
	})
}

// WithPushedAccount is WithReadOnlyAccount for a command that also receives webhooks,
// where the profile says so; pushed is nil where it does not. It registers none.
func (p Program) WithPushedAccount(ctx context.Context, flags config.Flags, hint string, do func(ctx context.Context, eng *engine.Engine, run config.Resolved, pushed <-chan kernel.Event) error) error {
	return p.withReader(ctx, flags, hint, true, do)
}

func (p Program) withReader(ctx context.Context, flags config.Flags, hint string, push bool, do func(context.Context, *engine.Engine, config.Resolved, <-chan kernel.Event) error) error {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return err
	}
	if run.Sandbox && !flags.Sandbox {
		return Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile" + hint))
	}
	log, closeLog, logErr := openLog(paths, run.Settings)
	defer closeLog()
	p.logHardening(log)
	if logErr != nil {
		p.Say(logErr.Error())
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	acc, err := p.openAccount(ctx, run, config.NewKeyStore().AtTerminal(), fail)
	if err != nil {
		return err
	}
	defer acc.close()
	run.ReadOnly, run.NoReveal = true, true
	none, err := journal.Open("", p.Now)
	if err != nil {
		return err
	}
	if acc.folder, err = seenFolder(paths, run, acc); err != nil {
		return err
	}
	dir := acc.folder.State
	cfg := engine.Config{Journal: none, Pins: addresses.Open(dir), Waits: p.Waits}
	var pushed <-chan kernel.Event
	if push && dir != "" {
		address, closePush := p.openPush(run, acc, dir)
		defer closePush()
		if address != nil {
			cfg.Push, pushed = address, address.Events()
		}
	}
	defer p.listNames(&cfg, run, acc, log)()
	eng, disconnect, err := p.connect(run, acc, cfg, log)
	if err != nil {
		return err
	}
	defer disconnect()
	err = do(ctx, eng, run, pushed)
	p.warnIncomplete(eng, err)
	return p.forgetRefused(paths, run, acc, err)
}
