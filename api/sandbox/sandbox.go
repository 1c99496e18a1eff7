// Package sandbox serves the virtual card contract from memory, and from a file that keeps it: the account of the
// dashboard when there is none, and the server that tests run against.
//
// It is a second reading of the contract, independent of the client. Where the
// contract is silent it follows the numbered assumptions marked ASSUMED. Everything
// invented follows from a seed and a clock. Amounts are USD in cents, times are UTC
// in milliseconds, and no response has an amount with more than two decimals.
//
// An endpoint is a function beside its resource and a line in contractRoutes. Below
// this package, sim has the rules and inventions, wire the HTTP side without cards,
// tables the rows without their meaning, memo what filters match, and unit cents and
// milliseconds.
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
	"github.com/cardtop/cardtop/api/sandbox/tables"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// FaultKind is a kind of fault that the control accepts, and what it does.
type FaultKind = wire.FaultKind

// FaultKinds returns all kinds of faults.
func FaultKinds() []FaultKind { return wire.FaultKinds() }

// Config says what sandbox to open. The zero value is the default world in memory,
// which no API key can access.
type Config struct {
	// Seed is the origin of everything invented. An existing file has its own.
	Seed uint64
	// Cards and Transactions are the sizes of a new world, at most 100,000 and
	// 1,000,000; both zero means 50 cards and 600 transactions, a negative number
	// none.
	Cards, Transactions int
	// Wallet is the balance of a new world, USD as decimal text; empty means
	// 12480.22, and with History what its campaigns spend in a few days.
	Wallet string
	// History is for how long the campaigns of a new world have been spending, from
	// a day to a year. Zero is none: a few transactions of the last days. With it
	// Transactions is about how many there are, and zero means a hundred for each of
	// few cards, ten for each of many, in 30 days.
	History time.Duration
	// Reasons says which declines tell their reason in GET /transactions/{id}; empty
	// means all.
	Reasons Reasons
	// Path is the file that keeps the world; empty means memory alone.
	Path string
	// APIKeys are the accepted keys; each must be a sandbox key (sk_test_…).
	APIKeys []string
	// Quiet turns simulated traffic off.
	Quiet bool
	// NoLimits turns the rate limits off, except the one of card details.
	NoLimits bool
	// AllowHTTPWebhooks allows http:// webhooks on loopback hosts (ASSUMED 21).
	AllowHTTPWebhooks bool
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Logger receives method, route, status and id of each request, and internal
	// errors; nil discards them.
	Logger *slog.Logger
	// WebhookClient sends webhooks; nil is a client that verifies certificates,
	// follows no redirect and times out after 10 s.
	WebhookClient *http.Client
}

// DefaultHistory is the history of the dashboard's own sandbox, and of one that is
// served, unless said otherwise.
const DefaultHistory = 30 * 24 * time.Hour

// Server is an open sandbox. It may be used from several goroutines.
type Server struct {
	rows
	db            tables.DB
	world         sim.World
	clock         *sim.Clock
	accounts      map[[sha256.Size]byte]string
	limits        *wire.Limiter
	faults        *wire.Faults
	report        *wire.Report
	cardsLike     memo.Rows[cardFilter]
	txnsLike      memo.Rows[txnFilter]
	routes        []route
	control       []route
	wake          chan struct{}
	log           *slog.Logger
	webhookClient *http.Client
	pace          unit.Cents // what the campaigns spent in an hour on average; 0 without them
	reasons       Reasons
	quiet         bool
	plainHTTP     bool
}

// Open creates the world that cfg describes, or opens the one in cfg.Path. It returns
// an error for a key that is not a sandbox key, a wallet that is not an amount, a
// file that is not a sandbox and one that another process has open.
func Open(ctx context.Context, cfg Config) (*Server, error) {
	accounts, err := accountsOf(cfg.APIKeys)
	if err != nil {
		return nil, err
	}
	if !cfg.Reasons.known() {
		return nil, errors.New("the reasons of declines are all, some or none")
	}
	plan, err := sim.NewPlan(cfg.Seed, cfg.Cards, cfg.Transactions, cfg.Wallet, unit.Instant(cfg.History.Milliseconds()))
	if err != nil {
		return nil, err
	}
	s := &Server{
		clock:         sim.NewClock(cfg.Now),
		accounts:      accounts,
		limits:        wire.NewLimiter(cfg.NoLimits),
		faults:        wire.NewFaults(),
		report:        wire.NewReport(),
		routes:        contractRoutes(),
		control:       controlRoutes(),
		wake:          make(chan struct{}, 1),
		log:           cfg.Logger,
		webhookClient: cfg.WebhookClient,
		reasons:       cfg.Reasons,
		quiet:         cfg.Quiet,
		plainHTTP:     cfg.AllowHTTPWebhooks,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.webhookClient == nil {
		s.webhookClient = newWebhookClient()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open world: %w", err)
	}
	s.makeTables(&s.db)
	if err := s.load(cfg.Path, plan); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// Close closes the file. Run must have returned.
func (s *Server) Close() error { return s.db.Close() }

// Transport returns a transport that serves requests in this process, without a
// socket. The host of a request is ignored, and the control accepts such requests as
// local ones. A request ends when its context does.
func (s *Server) Transport() http.RoundTripper { return wire.InProcess{Handler: s.Handler()} }

// accountsOf returns the account name of every key's digest. The keys themselves are
// not stored.
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

// load reads the world of the file, or creates one where there is none.
func (s *Server) load(path string, p sim.Plan) error {
	fresh, err := s.db.Open(path)
	if err != nil {
		return err
	}
	if fresh {
		return s.create(p)
	}
	s.order()
	b := s.sums()
	s.world, s.pace = sim.World{Seed: uint64(b.seed)}, b.pace
	latest := unit.Never
	if t, ok := s.txns.At(s.txns.Len()); ok {
		latest = t.at
	}
	if k, ok := s.cards.At(s.cards.Len()); ok {
		latest = max(latest, k.Created)
	}
	s.clock.Resume(b.ahead, latest)
	return nil
}
