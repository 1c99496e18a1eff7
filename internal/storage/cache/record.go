package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// coder passes values in one direction: into a file, or out of one, where
// what it is given counts for nothing. So the fields below are written down
// once, and both directions agree.
type coder interface {
	number(int64) int64
	// name identifies something.
	name(string) string
	// text is shown on screen; a word is text that repeats.
	text(string) string
	word(string) string
	// count is how many records follow, each of so many bytes or more.
	count(n, size int) int
}

// snapshot codes all but the cards, which come last.
func snapshot(c coder, s *state.Snapshot) {
	moment(c, &s.At)
	moment(c, &s.CardsAt)
	moment(c, &s.WalletAt)
	wallet(c, &s.Wallet)
	moment(c, &s.DepositsAt)
	list(c, &s.Deposits, leastRecord, deposit)
	moment(c, &s.FeedAt)
	moment(c, &s.SeenTo)
	list(c, &s.Transactions, leastRecord, transaction)
	word(c, &s.CampaignRule)
	list(c, &s.Campaigns, leastNamed, func(c coder, r *campaign.Name) {
		name(c, &r.Card)
		word(c, &r.Name)
	})
}

// leastNamed is fewer bytes than any campaign of a card takes.
const leastNamed = 2

// card codes what a list of cards holds and when the card was last used.
// Its spending and limit are read again.
func card(c coder, r *cardlist.Card) {
	name(c, &r.ID)
	word(c, &r.BIN)
	word(c, &r.Network)
	text(c, &r.Last4)
	text(c, &r.Label)
	word(c, &r.Status)
	number(c, &r.Balance)
	moment(c, &r.CreatedAt)
	moment(c, &r.LastUsed)
	moment(c, &r.ExpiresAt)
}

func wallet(c coder, r *api.Wallet) {
	number(c, &r.Balance)
	text(c, &r.Currency)
	optional(c, &r.PendingDeposits)
	optional(c, &r.TotalDeposited)
	optional(c, &r.TotalSpent)
	optional(c, &r.CardsActive)
	optional(c, &r.CardsTotalBalance)
	truth(c, &r.Scoped)
}

func deposit(c coder, r *api.Deposit) {
	name(c, &r.ID)
	word(c, &r.Currency)
	text(c, &r.AmountCrypto)
	optional(c, &r.AmountUSD)
	optional(c, &r.FeeUSD)
	optional(c, &r.CreditedUSD)
	word(c, &r.Status)
	text(c, &r.TxHash)
	optional(c, &r.Confirmations)
	moment(c, &r.CreatedAt)
	moment(c, &r.ConfirmedAt)
}

func transaction(c coder, r *api.Transaction) {
	name(c, &r.ID)
	word(c, &r.CardID)
	word(c, &r.Type)
	number(c, &r.Amount)
	number(c, &r.Foreign)
	word(c, &r.Currency)
	word(c, &r.Merchant.Name)
	word(c, &r.Merchant.Category)
	word(c, &r.Merchant.MCC)
	word(c, &r.Merchant.Country)
	optional(c, &r.BalanceAfter)
	moment(c, &r.CreatedAt)
}

func name[T ~string](c coder, v *T) { *v = T(c.name(string(*v))) }
func text[T ~string](c coder, v *T) { *v = T(c.text(string(*v))) }
func word[T ~string](c coder, v *T) { *v = T(c.word(string(*v))) }

func number[T ~int | ~int64 | ~int32 | ~uint8](c coder, v *T) { *v = T(c.number(int64(*v))) }

func truth(c coder, v *bool) {
	n := 0
	if *v {
		n = 1
	}
	*v = c.count(n, 1) == 1
}

// moment passes a time to the nanosecond, in UTC.
func moment(c coder, v *time.Time) {
	sec := c.number(v.Unix())
	*v = time.Unix(sec, c.number(int64(v.Nanosecond()))).UTC()
}

// optional distinguishes an unknown amount from zero.
func optional[T ~int | ~int64](c coder, v **T) {
	n, there := T(0), 0
	if *v != nil {
		n, there = **v, 1
	}
	if c.count(there, 1) == 0 {
		*v = nil
		return
	}
	number(c, &n)
	*v = &n
}

// leastRecord is fewer bytes than any record of a snapshot takes.
const leastRecord = 10

// list passes records that take some bytes or more each.
func list[T any](c coder, v *[]T, least int, each func(coder, *T)) {
	n := c.count(len(*v), least)
	if *v == nil && n > 0 {
		*v = make([]T, n)
	}
	for i := range *v {
		each(c, &(*v)[i])
	}
}

const (
	daysFolder = "days"
	daysEnding = ".bin"
	// daysMagic is the magic of the files of days.
	daysMagic = "cardtop day 3\n"
	// leastRow is fewer bytes than a row of a day takes, rowSize about what one does.
	leastRow = 8
	rowSize  = 24
	dayLong  = 24 * time.Hour
)

// Days are the days of one profile's ledger that are over, a file each. It may be used
// from several goroutines.
type Days struct {
	dir  string
	seal seal

	mu sync.Mutex // held while a file is written
}

// OpenDays uses a folder. Nothing is read or made before List and Save.
func OpenDays(dir string, a Account) *Days {
	return &Days{dir: filepath.Join(dir, daysFolder), seal: sealOf(a, daysMagic)}
}

// List returns the days that are stored and that a ledger still holds, latest first.
func (d *Days) List(now time.Time) ([]time.Time, error) {
	all, err := d.list()
	if err != nil {
		return nil, fmt.Errorf("list days: %w", err)
	}
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(day time.Time) bool { return now.Sub(day) > (ledger.Days+1)*dayLong }), nil
}

// list returns all days that there are files of, oldest first.
func (d *Days) list() ([]time.Time, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var days []time.Time
	for _, e := range entries { // In the order of their names.
		name, ok := strings.CutSuffix(e.Name(), daysEnding)
		if day, err := time.Parse(time.DateOnly, name); ok && err == nil {
			days = append(days, day)
		}
	}
	return days, nil
}

// Load returns a day. The error is why its file is not used.
func (d *Days) Load(day time.Time) (ledger.Closed, error) {
	c, err := d.load(day)
	if err != nil {
		return ledger.Closed{}, fmt.Errorf("load %s: %w", day.Format(time.DateOnly), err)
	}
	return c, nil
}

func (d *Days) load(day time.Time) (ledger.Closed, error) {
	data, err := read(d.path(day))
	if err != nil {
		return ledger.Closed{}, err
	}
	records, err := d.seal.open(data)
	if err != nil {
		return ledger.Closed{}, named(d.path(day), err)
	}
	var c ledger.Closed
	r := &reader{rest: records}
	if closed(r, &c); r.bad || r.rest != "" || !c.Day.Equal(day) {
		return ledger.Closed{}, ErrDamaged
	}
	return c, nil
}

// Save stores a day in place of what is stored of it, and removes those that no ledger
// of that day or a later one holds.
func (d *Days) Save(c ledger.Closed) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := newWriter(slices.Grow(d.seal.header(), len(c.Rows)*rowSize))
	closed(w, &c)
	if err := d.seal.write(d.path(c.Day), d.seal.close(w.out)); err != nil {
		return fmt.Errorf("save %s: %w", c.Day.Format(time.DateOnly), err)
	}
	all, err := d.list()
	for _, day := range all {
		if c.Day.Sub(day) >= ledger.Days*dayLong && d.seal.replaceable(d.path(day)) == nil {
			err = errors.Join(err, os.Remove(d.path(day)))
		}
	}
	if err != nil {
		return fmt.Errorf("remove old days: %w", err)
	}
	return nil
}

func (d *Days) path(day time.Time) string {
	return filepath.Join(d.dir, day.UTC().Format(time.DateOnly)+daysEnding)
}

// closed codes a day of the ledger.
func closed(c coder, d *ledger.Closed) {
	moment(c, &d.Day)
	list(c, &d.Cards, 1, text)
	list(c, &d.Merchants, 1, text)
	list(c, &d.Countries, 1, text)
	list(c, &d.Rows, leastRow, closedRow)
}

func closedRow(c coder, r *ledger.ClosedRow) {
	r.ID = uint64(c.number(int64(r.ID)))
	number(c, &r.At)
	number(c, &r.Amount)
	number(c, &r.Card)
	number(c, &r.Merchant)
	number(c, &r.Country)
	word(c, &r.Type)
	number(c, &r.Cause)
}
