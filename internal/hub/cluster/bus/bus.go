// Package bus is the hubs' connection to NATS JetStream: the register of the lease,
// the stream of the operations log, and what the other packages of the cluster keep
// there. The server is the user's own.
//
// JetStream removes what is old by the wall clock of each of its servers. So nothing
// here that decides something is removed by age.
package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

// Config says where the servers are and who connects.
type Config struct {
	// Servers are the addresses of the NATS servers, such as tls://nats1:4222. Others
	// that they tell of are not used.
	Servers []string
	// Account tells apart the accounts that share the servers: lower-case letters,
	// digits and dashes.
	Account string
	// Hub is the hub's name, shown in the server's list of connections.
	Hub string
	// Credentials is a file with a user's credentials (.creds); empty for none.
	Credentials string
	// RootCA, Certificate and Key are files for TLS; empty for the system's roots and
	// for no certificate.
	RootCA, Certificate, Key string
	// Replicas is on how many servers everything is stored: 3, or 1 on a single one.
	Replicas int
	// Log is told when the connection is lost and found.
	Log *slog.Logger
}

const (
	dialTimeout   = 2 * time.Second
	pingEvery     = time.Second
	reconnectWait = 200 * time.Millisecond
)

// Bus is a connection. It may be used from several goroutines.
type Bus struct {
	cfg  Config
	conn *nats.Conn
	js   jetstream.JetStream
	// unanswered counts the writes in a row that a server has not answered.
	unanswered atomic.Int32
}

// Connect begins to connect, and returns before it is: the servers may come later.
func Connect(cfg Config) (*Bus, error) {
	if !regexp.MustCompile(`^[a-z0-9-]{1,64}$`).MatchString(cfg.Account) {
		return nil, errors.New("connect to NATS: the account's name may have lower-case letters, digits and dashes")
	}
	options := []nats.Option{
		nats.Name("cardtop hub " + cfg.Hub),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.Timeout(dialTimeout),
		nats.PingInterval(pingEvery),
		nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(),
		// What is not sent now is not sent later: a request that waited in a buffer would
		// reach the bus after its sender gave up.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			cfg.Log.Warn("connection to NATS lost", slog.Any("error", err))
		}),
		nats.ReconnectHandler(func(*nats.Conn) { cfg.Log.Info("connected to NATS") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			cfg.Log.Warn("NATS reports an error", slog.Any("error", err))
		}),
	}
	if cfg.Credentials != "" {
		options = append(options, nats.UserCredentials(cfg.Credentials))
	}
	if cfg.RootCA != "" {
		options = append(options, nats.RootCAs(cfg.RootCA))
	}
	if cfg.Certificate != "" {
		options = append(options, nats.ClientCert(cfg.Certificate, cfg.Key))
	}
	conn, err := nats.Connect(strings.Join(cfg.Servers, ","), options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return &Bus{cfg: cfg, conn: conn, js: js}, nil
}

// Close ends the connection.
func (b *Bus) Close() { b.conn.Close() }

// name returns the name of a stream or bucket of the account.
func (b *Bus) name(what string) string { return "cardtop-" + b.cfg.Account + "-" + what }

// subject returns a subject of the account.
func (b *Bus) subject(parts ...string) string {
	return "cardtop." + b.cfg.Account + "." + strings.Join(parts, ".")
}

// The server's codes for an append or swap that did not follow the newest message.
const (
	wrongLastSequence         = jetstream.JSErrCodeStreamWrongLastSequence
	wrongLastSequenceConstant = 10164
)

// patience is how many writes in a row a server may leave unanswered.
const patience = 3

// wrote tells what became of a write. A server that is cut off from the others keeps
// its connections, and answers reads with what it had: so another server is tried when
// it stores nothing.
func (b *Bus) wrote(err error) error {
	err = moved(err)
	if err == nil || errors.Is(err, lease.ErrMoved) {
		b.unanswered.Store(0)
		return err
	}
	if errors.Is(err, context.Canceled) || !b.conn.IsConnected() || b.unanswered.Add(1) < patience {
		return err
	}
	b.unanswered.Store(0)
	b.cfg.Log.Warn("the NATS server stores nothing: trying another", slog.String("server", b.conn.ConnectedServerName()))
	if err := b.conn.ForceReconnect(); err != nil {
		b.cfg.Log.Warn("no other NATS server was tried", slog.Any("error", err))
	}
	return err
}

// moved turns the server's refusal to append or swap into lease.ErrMoved.
func moved(err error) error {
	var refusal *jetstream.APIError
	if errors.As(err, &refusal) && (refusal.ErrorCode == wrongLastSequence || refusal.ErrorCode == wrongLastSequenceConstant) {
		return lease.ErrMoved
	}
	return err
}

const (
	// waitFor is for how long an answer is waited for: a server that has no leader yet
	// gives none.
	waitFor     = 3 * time.Second
	waitBetween = 250 * time.Millisecond
)

// wait calls f until it succeeds or ctx ends: servers that have just started have no
// leader yet.
func wait[T any](ctx context.Context, what string, f func(context.Context) (T, error)) (T, error) {
	for {
		v, err := within(ctx, waitFor, f)
		if err == nil || errors.Is(err, errConfig) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, fmt.Errorf("%s: %w", what, errors.Join(ctx.Err(), err))
		case <-time.After(waitBetween):
		}
	}
}

// within calls f with a context that ends after some time.
func within[T any](ctx context.Context, most time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return f(ctx)
}

// Ready returns nil when a server answers.
func (b *Bus) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if err := b.conn.FlushWithContext(ctx); err != nil {
		return fmt.Errorf("reach NATS: %w", err)
	}
	return nil
}
