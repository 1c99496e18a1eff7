// Package sandbox serves the whole virtual card contract over SQLite: the
// embedded world of the dashboard when there is no account, and the server
// that tests run against.
//
// It is a second reading of the contract, independent of the client. Where the
// contract is silent it takes the numbered readings marked ASSUMED. Everything
// it invents follows from a seed and a clock. Amounts are USD in cents, times
// are UTC with milliseconds, and no response carries more than two decimals.
package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/memo"
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// FaultKind is a kind of fault that the control accepts, and what it does.
type FaultKind = wire.FaultKind

// FaultKinds returns all kinds of faults.
func FaultKinds() []FaultKind { return wire.FaultKinds() }

// Config says what world to open. The zero value is the default world in
// memory, which no key can reach over /v1.
type Config struct {
	// Seed decides everything invented. A file keeps the seed it was made with.
	Seed uint64
	// Cards and Transactions are how many a new world starts with; with both
	// zero it is the default world of 50 cards and 600 transactions. Negative
	// is none: Cards -1 is a world with nothing but its wallet.
	Cards, Transactions int
	// Wallet is the starting balance, USD as decimal text; empty for a default.
	Wallet string
	// Path is the SQLite file; empty keeps the world in memory.
	Path string
	// APIKeys are accepted. Only sandbox keys (sk_test_…) can be.
	APIKeys []string
	// Quiet leaves out all simulated traffic.
	Quiet bool
	// NoLimits lifts the rate limits, except the one of card details.
	NoLimits bool
	// AllowHTTPWebhooks admits http:// webhooks on loopback hosts (ASSUMED 21).
	AllowHTTPWebhooks bool
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Logger gets method, route, status and request id of each request, and
	// what fails inside; nil discards them.
	Logger *slog.Logger
	// WebhookClient delivers webhooks; nil is a client that verifies
	// certificates, follows no redirect and gives up after ten seconds.
	WebhookClient *http.Client
}

// Server is an open world. Its methods may be called concurrently.
type Server struct {
	world     sim.World
	db        *sqlite.DB
	clock     *sim.Clock
	accounts  map[[sha256.Size]byte]string
	limits    *wire.Limiter
	faults    *wire.Faults
	report    *wire.Report
	counts    *memo.Counts
	routes    []route
	control   []route
	wake      chan struct{}
	log       *slog.Logger
	courier   *http.Client
	quiet     bool
	plainHTTP bool
}

// Open makes the world that cfg describes, or takes up the one in cfg.Path. It
// fails on a key that is not a sandbox key, on a wallet that is not an amount,
// and on a file that is not a sandbox.
func Open(ctx context.Context, cfg Config) (*Server, error) {
	accounts, err := accountsOf(cfg.APIKeys)
	if err != nil {
		return nil, err
	}
	plan, err := sim.NewPlan(cfg.Seed, cfg.Cards, cfg.Transactions, cfg.Wallet)
	if err != nil {
		return nil, err
	}
	s := &Server{
		clock:     sim.NewClock(cfg.Now),
		accounts:  accounts,
		limits:    wire.NewLimiter(cfg.NoLimits),
		faults:    wire.NewFaults(),
		report:    wire.NewReport(),
		counts:    memo.New(),
		routes:    contractRoutes(),
		control:   controlRoutes(),
		wake:      make(chan struct{}, 1),
		log:       cfg.Logger,
		courier:   cfg.WebhookClient,
		quiet:     cfg.Quiet,
		plainHTTP: cfg.AllowHTTPWebhooks,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.courier == nil {
		s.courier = defaultCourier()
	}
	if s.db, err = sqlite.Open(cfg.Path); err != nil {
		return nil, err
	}
	if err := s.load(ctx, plan); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// Close ends the use of the database. Run has to be over before.
func (s *Server) Close() error { return s.db.Close() }

// Transport serves requests in this process, without a socket: any host is
// this server, and the control takes such requests for loopback ones. A
// request ends when its context does.
func (s *Server) Transport() http.RoundTripper { return wire.InProcess{Handler: s.Handler()} }

// accountsOf gives every key's digest its account name. Keys themselves are
// not kept.
func accountsOf(keys []string) (map[[sha256.Size]byte]string, error) {
	accounts := make(map[[sha256.Size]byte]string, len(keys))
	for _, key := range keys {
		if !strings.HasPrefix(key, "sk_test_") || len(key) == len("sk_test_") {
			return nil, errors.New("accept API key: a sandbox key begins with sk_test_")
		}
		digest := sha256.Sum256([]byte(key))
		accounts[digest] = hex.EncodeToString(digest[:8])
	}
	return accounts, nil
}

// schemaVersion tells files of this layout from later ones.
const schemaVersion = 1

// load takes up the world of the file, or makes a new one in an empty file.
func (s *Server) load(ctx context.Context, p sim.Plan) error {
	var tables, ours int
	row := s.db.Writer.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = 'meta'), 0) FROM sqlite_master`)
	if err := row.Scan(&tables, &ours); err != nil {
		return fmt.Errorf("read database: %w", err)
	}
	switch {
	case tables == 0:
		return s.create(ctx, p)
	case ours == 0:
		return errors.New("read database: the file holds something else")
	}
	var seed, version int64
	var ahead, latest unit.Instant
	row = s.db.Writer.QueryRowContext(ctx, `SELECT
		(SELECT value FROM meta WHERE name = 'seed'),
		(SELECT value FROM meta WHERE name = 'version'),
		(SELECT value FROM meta WHERE name = 'ahead'),
		max((SELECT coalesce(max(created_at), 0) FROM transactions),
		    (SELECT coalesce(max(created_at), 0) FROM cards WHERE seq = (SELECT max(seq) FROM cards)))`)
	if err := row.Scan(&seed, &version, &ahead, &latest); err != nil {
		return fmt.Errorf("read world: %w", err)
	}
	if version != schemaVersion {
		return fmt.Errorf("read world: the file has version %d, not %d", version, schemaVersion)
	}
	s.world = sim.World{Seed: uint64(seed)}
	s.clock.Resume(ahead, latest)
	return nil
}
