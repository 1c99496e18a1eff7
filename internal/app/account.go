package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// account is where the requests go.
type account struct {
	cfg   api.Config
	mode  config.Mode
	close func()
	// key is where the key came from.
	key config.KeySource
	// notice is shown at the start; empty for none.
	notice string
}

// openAccount opens the account of a run. fail is called with what breaks in it
// later.
func openAccount(ctx context.Context, run config.Resolved, fail func(error)) (account, error) {
	if run.Sandbox {
		return openSandbox(ctx, fail), nil
	}
	key, err := config.NewKeyStore().LoadKey(ctx, run)
	if err != nil {
		return account{}, err
	}
	cfg := api.Config{BaseURL: run.BaseURL, Key: key.APIKey}
	if cfg.RootCAs, err = Authorities(run.CAFile); err != nil {
		return account{}, Usage(err)
	}
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
	}
	client, err := api.New(acc.cfg)
	if err != nil {
		return nil, nil, Usage(err)
	}
	usage, leave, err := p.openUsage(run, client, acc.cfg.Key)
	if err != nil {
		return nil, nil, err
	}
	cfg.Client, cfg.Usage, cfg.DryRun, cfg.Now = client, usage, run.DryRun, p.Now
	eng = engine.New(cfg)
	return eng, func() {
		client.ResetConnections()
		if err := errors.Join(eng.Close(), leave()); err != nil {
			log.Warn("share the request budget", slog.Any("error", err))
		}
	}, nil
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
