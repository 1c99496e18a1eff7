package insight

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

// Needs is what insight uses of others.
type Needs struct {
	Notices *kernel.Notices
	Lanes   *kernel.Lanes
	BINs    *bins.Table
	Wallet  *wallets.Table
	Txns    *txns.Table
	Limits  Limits
	History History

	// Cards are the rows of the cards; Total is how many the server says there are, and whether all of them were read.
	Cards *cardlist.Table
	Total func() (n int, complete bool)
	// StatusChanges are how the status of a card was seen to change after a time on the server's clock, the latest first.
	StatusChanges func(id api.CardID, after time.Time) []cardlist.StatusChange
	// Settings are the monthly limit of a card, USD, and its categories; nil where they are not known.
	Settings func(api.CardID) (limit *api.USD, categories *[]api.Text)
	// Inspected is the card that is inspected; empty for none.
	Inspected func() api.CardID
	// Summary reads the summary of a card for its metadata.
	Summary func(poll.Seq, api.CardID) kernel.Effect
	// Challenges are the 3DS challenges of a transaction.
	Challenges func(*api.Transaction) []decline.Challenge3DS
	// Moved is what left the wallet for cards since a time, from here and from other programs, and from when on all of it is
	// known; nil while it is not.
	Moved func(since time.Time) (moved map[api.IdempotencyKey]guard.Moved, from time.Time)
}

// Limits are the monthly limits of cards, and what was spent of them.
type Limits interface {
	// Want has the limit of a card read soon. ReadAfter reports whether it may have been read after a time on the server's
	// clock, ReadSince whether it was.
	Want(api.CardID)
	ReadAfter(api.CardID, time.Time) bool
	ReadSince(api.CardID, time.Time) bool
	// Month is what a card spent in the calendar month, USD, and when that began; zero while nothing is added up. MonthWhole
	// reports whether it is all.
	Month(api.CardID) (sum api.USD, start time.Time)
	MonthWhole(api.CardID) bool
}

// History is what was done from here. Times are on the server's clock.
type History interface {
	// Recorded is how many records there are, and when the latest was made.
	Recorded() (n int, last time.Time)
	// StatusAt is the status that a card was given last before a time, and the one that it had when it was changed next: now
	// where it was not. earlier reports whether an earlier run gave it.
	StatusAt(id api.CardID, at time.Time, now api.CardStatus) (before, after api.CardStatus, earlier bool)
	StatusChanges(id api.CardID, after time.Time) []cardlist.StatusChange
	EndedAfter(api.CardID, time.Time) bool
	UpdatedBefore(api.CardID, time.Time) time.Time
	// UpdatedSince reports whether the settings of a card were written after a time, and the limit that it had before.
	UpdatedSince(api.CardID, time.Time) (limit *api.USD, updated bool)
}

// Explained is told when another answer is known to why a transaction was declined.
type Explained struct{ *decline.Explained }
