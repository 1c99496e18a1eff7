package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/hub/node"
)

// server is a hub, one alone or one of several.
type server interface {
	http.Handler
	Run(ctx context.Context) error
	// People is called when the team has changed.
	People()
	EndStreams()
	// As returns a handler of the requests of somebody on SSH.
	As(v hub.Visitor) http.Handler
}

// several is what the command line says of the other hubs.
type several struct {
	servers                    []string
	cluster, name, key         string
	credentials, ca, cert, pem string
	replicas                   int
	log                        *slog.Logger
}

func (v *several) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&v.servers, "nats", nil, "`URL` of a NATS server that several hubs share; again for others")
	f.StringVar(&v.cluster, "cluster", "", "`NAME` of the cluster on the NATS servers, one for each account (default: the account's mode)")
	f.StringVar(&v.name, "name", "", "`NAME` of this hub (default: the host's)")
	f.StringVar(&v.key, "cluster-key", "", "`FILE` with the key of the hubs, of cardtop hub key (default: cluster.key in the hub's folder)")
	f.StringVar(&v.credentials, "nats-creds", "", "`FILE` with the user's credentials on the NATS servers")
	f.StringVar(&v.ca, "nats-ca", "", "PEM `FILE` of the authority of the NATS servers")
	f.StringVar(&v.cert, "nats-cert", "", "PEM `FILE` of this hub's certificate for the NATS servers")
	f.StringVar(&v.pem, "nats-cert-key", "", "PEM `FILE` of its key")
	f.IntVar(&v.replicas, "nats-replicas", 0, "on how many NATS servers everything is stored (default: 3 with three servers, else 1)")
}

// leaseFor is for how long a hub leads without renewing: another takes over within
// twice that.
const leaseFor = 3 * time.Second

// open makes the hub, and returns what closes its connection to the others.
func (v several) open(p cli.Program, acc app.Account, at place, cfg hub.Config) (server, func(), error) {
	if len(v.servers) == 0 {
		return hub.New(cfg), func() {}, nil
	}
	if left := len(cfg.Pending); left > 0 {
		return nil, nil, fmt.Errorf("%d operations of this machine have no outcome: run cardtop operations settle, and start the hub again", left)
	}
	if v.key == "" {
		v.key = filepath.Join(at.dir, "cluster.key")
	}
	if err := v.complete(acc); err != nil {
		return nil, nil, err
	}
	keys, err := seal.Load(v.key, v.cluster)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, app.Usage(fmt.Errorf("there is no %s: make it with cardtop hub key, and copy it to all hubs", v.key))
	}
	if err != nil {
		return nil, nil, app.Usage(err)
	}
	connect, clock := v.connect, lease.SystemClock()
	if p.Bus != nil {
		connect, clock = p.Bus, lease.Since(p.Now)
	}
	bus, disconnect, err := connect()
	if err != nil {
		return nil, nil, err
	}
	p.Say("one of several hubs: " + v.name + " in " + v.cluster)
	return node.New(node.Config{
		Bus: bus, Keys: keys, Name: v.name, TTL: leaseFor, Clock: clock, Connect: acc.Connect, OpenPush: acc.OpenPush, PushURL: acc.Run.Push.URL, Hub: cfg, Log: acc.Log,
	}), disconnect, nil
}

// complete sets what the command line left out.
func (v *several) complete(acc app.Account) error {
	for _, server := range v.servers {
		u, err := url.Parse(server)
		if err != nil || u.Host == "" {
			return app.Usage(errors.New("--nats is to be like nats://nats1:4222 or tls://nats1:4222"))
		}
		if u.User != nil {
			return app.Usage(errors.New("--nats has a password, which others on this machine can read: use --nats-creds, or a certificate"))
		}
	}
	v.log = acc.Log
	if v.cluster == "" {
		v.cluster = strings.ToLower(string(acc.Mode))
	}
	if v.replicas == 0 {
		v.replicas = 1
		if len(v.servers) >= 3 {
			v.replicas = 3
		}
	}
	if v.name != "" {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		return app.Usage(fmt.Errorf("the name of this host is not known, give --name: %w", err))
	}
	v.name = host
	return nil
}

func keyCommand(p cli.Program) *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Print a new key of several hubs",
		Long: `Print a new key of several hubs. Put it into a file that nobody else may read, on all of them: what
the hubs tell one another is sealed with it. To change it, add the new one as the second line on
every hub, then swap the lines, then remove the old one; restart the hubs after each step. Remove
the old one 25 hours after the lines were swapped, and with no operation open that is older: what
was signed with it is not read any more, by guardrails neither.`,
		Example: "  (umask 077; cardtop hub key > cluster.key)", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			key, err := seal.NewKey()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.Out, key)
			return err
		},
	}
}
