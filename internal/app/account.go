package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	mrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app/overview"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/internal/storage/journal"
	share "github.com/cardtop/cardtop/internal/storage/usage"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// account is where the requests go.
type account struct {
	cfg   client.Config
	mode  config.Mode
	close func()
	// key is where the key came from.
	key config.KeySource
	// notice is shown at the start; empty for none.
	notice string
	// folder has the account's files; the zero value on the embedded sandbox, and for a program that writes
	// nothing with a key whose account is not known.
	folder accounts.Folder
}

// openAccount opens the account of a run with the key that keys finds. fail is called with what
// breaks in it later.
func (p Program) openAccount(ctx context.Context, run config.Resolved, keys config.KeyStore, fail func(error)) (account, error) {
	if run.Sandbox {
		return openSandbox(ctx, fail), nil
	}
	key, err := p.LoadKey(ctx, run, keys)
	if err != nil {
		return account{}, err
	}
	return p.accountOf(run, key)
}

// LoadKey finds the key of a run. The records of accounts tell which one the environment's opened before.
func (p Program) LoadKey(ctx context.Context, run config.Resolved, keys config.KeyStore) (config.Key, error) {
	keys.Opened = func(run config.Resolved, key api.APIKey) bool {
		l := login(run, run.Mode(key), key)
		its, err := registry(p.paths()).Named(l.Profile, l.Mode, l.BaseURL)
		return err == nil && len(its) == 1 && its[0].Opened(l) && its[0].Profile() == l.Profile
	}
	return keys.LoadKey(ctx, run)
}

// accountOf returns the account that a key reaches.
func (p Program) accountOf(run config.Resolved, key config.Key) (account, error) {
	roots, err := Authorities(run.CAFile)
	if err != nil {
		return account{}, Usage(err)
	}
	cfg := client.Config{BaseURL: run.BaseURL, Key: key.APIKey, Fingerprint: run.Fingerprint, RootCAs: roots, Transport: p.Transport}
	return account{cfg: cfg, mode: run.Mode(key.APIKey), close: func() {}, key: key.Source, notice: key.Notice}, nil
}

// connect makes the client of an account and the engine that uses it, and
// returns what closes both. cfg is the engine's but for the client, the shared
// usage and the clock.
func (p Program) connect(run config.Resolved, acc account, cfg engine.Config, log *slog.Logger) (*engine.Engine, func(), error) {
	var eng *engine.Engine
	acc.cfg.UserAgent, acc.cfg.ReadOnly, acc.cfg.NoDetails = UserAgent(), run.ReadOnly, run.NoReveal
	acc.cfg.Observe = func(c api.Call) {
		logCall(log, c)
		eng.Observe(c)
		if p.Answered != nil {
			p.Answered()
		}
	}
	cl, err := client.New(acc.cfg)
	if err != nil {
		return nil, nil, Usage(err)
	}
	usage, leave, err := p.openUsage(run, cl, acc.cfg.Key)
	if err != nil {
		return nil, nil, err
	}
	cfg.Client, cfg.Usage, cfg.DryRun, cfg.Now = cl, usage, run.DryRun, p.Now
	eng = engine.New(cfg)
	return eng, func() {
		cl.ResetConnections()
		if err := errors.Join(eng.Close(), leave()); err != nil {
			log.Warn("share the request budget", slog.Any("error", err))
		}
	}, nil
}

// openOther opens an account that is not on the screen, for reads alone.
func (p Program) openOther(ctx context.Context, paths config.Paths, run config.Resolved, log *slog.Logger) (overview.Account, error) {
	if run.Sandbox {
		return overview.Account{}, errors.New("the embedded sandbox is open while it is on the screen")
	}
	acc, err := p.openAccount(ctx, run, config.NewKeyStore(), func(error) {})
	if err != nil {
		return overview.Account{}, errors.New(strings.Replace(oneLine(err), "load key: ", "no key: ", 1))
	}
	if acc.key == config.KeyFromPlainFile || acc.key == config.KeyFromEnvironment {
		acc.cfg.Key = api.NewAPIKey(acc.cfg.Key.Bytes()) // The other is that of the configuration, which stays.
	}
	run.ReadOnly, run.NoReveal = true, true
	none, err := journal.Open("", p.Now)
	if err != nil {
		return overview.Account{}, err
	}
	log = log.With(slog.String("profile", run.Profile))
	cfg := engine.Config{Journal: none, Pins: addresses.Open("")}
	if acc.folder, err = seenFolder(paths, run, acc); err != nil {
		return overview.Account{}, err
	}
	_, days := openCache(run, acc)
	if days != nil {
		cfg.Days = readDays{openDays(days, p.Now, log)}
	}
	eng, disconnect, err := p.connect(run, acc, cfg, log)
	if err != nil {
		return overview.Account{}, err
	}
	r := run.Settings.For(acc.mode)
	return overview.Account{
		Mode: string(acc.mode), Run: eng.Run,
		Store: settings.Config{
			Reloadable: settings.Reloadable{Alerts: r.Alerts, Campaign: r.Campaign}, Rand: mrand.Float64, ReadOnly: true, NoReveal: true, Background: true, Shared: true, KeepDays: days != nil, Profile: run.Profile,
			Only: []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.History},
		},
		Close: func() {
			disconnect()
			acc.close()
			acc.cfg.Key.Wipe()
		},
	}, nil
}

// openPush returns the address that webhooks are delivered to, and what closes it; nil
// when the profile has none. The embedded sandbox delivers to a port of this machine.
func (p Program) openPush(run config.Resolved, acc account, dir string) (*endpoint.Endpoint, func()) {
	var secrets endpoint.Secrets
	if !run.Sandbox {
		secrets = endpoint.Store(config.NewKeyStore(), run, acc.mode, dir)
	}
	return p.openSharedPush(run, acc, secrets)
}

// openSharedPush is openPush with another place for the secret.
func (p Program) openSharedPush(run config.Resolved, acc account, secrets endpoint.Secrets) (*endpoint.Endpoint, func()) {
	cfg := p.pushConfig(run, acc.cfg.RootCAs)
	switch {
	case run.Sandbox:
		cfg.Listen = "127.0.0.1:0"
	case cfg.Listen == "" && cfg.URL == "":
		return nil, func() {}
	default:
		cfg.Secrets = secrets
	}
	e := endpoint.New(cfg)
	return e, e.Close
}

func (p Program) pushConfig(run config.Resolved, roots *x509.CertPool) endpoint.Config {
	return endpoint.Config{Listen: run.Push.Listen, URL: run.Push.URL, Header: run.Push.Header, RootCAs: roots, Open: p.Listen, Transport: p.Outside, Now: p.Now}
}

// CheckPush says how webhooks of an account arrive, or why they do not. hooks are those
// that are registered.
func (p Program) CheckPush(ctx context.Context, run config.Resolved, cfg client.Config, hooks []api.Webhook, keys config.KeyStore) (string, error) {
	mode := run.Mode(cfg.Key)
	folder, err := seenFolder(p.paths(), run, account{cfg: cfg, mode: mode})
	if err != nil {
		return "", err
	}
	if folder.State == "" {
		return "", errors.New("whose account the key reaches is not known yet: the first write or the dashboard finds it out")
	}
	check := p.pushConfig(run, cfg.RootCAs)
	check.Secrets = endpoint.Store(keys, run, mode, folder.State)
	return endpoint.Check(ctx, check, hooks)
}

// pushEvents returns the events of an address; nil without one.
func pushEvents(e *endpoint.Endpoint) <-chan kernel.Event {
	if e == nil {
		return nil
	}
	return e.Events()
}

// Authorities returns the system's certificate authorities with those of a file;
// nil without a file.
func Authorities(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := fsafe.ReadShared(file)
	if err != nil {
		return nil, fmt.Errorf("read ca_file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificate authorities: %w", err)
	}
	if !pool.AppendCertsFromPEM(pem.Data) {
		return nil, errors.New("read ca_file: it holds no certificate in PEM")
	}
	return pool, nil
}

// keysOf returns the keys in force: the shipped ones, those of user commands,
// and the changes of the configuration. Its error has the place of each mistake.
func keysOf(source config.Source, s config.Settings) (*keymap.Map, error) {
	rows := keymap.Defaults()
	var (
		lines  []keymap.Line
		places []config.ProblemError // The place of each line, with its name.
	)
	for _, b := range s.Keys {
		lines = append(lines, keymap.Line{Name: b.Action, Keys: b.Keys})
		places = append(places, config.ProblemError{Line: b.Line, Column: b.Column, Text: "keys." + b.Action})
	}
	for i, c := range s.Commands {
		k := s.CommandKeys[i]
		rows = append(rows, keymap.UserCommand(c.Name, k.Help, !c.Reads, contextsOf(c.Where)...)...)
		if k.Line > 0 {
			lines = append(lines, keymap.Line{Name: string(keymap.UserCommandAction(c.Name)), Keys: k.Keys})
			places = append(places, config.ProblemError{Line: k.Line, Column: k.Column, Text: "commands." + c.Name + ".key"})
		}
	}
	rows, faults := keymap.Remap(rows, lines)
	if len(faults) == 0 {
		return keymap.New(rows), nil
	}
	problems := make(config.ProblemErrors, 0, len(faults))
	for _, f := range faults {
		at := places[f.Line]
		at.File = filepath.Base(source.Path)
		at.Text += ": " + f.Text + config.DidYouMean(f.Word, f.Known)
		problems = append(problems, &at)
	}
	return nil, problems
}

// openUsage opens the file in which the programs that use a key share how many
// requests they sent. The embedded sandbox has a key of its own.
func (p Program) openUsage(run config.Resolved, c *client.Client, key api.APIKey) (others engine.Usage, leave func() error, err error) {
	if run.Sandbox {
		return nil, func() error { return nil }, nil
	}
	mine, err := share.Open(p.paths().State, c.Origin(), key, os.Getpid(), p.Now())
	switch {
	case (run.ReadOnly || run.DryRun) && fsafe.Unwritable(err): // It counts alone.
		return nil, func() error { return nil }, nil
	case err != nil:
		return nil, nil, err
	}
	return mine, mine.Leave, nil
}

// countOne counts a request of the user's that no engine sends.
func (p Program) countOne(origin string, key api.APIKey) error {
	now := p.Now()
	mine, err := share.Open(p.paths().State, origin, key, os.Getpid(), now)
	if err != nil {
		return err
	}
	return mine.Once(now, "wallet")
}
