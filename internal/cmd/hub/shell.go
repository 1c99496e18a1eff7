package hub

import (
	"context"
	"fmt"
	"net"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/sshd"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/ui/tty"
)

// shell is the dashboard over SSH; nil where it is not asked for.
type shell struct {
	Program
	acc    app.Account
	hub    server
	server *sshd.Server
	l      net.Listener
}

// openShell listens for SSH and prints the fingerprint of the host key.
func (o options) openShell(ctx context.Context, p Program, at place, s server, people *team.Live, acc app.Account) (*shell, error) {
	if o.ssh == "" {
		return nil, nil //nolint:nilnil // its methods do nothing then
	}
	key, err := sshd.HostKey(at.dir)
	if err != nil {
		return nil, err
	}
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", o.ssh)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", o.ssh, err)
	}
	h := &shell{Program: p, acc: acc, hub: s, l: l}
	h.server = sshd.New(sshd.Config{HostKey: key, Team: people.Team, Limits: sshd.Defaults(), Show: h.show, OTP: h.otp, Tell: p.Say})
	_, err = fmt.Fprintf(p.Out, "ssh on %s\nhost key %s\n", l.Addr(), sshd.Fingerprint(key.PublicKey()))
	return h, err
}

// serve answers until the context ends.
func (h *shell) serve(ctx context.Context) error {
	if h == nil {
		<-ctx.Done()
		return nil
	}
	return h.server.Serve(ctx, h.l)
}

// people is called when the team has changed.
func (h *shell) people() {
	if h != nil {
		h.server.People()
	}
}

// The keys of clients in this process, which leave it never and open nothing: the prefix
// tells the mode.
const (
	testVisitor = "sk_test_hub_visitor"
	liveVisitor = "sk_live_hub_visitor"
)

// remote is a person as the dashboard needs them.
func (h *shell) remote(s sshd.Session) app.Remote {
	key := testVisitor
	if h.acc.Mode == config.ModeLive {
		key = liveVisitor
	}
	return app.Remote{
		API: client.Config{
			BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Now: h.Now,
			Transport: hub.Visit(h.hub.As(hub.Visitor{Name: s.Person.Name, Key: s.Key}), s.Address),
		},
		Mode: h.acc.Mode, Name: s.Person.Name,
		Device: tty.Device{In: s.In, Out: s.Out, Env: s.Env, Width: s.Size.Width, Height: s.Size.Height, Sizes: s.Sizes},
	}
}

// show runs the dashboard.
func (h *shell) show(ctx context.Context, s sshd.Session) int {
	err := h.ShowRemote(ctx, h.remote(s))
	if ctx.Err() != nil {
		return cli.ExitInterrupted // Why is told by who ended it.
	}
	return cli.Report(s.Errs, err)
}

// otp runs the command.
func (h *shell) otp(ctx context.Context, s sshd.Session, args []string) int {
	eng, done, err := h.RemoteEngine(h.remote(s))
	if err != nil {
		return cli.Report(s.Errs, err)
	}
	defer done()
	p := h.Program.Program
	p.Out, p.Errs = s.Out, s.Errs
	return cli.Report(s.Errs, h.OTP(ctx, p, eng, args))
}
