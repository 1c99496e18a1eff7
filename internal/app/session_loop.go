package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app/footprint"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/logfile"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/picker"
	"github.com/cardtop/cardtop/ui/tty"
)

// Dashboard opens the screen on an account, or on the embedded sandbox, and on
// the accounts that the user switches to.
func (p Program) Dashboard(ctx context.Context, flags config.Flags) error {
	l := sessionLoop{first: sessionRequest{Program: p, flags: flags}, asked: profileAsked(p.Env, flags)}
	if p.Screen != nil {
		return l.run(ctx)
	}
	if os.Getenv("TERM") == "dumb" {
		return Usage(errors.New("the dashboard cannot draw on a terminal that TERM calls dumb; `cardtop watch` prints events, one a line"))
	}
	if !term.IsTerminal(os.Stdout.Fd()) {
		return Usage(errors.New("the dashboard needs a terminal, and standard output is none"))
	}
	l.quiet = footprint.Rest(footprint.SpareMemory())
	return cmp.Or(l.run(ctx), ctx.Err()) // A signal ends it as q does, and is told apart.
}

// sessionLoop is one run of the dashboard: the account that it starts with, and
// those that the user switches to. Each has a store, vault, cache, budget and
// clipboard guard of its own; those of one are closed before the next is opened.
type sessionLoop struct {
	first sessionRequest
	// firstAccount is the account of first, once it is known.
	firstAccount ui.Account
	// lastValid is the configuration as it was last without a mistake.
	lastValid atomic.Pointer[Configuration]
	// quiet is ui.Config.Quiet.
	quiet func(bool)
	// asked is what chose the profile instead of the file.
	asked string
}

// sessionRequest is how an account is asked for.
type sessionRequest struct {
	Program
	flags config.Flags
	// chosen is the account that the user switched to, nil at the start; from is
	// the id of the one before it.
	chosen *ui.Account
	from   string
	// switched reports whether another account was asked for until now.
	switched bool
	// notice is shown at the start; empty for none.
	notice string
}

// sessionEnd is how a session ended.
type sessionEnd struct {
	id   string      // Of the account.
	next *ui.Account // The one to switch to; nil for none.
	// private and dry are those of the screen: they hold for the next account.
	private, dry bool
	// shown reports whether the account was on the screen at all.
	shown bool
}

// run opens one account after the other until the user quits. One that cannot be
// opened leads back to the one before, with the reason.
func (l *sessionLoop) run(ctx context.Context) error {
	at, before := l.first, (*sessionRequest)(nil)
	for {
		end, err := l.open(ctx, at)
		var crash *tty.CrashError
		refused := errors.Is(err, api.ErrUnauthorized)
		switch {
		case errors.As(err, &crash), err != nil && ctx.Err() != nil:
			return err
		case end.next != nil:
			from := at
			from.flags.Privacy, from.flags.DryRun, from.notice = end.private, end.dry, ""
			at, before = l.request(*end.next, from.flags), &from
			at.from = end.id
			if err != nil {
				at.notice = oneLine(err)
			}
		case err == nil, before == nil, end.shown && !refused:
			return err
		default:
			failed := at.chosen.Name
			at, before = *before, nil
			at.switched = true // Keys typed meanwhile were for the other.
			words := l.words(at)
			at.notice = words.Tf("cannot switch to %s: %s", failed, switchError(words, err))
		}
	}
}

// switchError returns why an account could not be opened, without advice that is
// for the only account.
func switchError(w *lang.Words, err error) string {
	if of := (*api.Error)(nil); errors.As(err, &of) && of.Message == api.HubUnknownToken {
		return errtext.Explain(w, err)
	}
	if errors.Is(err, api.ErrUnauthorized) {
		return w.T("the API refused its key")
	}
	return oneLine(err)
}

// words are those of the screen of a request, by the last valid settings.
func (l *sessionLoop) words(r sessionRequest) *lang.Words {
	setting := lang.Auto
	if last := l.lastValid.Load(); last != nil {
		setting = last.settings.Language
	}
	return lang.For(setting, r.Env.Language)
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// open opens the account of a request and shows it until the user leaves it.
func (l *sessionLoop) open(ctx context.Context, r sessionRequest) (sessionEnd, error) {
	conf, err := l.load(&r)
	if err != nil {
		return sessionEnd{}, err
	}
	run, err := config.Resolve(conf.settings, r.Env, r.flags)
	var undecided *config.UndecidedError
	if errors.As(err, &undecided) && r.chosen == nil {
		return l.choose(ctx, r, conf)
	}
	if err != nil {
		return sessionEnd{}, Usage(err)
	}
	id, err := l.accountID(r, run)
	if err != nil {
		return sessionEnd{}, Usage(err)
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	log, closeLog, logErr := openLog(conf.paths, run.Settings)
	defer closeLog()
	r.logHardening(log)
	acc, err := r.openAccount(ctx, run, r.keys(), fail)
	if err != nil {
		return sessionEnd{}, err
	}
	defer acc.close()
	if acc.folder, err = r.findFolder(ctx, conf.paths, run, acc); err != nil {
		return sessionEnd{}, err
	}
	acc.notice = cmp.Or(r.notice, acc.notice)
	end, err := r.show(ctx, sessionDeps{
		Configuration: conf, run: run, account: acc, log: log, logErr: logErr,
		accounts: func(s config.Settings) []ui.Account { return l.accounts(s, id, r.from) },
		resolve:  func(a ui.Account) (config.Resolved, error) { return l.resolve(a, r.flags) },
		loaded:   l.lastValid.Store, switched: r.switched, quiet: l.quiet, asked: l.asked,
	})
	end.id = id
	return end, r.forgetRefused(conf.paths, run, acc, err)
}

// keys finds the key of a request. Its command may ask on the terminal before the first screen; what is typed during a
// switch was for the account before.
func (r sessionRequest) keys() config.KeyStore {
	if r.switched || r.from != "" {
		return config.NewKeyStore()
	}
	return config.NewKeyStore().AtTerminal()
}

// choose shows the accounts to pick from, where no profile was asked for.
func (l *sessionLoop) choose(ctx context.Context, r sessionRequest, conf Configuration) (sessionEnd, error) {
	accounts, err := picker.New(picker.Config{
		Keys: conf.Keys, Theme: conf.settings.Theme, Words: lang.For(conf.settings.Language, conf.language), Accounts: l.choices(r, conf.settings), Profiles: r.openProfiles(conf.source), Notice: r.notice, Now: r.Now,
	})
	if err != nil {
		return sessionEnd{}, Usage(err)
	}
	if err := r.runPicker(ctx, accounts); err != nil {
		return sessionEnd{private: r.flags.Privacy, dry: r.flags.DryRun}, err
	}
	return sessionEnd{next: l.pick(accounts.Next()), private: r.flags.Privacy, dry: r.flags.DryRun}, nil
}

// load reads the configuration for a request. The last valid one is used while
// the file has a mistake.
func (l *sessionLoop) load(r *sessionRequest) (Configuration, error) {
	conf, err := r.Load(r.flags)
	last := l.lastValid.Load()
	switch {
	case err == nil:
		l.lastValid.Store(&conf)
	case last == nil:
		return conf, err
	default:
		conf = *last
		r.notice = cmp.Or(r.notice, l.words(*r).Tf("using the last valid settings: %s", summary(err).Error()))
	}
	return conf, nil
}

// openLog opens the log file. With an error the log is discarded: a dashboard
// without a log runs, and the caller shows the error.
func openLog(paths config.Paths, settings config.Settings) (log *slog.Logger, closeLog func(), err error) {
	file, err := logfile.Open(paths.Log)
	if err != nil {
		return slog.New(slog.DiscardHandler), func() {}, err
	}
	return file.Logger(settings.LogLevel), func() { _ = file.Close() }, nil // Every line was written when it was logged.
}

// logCall logs a request in one line: no body, no query, no header.
func logCall(log *slog.Logger, c api.Call) {
	level := slog.LevelInfo
	if c.Err != nil {
		level = slog.LevelWarn
	}
	log.LogAttrs(context.Background(), level, "request",
		slog.String("method", c.Method), slog.String("route", c.Route), slog.Int("status", c.Status),
		slog.Int64("ms", c.Took.Milliseconds()), slog.String("request_id", string(c.RequestID)))
}
