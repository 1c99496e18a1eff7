package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Account is an account that a command may write to.
type Account struct {
	Engine  *engine.Engine
	Journal *journal.Journal
	History *history.Log
	// Dir is the folder of the account; empty on the embedded sandbox.
	Dir  string
	Run  config.Resolved
	Mode config.Mode
	// Settings are those of the account's mode.
	Settings settings.Reloadable
	// Pushed is what webhooks tell of; nil where they are not received.
	Pushed <-chan kernel.Event
	// Connect makes another engine, for a journal that is not on this disk, and returns
	// what closes it. History is what it makes of the account's, address where its webhooks
	// are delivered to, nil for nowhere; limit limits its client.
	Connect func(j engine.Journal, history func(engine.History) engine.History, address engine.Push, limit func(*client.Config)) (*engine.Engine, func(), error)
	// OpenPush returns an address of webhooks whose secret is not stored on this disk,
	// for an engine of Connect, and what closes it. The address is nil when the profile
	// has none.
	OpenPush func(endpoint.Secrets) (*endpoint.Endpoint, func())
	// Log is the program's.
	Log *slog.Logger
}

// viaCommand marks in the history what a command did.
const viaCommand = "cli"

// WithAccount opens the account for a command that may write: with the
// guardrails, the operations on disk and the request budget that the dashboard
// has. The embedded sandbox has to be asked for.
func (p Program) WithAccount(ctx context.Context, flags config.Flags, do func(context.Context, Account) error) error {
	return p.withWriter(ctx, flags, false, do)
}

// WithReceivingAccount is WithAccount for a program that also receives webhooks, where
// the profile says so. The embedded sandbox delivers to it.
func (p Program) WithReceivingAccount(ctx context.Context, flags config.Flags, do func(context.Context, Account) error) error {
	return p.withWriter(ctx, flags, true, do)
}

func (p Program) withWriter(ctx context.Context, flags config.Flags, push bool, do func(context.Context, Account) error) (err error) {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return err
	}
	if run.Sandbox && !flags.Sandbox {
		return Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile, or use --sandbox"))
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
	if acc.folder, err = p.findFolder(ctx, paths, run, acc); err != nil {
		return err
	}
	defer func() { err = p.forgetRefused(paths, run, acc, err) }() // Once the files are closed.
	dir := acc.folder.State
	disk, err := p.openRecords(run, acc, dir, cmp.Or(p.Via, viaCommand))
	if err != nil {
		return err
	}
	defer disk.close()
	p.sayDamage(disk, log)
	settings := run.Settings.For(acc.mode)
	cfg := engine.Config{Journal: disk.journal, History: disk.history, Plans: disk.plans, Guard: settings.Guard, Rules: settings.Rules, Waits: p.Waits}
	defer p.listNames(&cfg, run, acc, log)()
	var pushed *endpoint.Endpoint
	if push {
		address, closePush := p.openPush(run, acc, dir)
		defer closePush()
		if address != nil {
			cfg.Push, pushed = address, address
		}
	}
	eng, disconnect, err := p.connect(run, acc, cfg, log)
	if err != nil {
		return err
	}
	defer disconnect()
	another := func(j engine.Journal, history func(engine.History) engine.History, address engine.Push, limit func(*client.Config)) (*engine.Engine, func(), error) {
		other := acc
		limit(&other.cfg)
		return p.connect(run, other, engine.Config{Journal: j, History: history(disk.history), Guard: settings.Guard, Rules: settings.Rules, Push: address}, log)
	}
	err = do(ctx, Account{
		Engine: eng, Journal: disk.journal, History: disk.history, Dir: dir, Run: run, Mode: acc.mode, Settings: settings, Pushed: pushEvents(pushed),
		Connect: another, OpenPush: func(s endpoint.Secrets) (*endpoint.Endpoint, func()) { return p.openSharedPush(run, acc, s) }, Log: log,
	})
	p.warnIncomplete(eng, err)
	return err
}

// UnconfirmedError is that a program ended while nobody knows the outcome of a write.
type UnconfirmedError struct{ Text string }

func (e UnconfirmedError) Error() string { return e.Text }

// awaitWrites waits for what is being sent when the screen has closed. It is an error when
// a write of this account stays unconfirmed.
func (p Program) awaitWrites(eng *engine.Engine, j *journal.Journal) error {
	before := eng.Sending()
	if len(before) == 0 {
		return nil
	}
	p.Say(fmt.Sprintf("waiting for the answer to %s", errtext.Plural(len(before), "write", "writes")))
	eng.CloseWrites()
	after, err := j.UnderWay()
	for _, op := range before {
		if slices.ContainsFunc(after, func(o state.Op) bool { return o.Key == op.Key }) {
			err = errors.Join(err, UnconfirmedError{fmt.Sprintf("%s of %s is unconfirmed: cardtop operations settle %s", op.Kind.Verb(), op.Name, op.Key)})
			continue
		}
		p.Say(fmt.Sprintf("%s of %s has its answer: cardtop history", op.Kind.Verb(), op.Name))
	}
	return err
}

// sayDamage prints which records are damaged, one a line.
func (p Program) sayDamage(disk records, log *slog.Logger) {
	damaged, err := disk.damage()
	for _, d := range damaged {
		p.Say(d.Text(nil))
	}
	if err != nil {
		p.Say(err.Error())
	}
	if len(damaged) > 0 || err != nil {
		log.Warn("damaged records", slog.Int("count", len(damaged)), slog.Any("error", err))
	}
}

// HasPlan reports whether a plan is stored, of this program or of another that runs it.
func (a Account) HasPlan(id state.PlanID) (bool, error) {
	if a.Dir == "" {
		return false, nil
	}
	all, err := plans.Read(a.Dir)
	return slices.ContainsFunc(all, func(l state.LeftPlan) bool { return l.Plan.ID == id }), err
}

// ReadSheet reads a file of cards to be issued.
func (Program) ReadSheet(path string) ([]byte, error) { return plans.ReadSheet(path) }
