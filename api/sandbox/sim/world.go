package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// idAlphabet has no letters that are easily confused. It is in the order of
// ASCII, so that identifiers of one kind sort in the order of their rows.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// The parts of an identifier after its prefix, in characters of 5 bits.
const (
	idSeqLen  = 6  // row number
	idHashLen = 10 // not to be guessed without the seed
)

// MaxSeq is above every row number.
const MaxSeq = 1 << (5 * idSeqLen)

// World is the seed from which everything invented is computed. Identifiers, card
// numbers and names are not stored.
type World struct{ Seed uint64 }

// Digest returns pseudo-random bytes for one row and purpose.
func (w World) Digest(purpose string, seq int64) [sha256.Size]byte {
	buf := make([]byte, 16, 32)
	binary.BigEndian.PutUint64(buf, w.Seed)
	binary.BigEndian.PutUint64(buf[8:], uint64(seq))
	return sha256.Sum256(append(buf, purpose...))
}

// ID returns the identifier of row seq, which begins with prefix.
func (w World) ID(prefix string, seq int64) string {
	var b strings.Builder
	b.Grow(len(prefix) + idSeqLen + idHashLen)
	b.WriteString(prefix)
	for i := idSeqLen - 1; i >= 0; i-- {
		b.WriteByte(idAlphabet[seq>>(5*i)&31])
	}
	sum := w.Digest(prefix, seq)
	for i := range idHashLen {
		b.WriteByte(idAlphabet[sum[i]&31])
	}
	return b.String()
}

// Seq returns the row of an identifier; ok is false for a text that [World.ID] does
// not return.
func (w World) Seq(prefix, id string) (seq int64, ok bool) {
	if len(id) != len(prefix)+idSeqLen+idHashLen || !strings.HasPrefix(id, prefix) {
		return 0, false
	}
	for _, c := range []byte(id[len(prefix) : len(prefix)+idSeqLen]) {
		digit := strings.IndexByte(idAlphabet, c)
		if digit < 0 {
			return 0, false
		}
		seq = seq<<5 | int64(digit)
	}
	return seq, seq > 0 && w.ID(prefix, seq) == id
}

// Rand returns a random source for one row and purpose.
func (w World) Rand(purpose string, seq int64) *rand.Rand {
	sum := w.Digest(purpose, seq)
	return NewRand(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]))
}

// NewRand returns a random source that follows from two seeds.
func NewRand(a, b uint64) *rand.Rand {
	return rand.New(rand.NewPCG(a, b)) //nolint:gosec // Nothing here guards a secret.
}

// Clock is the time of the sandbox: the caller's clock, advanced by the control. It
// may be used from several goroutines.
type Clock struct {
	base func() time.Time

	mu     sync.Mutex
	ahead  unit.Instant
	latest unit.Instant
}

// NewClock returns a clock over base; nil is the machine's clock.
func NewClock(base func() time.Time) *Clock {
	if base == nil {
		base = time.Now //nolint:forbidigo // The machine's clock is the documented default.
	}
	return &Clock{base: base}
}

// Now returns the time.
func (c *Clock) Now() unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return unit.InstantOf(c.base()) + c.ahead
}

// Stamp returns the timestamp of a write at a time. It never goes back, even when
// the caller's clock does: rows are in the order of time.
func (c *Clock) Stamp(at unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = max(c.latest, at)
	return c.latest
}

// Advance advances the clock and returns the total by which it is ahead.
func (c *Clock) Advance(by unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	return c.ahead
}

// Resume sets the clock from a database that was used before.
func (c *Clock) Resume(ahead, latest unit.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.latest = ahead, latest
}

// Sizes of the default world, and bounds of all.
const (
	defaultCards                     = 50
	defaultWallet         unit.Cents = 1_248_022
	transactionsPerCard              = 12 // of the last days
	pastDays                         = 5  // transactions
	oldestCard                       = 45 // days
	maxCards                         = 100_000
	maxTransactions                  = 1_000_000
	maxOpenAuthorizations            = 12
	maxSpan                          = 366 * unit.Day
)

// Plan is the size of a new world.
type Plan struct {
	Seed         uint64
	Cards, txns  int
	Wallet       unit.Cents
	span         unit.Instant // of its campaigns; 0 for none
	openingHolds int
}

// NewPlan returns the plan of a new world with campaigns of a span, 0 for none. With
// cards and txns both 0 it is the default world; a negative number is none. wallet is
// USD as decimal text; empty is what the campaigns spend in a few days.
func NewPlan(seed uint64, cards, txns int, wallet string, span unit.Instant) (Plan, error) {
	p := Plan{Seed: seed, Cards: cards, txns: txns, Wallet: defaultWallet, span: span, openingHolds: maxOpenAuthorizations}
	if span != 0 && (span < unit.Day || span > maxSpan) {
		return p, fmt.Errorf("a history is one to %d days long, or 0 for none", maxSpan/unit.Day)
	}
	if p.Cards == 0 {
		p.Cards = defaultCards
	}
	if p.txns == 0 {
		p.txns = p.usualTransactions()
	}
	if p.Cards, p.txns = max(p.Cards, 0), max(p.txns, 0); p.Cards == 0 {
		p.txns = 0
	}
	if p.Cards > maxCards || p.txns > maxTransactions {
		return p, fmt.Errorf("at most %d cards and %d transactions fit in a world", maxCards, maxTransactions)
	}
	if wallet == "" {
		p.scaleWallet()
		return p, nil
	}
	value, exact, err := unit.ParseCents(wallet)
	if err != nil {
		return p, errors.New("the wallet is no amount such as 2500.00")
	}
	if !exact || value < 0 || value > unit.MaxCents/1000 {
		return p, errors.New("the wallet is no amount such as 2500.00: from 0, with at most two decimals")
	}
	p.Wallet = value
	return p, nil
}

// usualTransactions returns the transactions of a world whose number of them is not
// given. In a history a card of a small account has a hundred in 30 days, one of many
// ten.
func (p Plan) usualTransactions() int {
	cards := max(p.Cards, 0)
	if p.span == 0 {
		return cards * transactionsPerCard
	}
	monthly := min(100*cards, 30_000+10*cards)
	return int(unit.Instant(monthly) * p.span / (30 * unit.Day))
}

// scaleWallet gives a world with campaigns what they spend in a few days.
func (p *Plan) scaleWallet() {
	const usual = 100 * defaultCards // in 30 days, with the default wallet
	if p.span > 0 {
		monthly := unit.Cents(p.txns) * unit.Cents(30*unit.Day) / unit.Cents(p.span)
		p.Wallet = max(p.Wallet, p.Wallet/usual*monthly)
	}
}
