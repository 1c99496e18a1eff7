// Package hub is the commands of a hub: serve a team with one key, its people, its
// audit.
package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

const help = `Serve the card API to a team. The hub holds the key; each person has a token of their own, which
works wherever a key does: in the dashboard, in scripts, with curl. What a person may not see is in
no answer. docs/HUB.md says what the roles may do.

Beyond loopback it speaks TLS, with your certificate or one that it makes at its first start; its
fingerprint is printed and goes into the profiles of the team.

With --ssh people open the dashboard with ssh -p PORT HOST, without installing anything, by the
public keys that "hub add --ssh-key" and "hub keys add" gave them. ssh HOST otp prints a code.

With --act NAME the rule of that name in the configuration acts without asking, as long as the hub
runs: see [[rules]]. Of several hubs the one that leads acts; give the flag to all. The caps of a
rule count what all of them did in 24 hours.

Exit codes: 0 done, 1 failed, 2 usage, 4 key refused, 130 interrupted.`

// Program is what the commands of a hub run in.
type Program struct {
	cli.Program
	// OTP runs the command otp for somebody who is connected over SSH, with its arguments.
	OTP func(ctx context.Context, p cli.Program, eng *engine.Engine, args []string) error
}

// Command returns the command and those below it.
func Command(p Program) *cobra.Command {
	var flags config.Flags
	var o options
	cmd := &cobra.Command{
		Use: "hub", Short: "Serve a team with one key: people, scopes, approvals, audit", Long: help,
		Example: `  cardtop hub add ann --role buyer --labels 'fb/*' --cap 500
  cardtop hub --listen 0.0.0.0:8790
  cardtop hub --ssh 0.0.0.0:2222
  cardtop hub --act topup
  cardtop hub --demo`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.demo {
				flags.Sandbox = true
			}
			return serve(cmd.Context(), p, flags, o)
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &flags)
	f.StringVar(&o.listen, "listen", "127.0.0.1:8790", "`ADDRESS` to listen on")
	f.StringVar(&o.socket, "socket", "", "listen on a unix socket at this `PATH` instead")
	f.StringVar(&o.cert, "tls-cert", "", "PEM `FILE` of your own certificate")
	f.StringVar(&o.key, "tls-key", "", "PEM `FILE` of its key")
	o.several.flags(f)
	f.StringVar(&o.ssh, "ssh", "", "also serve the dashboard over SSH at this `ADDRESS`, to people with a key")
	f.StringSliceVar(&o.act, "act", nil, "let this `RULE` of the configuration act without asking; again for others")
	f.StringSliceVar(&o.suggest, "suggest", nil, "tell admins what this `RULE` would do; again for others")
	f.BoolVar(&o.demo, "demo", false, "serve an embedded sandbox to three people, whose tokens are printed")
	cmd.AddCommand(addCommand(p.Program), removeCommand(p.Program), listCommand(p.Program), keysCommand(p.Program), auditCommand(p.Program),
		approvalsCommand(p.Program), operationsCommand(p.Program), peopleCommand(p.Program), rulesCommand(p.Program), keyCommand(p.Program))
	return cmd
}

// place is where the files of a hub are, and the mode of its account.
type place struct {
	dir  string
	file team.File
	live bool
	// history opens the audit; nil for people of a hub that has none.
	history func() (*history.Log, error)
}

// noted adds to the audit what was done to the team at this machine. The hub may run
// meanwhile: who appends has the lock of the file and goes on from its last line. It is
// noted after it was done, so that an audit that cannot be written keeps nobody in.
func (at place) noted(action, about string) error {
	log, err := at.history()
	if err == nil {
		_, err = log.Add(state.Record{
			Action: action, Outcome: state.OpStatusDone, Err: about,
			By: state.Actor{Name: app.UserName(), Role: "host", From: "cli"},
		})
	}
	if err != nil {
		return fmt.Errorf("it is done, but not in the audit: %w", err)
	}
	return nil
}

// find returns the place of an account's hub. It needs the key, by which the modes are
// told apart.
func find(ctx context.Context, p cli.Program, flags config.Flags) (place, error) {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return place{}, err
	}
	if run.Sandbox {
		return place{}, app.Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile; cardtop hub --demo has people of its own"))
	}
	key, err := p.LoadKey(ctx, run, config.NewKeyStore().AtTerminal())
	if err != nil {
		return place{}, err
	}
	defer key.APIKey.Wipe()
	mode := run.Mode(key.APIKey)
	dir, err := p.FindFolder(ctx, paths, run, key)
	if err != nil {
		return place{}, err
	}
	if dir == "" {
		return place{}, errNoPlace
	}
	at := placeIn(dir, mode)
	at.history = func() (*history.Log, error) { return p.OpenHistory(dir, run, mode, "cli") }
	return at, nil
}

// errNoPlace is that nothing of the account is on disk: a hub has people there, and records of what they do.
var errNoPlace = errors.New("a hub needs a folder that can be written: set XDG_STATE_HOME")

// placeIn is the place of a hub in the folder of an account.
func placeIn(dir string, mode config.Mode) place {
	dir = filepath.Join(dir, "hub")
	return place{dir: dir, file: team.InDir(dir), live: mode == config.ModeLive}
}

// options are what the command line asks for.
type options struct {
	listen, socket, cert, key, ssh string
	demo                           bool
	act, suggest                   []string // rules
	several                        several
}

// removeStale removes a socket that a hub left which does not run any more. Anything else
// at the path stays.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("cannot listen on %s: it is there already, and is not a socket", path)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		_ = conn.Close()
		return fmt.Errorf("cannot listen on %s: another program listens there", path)
	case !errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("cannot listen on %s: %w", path, err)
	}
	return os.Remove(path)
}

// open listens. secure reports whether it has to be over TLS: everywhere but on this
// machine.
func (o options) open(ctx context.Context, listen func(context.Context, string) (net.Listener, error)) (l net.Listener, secure bool, err error) {
	if listen != nil {
		l, err = listen(ctx, o.listen)
		return l, false, err
	}
	var config net.ListenConfig
	if o.socket != "" {
		if err := removeStale(ctx, o.socket); err != nil {
			return nil, false, err
		}
		if l, err = config.Listen(ctx, "unix", o.socket); err != nil {
			return nil, false, err
		}
		return l, false, os.Chmod(o.socket, 0o600)
	}
	if l, err = config.Listen(ctx, "tcp", o.listen); err != nil {
		return nil, false, fmt.Errorf("cannot listen on %s: %w", o.listen, err)
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	return l, o.cert != "" || !ok || !addr.IP.IsLoopback(), nil
}
