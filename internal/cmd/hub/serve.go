package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine/ruling"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/identity"
	"github.com/cardtop/cardtop/internal/hub/kept"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// serve runs the hub until it is interrupted.
func serve(ctx context.Context, p Program, flags config.Flags, o options) error {
	if (o.cert == "") != (o.key == "") {
		return app.Usage(errors.New("--tls-cert and --tls-key go together"))
	}
	p.Via = "hub"
	// The account outlives the listener: a write under way has its time to end.
	open, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	return p.WithReceivingAccount(open, flags, func(_ context.Context, acc app.Account) error {
		if acc.Dir == "" && !o.demo {
			return errNoPlace
		}
		at := placeIn(acc.Dir, acc.Mode)
		if o.demo {
			dir, err := os.MkdirTemp("", "cardtop-hub-")
			if err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(dir) }() // It holds hashes of tokens that end with the hub.
			at = placeIn(filepath.Join(dir, "demo"), acc.Mode)
			if err := demoPeople(p.Program, at); err != nil {
				return err
			}
		}
		release, err := kept.Dir{Path: at.dir}.Lock(kept.Self(p.Now()))
		if err != nil {
			return err
		}
		defer func() { _ = release() }() // The process ends, and the lock with it.
		return run(ctx, open, p, acc, at, o)
	})
}

// run serves the account until ctx ends; the hub itself goes on until open does.
func run(ctx, open context.Context, p Program, acc app.Account, at place, o options) error {
	people, err := team.Open(at.file)
	if err != nil {
		return err
	}
	if len(people.Team().People) == 0 {
		p.Say("the team is empty: add people with cardtop hub add NAME --role ROLE --labels 'PATTERN'")
	}
	l, secure, err := o.open(ctx, p.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }() // Serve has closed it.
	cert, err := o.certificate(p.Program, at, secure)
	if err != nil {
		return err
	}
	store, err := o.store(acc)
	if err != nil {
		return app.Usage(err)
	}
	s, closeBus, err := o.several.open(p.Program, acc, at, hub.Config{
		Engine: acc.Engine, Audit: acc.History, Team: people, Limits: limit.Defaults(), Pending: acc.Journal.Pending(),
		Mode: string(acc.Mode), Version: app.Version(), Now: p.Now, Store: store, Tell: p.Say,
		Keep: kept.Dir{Path: at.dir}, Pushed: acc.Pushed, Act: o.act, Suggest: o.suggest,
	})
	if err != nil {
		return err
	}
	defer closeBus()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shell, err := o.openShell(ctx, p, at, s, people, acc)
	if err != nil {
		return err
	}
	go people.Follow(ctx, func() { s.People(); shell.people() }, func(err error) { p.Say("nobody is let in: " + err.Error()) })
	inner, stop := context.WithCancel(open)
	defer stop()
	ran := make(chan error, 1)
	go func() {
		err := s.Run(inner)
		cancel(err)
		ran <- err
	}()
	if err := announce(p.Program, l, cert); err != nil {
		return err
	}
	closed := make(chan error, 1)
	go func() {
		err := shell.serve(ctx)
		cancel(err) // The hub does not go on with half of what it was asked for.
		closed <- err
	}()
	err = hub.Serve(ctx, l, cert, s, s.EndStreams)
	cancel(err)
	err = errors.Join(err, <-closed)
	stop()
	if failed := <-ran; failed != nil && !errors.Is(failed, context.Canceled) {
		return failed
	}
	return err
}

// ruleDays is how many UTC days are read for the figures of rules, today among them.
const ruleDays = 8

// store are the settings of the hub's store. It has the rules that it is to run and those
// that alert. Without any it reads no past days for sums of its own.
func (o options) store(acc app.Account) (settings.Config, error) {
	set := acc.Settings
	var err error
	if set.Rules, err = o.rules(acc); err != nil {
		return settings.Config{}, err
	}
	cfg := settings.Config{
		NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, PastDays: ruleDays,
		ReadOnly: acc.Run.ReadOnly, DryRun: acc.Run.DryRun, Shared: !acc.Run.Sandbox, Profile: acc.Run.Profile, FindFundings: len(set.Rules) > 0,
	}
	if len(set.Rules) == 0 {
		set.SpendHourly = 0
	}
	cfg.Reloadable = set
	return cfg, nil
}

// rules are those of the configuration that the hub runs.
func (o options) rules(acc app.Account) ([]rule.Rule, error) {
	act, err := ruling.Choose("--act", acc.Settings.Rules, o.act)
	if err != nil {
		return nil, err
	}
	suggest, err := ruling.Choose("--suggest", acc.Settings.Rules, o.suggest)
	if err != nil {
		return nil, err
	}
	if len(act) > 0 && acc.Run.ReadOnly {
		return nil, errors.New("--act writes, and this profile is read-only")
	}
	chosen := slices.Concat(act, suggest)
	return slices.DeleteFunc(slices.Clone(acc.Settings.Rules), func(is rule.Rule) bool { return is.Action.Acts() && !slices.Contains(chosen, is) }), nil
}

// certificate returns the one to serve with; nil for none.
func (o options) certificate(p cli.Program, at place, secure bool) (*tls.Certificate, error) {
	if !secure {
		return nil, nil //nolint:nilnil // nothing leaves this machine
	}
	var cert tls.Certificate
	var err error
	if o.cert != "" {
		cert, err = tls.LoadX509KeyPair(o.cert, o.key)
	} else {
		cert, err = identity.Own(at.dir, p.Now())
	}
	if err != nil {
		return nil, app.Usage(fmt.Errorf("read the certificate: %w", err))
	}
	return &cert, nil
}

// announce prints where the hub is and how a profile names it.
func announce(p cli.Program, l net.Listener, cert *tls.Certificate) error {
	scheme, pin := "http", ""
	if cert != nil {
		scheme, pin = "https", "fingerprint = \""+identity.Fingerprint(*cert)+"\"\n"
	}
	where := scheme + "://" + l.Addr().String() + "/v1"
	if l.Addr().Network() == "unix" {
		where = l.Addr().String()
	}
	_, err := fmt.Fprintf(p.Out, "hub on %s\nbase_url = %q\n%s", where, where, pin)
	return err
}

// demoPeople adds three people and prints their tokens.
func demoPeople(p cli.Program, at place) error {
	for _, who := range []team.Person{
		{Name: "viewer", Role: team.Viewer, Labels: []string{"*"}},
		{Name: "buyer", Role: team.Buyer, Labels: []string{"fb/*"}, Cap: 100 * api.Dollar},
		{Name: "lead", Role: team.Lead, Labels: []string{"*"}},
	} {
		who.Added = p.Now()
		token, err := at.file.Add(who, false)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Out, "%-6s  %s\n", who.Name, token.Expose())
		token.Wipe()
		if err != nil {
			return err
		}
	}
	return nil
}
