package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/journal"
)

// reading finds the account for a command that looks at it and writes nothing:
// nothing is kept. Nobody means the embedded sandbox without saying so; instead
// tells how else an account is said.
func (p Program) WithReadOnlyAccount(ctx context.Context, flags config.Flags, instead string, do func(context.Context, *engine.Engine, config.Resolved) error) error {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return err
	}
	if run.Sandbox && !flags.Sandbox {
		return Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile" + instead))
	}
	log, closeLog, logErr := openLog(paths, run.Settings)
	defer closeLog()
	if p.Hardened != nil {
		log.Warn("hardening", slog.Any("error", p.Hardened))
	}
	if logErr != nil {
		p.Say(logErr.Error())
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	acc, err := openAccount(ctx, run, fail)
	if err != nil {
		return err
	}
	defer acc.close()
	run.ReadOnly, run.NoReveal = true, true
	none, err := journal.Open("", p.Now)
	if err != nil {
		return err
	}
	eng, leave, err := p.connect(run, acc, engine.Config{Journal: none}, log)
	if err != nil {
		return err
	}
	defer leave()
	return do(ctx, eng, run)
}
